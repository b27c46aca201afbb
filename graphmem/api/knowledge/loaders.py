"""What nodes of an answer ask for, one trip a level."""

from __future__ import annotations

from strawberry.dataloader import DataLoader

from graphmem.access.view import View
from graphmem.api.batching import batched
from graphmem.api.context import Context
from graphmem.knowledge.documents import DocumentRef, documents_of
from graphmem.knowledge.edges import EdgeQuery, Neighbours, edges_of


def edges(context: Context, view: View, query: EdgeQuery) -> DataLoader[object, object]:
    """Loads `Neighbours` by node id."""
    key = "edges", view, query
    return batched(context, key, lambda ids: edges_of(context.graph, view, query, ids), Neighbours())


def documents(context: Context, view: View) -> DataLoader[object, object]:
    """Loads rows of the documents that a node was taken from, by node id."""
    none: list[DocumentRef] = []
    return batched(context, ("documents", view), lambda ids: documents_of(context.graph, view, ids), none)
