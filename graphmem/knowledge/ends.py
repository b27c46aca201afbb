"""What is known of the ends of edges before any is opened, and what may become of each edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmem.graph.gateway import Transaction
from graphmem.values import FOREVER, SHARED, EdgeType, Status, Tenant


@dataclass(frozen=True, slots=True)
class End:
    """A knowledge node as an end: what it is about, and its status."""

    resource: str
    status: str


@dataclass(frozen=True, slots=True)
class Looked:
    """`ends`: those that exist, by id. `open`: edges that are open, by source, target and type, each with its
    `properties` and Neo4j's own id of it, `element`. `waiting`: ids of pending links that wait for one of the ends.
    """

    ends: Mapping[str, End]
    open: Mapping[tuple[str, str, str], Mapping[str, Any]] = field(default_factory=dict)
    waiting: frozenset[str] = frozenset()

    def seen(self, row: Mapping[str, Any], end: str) -> End | None:
        """The end, `from` or `to`, unless it doesn't exist or those who ask for the edge may not see it."""
        found = self.ends.get(row[end])
        return found if found is not None and found.resource in row["resources"] else None

    def missing(self, row: Mapping[str, Any]) -> str:
        """The end that a pending link waits for."""
        return str(row["from"] if self.seen(row, "from") is None else row["to"])


async def look(tx: Transaction, tenant: Tenant, rows: Sequence[Mapping[str, Any]], known: Mapping[str, End]) -> Looked:
    """Lock the ends of rows that are in order. `known`: nodes that this transaction has made: they need no lock, and
    no edge of theirs is open already.
    """
    ids = {row[end] for row in rows for end in ("from", "to")} - known.keys()
    if not ids:
        return Looked(known)
    pairs: dict[str, list[str]] = {}
    for start, end in dict.fromkeys((row["from"], row["to"]) for row in rows):
        if start not in known and end not in known:
            pairs.setdefault(start, []).append(end)
    found = (
        await tx.run(
            "knowledge/find_ends", tenant=tenant, ids=sorted(ids), pairs=[list(pair) for pair in pairs.items()],
            open=FOREVER,
        )
    )[0]  # fmt: skip
    ends = {uid: End(resource, status) for uid, resource, status in found["ends"] if resource is not None}
    edges = {(edge["from"], edge["to"], edge["type"]): edge for edge in found["edges"]}
    return Looked({**known, **ends}, edges, frozenset(found["waiting"]))


def fate(row: Mapping[str, Any], looked: Looked) -> str:
    """`pending`, `refused`, `forbidden`, `out of use`, or that the edge is to be `created`, `updated`, `unchanged`."""
    start, end = looked.seen(row, "from"), looked.seen(row, "to")
    if start is None or end is None:
        return "pending"
    about = {start.resource, end.resource}
    if len(about) == 2 and SHARED not in about:
        return "refused"
    supersedes = row["type"] == EdgeType.SUPERSEDES
    if row["bound"] is not None and row["bound"] not in ({end.resource} if supersedes else about):
        return "forbidden"
    edge = looked.open.get((row["from"], row["to"], row["type"]))
    if edge is None:
        return "out of use" if supersedes and start.status in (Status.RETRACTED, Status.ARCHIVED) else "created"
    return "updated" if row["stated"] and row["properties"] != edge["properties"] else "unchanged"
