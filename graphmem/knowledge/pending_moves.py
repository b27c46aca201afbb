"""Edges that wait for a node, given to another of their ends' nodes."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime

from graphmem.graph.gateway import Transaction
from graphmem.knowledge.edges_write import pending_id
from graphmem.values import EdgeType, Tenant


async def move_pending(tx: Transaction, tenant: Tenant, to: Mapping[str, str], merge: str, now: datetime) -> int:
    """Give the waiting edges of the ids that are keys of `to` to their values; returns how many."""
    waiting = await tx.run("knowledge/pending_of", tenant=tenant, ids=sorted(to), merge=None)
    rows = []
    for found in waiting:
        moved = found["from"] if found["from"] in to else found["to"]
        ends = to.get(found["from"], found["from"]), to.get(found["to"], found["to"])
        if ends[0] != ends[1]:
            rows.append(_row(found["id"], ends, found["type"], moved))
    return await _move(tx, tenant, rows, merge, now)


async def move_back(
    tx: Transaction, tenant: Tenant, uid: str, there: AbstractSet[str], merge: str, now: datetime
) -> int:
    """Give back the waiting edges that `merge` moved to `uid`, and drop those of nodes that aren't `there` any more;
    returns how many were given back."""
    waiting = await tx.run("knowledge/pending_of", tenant=tenant, ids=[uid], merge=merge)
    gone = [found["id"] for found in waiting if found["movedFrom"] not in there]
    if gone:
        await tx.run("knowledge/drop_pending", tenant=tenant, ids=gone)
        waiting = [found for found in waiting if found["id"] not in gone]
    rows = []
    for found in waiting:
        ends = [found["movedFrom"] if end == uid else end for end in (found["from"], found["to"])]
        rows.append(_row(found["id"], (ends[0], ends[1]), found["type"], None))
    return await _move(tx, tenant, rows, None, now)


def _row(uid: str, ends: tuple[str, str], kind: str, moved_from: str | None) -> dict[str, str | None]:
    start, end = sorted(ends) if kind == EdgeType.CONFLICTS_WITH else ends
    return {"uid": uid, "from": start, "to": end, "pendingId": pending_id(start, kind, end), "movedFrom": moved_from}


async def _move(
    tx: Transaction, tenant: Tenant, rows: list[dict[str, str | None]], merge: str | None, now: datetime
) -> int:
    if not rows:
        return 0
    return int((await tx.run("knowledge/move_pending", tenant=tenant, rows=rows, merge=merge, now=now))[0]["moved"])
