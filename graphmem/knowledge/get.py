"""Nodes by id."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.knowledge import as_of
from graphmem.knowledge.nodes import Node
from graphmem.values import Status


async def get(graph: Graph, view: View, ids: Sequence[str]) -> dict[str, Node]:
    """The nodes that exist and may be seen, by id, whatever their status; one trip for all."""
    params: dict[str, Any] = {"tenant": view.tenant, "resources": view.resources, "ids": list(dict.fromkeys(ids))}
    if view.is_present:
        rows = await graph.read("knowledge/get", **params)
    else:
        every = [str(status) for status in Status]
        rows = await graph.read("knowledge/get_as_of", **params, **as_of.moment(view), statuses=every)
    return {node.id: node for node in (Node.from_row(row["node"]) for row in rows)}
