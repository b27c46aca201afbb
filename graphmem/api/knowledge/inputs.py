"""What callers give, as GraphQL input types, turned into the verbs' own."""

from __future__ import annotations

from datetime import datetime

import strawberry

from graphmem.access.view import View
from graphmem.api.enums import Band, EdgeType, KnowledgeType, Source, Status
from graphmem.api.flat import flat
from graphmem.api.patch import stated
from graphmem.api.scalars import JSON
from graphmem.knowledge import as_of
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.listing import Filter
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.knowledge.update import Patch
from graphmem.values import FOREVER


@flat
@strawberry.input(
    description="A node to remember. What is left out is kept as it is, or takes its default on creation."
)
class KnowledgeInput:
    title: str
    content: str
    id: strawberry.ID | None = strawberry.field(
        default=None, description="Yours to choose; left out: found by its text."
    )
    type: KnowledgeType | None = strawberry.field(default=None, description="Default CONCEPT.")
    aliases: list[str] | None = None
    source: Source | None = strawberry.field(default=None, description="Default DOCS.")
    confidence: float | None = strawberry.field(default=None, description="From 0 to 1; default 1.")
    resource_id: strawberry.ID | None = strawberry.field(default=None, description="Whom it is about.")
    tags: list[str] | None = None
    metadata: JSON | None = None
    status: Status | None = strawberry.field(default=None, description="DRAFT or ACTIVE (default).")
    created_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    connections: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="Ids of nodes that this one is RELATED_TO."
    )
    derived_from: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="Ids of documents that say so. One more makes a new version."
    )

    def value(self) -> NodeInput:
        return NodeInput(
            title=self.title, content=self.content, id=self.id, type=self.type, aliases=self.aliases,
            source=self.source, confidence=self.confidence, resource=self.resource_id, tags=self.tags,
            metadata=self.metadata, status=self.status, created_at=self.created_at, valid_from=self.valid_from,
            valid_to=self.valid_to, connections=tuple(self.connections), derived_from=tuple(self.derived_from),
        )  # fmt: skip


@flat
@strawberry.input(description="What to change of a node; what is left out stays. No property takes null.")
class KnowledgePatch:
    title: str | None = strawberry.UNSET
    content: str | None = strawberry.UNSET
    type: KnowledgeType | None = strawberry.UNSET
    aliases: list[str] | None = strawberry.UNSET
    source: Source | None = strawberry.UNSET
    confidence: float | None = strawberry.UNSET
    tags: list[str] | None = strawberry.UNSET
    metadata: JSON | None = strawberry.UNSET
    status: Status | None = strawberry.UNSET
    valid_from: datetime | None = strawberry.UNSET
    valid_to: datetime | None = strawberry.UNSET

    def value(self) -> Patch:
        aliases, tags = stated(self.aliases, "patch.aliases", "[]"), stated(self.tags, "patch.tags", "[]")
        return Patch(
            title=stated(self.title, "patch.title"), content=stated(self.content, "patch.content"),
            type=stated(self.type, "patch.type"), aliases=None if aliases is None else tuple(aliases),
            source=stated(self.source, "patch.source"), confidence=stated(self.confidence, "patch.confidence"),
            tags=None if tags is None else tuple(tags), metadata=stated(self.metadata, "patch.metadata", "{}"),
            status=stated(self.status, "patch.status"), valid_from=stated(self.valid_from, "patch.validFrom"),
            valid_to=stated(self.valid_to, "patch.validTo", f"{FOREVER:%Y-%m-%d}T00:00:00Z"),
        )  # fmt: skip


@flat
@strawberry.input(description="An edge by the ids of its ends and its type.")
class EdgeKeyInput:
    source_id: strawberry.ID = strawberry.field(name="from")
    target_id: strawberry.ID = strawberry.field(name="to")
    type: EdgeType

    def value(self) -> EdgeKey:
        return EdgeKey(self.source_id, self.target_id, self.type)


@flat
@strawberry.input(description="An edge to open.")
class KnowledgeEdgeInput:
    source_id: strawberry.ID = strawberry.field(name="from")
    target_id: strawberry.ID = strawberry.field(name="to")
    type: EdgeType
    weight: float = 1.0
    confidence: float = 1.0
    source: Source = Source.DOCS
    reason: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    def value(self) -> EdgeInput:
        return EdgeInput(
            source_id=self.source_id, target_id=self.target_id, type=self.type, weight=self.weight,
            confidence=self.confidence, source=self.source, reason=self.reason, valid_from=self.valid_from,
            valid_to=self.valid_to,
        )  # fmt: skip


@flat
@strawberry.input(description="What a node must have to be listed; what is left out does not matter.")
class KnowledgeFilter:
    types: list[KnowledgeType] | None = None
    sources: list[Source] | None = None
    statuses: list[Status] | None = strawberry.field(
        default=None, description="Default ACTIVE; with validAt also SUPERSEDED: it was true in its time."
    )
    band: Band | None = None
    min_confidence: float | None = None
    tags: list[str] | None = strawberry.field(default=None, description="All of these.")
    metadata: JSON | None = strawberry.field(default=None, description="All of these pairs.")
    created_from: datetime | None = None
    created_to: datetime | None = strawberry.field(default=None, description="Exclusive.")
    text: str | None = strawberry.field(
        default=None, description="Each of its words stands in the title, an alias or the content, by stem."
    )

    def value(self, view: View) -> Filter:
        statuses = as_of.statuses(view) if self.statuses is None else self.statuses
        return Filter(
            types=self.types or (), sources=self.sources or (), statuses=statuses, band=self.band,
            min_confidence=self.min_confidence, tags=self.tags or (), metadata=self.metadata,
            created_from=self.created_from, created_to=self.created_to,
        )  # fmt: skip
