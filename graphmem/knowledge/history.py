"""`history`: what a node was, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from graphmem.access.view import View
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph
from graphmem.knowledge.nodes import Node
from graphmem.values import FOREVER


@dataclass(frozen=True, slots=True)
class State:
    """A node as the graph knew it from `recorded_from` until `recorded_to`."""

    node: Node
    recorded_from: datetime
    recorded_to: datetime


async def history(graph: Graph, view: View, uid: str) -> list[State]:
    """All states, newest first. Raises NotFound."""
    rows = await graph.read("knowledge/history", tenant=view.tenant, resources=view.resources, uid=uid)
    if not rows:
        raise NotFound(f"there is no knowledge node {uid!r}", field="id")
    return [
        State(
            Node.from_row(row["state"]),
            row["state"]["recordedFrom"],
            row["state"]["recordedTo"] or FOREVER,
        )
        for row in rows
    ]
