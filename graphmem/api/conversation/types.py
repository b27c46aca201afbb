"""Resources, threads, turns and messages as GraphQL shows them."""

from __future__ import annotations

from datetime import datetime

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation import loaders
from graphmem.api.enums import ContextType, PartType, Role, TurnState
from graphmem.api.paging import page_size
from graphmem.api.scalars import JSON
from graphmem.conversation import messages as said
from graphmem.conversation import threads, turns
from graphmem.conversation.notices import Notice as StoredNotice

NEWEST = 20


@strawberry.type(description="The customer, user or project that memory is about.")
class Resource:
    id: strawberry.ID
    name: str | None
    speakers: list[str] = strawberry.field(description="Who speaks in its threads.")
    metadata: JSON
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, one: threads.Resource) -> Resource:
        return cls(
            id=strawberry.ID(one.id), name=one.name, speakers=list(one.speakers), metadata=JSON(dict(one.metadata)),
            version=one.version, created_at=one.created_at, updated_at=one.updated_at,
        )  # fmt: skip


@strawberry.type(description="A piece of a message, kept whole.")
class MessagePart:
    type: PartType
    text: str | None
    tool_call_id: strawberry.ID | None
    tool_name: str | None
    data: JSON | None = strawberry.field(description="Arguments of a call, what a result came to, or plain data.")
    uri: str | None
    media_type: str | None
    name: str | None
    caption: str | None = strawberry.field(description="What a file shows, in words.")

    @classmethod
    def of(cls, part: said.Part) -> MessagePart:
        return cls(
            type=part.type, text=part.text, tool_call_id=strawberry.ID(part.call_id) if part.call_id else None,
            tool_name=part.tool, data=None if part.data is None else JSON(dict(part.data)), uri=part.uri,
            media_type=part.media_type, name=part.name, caption=part.caption,
        )  # fmt: skip


@strawberry.type(description="What a message said for a while.")
class MessageRevision:
    version: int
    text: str
    parts: list[MessagePart]
    recorded_from: datetime
    recorded_to: datetime


@strawberry.type(description="A message of a committed turn.")
class Message:
    id: strawberry.ID
    thread_id: strawberry.ID
    resource_id: strawberry.ID
    turn_id: strawberry.ID
    seq: int | None = strawberry.field(description="Its place in the thread, from 1 on, without gaps.")
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
            turn_id=strawberry.ID(one.turn), seq=one.seq, role=one.role, speaker=one.speaker, agent=one.agent,
            text=one.content, parts=[MessagePart.of(part) for part in one.parts], tokens=one.tokens,
            version=one.version, created_at=one.created_at, updated_at=one.updated_at, deleted_at=one.deleted_at,
        )  # fmt: skip

    @strawberry.field(description="What it said before, the latest first.")
    async def revisions(self, info: Info) -> list[MessageRevision]:
        return [
            MessageRevision(
                version=had.version, text=had.content, parts=[MessagePart.of(part) for part in had.parts],
                recorded_from=had.recorded_from, recorded_to=had.recorded_to,
            )
            for had in await loaders.revisions(info.context, str(self.id))
        ]  # fmt: skip


@strawberry.type(description="One conversation.")
class Thread:
    id: strawberry.ID
    resource_id: strawberry.ID
    title: str | None
    title_pinned: bool = strawberry.field(description="It was given, and nothing made up replaces it.")
    speakers: list[str]
    context_type: ContextType
    topic: str | None
    metadata: JSON
    last_seq: int
    message_count: int = strawberry.field(description="Without those that were deleted.")
    last_message_at: datetime
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, one: threads.Thread) -> Thread:
        return cls(
            id=strawberry.ID(one.id), resource_id=strawberry.ID(one.resource), title=one.title,
            title_pinned=one.title_pinned, speakers=list(one.speakers), context_type=one.context_type, topic=one.topic,
            metadata=JSON(dict(one.metadata)), last_seq=one.last_seq, message_count=one.message_count,
            last_message_at=one.last_message_at, version=one.version, created_at=one.created_at,
            updated_at=one.updated_at,
        )  # fmt: skip

    @strawberry.field(description="Its newest messages, in order; `messages` gives the others.")
    async def messages(self, info: Info, last: int = NEWEST) -> list[Message]:
        count = page_size(last, info.context.settings, "last")
        return [Message.of(one) for one in await loaders.newest(info.context, str(self.id), count)]

    @strawberry.field(description="The threads that it is linked with, those with the newest messages first.")
    async def related(self, info: Info) -> list[Thread]:
        return [Thread.of(one) for one in await loaders.related(info.context, str(self.id))]

    @strawberry.field(description="Whom it is about.")
    async def resource(self, info: Info) -> Resource | None:
        found = await loaders.resource(info.context, str(self.resource_id))
        return None if found is None else Resource.of(found)


@strawberry.type(description="One exchange in a thread.")
class Turn:
    id: strawberry.ID
    thread_id: strawberry.ID
    resource_id: strawberry.ID
    state: TurnState
    attempt: int
    agent: str | None
    staged: int = strawberry.field(description="How many messages wait in it.")
    expires_at: datetime | None = strawberry.field(description="null: it has ended.")
    ended_at: datetime | None
    reason: str | None = strawberry.field(description="Why it was rejected, or its last attempt.")
    first_seq: int | None
    last_seq: int | None
    created_at: datetime

    @classmethod
    def of(cls, one: turns.Turn) -> Turn:
        return cls(
            id=strawberry.ID(one.id), thread_id=strawberry.ID(one.thread), resource_id=strawberry.ID(one.resource),
            state=one.state, attempt=one.attempt, agent=one.agent, staged=one.staged, expires_at=one.expires_at,
            ended_at=one.ended_at, reason=one.reason, first_seq=one.first_seq, last_seq=one.last_seq,
            created_at=one.created_at,
        )  # fmt: skip


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
