"""Resources, threads and turns as GraphQL shows them."""

from __future__ import annotations

from datetime import datetime

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation import loaders
from graphmem.api.conversation.memory_types import WorkingMemory
from graphmem.api.conversation.types import NEWEST, Message
from graphmem.api.enums import ContextType, TurnState
from graphmem.api.paging import page_size
from graphmem.api.scalars import JSON
from graphmem.conversation.threads import Resource as StoredResource
from graphmem.conversation.threads import Thread as StoredThread
from graphmem.conversation.turns import Turn as StoredTurn


async def _memory(info: Info, owner: strawberry.ID) -> WorkingMemory | None:
    found = await loaders.memory(info.context, str(owner))
    return None if found is None else WorkingMemory.of(found)


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
    def of(cls, one: StoredResource) -> Resource:
        return cls(
            id=strawberry.ID(one.id), name=one.name, speakers=list(one.speakers), metadata=JSON(dict(one.metadata)),
            version=one.version, created_at=one.created_at, updated_at=one.updated_at,
        )  # fmt: skip

    @strawberry.field(description="Its threads, those with the newest messages first; `threads` gives the others.")
    async def threads(self, info: Info, first: int = NEWEST) -> list[Thread]:
        count = page_size(first, info.context.settings)
        return [Thread.of(one) for one in await loaders.threads_of(info.context, str(self.id), count)]

    @strawberry.field(description="What is to be known in every turn of its threads.")
    async def working_memory(self, info: Info) -> WorkingMemory | None:
        return await _memory(info, self.id)


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
    def of(cls, one: StoredThread) -> Thread:
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

    @strawberry.field(description="Its own working memory; that of its resource is `resource.workingMemory`.")
    async def working_memory(self, info: Info) -> WorkingMemory | None:
        return await _memory(info, self.id)

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
    def of(cls, one: StoredTurn) -> Turn:
        return cls(
            id=strawberry.ID(one.id), thread_id=strawberry.ID(one.thread), resource_id=strawberry.ID(one.resource),
            state=one.state, attempt=one.attempt, agent=one.agent, staged=one.staged, expires_at=one.expires_at,
            ended_at=one.ended_at, reason=one.reason, first_seq=one.first_seq, last_seq=one.last_seq,
            created_at=one.created_at,
        )  # fmt: skip

    @strawberry.field(description="Its first messages, in order; while it is open, those that it has staged.")
    async def messages(self, info: Info, first: int = NEWEST) -> list[Message]:
        count = page_size(first, info.context.settings)
        return [Message.of(one) for one in await loaders.said_in(info.context, str(self.id), count)]
