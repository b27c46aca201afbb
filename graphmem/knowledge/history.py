"""`history`: what a node was, when, by whom and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.access.view import View
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph, Row
from graphmem.knowledge import as_of
from graphmem.knowledge.nodes import Node
from graphmem.values import FOREVER, Status


@dataclass(frozen=True, slots=True)
class Cause:
    """The entry of the change log that brought a state about. `key_name` and `agent` are None where another's key
    did it and the reader's is bound to a resource."""

    id: str
    at: datetime
    action: str
    key_name: str | None
    agent: str | None


@dataclass(frozen=True, slots=True)
class State:
    """A node as the graph knew it from `recorded_from` until `recorded_to`.

    `cause` is None where the state is older than the log's record of it; `reason` is what the caller gave for it.
    """

    node: Node
    recorded_from: datetime
    recorded_to: datetime
    reason: str | None
    cause: Cause | None


async def history(graph: Graph, view: View, uid: str) -> list[State]:
    """All states, newest first; those known at the view's `as_of`, and of these the ones valid at its `valid_at`.

    Raises NotFound.
    """
    params: dict[str, Any] = {"tenant": view.tenant, "resources": view.resources, "bound": view.bound, "uid": uid}
    if view.is_present:
        rows = await graph.read("knowledge/history", **params)
    else:
        every = [str(status) for status in Status]
        rows = await graph.read("knowledge/history_as_of", **params, **as_of.moment(view), statuses=every)
    if not rows:
        raise NotFound(view.absent(uid), field="id")
    return [_state(row["state"], row["change"]) for row in rows]


def _state(state: Row, change: dict[str, Any] | None) -> State:
    cause = change and Cause(change["uid"], change["createdAt"], change["action"], change["keyName"], change["agent"])
    return State(
        Node.from_row(state), state["recordedFrom"], state["recordedTo"] or FOREVER, state.get("reason"), cause or None
    )
