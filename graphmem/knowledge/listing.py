"""`knowledgeNodes`: filtered pages, stable under inserts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from graphmem import checks
from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.knowledge import as_of
from graphmem.knowledge.nodes import Node
from graphmem.ranking import lucene
from graphmem.ranking.facets import metadata_facets
from graphmem.values import Band, KnowledgeType, Page, Source, Status, decode_moment, encode_cursor


class Order(StrEnum):
    CREATED_DESC = "created_desc"
    CREATED_ASC = "created_asc"
    UPDATED_DESC = "updated_desc"
    UPDATED_ASC = "updated_asc"


@dataclass(frozen=True, slots=True)
class Filter:
    """What a node must have; None or empty: anything. `metadata` is equality of the pairs given."""

    types: Sequence[KnowledgeType] = ()
    sources: Sequence[Source] = ()
    statuses: Sequence[Status] = (Status.ACTIVE,)
    band: Band | None = None
    min_confidence: float | None = None
    tags: Sequence[str] = ()
    metadata: Mapping[str, Any] | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None

    @property
    def facets(self) -> list[str]:
        """Full-text tokens that a node must have, all of them."""
        band = [lucene.facet_token("band", self.band)] if self.band else []
        tags = [lucene.facet_token("tag", tag) for tag in self.tags]
        return [*band, *tags, *metadata_facets(self.metadata or {})]


async def knowledge_nodes(
    graph: Graph, view: View, wanted: Filter, order: Order, first: int, after: str | None
) -> Page[Node]:
    """A page of nodes from behind `after` on. Raises InvalidInput for a cursor of another list or order."""
    checks.fraction(wanted.min_confidence, "filter.minConfidence")
    time, uid = (None, None) if after is None else decode_moment(after, "after", order)
    params: dict[str, Any] = {
        "tenant": view.tenant,
        "resources": view.resources,
        "statuses": [str(status) for status in wanted.statuses],
        "types": [str(kind) for kind in wanted.types] or None,
        "sources": [str(source) for source in wanted.sources] or None,
        "minConfidence": wanted.min_confidence,
        "facets": wanted.facets or None,
        "createdFrom": wanted.created_from,
        "createdTo": wanted.created_to,
        "afterTime": time,
        "afterId": uid,
        "count": first + 1,
    }
    if view.is_present:
        rows = await graph.read(f"knowledge/list_{order}", **params)
    else:
        rows = await graph.read(f"knowledge/list_{order}_as_of", **params, **as_of.moment(view))
    nodes = [Node.from_row(row["node"]) for row in rows]
    return Page(tuple(nodes[:first]), tuple(_cursor(node, order) for node in nodes[:first]), len(nodes) > first)


def _cursor(node: Node, order: Order) -> str:
    time = node.created_at if order in (Order.CREATED_ASC, Order.CREATED_DESC) else node.updated_at
    return encode_cursor(str(order), time.isoformat(), node.id)
