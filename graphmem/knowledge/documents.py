"""What nodes were taken from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.access.view import View
from graphmem.graph.gateway import Graph


@dataclass(frozen=True, slots=True)
class DocumentRef:
    id: str
    path: str
    title: str


async def documents_of(graph: Graph, view: View, ids: Sequence[str]) -> dict[str, list[DocumentRef]]:
    """The documents of each node that may be seen, by node id; one trip for all."""
    rows = await graph.read("knowledge/documents", tenant=view.tenant, resources=view.resources, ids=list(ids))
    found: dict[str, list[DocumentRef]] = {}
    for row in rows:
        found.setdefault(row["id"], []).append(DocumentRef(**row["document"]))
    return found
