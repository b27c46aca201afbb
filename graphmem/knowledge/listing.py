"""`knowledgeNodes`: filtered pages, stable under inserts; and the filter, which searches take too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from graphmem import checks
from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.knowledge import as_of, state
from graphmem.knowledge.nodes import Node
from graphmem.ranking import lucene
from graphmem.ranking.facets import metadata_facets
from graphmem.ranking.moments import between_clause
from graphmem.values import FOREVER, Band, KnowledgeType, Page, Source, Status, decode_moment, encode_cursor

MAX_TEXT = 1_000
TEXT_INDEX = "knowledge_text"
TITLE_INDEX = "knowledge_title"
REVISION_INDEXES = {TEXT_INDEX: "revision_text", TITLE_INDEX: "revision_title"}
"""For what nodes were, the index that is as the one for what they are."""


class Order(StrEnum):
    CREATED_DESC = "created_desc"
    CREATED_ASC = "created_asc"
    UPDATED_DESC = "updated_desc"
    UPDATED_ASC = "updated_asc"

    @property
    def by(self) -> str:
        """The property."""
        return "createdAt" if self in (Order.CREATED_DESC, Order.CREATED_ASC) else "updatedAt"

    @property
    def way(self) -> str:
        return "asc" if self in (Order.CREATED_ASC, Order.UPDATED_ASC) else "desc"


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

    @property
    def is_dated(self) -> bool:
        return self.created_from is not None or self.created_to is not None

    def check(self, at: str = "") -> None:
        """Raises InvalidInput naming the field; `at` stands before its name."""
        checks.fraction(self.min_confidence, f"{at}minConfidence")
        checks.stretch(self.created_from, self.created_to, f"{at}createdFrom", f"{at}createdTo")
        checks.labels(self.tags, f"{at}tags")

    def groups(self, view: View, *statuses: Status) -> lucene.Facets:
        """The filter as facets of full text, all but the time of creation (`dated`)."""
        least = self.min_confidence or 0.0
        groups: dict[str, Sequence[str]] = {
            "status": statuses,
            "resource": view.resources,
            "type": self.types,
            "source": self.sources,
            "confidence": [str(at) for at in range(state.hundredths(least), 101)] if least else (),
        }
        tokens = [[lucene.facet_token(name, value) for value in values] for name, values in groups.items() if values]
        return [*tokens, *([facet] for facet in self.facets)]

    def dated(self, query: str) -> str:
        """A full-text query, narrowed to what was created in time."""
        if not self.is_dated:
            return query
        return f"{query} {between_clause(self.created_from or as_of.BEGINNING, self.created_to or FOREVER)}"

    def query(self, view: View, *statuses: Status) -> str:
        """The full-text query for all that passes; it scores nothing."""
        return self.dated(lucene.filter_query(lucene.tenant_token(view.tenant), self.groups(view, *statuses)))


async def knowledge_nodes(
    graph: Graph, view: View, wanted: Filter, order: Order, first: int, after: str | None, text: str | None = None
) -> Page[Node]:
    """A page of nodes from behind `after` on; with `text`, of those that have each of its words somewhere.

    Raises InvalidInput for a cursor of another list or order, and for what of the filter can't be, naming the field.
    """
    wanted.check("filter.")
    name, by_text = f"knowledge/list_{order}", {}
    if text is not None:
        checks.text(text, MAX_TEXT, "filter.text", limit="max_filter_text")
        name, by_text = f"knowledge/list_text_{order.way}", {"by": order.by, **_text_query(view, wanted, text)}
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
        **by_text,
    }
    if view.is_present:
        rows = await graph.read(name, **params)
    else:
        rows = await graph.read(f"{name}_as_of", **params, **as_of.moment(view))
    nodes = [Node.from_row(row["node"]) for row in rows]
    return Page(tuple(nodes[:first]), tuple(_cursor(node, order) for node in nodes[:first]), len(nodes) > first)


def _text_query(view: View, wanted: Filter, text: str) -> dict[str, Any]:
    """The full-text query for the nodes that pass and have the words, and the index it is for, or both of them."""
    titles = lucene.only_stop_words(text)
    index = TITLE_INDEX if titles else TEXT_INDEX
    facets = wanted.groups(view, *wanted.statuses)
    asked = lucene.having(text, lucene.tenant_token(view.tenant), facets, titles=titles)
    found = None if asked is None else wanted.dated(asked)
    past = {} if view.is_present else {"revisionIndex": REVISION_INDEXES[index]}
    return {"textIndex": index, "lucene": found, **past}


def _cursor(node: Node, order: Order) -> str:
    time = node.created_at if order.by == "createdAt" else node.updated_at
    return encode_cursor(str(order), time.isoformat(), node.id)
