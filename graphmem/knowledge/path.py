"""The shortest typed path between two nodes."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem import checks
from graphmem.access.view import View
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph
from graphmem.knowledge import path_as_of
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.get import get
from graphmem.knowledge.nodes import Node
from graphmem.ranking.expansion import MENTIONS, Step
from graphmem.values import FOREVER, Status, utc_now

Path = tuple[list[Node], list[Step]]


async def path(graph: Graph, view: View, start: str, end: str, max_depth: int, ways: Directions) -> Path | None:
    """Nodes in order and the steps between them; None when no path of at most `max_depth` edges leads there.

    Raises NotFound when one of the ends does not exist or may not be seen.
    """
    for uid, field in ((start, "from"), (end, "to")):
        checks.identifier(uid, field)
    ends = await get(graph, view, [start, end])
    for uid, field in ((start, "from"), (end, "to")):
        if uid not in ends:
            raise NotFound(view.absent(uid), field=field)
    if start == end:
        return [ends[start]], []
    out = [*map(str, ways.out), *([MENTIONS] if ways.mentions else [])]
    into = [str(kind) for kind in ways.into]
    if view.is_present:
        found = await _shortest(graph, view, start, end, max_depth, out, into)
    else:
        found = await path_as_of.shortest(graph, view, start, end, max_depth, out, into)
    if found is None:
        return None
    ids, steps = found
    nodes = await get(graph, view, ids)
    return [nodes[uid] for uid in ids], steps


async def _shortest(
    graph: Graph, view: View, start: str, end: str, max_depth: int, out: Sequence[str], into: Sequence[str]
) -> tuple[Sequence[str], list[Step]] | None:
    rows = await graph.read(
        "knowledge/path",
        tenant=view.tenant,
        resources=view.resources,
        statuses=[str(Status.ACTIVE)],
        now=utc_now(),
        # "from" and "in" are words of Python's.
        **{"from": start, "to": end, "in": list(into)},
        out=list(out),
        open=FOREVER,
    )
    if not rows or len(rows[0]["steps"]) > max_depth:
        return None
    ids: Sequence[str] = rows[0]["nodes"]
    steps = [
        Step(source, target, kind, forward=tail == source)
        for source, target, (kind, tail) in zip(ids, ids[1:], rows[0]["steps"], strict=False)
    ]
    return ids, steps
