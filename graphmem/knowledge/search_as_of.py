"""Search and traversal of the past, and of the world at another time: as `search` and `traverse`, on states of nodes.

Candidates come from what is current and was so then, and from revisions. Statements of their own keep reads of the
present as fast as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graphmem.access.view import View
from graphmem.embedding import Loading
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph
from graphmem.graph.vectors import packed
from graphmem.knowledge import as_of
from graphmem.knowledge import search as present
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.search import SearchInput, SearchResult
from graphmem.knowledge.weighing import Weighing
from graphmem.knowledge.winners import EDGES_A_HIT, Winners
from graphmem.ranking import expansion, lucene
from graphmem.values import KnowledgeType, Source, Status, Tenant, utc_now

REVISION_INDEXES = {present.TEXT_INDEX: "revision_text", present.TITLE_INDEX: "revision_title"}

TEXT_REACH = 10
"""A full-text match costs a tenth of a comparison of vectors; so many times more of them are looked at."""


async def search(graph: Graph, embedding: Loading, view: View, wanted: SearchInput) -> SearchResult:
    """`search` at the view's time, and for the statuses that `wanted` names. Raises what that raises."""
    if view.is_present and tuple(wanted.wanted.statuses) == (Status.ACTIVE,):
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
    return SearchResult.of(best, won, caps, warnings)


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
    return SearchResult.of(best, won, caps)


def _expansion(graph: Graph, view: View, statuses: Sequence[Status], ways: Directions, depth: int) -> dict[str, Any]:
    own = present.expansion_params(graph, ways, depth)
    shared = {name: own[name] for name in ("maxDepth", "out", "in", "scan", "fan", "level", "mentions")}
    return {**shared, **_seen(view, statuses)}


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
    sought = tuple(dict.fromkeys([*asked.statuses, Status.SUPERSEDED]))
    text = present.text_query(view, replace(wanted, wanted=replace(asked, statuses=sought)))
    params: dict[str, Any] = {
        **_expansion(graph, view, asked.statuses, wanted.directions, depth),
        **weighing.params(entities=depth > 0 and wanted.directions.mentions and settings.entity_weight > 0),
        **text,
        "revisionIndex": REVISION_INDEXES[text["textIndex"]],
        "types": [str(kind) for kind in asked.types or KnowledgeType],
        "sources": [str(source) for source in asked.sources or Source],
        "minConfidence": asked.min_confidence or 0.0,
        "facets": asked.facets,
        "candidates": settings.candidates,
        "textReach": TEXT_REACH * settings.exact_cap,
        **present.named(wanted.query if by_text else ""),
        "titleBonus": present.TITLE_BONUS,
        "dense": 0.0 if vector is None else settings.dense_weight if by_text else 1.0,
        "topK": wanted.top_k,
        "formers": 0 if Status.SUPERSEDED in asked.statuses else present.FORMERS,
    }
    if vector is None:
        return present.for_depth("knowledge/search_as_of_text", depth), params
    only = [lucene.filter_query(lucene.tenant_token(view.tenant), present.facet_clauses(view, asked, *sought))]
    params |= {
        "vector": packed(vector),
        "sought": [str(status) for status in sought],
        "facetLucene": only if asked.facets else [],
        "reach": settings.exact_cap,
    }
    return present.for_depth("knowledge/search_as_of", depth), params


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
