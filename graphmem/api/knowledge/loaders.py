"""What nodes of an answer ask for, one trip a level."""

from __future__ import annotations

from strawberry.dataloader import DataLoader

from graphmem.access.view import View
from graphmem.api.batching import batched
from graphmem.api.context import Context
from graphmem.knowledge.documents import DocumentRef, documents_of
from graphmem.knowledge.edges import EdgeQuery, Neighbours, edges_of
from graphmem.knowledge.entities import Entity, entities_of
from graphmem.knowledge.entities import nodes_with as fetch_nodes_with
from graphmem.knowledge.nodes import Node
from graphmem.values import Page


def edges(context: Context, view: View, query: EdgeQuery) -> DataLoader[object, object]:
    """Loads `Neighbours` by node id."""
    key = "edges", view, query
    return batched(context, key, lambda ids: edges_of(context.graph, view, query, ids), Neighbours())


def entities(context: Context, view: View) -> DataLoader[object, object]:
    """Loads the `Entity`s in a node's text, by node id."""
    none: list[Entity] = []
    return batched(context, ("entities", view), lambda ids: entities_of(context.graph, view, ids), none)


def nodes_with(context: Context, view: View, first: int, after: str | None) -> DataLoader[object, object]:
    """Loads a `Page` of the nodes that have an entity in their text, by entity id."""
    key = "nodes with", view, first, after
    none: Page[Node] = Page((), (), False)
    return batched(context, key, lambda ids: fetch_nodes_with(context.graph, view, ids, first, after), none)


def documents(context: Context, view: View) -> DataLoader[object, object]:
    """Loads rows of the documents that a node was taken from, by node id."""
    none: list[DocumentRef] = []
    return batched(context, ("documents", view), lambda ids: documents_of(context.graph, view, ids), none)
