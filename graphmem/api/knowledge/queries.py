"""Reading knowledge over GraphQL."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graphmem.access.view import View
from graphmem.api.context import Info
from graphmem.api.enums import Direction, EdgeType, KnowledgeOrder, Scope
from graphmem.api.knowledge.inputs import KnowledgeFilter
from graphmem.api.knowledge.search import (
    KnowledgePath,
    PathStep,
    SearchInput,
    SearchResult,
    asks_for,
    depth_within,
    node_properties,
)
from graphmem.api.knowledge.types import KnowledgeConnection, KnowledgeNode, of_node
from graphmem.api.paging import Connection, bounded, page_size
from graphmem.knowledge import budget
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.get import get
from graphmem.knowledge.listing import knowledge_nodes
from graphmem.knowledge.path import path
from graphmem.knowledge.search_as_of import search
from graphmem.knowledge.traverse import traverse

AsOf = Annotated[datetime | None, strawberry.argument(description="What the graph said then; default now.")]
ValidAt = Annotated[datetime | None, strawberry.argument(description="What was true in the world then.")]


@strawberry.type
class KnowledgeQuery:
    @strawberry.field(description="A node by its id, whatever its status; null when there is none that you may see.")
    async def knowledge(
        self,
        info: Info,
        id: strawberry.ID,
        resource_id: strawberry.ID | None = None,
        as_of: AsOf = None,
        valid_at: ValidAt = None,
    ) -> KnowledgeNode | None:
        view = readable(info, resource_id, as_of, valid_at)
        node = (await get(info.context.graph, view, [id])).get(id)
        return None if node is None else of_node(view, node)

    @strawberry.field(description="Nodes that pass a filter, page by page.")
    async def knowledge_nodes(
        self,
        info: Info,
        filter: KnowledgeFilter | None = None,
        order_by: KnowledgeOrder = KnowledgeOrder.CREATED_DESC,
        first: int = 20,
        after: str | None = None,
        resource_id: strawberry.ID | None = None,
        as_of: AsOf = None,
        valid_at: ValidAt = None,
    ) -> KnowledgeConnection:
        view = readable(info, resource_id, as_of, valid_at)
        asked, size = filter or KnowledgeFilter(), page_size(first, info.context.settings)
        page = await knowledge_nodes(info.context.graph, view, asked.value(view), order_by, size, after, asked.text)
        return Connection.of([of_node(view, node) for node in page.items], list(page.cursors), page.has_next)

    @strawberry.field(description="Hybrid search with typed, depth-limited expansion; each hit says why it is there.")
    async def search(self, info: Info, input: SearchInput) -> SearchResult:
        view = readable(info, input.resource_id, input.as_of, input.valid_at)
        graph, embedding, room = info.context.graph, info.context.services.embedding, input.token_budget
        properties, edges = node_properties(info), asks_for(info, "edges")
        if room is None:
            found = await search(graph, embedding, view, input.value(view, properties, edges))
            return SearchResult.of(info, view, found)
        budget.check(room)
        read = sorted({*properties, *budget.TOLD})
        fitting = await budget.within(await search(graph, embedding, view, input.value(view, read, edges)), room)
        return SearchResult.of(info, view, fitting.result, fitting.tokens, fitting.dropped)

    @strawberry.field(description="The neighbourhood of a node, each node with its shortest path.")
    async def traverse(
        self,
        info: Info,
        source_id: Annotated[strawberry.ID, strawberry.argument(name="from")],
        max_depth: int = 1,
        edge_types: list[EdgeType] | None = None,
        direction: Direction | None = None,
        limit: int = 50,
        resource_id: strawberry.ID | None = None,
        as_of: AsOf = None,
        valid_at: ValidAt = None,
    ) -> SearchResult:
        view = readable(info, resource_id, as_of, valid_at)
        settings = info.context.settings
        found = await traverse(
            info.context.graph, view, source_id, depth_within(info, max_depth), Directions.of(edge_types, direction),
            bounded(limit, 1, settings.max_hits, "max_hits", "limit"), node_properties(info), asks_for(info, "edges"),
        )  # fmt: skip
        return SearchResult.of(info, view, found)

    @strawberry.field(description="The shortest typed path between two nodes; null when there is none that short.")
    async def path(
        self,
        info: Info,
        source_id: Annotated[strawberry.ID, strawberry.argument(name="from")],
        target_id: Annotated[strawberry.ID, strawberry.argument(name="to")],
        max_depth: int = 4,
        edge_types: list[EdgeType] | None = None,
        direction: Direction | None = None,
        resource_id: strawberry.ID | None = None,
        as_of: AsOf = None,
        valid_at: ValidAt = None,
    ) -> KnowledgePath | None:
        view = readable(info, resource_id, as_of, valid_at)
        ways = Directions.of(edge_types, direction)
        found = await path(info.context.graph, view, source_id, target_id, depth_within(info, max_depth), ways)
        if found is None:
            return None
        nodes, steps = found
        return KnowledgePath(nodes=[of_node(view, node) for node in nodes], steps=[PathStep.of(step) for step in steps])


def readable(info: Info, resource: str | None, as_of: datetime | None = None, valid_at: datetime | None = None) -> View:
    """What this call may see.

    Raises Forbidden without the scope, or for a resource that the key may not name; InvalidInput for a time to come.
    """
    info.context.principal.require(Scope.READ)
    return View.of(info.context.principal, resource).at(as_of, valid_at)
