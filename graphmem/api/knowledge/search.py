"""Search, traversal and paths as GraphQL shows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

import strawberry
from graphql import FieldNode, FragmentDefinitionNode, FragmentSpreadNode, InlineFragmentNode, SelectionSetNode

from graphmem.access.view import View
from graphmem.api.context import Info
from graphmem.api.enums import Band, Direction, EdgeType, KnowledgeType, SearchMode, Source, Status
from graphmem.api.flat import flat
from graphmem.api.knowledge.types import KnowledgeNode, WarningType, of_node
from graphmem.api.paging import bounded
from graphmem.api.scalars import JSON
from graphmem.knowledge import as_of
from graphmem.knowledge import search as verb
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.listing import Filter
from graphmem.ranking.expansion import Hit, Step
from graphmem.values import is_blank


@strawberry.enum(description="What cut an expansion.")
class CapName(StrEnum):
    SCAN = "scan"
    FAN = "fan"
    LEVEL = "level"
    MENTIONS = "mentions"


@flat
@strawberry.input(description="A search: hybrid seeds, expanded along typed edges, in one ranked list.")
class SearchInput:
    query: str = ""
    vector: list[float] | None = strawberry.field(default=None, description="Used in place of the query's embedding.")
    mode: SearchMode | None = strawberry.field(
        default=None, description="Default: HYBRID, or VECTOR for a vector without a query."
    )
    top_k: int = strawberry.field(default=5, description="Seeds.")
    expand: bool = strawberry.field(default=True, description="false: the seeds alone.")
    max_depth: int = 1
    limit: int = strawberry.field(default=20, description="Length of the ranked list.")
    edge_types: list[EdgeType] | None = strawberry.field(default=None, description="Default: all.")
    direction: Direction | None = strawberry.field(
        default=None,
        description="Default: RELATED_TO and CONFLICTS_WITH both ways, DEPENDS_ON out, SUPERSEDES in, MENTIONS out.",
    )
    types: list[KnowledgeType] | None = None
    sources: list[Source] | None = None
    band: Band | None = None
    min_confidence: float | None = None
    tags: list[str] | None = None
    metadata: JSON | None = None
    statuses: list[Status] | None = strawberry.field(
        default=None, description="Default ACTIVE; with validAt also SUPERSEDED: it was true in its time."
    )
    created_from: datetime | None = None
    created_to: datetime | None = strawberry.field(default=None, description="Exclusive.")
    resource_id: strawberry.ID | None = None
    as_of: datetime | None = strawberry.field(default=None, description="What the graph said then.")
    valid_at: datetime | None = strawberry.field(default=None, description="What was true in the world then.")
    include_superseded: bool = strawberry.field(default=False, description="SUPERSEDED beside the other statuses.")
    token_budget: int | None = strawberry.field(
        default=None, description="The first hits whose titles and contents fit; others are dropped."
    )

    def value(self, view: View, properties: Sequence[str], edges: bool) -> verb.SearchInput:
        statuses = as_of.statuses(view) if self.statuses is None else self.statuses
        more = [Status.SUPERSEDED] if self.include_superseded else []
        wanted = Filter(
            statuses=tuple(dict.fromkeys([*statuses, *more])), types=self.types or (), sources=self.sources or (),
            band=self.band, min_confidence=self.min_confidence, tags=self.tags or (), metadata=self.metadata,
            created_from=self.created_from, created_to=self.created_to,
        )  # fmt: skip
        mode = verb.Mode.VECTOR if self.vector is not None and is_blank(self.query) else verb.Mode.HYBRID
        return verb.SearchInput(
            query=self.query, vector=self.vector, mode=self.mode or mode, top_k=self.top_k, expand=self.expand,
            max_depth=self.max_depth, limit=self.limit, directions=Directions.of(self.edge_types, self.direction),
            wanted=wanted, properties=properties, edges=edges,
        )  # fmt: skip


@strawberry.type(description="The parts of a score. vector and text are min-max over their candidate lists.")
class ScoreParts:
    vector: float
    text: float
    title: float = strawberry.field(description="Bonus of a title that is named in the question.")
    graph: float = strawberry.field(description="Bonus of the path that leads here.")


@strawberry.type(description="One edge of a path, walked from `from` to `to`.")
class PathStep:
    source_id: strawberry.ID = strawberry.field(name="from")
    target_id: strawberry.ID = strawberry.field(name="to")
    type: EdgeType
    forward: bool = strawberry.field(description="Whether the edge points the way it was walked.")
    via: str | None = strawberry.field(default=None, description="The entity that both ends mention, by its name.")

    @classmethod
    def of(cls, step: Step) -> PathStep:
        return cls(
            source_id=strawberry.ID(step.source), target_id=strawberry.ID(step.target), type=EdgeType(step.type),
            forward=step.forward, via=step.via,
        )  # fmt: skip


@strawberry.type(description="A node of the ranked list and why it is there.")
class SearchHit:
    node: KnowledgeNode
    score: float
    parts: ScoreParts
    depth: int = strawberry.field(description="Edges from the nearest seed; 0: a seed.")
    path: list[PathStep]
    replaces: list[strawberry.ID] = strawberry.field(
        description="Superseded nodes that were found, and in whose place this one stands."
    )

    @classmethod
    def of(cls, view: View, found: verb.SearchHit) -> SearchHit:
        rank: Hit = found.rank
        return cls(
            node=of_node(view, found.node), score=rank.score,
            parts=ScoreParts(vector=rank.vector, text=rank.text, title=rank.title, graph=rank.graph),
            depth=rank.depth, path=[PathStep.of(step) for step in rank.path],
            replaces=[strawberry.ID(uid) for uid in rank.replaces],
        )  # fmt: skip


@strawberry.type(description="An edge among or out of the hits.")
class SearchEdge:
    source_id: strawberry.ID = strawberry.field(name="from")
    target_id: strawberry.ID = strawberry.field(name="to")
    type: EdgeType


@strawberry.type(description="A limit that cut the expansion; raise nothing, ask more narrowly.")
class ReachedCap:
    name: CapName
    depth: int
    node_id: strawberry.ID | None


@strawberry.type(description="What a search or a traversal brought.")
class SearchResult:
    hits: list[SearchHit]
    edges: list[SearchEdge]
    caps: list[ReachedCap]
    warnings: list[WarningType]
    round_trips: int = strawberry.field(description="Trips to the database, the credential's look-up included.")
    database_ms: float = strawberry.field(description="Time spent in them.")
    resource_id: strawberry.ID | None = strawberry.field(description="Whose knowledge was searched beside the shared.")
    tokens: int | None = strawberry.field(description="Of the hits' titles and contents; null without a tokenBudget.")
    dropped: int = strawberry.field(description="Hits that the tokenBudget had no room for.")

    @classmethod
    def of(
        cls, info: Info, view: View, found: verb.SearchResult, tokens: int | None = None, dropped: int = 0
    ) -> SearchResult:
        return cls(
            hits=[SearchHit.of(view, hit) for hit in found.hits],
            edges=[
                SearchEdge(source_id=strawberry.ID(source), target_id=strawberry.ID(target), type=kind)
                for source, target, kind in found.edges
            ],
            caps=[
                ReachedCap(
                    name=CapName(cap.name), depth=cap.depth, node_id=strawberry.ID(cap.node) if cap.node else None
                )
                for cap in found.caps
            ],
            warnings=[WarningType.of(warning) for warning in found.warnings],
            round_trips=info.context.trips.count,
            database_ms=round(info.context.trips.ms, 3),
            resource_id=strawberry.ID(view.named[0]) if view.named else None,
            tokens=tokens,
            dropped=dropped,
        )


@strawberry.type(description="A path: nodes in order and the edges between them.")
class KnowledgePath:
    nodes: list[KnowledgeNode]
    steps: list[PathStep]


_STORED = {
    "resourceId": ("resource",), "band": ("confidence",), "id": (), "__typename": (),
}  # fmt: skip
_PLAIN = frozenset(
    [
        "title",
        "content",
        "type",
        "aliases",
        "source",
        "confidence",
        "status",
        "tags",
        "metadata",
        "createdAt",
        "updatedAt",
        "validFrom",
        "validTo",
        "version",
    ]
)


def node_properties(info: Info, hits: str = "hits") -> list[str]:
    """The stored properties that the query reads of `hits { node }`: others need not cross the wire."""
    names = set(_names(info, (hits, "node")))
    return sorted({stored for name in names for stored in _STORED.get(name, (name,) if name in _PLAIN else ())})


def asks_for(info: Info, field: str) -> bool:
    return field in set(_names(info, ()))


def _names(info: Info, path: tuple[str, ...]) -> Iterator[str]:
    """The field names asked for below `path` of this field, fragments followed."""
    raw = info._raw_info  # the AST: Strawberry's own `selected_fields` converts all of it, arguments included
    sets = [node.selection_set for node in raw.field_nodes if node.selection_set]
    for step in path:
        sets = [
            node.selection_set
            for node in _fields(sets, raw.fragments)
            if node.name.value == step and node.selection_set
        ]
    for node in _fields(sets, raw.fragments):
        yield node.name.value


def _fields(sets: list[SelectionSetNode], fragments: Mapping[str, FragmentDefinitionNode]) -> Iterator[FieldNode]:
    waiting = list(sets)
    while waiting:
        for node in waiting.pop().selections:
            if isinstance(node, FieldNode):
                yield node
            elif isinstance(node, InlineFragmentNode):
                waiting.append(node.selection_set)
            elif isinstance(node, FragmentSpreadNode):
                waiting.append(fragments[node.name.value].selection_set)


def depth_within(info: Info, max_depth: int) -> int:
    return bounded(max_depth, 0, info.context.settings.max_depth, "max_depth", "maxDepth")
