"""The neighbourhood of a node, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphmem import checks
from graphmem.access.view import View
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph
from graphmem.knowledge import search_as_of, unknown, winners
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.search import SearchResult, expansion_params, for_depth, ranked


async def traverse(
    graph: Graph,
    view: View,
    start: str,
    max_depth: int,
    ways: Directions,
    limit: int,
    properties: Sequence[str],
    edges: bool,
) -> SearchResult:
    """The node and what is reached from it, the node first; as a search whose only seed it is, in two trips.

    Raises NotFound when there is no such node to be seen.
    """
    checks.identifier(start, "from")
    if not view.is_present:
        return await search_as_of.traverse(graph, view, start, max_depth, ways, limit, properties, edges)
    params: dict[str, Any] = {
        "tenant": view.tenant, "resources": view.resources, **unknown.asking(view), "from": start, "stems": [],
    }  # fmt: skip
    rows = await graph.read(
        for_depth("knowledge/traverse", max_depth), **params, **expansion_params(graph, ways, max_depth)
    )
    if not rows:
        raise NotFound(f"there is no knowledge node {start!r}", field="from")
    found, caps = ranked(graph, rows[0], seeds=1)
    best = found[:limit]
    won = await winners.fetch(graph, view, [hit.id for hit in best], properties, edges)
    return SearchResult.of(best, won, caps, unknown.warnings(rows[0]))
