"""Hybrid search with typed, depth-limited expansion, in one round trip or two.

A statement gathers candidates, seeds and what is reached from them, and `ranking/expansion.py` makes one list of it.
Where many nodes were in question, a second one fetches what was asked for of those that won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graphmem import checks
from graphmem.access.view import View
from graphmem.config import Settings
from graphmem.embedding import Loading
from graphmem.embedding.vectors import query_vector
from graphmem.errors import Unavailable
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.vectors import packed
from graphmem.knowledge import unknown, winners
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.listing import TEXT_INDEX, TITLE_INDEX, Filter
from graphmem.knowledge.nodes import Node
from graphmem.knowledge.weighing import Weighing
from graphmem.knowledge.winners import Winners
from graphmem.ranking import expansion, lucene, names
from graphmem.values import FOREVER, EdgeType, KnowledgeType, Source, Status, Tenant, Warning, utc_now

MAX_QUERY = 8_000
NAME_WORDS = 64
TITLE_BONUS = 0.5
"""What a title named in the question adds, divided by the root of the nodes that bear it (`retrieval.md` §2)."""
NAME_NODES = 100
"""A name that more nodes bear than this says nothing about any of them."""
MENTIONS_A_SEED = 50
FORMERS = 20
"""Superseded candidates from each index, beside the others."""


class Mode(StrEnum):
    HYBRID = "hybrid"
    VECTOR = "vector"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class SearchInput:
    """`top_k` seeds, `limit` ranked hits. `vector` replaces the embedding of `query`. `properties`: of the nodes, as
    stored; `edges`: whether the edges among and out of the hits are wanted."""

    query: str = ""
    vector: Sequence[float] | None = None
    mode: Mode = Mode.HYBRID
    top_k: int = 5
    expand: bool = True
    max_depth: int = 1
    limit: int = 20
    directions: Directions = field(default_factory=Directions)
    wanted: Filter = field(default_factory=Filter)
    properties: Sequence[str] = ()
    edges: bool = True


@dataclass(frozen=True, slots=True)
class SearchHit:
    node: Node
    rank: expansion.Hit


@dataclass(frozen=True, slots=True)
class Cap:
    """A limit that cut the expansion: `scan` and `fan` at a node, `level` over all nodes of a depth."""

    name: str
    depth: int
    node: str | None


@dataclass(frozen=True, slots=True)
class SearchResult:
    hits: tuple[SearchHit, ...]
    edges: tuple[tuple[str, str, EdgeType], ...]
    caps: tuple[Cap, ...]
    warnings: tuple[Warning, ...]

    @classmethod
    def of(
        cls, best: Sequence[expansion.Hit], won: Winners, caps: tuple[Cap, ...], warnings: Sequence[Warning] = ()
    ) -> SearchResult:
        hits = tuple(SearchHit(won.nodes[hit.id], hit) for hit in best if hit.id in won.nodes)
        return cls(hits, won.edges, caps, tuple(warnings))


def check(wanted: SearchInput, settings: Settings) -> None:
    """Raises InvalidInput or LimitExceeded naming the field."""
    if wanted.vector is None or wanted.mode is not Mode.VECTOR:
        checks.text(wanted.query, MAX_QUERY, "query", limit="max_query")
    checks.whole(wanted.top_k, 1, settings.max_top_k, "max_top_k", "topK")
    checks.whole(wanted.limit, 1, settings.max_hits, "max_hits", "limit")
    checks.whole(wanted.max_depth, 0, settings.max_depth, "max_depth", "maxDepth")
    wanted.wanted.check()


async def search(graph: Graph, embedding: Loading, view: View, wanted: SearchInput) -> SearchResult:
    """Search, expand, rank, fetch.

    Raises InvalidInput and LimitExceeded; Unavailable where the mode is VECTOR and there is no vector to be had.
    """
    check(wanted, graph.settings)
    graph = graph.pinned()
    vector, warnings = await vector_of(graph, embedding, wanted)
    weighing = Weighing(graph, view.tenant, wanted.query)
    name, params = _gathering(graph, view, wanted, vector, weighing)
    gathered = (await graph.read(name, **params))[0]
    found, caps = ranked(graph, gathered, wanted.top_k, weighing.question(gathered))
    best = expansion.cut(found, wanted.limit)
    ids = [hit.id for hit in best]
    won = winners.brought(gathered, ids, wanted.properties) or await winners.fetch(
        graph, view, ids, wanted.properties, wanted.edges, wanted.wanted.statuses
    )
    return SearchResult.of(best, won, caps, [*warnings, *unknown.warnings(gathered)])


def ranked(
    graph: Graph, gathered: Row, seeds: int, question: expansion.Question | None = None
) -> tuple[list[expansion.Hit], tuple[Cap, ...]]:
    """What a gathering statement brought, as one ranked list, and the caps it met."""
    settings = graph.settings
    hits = expansion.rank(
        [expansion.Candidate(*row) for row in gathered["pool"]],
        seeds,
        [expansion.Reached(*row) for row in gathered["found"]],
        [expansion.Mentioned(*row) for row in gathered["mentions"]],
        [expansion.Shared(*row) for row in gathered.get("shared", ())],
        question=question or expansion.Question(),
        weights=expansion.Weights(settings.decay, settings.mention_weight, settings.entity_weight),
    )
    return hits, tuple(Cap(name, depth, node) for depth, name, node in gathered["caps"])


def expansion_params(
    graph: Graph, ways: Directions, depth: int, statuses: Sequence[Status] = (Status.ACTIVE,)
) -> dict[str, Any]:
    """The parameters of the fragments that expand. `statuses`: of the nodes that take part."""
    settings = graph.settings
    return {
        "statuses": [str(status) for status in statuses],
        "now": utc_now(),
        "maxDepth": depth,
        "out": [str(kind) for kind in ways.out],
        "in": [str(kind) for kind in ways.into],
        "open": FOREVER,
        "scan": settings.scan_cap,
        "sample": settings.hub_sample,
        "fan": settings.fan_cap,
        "level": settings.level_cap,
        "mentions": MENTIONS_A_SEED if depth and ways.mentions and settings.mention_weight else 0,
    }


async def vector_of(
    graph: Graph, embedding: Loading, wanted: SearchInput
) -> tuple[Sequence[float] | None, list[Warning]]:
    if wanted.mode is Mode.TEXT:
        return None, []
    vector, warnings = await query_vector(embedding, wanted.query, wanted.vector, graph.dimension)
    if vector is None and wanted.mode is Mode.VECTOR:
        raise Unavailable(f"a search by vector is not possible: {warnings[0].message}")
    return vector, warnings


async def plan_searches(graph: Graph, depth: int = 1) -> None:
    """Have the server plan the statements of a search, so that the first caller need not wait for that."""
    vector = None if graph.dimension is None else [1.0] * graph.dimension
    view = View(Tenant("nobody"))
    wanted = SearchInput(query="plan", max_depth=depth)
    name, params = _gathering(graph, view, wanted, vector, Weighing(graph, view.tenant, wanted.query))
    await graph.plan(name, **params)
    await graph.plan("knowledge/search_fetch", **winners.fetching(graph, view, [], ["title"], edges=True))


def _gathering(
    graph: Graph, view: View, wanted: SearchInput, vector: Sequence[float] | None, weighing: Weighing
) -> tuple[str, dict[str, Any]]:
    """The statement that gathers, and its parameters."""
    settings, depth = graph.settings, wanted.max_depth if wanted.expand else 0
    by_text = wanted.mode is not Mode.VECTOR
    params: dict[str, Any] = {
        "tenant": view.tenant,
        "resources": view.resources,
        **unknown.asking(view),
        **text_query(view, wanted, *wanted.wanted.statuses),
        **former_query(view, wanted),
        "candidates": settings.candidates,
        **named(wanted.query if by_text else ""),
        "titleBonus": TITLE_BONUS,
        "dense": 0.0 if vector is None else settings.dense_weight if by_text else 1.0,
        "topK": wanted.top_k,
        **expansion_params(graph, wanted.directions, depth, wanted.wanted.statuses),
        **weighing.params(entities=depth > 0 and wanted.directions.mentions and settings.entity_weight > 0),
        **winners.at_once(wanted.properties, wanted.edges),
    }
    name, more = _statement(graph, view, wanted.wanted, vector)
    return for_depth(name, depth), params | more


def named(question: str) -> dict[str, Any]:
    """The parameters of the fragments that look for names in a question."""
    runs = list(names.runs(question, NAME_WORDS))
    return {
        "names": [[run.key, run.start, run.end] for run in runs],
        "nameKeys": list(dict.fromkeys(run.key for run in runs)),
        "nameNodes": NAME_NODES,
    }


def for_depth(name: str, depth: int) -> str:
    """The variant of a statement that expands: one level costs a quarter of the planning that four do."""
    return name if depth <= 1 else f"{name}_deep"


def text_query(view: View, wanted: SearchInput, *statuses: Status) -> dict[str, Any]:
    """The full-text query and the index it is for; a question of stop words alone is looked for in titles."""
    token, facets = lucene.tenant_token(view.tenant), wanted.wanted.groups(view, *statuses)
    if wanted.mode is Mode.VECTOR:
        return {"textIndex": TEXT_INDEX, "lucene": None}
    titles = lucene.only_stop_words(wanted.query)
    query = (lucene.title_query if titles else lucene.query)(wanted.query, token, facets)
    found = None if query is None else wanted.wanted.dated(query)
    return {"textIndex": TITLE_INDEX if titles else TEXT_INDEX, "lucene": found}


def former_query(view: View, wanted: SearchInput) -> dict[str, Any]:
    """The full-text query for superseded nodes, in whose place their successors are brought."""
    asked = text_query(view, wanted, Status.SUPERSEDED)
    found = asked["lucene"] is not None and asked["textIndex"] == TEXT_INDEX
    return {"formerLucene": [asked["lucene"]] if found else [], "formers": FORMERS}


def narrowing(wanted: Filter) -> dict[str, Any]:
    """The parameters of the fragments that check what the indexes let through."""
    return {
        "types": [str(kind) for kind in wanted.types or KnowledgeType],
        "sources": [str(source) for source in wanted.sources or Source],
        "minConfidence": wanted.min_confidence or 0.0,
        "facets": wanted.facets,
        "createdFrom": wanted.created_from,
        "createdTo": wanted.created_to,
    }


def _statement(graph: Graph, view: View, wanted: Filter, vector: Sequence[float] | None) -> tuple[str, dict[str, Any]]:
    """The cheapest statement that can filter as wanted, and the parameters that only it has."""
    narrow = narrowing(wanted)
    if vector is None:
        return "knowledge/search_gather_text", narrow
    if wanted.facets or wanted.is_dated:
        only = [
            {"lucene": wanted.query(view, *statuses), "former": former}
            for statuses, former in ((wanted.statuses, False), ((Status.SUPERSEDED,), True))
        ]
        exact = {"facetLucene": only, "exact": graph.settings.exact_cap}
        return "knowledge/search_gather_facets", {**narrow, **exact, "vector": packed(vector)}
    if wanted.types or wanted.sources or wanted.min_confidence:
        return "knowledge/search_gather_narrow", {**narrow, "vector": packed(vector)}
    return "knowledge/search_gather", {"vector": packed(vector)}
