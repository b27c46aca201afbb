"""Edges of nodes, for many nodes in one trip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.access.view import View
from graphmem.graph.gateway import Graph, Row
from graphmem.knowledge import as_of
from graphmem.knowledge.nodes import Edge, Node
from graphmem.values import FOREVER, Direction, EdgeType, Status, decode_cursor, encode_cursor


@dataclass(frozen=True, slots=True)
class EdgeQuery:
    """Which edges. `count` is one more than asked for, so that the reader knows whether there are others."""

    out: tuple[str, ...]
    into: tuple[str, ...]
    count: int
    after: str | None = None

    @classmethod
    def of(
        cls, types: Sequence[EdgeType] | None, direction: Direction, first: int, after: str | None = None
    ) -> EdgeQuery:
        """Raises InvalidInput when `after` is not a cursor of edges."""
        wanted = tuple(str(kind) for kind in (tuple(EdgeType) if types is None else types))
        key = None if after is None else decode_cursor(after, 1, "after")[0]
        return cls(
            out=() if direction is Direction.IN else wanted,
            into=() if direction is Direction.OUT else wanted,
            count=first + 1,
            after=key,
        )


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An edge as one of its ends sees it."""

    cursor: str
    edge: Edge
    node: Node


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Edges of a node. `capped`: it has more of a type and direction than are looked at, so some may be missing."""

    found: tuple[Neighbour, ...] = ()
    capped: bool = False


async def edges_of(graph: Graph, view: View, query: EdgeQuery, ids: Sequence[str]) -> dict[str, Neighbours]:
    """The open edges of each node to nodes that are to be seen, strongest first; at the view's time.

    Of each type and direction, `scan_cap` edges are looked at. Nodes of every status are told: an edge says so, not a
    search.
    """
    params: dict[str, Any] = {
        "tenant": view.tenant,
        "resources": view.resources,
        "statuses": [str(status) for status in Status],
        "ids": list(dict.fromkeys(ids)),
        "out": list(query.out),
        "in": list(query.into),
        "afterKey": query.after,
        "scan": graph.settings.scan_cap,
        "count": query.count,
    }
    if view.is_present:
        rows = await graph.read("knowledge/edges", **params, open=FOREVER)
    else:
        rows = await graph.read("knowledge/edges_as_of", **params, **as_of.walk(view))
    return {row["id"]: Neighbours(tuple(map(_neighbour, row["found"])), row["capped"]) for row in rows}


def _neighbour(row: Row) -> Neighbour:
    return Neighbour(encode_cursor(row["key"]), Edge.from_row(row["edge"]), Node.from_row(row["node"]))
