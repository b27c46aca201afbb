"""Opening edges, whole or pending; used by every verb that makes some."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from graphlib import CycleError, TopologicalSorter
from itertools import groupby
from typing import Any

import orjson

from graphmem.access.view import View
from graphmem.errors import Conflict, Forbidden, InvalidInput
from graphmem.graph.gateway import Row, Transaction
from graphmem.knowledge.ends import End, Looked, fate, look
from graphmem.knowledge.lifecycle import superseded
from graphmem.knowledge.nodes import EdgeInput
from graphmem.knowledge.nodes_write import write_nodes
from graphmem.values import FOREVER, EdgeType, Status, Warning, utc_now

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

    def opened(self) -> set[EdgeKey]:
        return {*self.created, *self.updated, *self.unchanged}


def ends(edges: Iterable[EdgeKey]) -> list[str]:
    return sorted({end for edge in edges for end in (edge.source_id, edge.target_id)})


async def write_edges(
    tx: Transaction,
    view: View,
    edges: Iterable[EdgeInput],
    now: datetime,
    connections: Iterable[EdgeInput] = (),
    known: Mapping[str, End] | None = None,
) -> EdgesWritten:
    """Open each edge once. Of `connections` only the ends and the type are stated: one that is open, or stands in
    `edges` as well, keeps its properties. `known`: ends that this transaction has made, by id.

    What a SUPERSEDES edge points to is taken out of use.

    Raises:
        InvalidInput: an edge between knowledge about two different resources.
        Forbidden: neither end is about the resource that the view is bound to, or what is superseded is not.
        Conflict: SUPERSEDES would run in a circle, or come from a node that was retracted or archived.
    """
    rows = [*(row(view, edge, stated=False) for edge in connections), *(row(view, edge) for edge in edges)]
    answers = await _write(tx, view, rows, now, known or {})
    written = EdgesWritten()
    for found, outcome in answers:
        if outcome == "refused":
            ends = f"{found['from']!r} and {found['to']!r}"
            raise InvalidInput(f"{ends} are about two different resources, which are not joined", field="edges")
        if outcome == "out of use":
            raise Conflict(f"{found['from']!r} is retracted or archived, so it can't supersede {found['to']!r}")
        if outcome == "forbidden":
            raise forbidden(found)
        getattr(written, outcome).append(_key(found))
    pairs = [(found["from"], found["to"]) for found, _ in answers if found["type"] == EdgeType.SUPERSEDES]
    if pairs and (circle := await _circle(tx, view, pairs, known or {})):
        raise Conflict(f"{circle[0]!r} can't supersede {circle[1]!r}: that would close a circle of SUPERSEDES edges")
    return written


def forbidden(found: Mapping[str, Any]) -> Forbidden:
    return Forbidden(
        f"a key that is bound to a resource can't change shared knowledge, nor edges within it, "
        f"such as {found['from']!r} {found['type']} {found['to']!r}"
    )


async def close_edges(tx: Transaction, view: View, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
    """Close the edges that are open, and take back those that wait; `rows` as `row` makes them. Of each that is there
    `from`, `to`, `type`, and whether it is `forbidden`: then it stays."""
    return await tx.run(
        "knowledge/unlink",
        tenant=view.tenant, resources=view.resources, bound=view.bound,
        ids=sorted({found[end] for found in rows for end in ("from", "to")}), rows=list(rows), open=FOREVER,
        now=utc_now(),
    )  # fmt: skip


async def resolve_pending(
    tx: Transaction, view: View, arrived: Mapping[str, End], now: datetime, opened: Iterable[EdgeKey] = ()
) -> EdgesWritten:
    """Open the edges that waited for nodes which now exist, as those who asked for them might.

    One that can't be is dropped with a warning: it must not undo the node that has just arrived. `opened`: edges that
    this transaction has opened already, which wait no more.
    """
    waiting = await tx.run("knowledge/take_pending", tenant=view.tenant, ids=sorted(arrived))
    done = EdgesWritten()
    rows = []
    gone = {(key.source_id, key.target_id, str(key.type)) for key in opened} if waiting else set()
    for found in map(_pending_row, waiting):
        if _triple(found) in gone:
            continue
        if found["type"] != EdgeType.SUPERSEDES:
            rows.append(found)
        elif await _cycle(tx, view, [(found["from"], found["to"])]):
            done.warnings.extend(_dropped(view, found, "it would close a circle"))
        else:
            # One at a time, because each may close a circle with those before it.
            _note(done, view, await _write(tx, view, [found], now, arrived))
    _note(done, view, await _write(tx, view, rows, now, arrived))
    return done


def row(view: View, edge: EdgeInput, *, stated: bool = True) -> dict[str, Any]:
    """An edge as it is asked for."""
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
    return {
        "from": start, "to": end, "type": kind, "properties": dict(properties),
        "pendingId": pending_id(start, kind, end), "resources": resources, "bound": bound,
    }  # fmt: skip


def pending_id(start: str, kind: str, end: str) -> str:
    """The id of the link that waits in the edge's place; CONFLICTS_WITH starts at the smaller id."""
    return "p" + hashlib.sha256(orjson.dumps([start, kind, end])).hexdigest()[:32]


Answer = tuple[dict[str, Any], str]


async def _write(
    tx: Transaction, view: View, rows: Sequence[dict[str, Any]], now: datetime, known: Mapping[str, End]
) -> list[Answer]:
    """Each distinct row (the last of equal ones) and what became of it."""
    if not rows:
        return []
    # Sorted, so that two transactions take their locks in one order and can't block each other for good.
    ordered = [found for _, found in sorted({_triple(found): found for found in rows}.items())]
    if any(found["type"] == EdgeType.SUPERSEDES and found["from"] not in known for found in ordered):
        await tx.run("knowledge/lock_supersedes", tenant=view.tenant, now=now)
    looked = await look(tx, view.tenant, ordered, known)
    # Read after the wait for the locks: others have opened and closed edges of these ends meanwhile.
    now = max(now, utc_now())
    answers = [(found, fate(found, looked)) for found in ordered]
    await _store(tx, view, answers, looked, now)
    await _supersede(tx, view, answers, looked, now)
    return answers


async def _store(tx: Transaction, view: View, answers: Sequence[Answer], looked: Looked, now: datetime) -> None:
    created = [found for found, outcome in answers if outcome == "created"]
    updated = [
        {"element": looked.open[_triple(found)]["element"], "properties": found["properties"]}
        for found, outcome in answers
        if outcome == "updated"
    ]
    pending = [found | {"missing": looked.missing(found)} for found, outcome in answers if outcome == "pending"]
    opened = {found["pendingId"] for found, outcome in answers if outcome in OPENED}
    if created:
        rows = _by_source(created)
        await tx.run("knowledge/create_edges", tenant=view.tenant, rows=rows, open=FOREVER, now=now)
    if updated:
        await tx.run("knowledge/change_edges", tenant=view.tenant, rows=updated, now=now)
    if pending:
        for answer in await tx.run("knowledge/keep_pending", tenant=view.tenant, rows=pending, now=now):
            if answer["forbidden"]:
                raise forbidden(answer)
    if resolved := sorted(opened & looked.waiting):
        await tx.run("knowledge/drop_pending", tenant=view.tenant, ids=resolved)


OPENED = ("created", "updated", "unchanged")


def _by_source(ordered: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    return [
        [source, [_listed(found) for found in edges]] for source, edges in groupby(ordered, lambda found: found["from"])
    ]


def _listed(found: Mapping[str, Any]) -> list[Any]:
    """Instants are slow to send: the one that nearly all edges have is left to the statement."""
    given = found["properties"]
    until = None if given["validTo"] == FOREVER else given["validTo"]
    return [
        found["to"], found["type"], given["weight"], given["confidence"], given["source"], given["reason"],
        given["validFrom"], until,
    ]  # fmt: skip


async def _supersede(tx: Transaction, view: View, answers: Sequence[Answer], looked: Looked, now: datetime) -> None:
    """Take out of use what the SUPERSEDES edges point to."""
    targets = {found["to"] for found, outcome in answers if found["type"] == EdgeType.SUPERSEDES and outcome in OPENED}
    in_use = sorted(uid for uid in targets if looked.ends[uid].status != Status.SUPERSEDED)
    if not in_use:
        return
    stored = (await tx.run("knowledge/remember_existing", tenant=view.tenant, ids=in_use, hashes=[]))[0]["nodes"]
    reasons = {
        found["to"]: found["properties"]["reason"] for found, _ in answers if found["type"] == EdgeType.SUPERSEDES
    }
    for reason in sorted({reasons[had["uid"]] for had in stored}, key=str):
        changes = [superseded(view.tenant, had, now) for had in stored if reasons[had["uid"]] == reason]
        await write_nodes(tx, view.tenant, changes, {}, now, reason)


async def _circle(
    tx: Transaction, view: View, pairs: Sequence[tuple[str, str]], new: Mapping[str, End]
) -> tuple[str, str] | None:
    """An edge that closes a circle. Into a node that is new leads nothing but edges of this call: where all start at
    such, a circle would consist of them alone."""
    if any(start not in new for start, _ in pairs):
        return await _cycle(tx, view, pairs)
    order: TopologicalSorter[str] = TopologicalSorter()
    for start, end in pairs:
        order.add(start, end)
    try:
        order.prepare()
    except CycleError as error:
        last, first = error.args[1][:2]
        return first, last
    return None


async def _cycle(tx: Transaction, view: View, pairs: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    rows = await tx.run("knowledge/supersedes_cycle", tenant=view.tenant, pairs=[list(p) for p in pairs], open=FOREVER)
    return (rows[0]["from"], rows[0]["to"]) if rows else None


def _note(total: EdgesWritten, view: View, answers: Iterable[Answer]) -> None:
    for found, outcome in answers:
        if outcome == "out of use":
            total.warnings.extend(_dropped(view, found, f"{found['from']!r} is retracted or archived"))
        elif outcome in ("refused", "forbidden"):
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


def _triple(found: Mapping[str, Any]) -> Triple:
    return found["from"], found["to"], found["type"]


def _key(found: Mapping[str, Any]) -> EdgeKey:
    return EdgeKey(found["from"], found["to"], EdgeType(found["type"]))
