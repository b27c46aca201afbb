"""`history`: what a node was, and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.access.view import View
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph
from graphmem.knowledge import as_of
from graphmem.knowledge.nodes import Node
from graphmem.values import FOREVER, Status


@dataclass(frozen=True, slots=True)
class State:
    """A node as the graph knew it from `recorded_from` until `recorded_to`."""

    node: Node
    recorded_from: datetime
    recorded_to: datetime


async def history(graph: Graph, view: View, uid: str) -> list[State]:
    """All states, newest first; those known at the view's `as_of`, and of these the ones valid at its `valid_at`.

    Raises NotFound.
    """
    params: dict[str, Any] = {"tenant": view.tenant, "resources": view.resources, "uid": uid}
    if view.is_present:
        rows = await graph.read("knowledge/history", **params)
    else:
        every = [str(status) for status in Status]
        rows = await graph.read("knowledge/history_as_of", **params, **as_of.moment(view), statuses=every)
    if not rows:
        raise NotFound(view.absent(uid), field="id")
    return [
        State(
            Node.from_row(row["state"]),
            row["state"]["recordedFrom"],
            row["state"]["recordedTo"] or FOREVER,
        )
        for row in rows
    ]
