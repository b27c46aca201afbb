"""Messages and notices as GraphQL shows them."""

from __future__ import annotations

from datetime import datetime

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation import loaders
from graphmem.api.enums import PartType, Role
from graphmem.api.paging import page_size
from graphmem.api.scalars import JSONValue
from graphmem.conversation import messages as said
from graphmem.conversation.notices import Notice as StoredNotice

NEWEST = 20


@strawberry.type(description="A piece of a message, kept whole.")
class MessagePart:
    type: PartType
    text: str | None
    tool_call_id: strawberry.ID | None
    tool_name: str | None
    data: JSONValue | None = strawberry.field(description="Arguments of a call, what a result came to, or plain data.")
    uri: str | None
    media_type: str | None
    name: str | None
    caption: str | None = strawberry.field(description="What a file shows, in words.")
    is_error: bool = strawberry.field(description="Of a result: the call failed.")

    @classmethod
    def of(cls, part: said.Part) -> MessagePart:
        return cls(
            type=part.type, text=part.text, tool_call_id=strawberry.ID(part.call_id) if part.call_id else None,
            tool_name=part.tool, data=None if part.data is None else JSONValue(part.data), uri=part.uri,
            media_type=part.media_type, name=part.name, caption=part.caption, is_error=bool(part.is_error),
        )  # fmt: skip


@strawberry.type(description="What a message said for a while.")
class MessageRevision:
    version: int
    text: str
    parts: list[MessagePart]
    recorded_from: datetime
    recorded_to: datetime


@strawberry.type(description="A message of a committed turn; of an open one, where that is asked for by its id.")
class Message:
    id: strawberry.ID
    thread_id: strawberry.ID
    resource_id: strawberry.ID
    turn_id: strawberry.ID
    seq: int | None = strawberry.field(description="Its place in the thread, from 1 on, without gaps.")
    staged: bool = strawberry.field(description="It is of an open turn, and has no place in the thread yet.")
    role: Role
    speaker: str | None
    agent: str | None
    text: str = strawberry.field(description="Its text parts and captions; empty when it was deleted.")
    parts: list[MessagePart]
    tokens: int = strawberry.field(
        description="Of what it says and of who says it, in o200k_base; a context counts its tags, too."
    )
    version: int
    created_at: datetime = strawberry.field(description="When it was said; the order is `seq`.")
    updated_at: datetime
    deleted_at: datetime | None

    @classmethod
    def of(cls, one: said.Message) -> Message:
        return cls(
            id=strawberry.ID(one.id), thread_id=strawberry.ID(one.thread), resource_id=strawberry.ID(one.resource),
            turn_id=strawberry.ID(one.turn), seq=one.seq, staged=one.seq is None, role=one.role, speaker=one.speaker,
            agent=one.agent, text=one.content, parts=[MessagePart.of(part) for part in one.parts], tokens=one.tokens,
            version=one.version, created_at=one.created_at, updated_at=one.updated_at, deleted_at=one.deleted_at,
        )  # fmt: skip

    @strawberry.field(description="What it said before, the latest first.")
    async def revisions(self, info: Info, first: int = NEWEST) -> list[MessageRevision]:
        count = page_size(first, info.context.settings)
        return [
            MessageRevision(
                version=had.version, text=had.content, parts=[MessagePart.of(part) for part in had.parts],
                recorded_from=had.recorded_from, recorded_to=had.recorded_to,
            )
            for had in await loaders.revisions(info.context, str(self.id), count)
        ]  # fmt: skip


@strawberry.type(description="Something that a thread or an agent is to be told until it is acknowledged.")
class Notice:
    id: strawberry.ID
    text: str
    source: str | None
    thread_id: strawberry.ID | None
    agent: str | None
    created_at: datetime
    expires_at: datetime | None

    @classmethod
    def of(cls, one: StoredNotice) -> Notice:
        return cls(
            id=strawberry.ID(one.id), text=one.text, source=one.source,
            thread_id=strawberry.ID(one.thread) if one.thread else None, agent=one.agent, created_at=one.created_at,
            expires_at=one.expires_at,
        )  # fmt: skip
