"""Correcting knowledge over GraphQL: nothing is lost but by `deleteKnowledge`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graphmem.access.view import View
from graphmem.api.context import Info
from graphmem.api.enums import Status
from graphmem.api.knowledge.mutations import LinkResult
from graphmem.api.knowledge.queries import AsOf, ValidAt, readable
from graphmem.api.knowledge.types import KnowledgeEdge, KnowledgeNode, of_node
from graphmem.api.paging import Connection, page_size
from graphmem.knowledge.archive import archive
from graphmem.knowledge.conflicts import Contradiction, conflicts, flag_conflict, resolve_conflict
from graphmem.knowledge.delete import delete
from graphmem.knowledge.history import Cause, State, history
from graphmem.knowledge.lifecycle import StatusChanged
from graphmem.knowledge.restore import restore
from graphmem.knowledge.retract import retract
from graphmem.knowledge.supersede import supersede
from graphmem.values import FOREVER


@strawberry.type(description="A node's status after a change; `changed` is false when it was so before.")
class StatusResult:
    id: strawberry.ID
    status: Status
    version: int
    changed: bool

    @classmethod
    def of(cls, done: StatusChanged) -> StatusResult:
        return cls(id=strawberry.ID(done.id), status=done.status, version=done.version, changed=done.changed)


@strawberry.type(description="What went with a node that was deleted.")
class DeleteResult:
    id: strawberry.ID
    revisions: int
    chunks: int


@strawberry.type(description="The call that brought a state about, as the change log has it.")
class KnowledgeCause:
    change_id: strawberry.ID
    at: datetime
    action: str
    key_name: str | None = strawberry.field(
        description="Whose key it was; null for a key bound to a resource, unless the other was bound to it too."
    )
    agent: str | None

    @classmethod
    def of(cls, cause: Cause) -> KnowledgeCause:
        return cls(
            change_id=strawberry.ID(cause.id), at=cause.at, action=cause.action, key_name=cause.key_name,
            agent=cause.agent,
        )  # fmt: skip


@strawberry.type(description="A node as the graph knew it for a while.")
class KnowledgeState:
    node: KnowledgeNode
    recorded_from: datetime
    recorded_to: datetime | None = strawberry.field(description="null: it is so now.")
    reason: str | None = strawberry.field(description="What the caller gave for the change that led here.")
    cause: KnowledgeCause | None = strawberry.field(description="Who did what; null for states from before the log.")

    @classmethod
    def of(cls, view: View, state: State) -> KnowledgeState:
        ended = None if state.recorded_to == FOREVER else state.recorded_to
        return cls(
            node=of_node(view, state.node), recorded_from=state.recorded_from, recorded_to=ended, reason=state.reason,
            cause=None if state.cause is None else KnowledgeCause.of(state.cause),
        )  # fmt: skip


@strawberry.type(description="Two nodes in use that contradict each other.")
class KnowledgeConflict:
    edge: KnowledgeEdge
    first: KnowledgeNode
    second: KnowledgeNode

    @classmethod
    def of(cls, view: View, found: Contradiction) -> KnowledgeConflict:
        return cls(
            edge=KnowledgeEdge.of(found.edge), first=of_node(view, found.first), second=of_node(view, found.second)
        )


@strawberry.type
class CorrectionQuery:
    @strawberry.field(description="The states of a node, newest first, each with who brought it about.")
    async def history(
        self,
        info: Info,
        id: strawberry.ID,
        resource_id: strawberry.ID | None = None,
        as_of: AsOf = None,
        valid_at: ValidAt = None,
    ) -> list[KnowledgeState]:
        view = readable(info, resource_id, as_of, valid_at)
        return [KnowledgeState.of(view, state) for state in await history(info.context.graph, view, id)]

    @strawberry.field(description="Open contradictions between nodes in use, oldest first.")
    async def conflicts(
        self,
        info: Info,
        first: int = 20,
        after: str | None = None,
        resource_id: strawberry.ID | None = None,
        as_of: AsOf = None,
        valid_at: ValidAt = None,
    ) -> Connection[KnowledgeConflict]:
        view = readable(info, resource_id, as_of, valid_at)
        page = await conflicts(info.context.graph, view, page_size(first, info.context.settings), after)
        items = [KnowledgeConflict.of(view, found) for found in page.items]
        return Connection.of(items, list(page.cursors), page.has_next)


@strawberry.type
class CorrectionMutation:
    @strawberry.mutation(description="Have one node take another's place; searches follow.")
    async def supersede(
        self,
        info: Info,
        old: strawberry.ID,
        new: strawberry.ID,
        reason: str | None = None,
        expected_version: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> StatusResult:
        done = await supersede(
            info.context.graph, info.context.principal, old, new, reason, expected_version=expected_version,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return StatusResult.of(done)

    @strawberry.mutation(description="Take out of use what turned out to be wrong.")
    async def retract(
        self,
        info: Info,
        id: strawberry.ID,
        reason: str | None = None,
        expected_version: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> StatusResult:
        done = await retract(
            info.context.graph, info.context.principal, id, reason, expected_version=expected_version,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return StatusResult.of(done)

    @strawberry.mutation(description="Put a node that was superseded, retracted or archived in use again.")
    async def restore(
        self,
        info: Info,
        id: strawberry.ID,
        reason: str | None = None,
        expected_version: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> StatusResult:
        done = await restore(
            info.context.graph, info.context.principal, id, reason, expected_version=expected_version,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return StatusResult.of(done)

    @strawberry.mutation(description="Take out of use what is no longer of interest.")
    async def archive(
        self,
        info: Info,
        id: strawberry.ID,
        reason: str | None = None,
        expected_version: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> StatusResult:
        done = await archive(
            info.context.graph, info.context.principal, id, reason, expected_version=expected_version,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return StatusResult.of(done)

    @strawberry.mutation(description="Say that two nodes contradict each other.")
    async def flag_conflict(
        self,
        info: Info,
        one: strawberry.ID,
        other: strawberry.ID,
        reason: str | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> LinkResult:
        done = await flag_conflict(
            info.context.graph, info.context.principal, one, other, reason, resource=resource_id,
            idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return LinkResult.of(done)

    @strawberry.mutation(description="Settle a contradiction: `keep` supersedes `drop`.")
    async def resolve_conflict(
        self,
        info: Info,
        keep: strawberry.ID,
        drop: strawberry.ID,
        reason: str | None = None,
        expected_version: Annotated[int | None, strawberry.argument(description="Of `drop`.")] = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> StatusResult:
        done = await resolve_conflict(
            info.context.graph, info.context.principal, keep, drop, reason, expected_version=expected_version,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return StatusResult.of(done)

    @strawberry.mutation(description="Take a node away for good, earlier states included; needs the scope ADMIN.")
    async def delete_knowledge(
        self,
        info: Info,
        id: strawberry.ID,
        expected_version: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> DeleteResult:
        done = await delete(
            info.context.graph, info.context.principal, id, expected_version=expected_version, resource=resource_id,
            idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return DeleteResult(id=strawberry.ID(done.id), revisions=done.revisions, chunks=done.chunks)
