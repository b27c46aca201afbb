"""One trip a level: what many nodes ask for at once is fetched at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from strawberry.dataloader import DataLoader

from graphmem.access.view import View
from graphmem.api.context import Context
from graphmem.knowledge.documents import DocumentRef, documents_of
from graphmem.knowledge.edges import EdgeQuery, Neighbours, edges_of

V = TypeVar("V")


def edges(context: Context, view: View, query: EdgeQuery) -> DataLoader[object, object]:
    """Loads `Neighbours` by node id."""
    key = "edges", view, query
    return _loader(context, key, lambda ids: edges_of(context.graph, view, query, ids), Neighbours())


def documents(context: Context, view: View) -> DataLoader[object, object]:
    """Loads rows of the documents that a node was taken from, by node id."""
    none: list[DocumentRef] = []
    return _loader(context, ("documents", view), lambda ids: documents_of(context.graph, view, ids), none)


def _loader(
    context: Context, key: Hashable, fetch: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]], absent: V
) -> DataLoader[object, object]:
    async def load(ids: list[object]) -> list[object]:
        found = await fetch([str(uid) for uid in ids])
        return [found.get(str(uid), absent) for uid in ids]

    if key not in context.loaders:
        context.loaders[key] = DataLoader(load)
    return context.loaders[key]
