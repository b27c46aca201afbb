"""Writing knowledge over GraphQL."""

from __future__ import annotations

import strawberry

from graphmem.access.view import View
from graphmem.api.context import Info
from graphmem.api.enums import EdgeType
from graphmem.api.knowledge.inputs import EdgeKeyInput, KnowledgeEdgeInput, KnowledgeInput, KnowledgePatch
from graphmem.api.knowledge.types import KnowledgeNode, WarningType, of_node
from graphmem.errors import NotFound
from graphmem.knowledge.edges_write import EdgeKey, EdgesWritten
from graphmem.knowledge.get import get
from graphmem.knowledge.link import Unlinked, link, unlink
from graphmem.knowledge.remember import Remembered, remember
from graphmem.knowledge.update import update


@strawberry.type(description="An edge by its ends and type.", name="EdgeKey")
class EdgeKeyType:
    source_id: strawberry.ID = strawberry.field(name="from")
    target_id: strawberry.ID = strawberry.field(name="to")
    type: EdgeType

    @classmethod
    def all_of(cls, keys: tuple[EdgeKey, ...] | list[EdgeKey]) -> list[EdgeKeyType]:
        return [
            cls(source_id=strawberry.ID(key.source_id), target_id=strawberry.ID(key.target_id), type=key.type)
            for key in keys
        ]


@strawberry.type(description="What became of the nodes and edges given. `ids` are those of the nodes, in their order.")
class RememberResult:
    ids: list[strawberry.ID]
    created: list[strawberry.ID]
    updated: list[strawberry.ID]
    unchanged: list[strawberry.ID]
    edges_created: int
    edges_updated: int
    edges_unchanged: int
    pending: list[EdgeKeyType]
    warnings: list[WarningType]

    @classmethod
    def of(cls, done: Remembered) -> RememberResult:
        return cls(
            ids=_ids(done.ids), created=_ids(done.created), updated=_ids(done.updated),
            unchanged=_ids(done.unchanged), edges_created=done.edges_created, edges_updated=done.edges_updated,
            edges_unchanged=done.edges_unchanged, pending=EdgeKeyType.all_of(done.pending),
            warnings=[WarningType.of(found) for found in done.warnings],
        )  # fmt: skip


@strawberry.type(description="What became of the edges given; each stands in one of the lists.")
class LinkResult:
    created: list[EdgeKeyType]
    updated: list[EdgeKeyType]
    unchanged: list[EdgeKeyType]
    pending: list[EdgeKeyType] = strawberry.field(description="They wait for a node that doesn't exist yet.")

    @classmethod
    def of(cls, done: EdgesWritten) -> LinkResult:
        return cls(
            created=EdgeKeyType.all_of(done.created), updated=EdgeKeyType.all_of(done.updated),
            unchanged=EdgeKeyType.all_of(done.unchanged), pending=EdgeKeyType.all_of(done.pending),
        )  # fmt: skip


@strawberry.type(description="Edges that were closed, and those that were not there to close.")
class UnlinkResult:
    closed: list[EdgeKeyType]
    absent: list[EdgeKeyType]

    @classmethod
    def of(cls, done: Unlinked) -> UnlinkResult:
        return cls(closed=EdgeKeyType.all_of(done.closed), absent=EdgeKeyType.all_of(done.absent))


@strawberry.type(description="A node after a change, and what differs from before.")
class UpdateResult:
    node: KnowledgeNode
    version: int
    changed: list[str]


@strawberry.type
class KnowledgeMutation:
    @strawberry.mutation(
        description="Create or update nodes and open edges: all or nothing, the same again changes nothing."
    )
    async def remember(
        self,
        info: Info,
        nodes: list[KnowledgeInput] | None = None,
        edges: list[KnowledgeEdgeInput] | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> RememberResult:
        done = await remember(
            info.context.graph, info.context.principal,
            [node.value() for node in nodes or ()], [edge.value() for edge in edges or ()],
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        info.context.services.wake()
        return RememberResult.of(done)

    @strawberry.mutation(description="Change a node; its earlier state is kept.")
    async def update_knowledge(
        self,
        info: Info,
        id: strawberry.ID,
        patch: KnowledgePatch,
        expected_version: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> UpdateResult:
        context = info.context
        done = await update(
            context.graph, context.principal, id, patch.value(), expected_version=expected_version,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        context.services.wake()
        view = View.of(context.principal, resource_id)
        node = (await get(context.graph, view, [id])).get(id)
        if node is None:
            raise NotFound(f"{id!r} was changed and is gone by now", field="id")
        return UpdateResult(node=of_node(view, node), version=done.version, changed=list(done.changed))

    @strawberry.mutation(description="Open edges; one without an end waits for it. SUPERSEDES ends its target's use.")
    async def link(
        self,
        info: Info,
        edges: list[KnowledgeEdgeInput],
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> LinkResult:
        done = await link(
            info.context.graph, info.context.principal, [edge.value() for edge in edges],
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return LinkResult.of(done)

    @strawberry.mutation(description="Close edges; reads of the past still see them, and a superseded node stays so.")
    async def unlink(
        self,
        info: Info,
        edges: list[EdgeKeyInput],
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> UnlinkResult:
        done = await unlink(
            info.context.graph, info.context.principal, [edge.value() for edge in edges],
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return UnlinkResult.of(done)


def _ids(values: tuple[str, ...]) -> list[strawberry.ID]:
    return [strawberry.ID(value) for value in values]
