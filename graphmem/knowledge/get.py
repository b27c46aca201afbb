"""Nodes by id."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.knowledge.nodes import Node


async def get(graph: Graph, view: View, ids: Sequence[str]) -> dict[str, Node]:
    """The nodes that exist and may be seen, by id, whatever their status; one trip for all."""
    rows = await graph.read("knowledge/get", tenant=view.tenant, resources=view.resources, ids=list(dict.fromkeys(ids)))
    return {node.id: node for node in (Node.from_row(row["node"]) for row in rows)}
