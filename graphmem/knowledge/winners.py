"""What is shown of the nodes that won a search: what was asked for of them, and the edges among and out of them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.access.view import View
from graphmem.graph.gateway import Graph, Row
from graphmem.knowledge.nodes import Node
from graphmem.values import FOREVER, EdgeType, Status, utc_now

EDGES_A_HIT = 25
AT_ONCE = 40
"""Nodes that may win, up to which the statement that gathers brings what the second one would."""
Edge = tuple[str, str, EdgeType]


@dataclass(frozen=True, slots=True)
class Winners:
    """Nodes by id, each with the stored properties that were asked for, and edges."""

    nodes: dict[str, Node]
    edges: tuple[Edge, ...]

    @classmethod
    def of(cls, row: Row, ids: Sequence[str], properties: Sequence[str]) -> Winners:
        """Out of what a trip brought that asked for `ids`."""
        return cls(_nodes(row["rows"], properties), _edges(_by_source(row["edges"]), ids))


def at_once(properties: Sequence[str], edges: bool) -> dict[str, Any]:
    """The parameters of a statement that brings them with what it gathers.

    It doesn't know who will win, and an edge to a winner comes before others: it has to bring some more of them.
    """
    return {
        "properties": list(properties), "edges": EDGES_A_HIT + AT_ONCE if edges else 0, "atOnce": AT_ONCE,
    }  # fmt: skip


def brought(gathered: Row, ids: Sequence[str], properties: Sequence[str]) -> Winners | None:
    """Those of `ids`, out of what was gathered; None when it doesn't hold all of them or of their edges."""
    rows, edges = {row[0]: row for row in gathered["rows"]}, _by_source(gathered["edges"])
    if not rows.keys() >= set(ids) or any(len(edges[uid]) >= EDGES_A_HIT + AT_ONCE for uid in ids if uid in edges):
        return None
    return Winners(_nodes([rows[uid] for uid in ids], properties), _edges(edges, ids))


async def fetch(
    graph: Graph,
    view: View,
    ids: Sequence[str],
    properties: Sequence[str],
    edges: bool,
    statuses: Sequence[Status] = (Status.ACTIVE,),
) -> Winners:
    """The same in a trip of its own. Edges to nodes of other `statuses` are left out."""
    row = (await graph.read("knowledge/search_fetch", **fetching(graph, view, ids, properties, edges, statuses)))[0]
    return Winners.of(row, ids, properties)


def fetching(
    graph: Graph,
    view: View,
    ids: Sequence[str],
    properties: Sequence[str],
    edges: bool,
    statuses: Sequence[Status] = (Status.ACTIVE,),
) -> dict[str, Any]:
    """The parameters of that trip."""
    return {
        "tenant": view.tenant,
        "uids": list(ids),
        "statuses": [str(status) for status in statuses],
        "resources": view.resources,
        "now": utc_now(),
        "properties": list(properties),
        "open": FOREVER,
        "scan": graph.settings.scan_cap,
        "edges": EDGES_A_HIT if edges else 0,
    }


def _nodes(rows: Sequence[Sequence[Any]], properties: Sequence[str]) -> dict[str, Node]:
    return {row[0]: Node.partial({"uid": row[0], **dict(zip(properties, row[1:], strict=True))}) for row in rows}


def _by_source(rows: Sequence[tuple[str, str, str, float | None]]) -> dict[str, list[tuple[float, str, str]]]:
    """Strongest first when sorted: minus the weight, the target, the type. Mentions have no weight, and come first."""
    found = defaultdict(list)
    for source, target, kind, weight in rows:
        found[source].append((-math.inf if weight is None else -weight, target, kind))
    return found


def _edges(by_source: dict[str, list[tuple[float, str, str]]], ids: Sequence[str]) -> tuple[Edge, ...]:
    """Of each node those among the nodes first, then the strongest."""
    among = frozenset(ids)
    return tuple(
        (source, target, EdgeType(kind))
        for source in ids
        for _, _, target, kind in sorted(
            (target not in among, rank, target, kind) for rank, target, kind in by_source.get(source, ())
        )[:EDGES_A_HIT]
    )
