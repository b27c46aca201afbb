"""Search and traversal of the past, and of the world at another time: as `search` and `traverse`, on states of nodes.

Candidates come from what is current and was so then, and from revisions. Statements of their own keep reads of the
present as fast as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphmem.access.view import View
from graphmem.embedding import Loading
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph
from graphmem.graph.vectors import packed
from graphmem.knowledge import as_of, unknown
from graphmem.knowledge import search as present
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.listing import REVISION_INDEXES, Filter
from graphmem.knowledge.search import SearchInput, SearchResult
from graphmem.knowledge.weighing import Weighing
from graphmem.knowledge.winners import EDGES_A_HIT, Winners
from graphmem.ranking import expansion
from graphmem.values import Status, Tenant, utc_now

TEXT_REACH = 10
"""A full-text match costs a tenth of a comparison of vectors; so many times more of them are looked at."""


async def search(graph: Graph, embedding: Loading, view: View, wanted: SearchInput) -> SearchResult:
    """`search` at the view's time. Raises what that raises.

    The statement of the present takes no superseded nodes: their validity is over.
    """
    if view.is_present and Status.SUPERSEDED not in wanted.wanted.statuses:
        return await present.search(graph, embedding, view, wanted)
    present.check(wanted, graph.settings)
    graph = graph.pinned()
    vector, warnings = await present.vector_of(graph, embedding, wanted)
    weighing = Weighing(graph, view.tenant, wanted.query)
    name, params = _gathering(graph, view, wanted, vector, weighing)
    gathered = (await graph.read(name, **params))[0]
    found, caps = present.ranked(graph, gathered, wanted.top_k, weighing.question(gathered))
    best = expansion.cut(found, wanted.limit)
    won = await _fetch(graph, view, wanted.wanted.statuses, [hit.id for hit in best], wanted.properties, wanted.edges)
    return SearchResult.of(best, won, caps, [*warnings, *unknown.warnings(gathered)])


async def plan_searches(graph: Graph) -> None:
    """Have the server plan the statements of a search of the past; that takes as long as for one of the present."""
    view, wanted = View(Tenant("nobody"), as_of=utc_now()), SearchInput(query="plan")
    vector = None if graph.dimension is None else [1.0] * graph.dimension
    name, params = _gathering(graph, view, wanted, vector, Weighing(graph, view.tenant, wanted.query))
    await graph.plan(name, **params)


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
    """`traverse` at the view's time. Raises NotFound when there was no such node."""
    statuses = as_of.statuses(view)
    rows = await graph.read(
        present.for_depth("knowledge/traverse_as_of", max_depth),
        **_expansion(graph, view, statuses, ways, max_depth), **{"from": start}, stems=[],
    )  # fmt: skip
    if not rows:
        raise NotFound(view.absent(start), field="from")
    found, caps = present.ranked(graph, rows[0], seeds=1)
    best = found[:limit]
    won = await _fetch(graph, view, statuses, [hit.id for hit in best], properties, edges)
    return SearchResult.of(best, won, caps, unknown.warnings(rows[0]))


def _expansion(graph: Graph, view: View, statuses: Sequence[Status], ways: Directions, depth: int) -> dict[str, Any]:
    own = present.expansion_params(graph, ways, depth)
    shared = {name: own[name] for name in ("maxDepth", "out", "in", "scan", "fan", "level", "mentions")}
    return {**shared, **_seen(view, statuses), **unknown.asking(view)}


def _seen(view: View, statuses: Sequence[Status]) -> dict[str, Any]:
    return {
        "tenant": view.tenant,
        "resources": view.resources,
        "statuses": [str(status) for status in statuses],
        **as_of.retrieval(view),
    }


def _gathering(
    graph: Graph, view: View, wanted: SearchInput, vector: Sequence[float] | None, weighing: Weighing
) -> tuple[str, dict[str, Any]]:
    """The statement that gathers, and its parameters."""
    settings, asked, depth = graph.settings, wanted.wanted, wanted.max_depth if wanted.expand else 0
    by_text = wanted.mode is not present.Mode.VECTOR
    formers = 0 if Status.SUPERSEDED in asked.statuses else present.FORMERS
    # Each in a list of its own, so that neither takes the other's places.
    groups: list[Sequence[Status]] = [asked.statuses, [Status.SUPERSEDED] if formers else []]
    groups = [group for group in groups if group]
    sought = [status for group in groups for status in group]
    texts = [present.text_query(view, wanted, *group) for group in groups]
    params: dict[str, Any] = {
        **_expansion(graph, view, asked.statuses, wanted.directions, depth),
        **weighing.params(entities=depth > 0 and wanted.directions.mentions and settings.entity_weight > 0),
        "textIndex": texts[0]["textIndex"],
        "revisionIndex": REVISION_INDEXES[texts[0]["textIndex"]],
        "lucene": [text["lucene"] for text in texts if text["lucene"] is not None],
        **present.narrowing(asked),
        "candidates": settings.candidates,
        "textReach": TEXT_REACH * settings.exact_cap,
        **present.named(wanted.query if by_text else ""),
        "titleBonus": present.TITLE_BONUS,
        "dense": 0.0 if vector is None else settings.dense_weight if by_text else 1.0,
        "topK": wanted.top_k,
        "formers": formers,
    }
    if vector is None:
        return present.for_depth("knowledge/search_as_of_text", depth), params
    params |= {
        "vector": packed(vector),
        "sought": [str(status) for status in sought],
        # What a node is now, it need not have been then.
        "current": [str(status) for status in (Status if view.as_of else sought)],
        "facetLucene": [asked.query(view, *group) for group in groups] if _narrows(asked) else [],
        "reach": settings.exact_cap,
    }
    return present.for_depth("knowledge/search_as_of", depth), params


def _narrows(asked: Filter) -> bool:
    """Whether few may pass the filter, so that they have to be looked for by it."""
    usual = set(asked.statuses) in ({Status.ACTIVE}, set(as_of.ONCE_TRUE))
    return bool(asked.facets or asked.is_dated or asked.types or asked.sources or asked.min_confidence or not usual)


async def _fetch(
    graph: Graph, view: View, statuses: Sequence[Status], ids: Sequence[str], properties: Sequence[str], edges: bool
) -> Winners:
    rows = await graph.read(
        "knowledge/search_fetch_as_of",
        **_seen(view, statuses), uids=list(ids), properties=list(properties),
        scan=graph.settings.scan_cap,
        edges=EDGES_A_HIT if edges else 0,
    )  # fmt: skip
    return Winners.of(rows[0], ids, properties)
