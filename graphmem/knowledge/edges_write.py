"""Opening edges, whole or pending; used by every verb that makes some."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import orjson

from graphmem.access.view import View
from graphmem.errors import Conflict, Forbidden, InvalidInput
from graphmem.graph.gateway import Transaction
from graphmem.knowledge.nodes import EdgeInput
from graphmem.values import FOREVER, EdgeType, Warning

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class EdgeKey:
    """An edge by its ends and type."""

    source_id: str
    target_id: str
    type: EdgeType


@dataclass(frozen=True, slots=True)
class EdgesWritten:
    """What became of the edges; each stands in one of the lists. `pending` wait for an end that doesn't exist."""

    created: list[EdgeKey] = field(default_factory=list)
    updated: list[EdgeKey] = field(default_factory=list)
    unchanged: list[EdgeKey] = field(default_factory=list)
    pending: list[EdgeKey] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)


async def write_edges(
    tx: Transaction, view: View, edges: Iterable[EdgeInput], now: datetime, connections: Iterable[EdgeInput] = ()
) -> EdgesWritten:
    """Open each edge once. Of `connections` only the ends and the type are stated: one that is open, or stands in
    `edges` as well, keeps its properties.

    Raises:
        InvalidInput: an edge between knowledge about two different resources.
        Forbidden: neither end is about the resource that the view is bound to.
        Conflict: SUPERSEDES would run in a circle.
    """
    rows = [*(row(view, edge, stated=False) for edge in connections), *(row(view, edge) for edge in edges)]
    answers = await _write(tx, view, rows, now)
    written = EdgesWritten()
    for found, outcome in answers:
        if outcome == "refused":
            ends = f"{found['from']!r} and {found['to']!r}"
            raise InvalidInput(f"{ends} are about two different resources, which are not joined", field="edges")
        if outcome == "forbidden":
            raise forbidden(found)
        getattr(written, outcome).append(_key(found))
    pairs = [(found["from"], found["to"]) for found, _ in answers if found["type"] == EdgeType.SUPERSEDES]
    if pairs and (circle := await _cycle(tx, view, pairs)):
        raise Conflict(f"{circle[0]!r} can't supersede {circle[1]!r}: that would close a circle of SUPERSEDES edges")
    return written


def forbidden(found: Mapping[str, Any]) -> Forbidden:
    return Forbidden(
        f"a key that is bound to a resource can't change edges between shared knowledge, "
        f"such as {found['from']!r} {found['type']} {found['to']!r}"
    )


async def resolve_pending(tx: Transaction, view: View, arrived: Sequence[str], now: datetime) -> EdgesWritten:
    """Open the edges that waited for nodes which now exist, as those who asked for them might.

    One that can't be is dropped with a warning: it must not undo the node that has just arrived.
    """
    waiting = await tx.run("knowledge/take_pending", tenant=view.tenant, ids=sorted(arrived))
    opened = EdgesWritten()
    rows = []
    for found in map(_pending_row, waiting):
        if found["type"] != EdgeType.SUPERSEDES:
            rows.append(found)
        elif await _cycle(tx, view, [(found["from"], found["to"])]):
            opened.warnings.extend(_dropped(view, found, "it would close a circle"))
        else:
            # One at a time, because each may close a circle with those before it.
            _note(opened, view, await _write(tx, view, [found], now))
    _note(opened, view, await _write(tx, view, rows, now))
    return opened


def row(view: View, edge: EdgeInput, *, stated: bool = True) -> dict[str, Any]:
    """A row for `knowledge/write_edges`."""
    properties = {
        "weight": float(edge.weight),
        "confidence": float(edge.confidence),
        "source": str(edge.source),
        "reason": edge.reason,
        "validFrom": edge.valid_from,
        "validTo": edge.valid_to or FOREVER,
    }
    ends = edge.source_id, edge.target_id, str(edge.type)
    return _row(ends, properties, view.resources, view.bound) | {"stated": stated}


def _pending_row(found: Mapping[str, Any]) -> dict[str, Any]:
    ends = found["from"], found["to"], found["type"]
    return _row(ends, found["properties"], found["resources"], found["bound"]) | {"stated": False}


def _row(ends: Triple, properties: Mapping[str, Any], resources: list[str], bound: str | None) -> dict[str, Any]:
    start, end, kind = ends
    if kind == EdgeType.CONFLICTS_WITH:
        start, end = sorted((start, end))
    pending_id = "p" + hashlib.sha256(orjson.dumps([start, kind, end])).hexdigest()[:32]
    return {
        "from": start, "to": end, "type": kind, "properties": dict(properties), "pendingId": pending_id,
        "resources": resources, "bound": bound,
    }  # fmt: skip


async def _write(
    tx: Transaction, view: View, rows: Sequence[dict[str, Any]], now: datetime
) -> list[tuple[dict[str, Any], str]]:
    """Each distinct row (the last of equal ones) and what became of it."""
    if not rows:
        return []
    # Sorted, so that two transactions take their locks in one order and can't block each other for good.
    distinct = {(found["from"], found["to"], found["type"]): found for found in rows}
    ordered = [found | {"at": at} for at, (_, found) in enumerate(sorted(distinct.items()))]
    if any(found["type"] == EdgeType.SUPERSEDES for found in ordered):
        await tx.run("knowledge/lock_supersedes", tenant=view.tenant, now=now)
    answers = await tx.run("knowledge/write_edges", tenant=view.tenant, rows=ordered, open=FOREVER, now=now)
    return [(ordered[answer["at"]], answer["outcome"]) for answer in answers]


async def _cycle(tx: Transaction, view: View, pairs: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    rows = await tx.run("knowledge/supersedes_cycle", tenant=view.tenant, pairs=[list(p) for p in pairs], open=FOREVER)
    return (rows[0]["from"], rows[0]["to"]) if rows else None


def _note(total: EdgesWritten, view: View, answers: Iterable[tuple[dict[str, Any], str]]) -> None:
    for found, outcome in answers:
        if outcome in ("refused", "forbidden"):
            total.warnings.extend(_dropped(view, found, "its ends are about different resources, or both are shared"))
        else:
            getattr(total, outcome).append(_key(found))


def _dropped(view: View, found: Mapping[str, Any], why: str) -> list[Warning]:
    """A warning, unless others asked for the edge who see more than this caller."""
    if not set(found["resources"]) <= set(view.resources):
        return []
    edge = f"{found['from']!r} {found['type']} {found['to']!r}"
    return [
        Warning("PENDING_LINK_DROPPED", f"the pending edge {edge} was dropped: {why}", (found["from"], found["to"]))
    ]


def _key(found: Mapping[str, Any]) -> EdgeKey:
    return EdgeKey(found["from"], found["to"], EdgeType(found["type"]))
