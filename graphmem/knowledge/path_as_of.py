"""The shortest path of another time, walked level by level from both ends.

Neo4j's own search for shortest paths can't look up what a node was on its way (seen on 2026.08.1: an internal error).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.knowledge import as_of
from graphmem.ranking.expansion import Step

Via = tuple[str, str, str]
"""The node a step came from, the edge's type, and the node that the edge starts at."""


@dataclass(slots=True)
class _Side:
    """One end's part of the walk. `out`, `into`: the types as this end walks them."""

    out: Sequence[str]
    into: Sequence[str]
    front: list[str]
    reached: dict[str, Via | None] = field(default_factory=dict)


async def shortest(
    graph: Graph, view: View, start: str, end: str, max_depth: int, out: Sequence[str], into: Sequence[str]
) -> tuple[list[str], list[Step]] | None:
    """Ids in order and the steps between them; None when there is no path that short. A trip for each step."""
    params: dict[str, Any] = {
        "tenant": view.tenant,
        "resources": view.resources,
        "statuses": [str(status) for status in as_of.statuses(view)],
        **as_of.retrieval(view),
        "ends": [start, end],
        "scan": graph.settings.scan_cap,
    }
    forward = _Side(out, into, [start], {start: None})
    backward = _Side(into, out, [end], {end: None})
    for _ in range(max_depth):
        side = min(forward, backward, key=lambda one: len(one.front))
        rows = await graph.read(
            "knowledge/step_as_of",
            **params, ids=side.front, out=list(side.out), **{"in": list(side.into)},
        )  # fmt: skip
        found = {row["uid"]: tuple(row["via"]) for row in rows if row["uid"] not in side.reached}
        side.front = sorted(found)
        side.reached |= found
        other = backward if side is forward else forward
        if meeting := [uid for uid in side.front if uid in other.reached]:
            return _joined(forward, backward, meeting[0])
        if not side.front:
            return None
    return None


def _joined(forward: _Side, backward: _Side, meeting: str) -> tuple[list[str], list[Step]]:
    steps: list[Step] = []
    at = meeting
    while via := forward.reached[at]:
        parent, kind, tail = via
        steps.insert(0, Step(parent, at, kind, forward=tail == parent))
        at = parent
    at = meeting
    while via := backward.reached[at]:
        parent, kind, tail = via
        steps.append(Step(at, parent, kind, forward=tail == at))
        at = parent
    return [steps[0].source, *(step.target for step in steps)], steps
