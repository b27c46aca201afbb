"""Knowledge as GraphQL shows it."""

from __future__ import annotations

from datetime import datetime
from typing import cast

import strawberry

from graphmem.access.view import View
from graphmem.api.context import Info
from graphmem.api.enums import Band, Direction, EdgeType, KnowledgeType, Source, Status
from graphmem.api.knowledge import loaders
from graphmem.api.paging import Connection, ListEdge, PageInfo, page_info, page_size
from graphmem.api.scalars import JSON
from graphmem.knowledge.documents import DocumentRef
from graphmem.knowledge.edges import EdgeQuery, Neighbours
from graphmem.knowledge.entities import Entity as StoredEntity
from graphmem.knowledge.nodes import Edge, Node
from graphmem.values import FOREVER, SHARED, Page, Warning

NEIGHBOURS = 20


@strawberry.type(description="A note that succeeded but has something worth knowing.", name="Warning")
class WarningType:
    code: str
    message: str
    ids: list[strawberry.ID]

    @classmethod
    def of(cls, found: Warning) -> WarningType:
        return cls(code=found.code, message=found.message, ids=[strawberry.ID(uid) for uid in found.ids])


@strawberry.type(description="A file that knowledge was taken from.")
class Document:
    id: strawberry.ID
    path: str
    title: str


@strawberry.type(description="A name that texts show by its capitals; every text with its words has it.")
class Entity:
    view: strawberry.Private[View]
    id: strawberry.ID
    name: str = strawberry.field(description="Its commonest spelling.")
    spellings: list[str] = strawberry.field(description="At most ten, the commonest first.")
    node_count: int = strawberry.field(description="Nodes in use with it in their text, counted up to `scan_cap`.")

    @classmethod
    def of(cls, view: View, found: StoredEntity) -> Entity:
        return cls(
            view=view, id=strawberry.ID(found.id), name=found.name, spellings=list(found.spellings),
            node_count=found.nodes,
        )  # fmt: skip

    @strawberry.field(description="The nodes in use that have it in their text.")
    async def mentioned_in(self, info: Info, first: int = NEIGHBOURS, after: str | None = None) -> KnowledgeConnection:
        size = page_size(first, info.context.settings)
        page = cast(Page[Node], await loaders.nodes_with(info.context, self.view, size, after).load(str(self.id)))
        nodes = [of_node(self.view, node) for node in page.items]
        return Connection.of(nodes, list(page.cursors), page.has_next)


@strawberry.type(description="An atomic note and its edges.")
class KnowledgeNode:
    view: strawberry.Private[View]
    id: strawberry.ID
    title: str
    content: str
    type: KnowledgeType
    aliases: list[str]
    source: Source
    confidence: float
    band: Band
    status: Status
    resource_id: strawberry.ID | None = strawberry.field(description="Whom it is about; null: shared by the tenant.")
    tags: list[str]
    metadata: JSON
    created_at: datetime
    updated_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    version: int

    @strawberry.field(description="Edges of this node, strongest first.")
    async def edges(
        self,
        info: Info,
        types: list[EdgeType] | None = None,
        direction: Direction = Direction.BOTH,
        first: int = NEIGHBOURS,
        after: str | None = None,
    ) -> EdgeConnection:
        size = page_size(first, info.context.settings)
        query = EdgeQuery.of(types, direction, size, after)
        found = await loaders.edges(info.context, self.view, query).load(str(self.id))
        return EdgeConnection.of_neighbours(self.view, cast(Neighbours, found), size)

    async def _neighbours(self, info: Info, kind: EdgeType, direction: Direction, first: int) -> list[KnowledgeNode]:
        size = page_size(first, info.context.settings)
        # Twice as many edges, because a neighbour may have one each way.
        edges = 2 * size if direction is Direction.BOTH else size
        found = await loaders.edges(info.context, self.view, EdgeQuery.of([kind], direction, edges)).load(str(self.id))
        nodes = {neighbour.node.id: neighbour.node for neighbour in cast(Neighbours, found).found}
        return [of_node(self.view, node) for node in list(nodes.values())[:size]]

    @strawberry.field
    async def related_to(self, info: Info, first: int = NEIGHBOURS) -> list[KnowledgeNode]:
        return await self._neighbours(info, EdgeType.RELATED_TO, Direction.BOTH, first)

    @strawberry.field
    async def depends_on(self, info: Info, first: int = NEIGHBOURS) -> list[KnowledgeNode]:
        return await self._neighbours(info, EdgeType.DEPENDS_ON, Direction.OUT, first)

    @strawberry.field(description="Nodes that depend on this one.")
    async def dependents(self, info: Info, first: int = NEIGHBOURS) -> list[KnowledgeNode]:
        return await self._neighbours(info, EdgeType.DEPENDS_ON, Direction.IN, first)

    @strawberry.field
    async def supersedes(self, info: Info, first: int = NEIGHBOURS) -> list[KnowledgeNode]:
        return await self._neighbours(info, EdgeType.SUPERSEDES, Direction.OUT, first)

    @strawberry.field
    async def superseded_by(self, info: Info, first: int = NEIGHBOURS) -> list[KnowledgeNode]:
        return await self._neighbours(info, EdgeType.SUPERSEDES, Direction.IN, first)

    @strawberry.field
    async def conflicts_with(self, info: Info, first: int = NEIGHBOURS) -> list[KnowledgeNode]:
        return await self._neighbours(info, EdgeType.CONFLICTS_WITH, Direction.BOTH, first)

    @strawberry.field(description="Nodes whose title or alias stands in this one's text.")
    async def mentions(self, info: Info, first: int = NEIGHBOURS) -> list[KnowledgeNode]:
        return await self._neighbours(info, EdgeType.MENTIONS, Direction.OUT, first)

    @strawberry.field(description="Nodes in whose text this one's title or alias stands.")
    async def mentioned_in(self, info: Info, first: int = NEIGHBOURS) -> list[KnowledgeNode]:
        return await self._neighbours(info, EdgeType.MENTIONS, Direction.IN, first)

    @strawberry.field(description="Names of persons, places and things in its text, in alphabetical order.")
    async def entities(self, info: Info, first: int = NEIGHBOURS) -> list[Entity]:
        size = page_size(first, info.context.settings)
        found = cast(list[StoredEntity], await loaders.entities(info.context, self.view).load(str(self.id)))
        return [Entity.of(self.view, entity) for entity in found[:size]]

    @strawberry.field(description="What it was taken from.")
    async def derived_from(self, info: Info) -> list[Document]:
        found = cast(list[DocumentRef], await loaders.documents(info.context, self.view).load(str(self.id)))
        return [Document(id=strawberry.ID(one.id), path=one.path, title=one.title) for one in found]


@strawberry.type(description="An edge between two nodes.")
class KnowledgeEdge:
    source_id: strawberry.ID = strawberry.field(name="from")
    target_id: strawberry.ID = strawberry.field(name="to")
    type: EdgeType
    weight: float
    confidence: float
    origin: str = strawberry.field(description="explicit: made by a caller; auto: made from the texts.")
    source: Source | None
    reason: str | None
    created_at: datetime | None

    @classmethod
    def of(cls, edge: Edge) -> KnowledgeEdge:
        return cls(
            source_id=strawberry.ID(edge.source_id), target_id=strawberry.ID(edge.target_id), type=edge.type,
            weight=edge.weight, confidence=edge.confidence, origin=edge.origin, source=edge.source,
            reason=edge.reason, created_at=edge.created_at,
        )  # fmt: skip


@strawberry.type(description="An edge of a node, and the node at its other end.")
class NodeEdge:
    cursor: str
    edge: KnowledgeEdge
    node: KnowledgeNode


@strawberry.type(description="A page of a node's edges.")
class EdgeConnection:
    edges: list[NodeEdge]
    page_info: PageInfo
    capped: bool = strawberry.field(
        description="The node has more edges of a type than are looked at, so that some may be missing on every page."
    )

    @classmethod
    def of_neighbours(cls, view: View, neighbours: Neighbours, size: int) -> EdgeConnection:
        edges = [
            NodeEdge(cursor=one.cursor, edge=KnowledgeEdge.of(one.edge), node=of_node(view, one.node))
            for one in neighbours.found[:size]
        ]
        info = page_info(len(neighbours.found) > size, [edge.cursor for edge in edges])
        return cls(edges=edges, page_info=info, capped=neighbours.capped)


KnowledgeConnection = Connection[KnowledgeNode]
EntityConnection = Connection[Entity]
KnowledgeListEdge = ListEdge[KnowledgeNode]


def of_node(view: View, node: Node) -> KnowledgeNode:
    return KnowledgeNode(
        view=view, id=strawberry.ID(node.id), title=node.title, content=node.content, type=node.type,
        aliases=list(node.aliases), source=node.source, confidence=node.confidence, band=node.band,
        status=node.status, resource_id=None if node.resource == SHARED else strawberry.ID(node.resource),
        tags=list(node.tags), metadata=JSON(dict(node.metadata)), created_at=node.created_at,
        updated_at=node.updated_at, valid_from=node.valid_from,
        valid_to=None if node.valid_to == FOREVER else node.valid_to, version=node.version,
    )  # fmt: skip
