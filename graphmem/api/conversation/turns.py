"""Turns over GraphQL: what is said is staged, and stored whole or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation import loaders
from graphmem.api.conversation.inputs import SaidInput, messages_of
from graphmem.api.conversation.memory_types import TurnMemoryInput
from graphmem.api.conversation.thread_types import Turn
from graphmem.api.conversation.types import Message
from graphmem.api.enums import TurnState
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import TTL_SECONDS, begin_turn
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.reject_turn import reject_turn
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.turns import TurnChanged
from graphmem.conversation.with_turn import WithTurn

NoticeIds = Annotated[
    list[strawberry.ID] | None,
    strawberry.argument(
        description="The notices that the turn's context carried: they are told no more. Others stay, whenever posted."
    ),
]
Memory = Annotated[
    list[TurnMemoryInput] | None,
    strawberry.argument(description="What is known from this turn on; not at all when it can't be stored."),
]


def _beside(notices: Sequence[str] | None, memory: Sequence[TurnMemoryInput] | None) -> WithTurn:
    return WithTurn(notices or (), [one.value_of() for one in memory or ()])


@strawberry.type(description="What became of a turn. `ids`: the messages that the call staged, or that were committed.")
class TurnResult:
    id: strawberry.ID
    thread_id: strawberry.ID
    state: TurnState
    attempt: int
    ids: list[strawberry.ID]
    first_seq: int | None
    last_seq: int | None

    @classmethod
    def of(cls, done: TurnChanged) -> TurnResult:
        return cls(
            id=strawberry.ID(done.id), thread_id=strawberry.ID(done.thread), state=done.state, attempt=done.attempt,
            ids=[strawberry.ID(uid) for uid in done.ids], first_seq=done.first_seq, last_seq=done.last_seq,
        )  # fmt: skip

    @strawberry.field(description="The turn as it is now; null after a dry run that would begin it.")
    async def turn(self, info: Info) -> Turn | None:
        found = await loaders.turn(info.context, str(self.id))
        return None if found is None else Turn.of(found)


@strawberry.type(description="A turn that was stored. `unchanged`: ids of messages that were stored before.")
class AppendResult:
    thread_id: strawberry.ID
    turn_id: strawberry.ID
    first_seq: int
    last_seq: int
    ids: list[strawberry.ID]
    unchanged: list[strawberry.ID]

    @strawberry.field(description="The messages given, as they are stored; none after a dry run.")
    async def messages(self, info: Info) -> list[Message]:
        found = await asyncio.gather(*(loaders.message(info.context, str(uid)) for uid in self.ids))
        return [Message.of(one) for one in found if one is not None]


@strawberry.type
class TurnMutation:
    @strawberry.mutation(description="Store messages as one turn at the end of a thread.")
    async def append_turn(
        self,
        info: Info,
        thread_id: strawberry.ID,
        messages: list[SaidInput],
        turn_id: strawberry.ID | None = None,
        agent: str | None = None,
        notice_ids: NoticeIds = None,
        memory: Memory = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> AppendResult:
        done = await append_turn(
            info.context.graph, info.context.principal, thread_id, messages_of(messages), turn=turn_id, agent=agent,
            beside=_beside(notice_ids, memory), resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        info.context.services.wake()
        return AppendResult(
            thread_id=strawberry.ID(done.thread), turn_id=strawberry.ID(done.turn), first_seq=done.first_seq,
            last_seq=done.last_seq, ids=[strawberry.ID(uid) for uid in done.ids],
            unchanged=[strawberry.ID(uid) for uid in done.unchanged],
        )  # fmt: skip

    @strawberry.mutation(description="Open a turn: what is staged in it is seen by nobody else until it is committed.")
    async def begin_turn(
        self,
        info: Info,
        thread_id: strawberry.ID,
        id: strawberry.ID | None = None,
        agent: str | None = None,
        ttl_seconds: int = TTL_SECONDS,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> TurnResult:
        done = await begin_turn(
            info.context.graph, info.context.principal, thread_id, turn=id, agent=agent, ttl_seconds=ttl_seconds,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return TurnResult.of(done)

    @strawberry.mutation(description="Add messages to an open turn.")
    async def stage_messages(
        self,
        info: Info,
        turn_id: strawberry.ID,
        messages: list[SaidInput],
        attempt: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> TurnResult:
        done = await stage_messages(
            info.context.graph, info.context.principal, turn_id, messages_of(messages), attempt=attempt,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return TurnResult.of(done)

    @strawberry.mutation(description="Store what a turn staged, all at once.")
    async def commit_turn(
        self,
        info: Info,
        turn_id: strawberry.ID,
        notice_ids: NoticeIds = None,
        memory: Memory = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> TurnResult:
        done = await commit_turn(
            info.context.graph, info.context.principal, turn_id, beside=_beside(notice_ids, memory),
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        info.context.services.wake()
        return TurnResult.of(done)

    @strawberry.mutation(
        description="Throw away what a turn staged; with `retry` it stays open for another attempt, of three at most."
    )
    async def reject_turn(
        self,
        info: Info,
        turn_id: strawberry.ID,
        reason: str | None = None,
        retry: bool = False,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> TurnResult:
        done = await reject_turn(
            info.context.graph, info.context.principal, turn_id, reason, retry=retry, resource=resource_id,
            idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return TurnResult.of(done)
