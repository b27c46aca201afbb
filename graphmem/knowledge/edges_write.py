"""Opening edges, whole or pending; used by every verb that makes some."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import orjson

from graphmem.errors import Conflict, InvalidInput
from graphmem.graph.gateway import Transaction
from graphmem.knowledge.nodes import EdgeInput, Warning
from graphmem.knowledge.view import View
from graphmem.values import FOREVER, EdgeType

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


async def write_edges(tx: Transaction, view: View, edges: Iterable[EdgeInput], now: datetime) -> EdgesWritten:
    """Open each edge once. Raises Conflict when SUPERSEDES would run in a circle."""
    rows = [row(edge) for edge in edges]
    return await _write(tx, view, rows, now)


async def resolve_pending(tx: Transaction, view: View, arrived: Sequence[str], now: datetime) -> EdgesWritten:
    """Open the edges that waited for nodes which now exist. One that can no longer be is dropped with a warning."""
    waiting = await tx.run("knowledge/take_pending", tenant=view.tenant, ids=sorted(arrived))
    rows = [_pending_row(found) for found in waiting]
    opened = EdgesWritten()
    closed = [found for found in rows if found["type"] == EdgeType.SUPERSEDES]
    for found in closed:
        # One at a time: a circle in one of them must not undo the node that has just arrived.
        if await _cycle(tx, view, [(found["from"], found["to"])]):
            message = f"the pending edge {found['from']} SUPERSEDES {found['to']} was dropped: it would close a circle"
            opened.warnings.append(Warning("PENDING_LINK_DROPPED", message, (found["from"], found["to"])))
            rows.remove(found)
        else:
            _add(opened, await _write(tx, view, [found], now))
            rows.remove(found)
    _add(opened, await _write(tx, view, rows, now))
    return opened


def row(edge: EdgeInput) -> dict[str, Any]:
    """A row for `knowledge/write_edges`."""
    properties = {
        "weight": float(edge.weight),
        "confidence": float(edge.confidence),
        "source": str(edge.source),
        "reason": edge.reason,
        "validFrom": edge.valid_from,
        "validTo": edge.valid_to or FOREVER,
    }
    return _row((edge.source_id, edge.target_id, str(edge.type)), properties)


def _pending_row(found: Mapping[str, Any]) -> dict[str, Any]:
    return _row((found["from"], found["to"], found["type"]), found["properties"])


def _row(ends: Triple, properties: Mapping[str, Any]) -> dict[str, Any]:
    start, end, kind = ends
    if kind == EdgeType.CONFLICTS_WITH:
        start, end = sorted((start, end))
    pending_id = "p" + hashlib.sha256(orjson.dumps([start, kind, end])).hexdigest()[:32]
    return {"from": start, "to": end, "type": kind, "properties": dict(properties), "pendingId": pending_id}


async def _write(tx: Transaction, view: View, rows: list[dict[str, Any]], now: datetime) -> EdgesWritten:
    written = EdgesWritten()
    if not rows:
        return written
    # Sorted, so that two transactions take their locks in one order and can't block each other for good.
    distinct = {(found["from"], found["to"], found["type"]): found for found in rows}
    ordered = [found | {"at": at} for at, (_, found) in enumerate(sorted(distinct.items()))]
    pairs = [(found["from"], found["to"]) for found in ordered if found["type"] == EdgeType.SUPERSEDES]
    if pairs:
        await tx.run("knowledge/lock_supersedes", tenant=view.tenant, now=now)
    answers = await tx.run(
        "knowledge/write_edges", tenant=view.tenant, rows=ordered, resources=view.resources, open=FOREVER, now=now
    )
    for answer in answers:
        found = ordered[answer["at"]]
        key = EdgeKey(found["from"], found["to"], EdgeType(found["type"]))
        if answer["outcome"] == "refused":
            raise InvalidInput(
                f"{key.source_id!r} and {key.target_id!r} are about two different resources", field="edges"
            )
        getattr(written, answer["outcome"]).append(key)
    if pairs and (circle := await _cycle(tx, view, pairs)):
        raise Conflict(f"{circle[0]!r} can't supersede {circle[1]!r}: that would close a circle of SUPERSEDES edges")
    return written


async def _cycle(tx: Transaction, view: View, pairs: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    rows = await tx.run("knowledge/supersedes_cycle", tenant=view.tenant, pairs=[list(p) for p in pairs], open=FOREVER)
    return (rows[0]["from"], rows[0]["to"]) if rows else None


def _add(total: EdgesWritten, more: EdgesWritten) -> None:
    for name in ("created", "updated", "unchanged", "pending", "warnings"):
        getattr(total, name).extend(getattr(more, name))
