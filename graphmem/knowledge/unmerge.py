"""`unmergeKnowledge`: what a merge made one is several again, but for what was changed since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.errors import Conflict, NotFound
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge import moves, state
from graphmem.knowledge.lifecycle import Stored, owned, owned_all
from graphmem.knowledge.merge import lock_ends, swap
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.nodes_write import NodeChange, again_when_stale, write_nodes
from graphmem.knowledge.pending_moves import move_back
from graphmem.values import FOREVER, SHARED, Scope, Status, utc_now


@dataclass(frozen=True, slots=True)
class Left:
    """What was changed since the merge and is left so: a node's field or, where `to` is given, an edge of that type."""

    id: str
    field: str
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Unmerged:
    """`id`: of the merge that was undone; None where it was before. `restored`: nodes that are as they were."""

    id: str | None
    kept: str
    version: int
    restored: tuple[str, ...]
    edges: int
    left: tuple[Left, ...]


async def unmerge_knowledge(
    graph: Graph,
    principal: Principal,
    uid: str,
    reason: str | None = None,
    *,
    merge: str | None = None,
    expected_version: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Unmerged:
    """Undo the newest merge in which `uid` was kept, or check that it is `merge`; done twice, it changes nothing.

    Status, validity, names, tags, evidence and edges become as they were. What was changed since stays and is told in
    `left`. Raises NotFound, Forbidden, VersionConflict, and Conflict where the node is out of use, a newer merge
    stands on this one, or SUPERSEDES would run in a circle.
    """
    principal.require(Scope.WRITE)
    checks.identifier(uid, "id")
    if merge is not None:
        checks.identifier(merge, "merge")
    if reason is not None:
        checks.text(reason, checks.MAX_TITLE, "reason", limit="max_reason", blank=True)
    view = View.of(principal, resource)
    stated = {"id": uid, "merge": merge, "reason": reason, "expectedVersion": expected_version, "resource": resource}

    async def work(tx: Transaction) -> Outcome[Unmerged]:
        kept = await owned(tx, view, uid, expected_version)
        found = await _newest(tx, view, kept, merge)
        if found is None:
            return Outcome(Unmerged(None, uid, kept["version"], (), 0, ()))
        return await _undo(tx, view, kept, found, reason)

    call = Call(principal, "unmergeKnowledge", stated, idempotency_key, dry_run)
    return await again_when_stale(lambda: recorded(graph, call, work, *reply_of(Unmerged)))


async def _newest(tx: Transaction, view: View, kept: Stored, merge: str | None) -> str | None:
    """The merge to undo; None where it is undone."""
    rows = await tx.run("knowledge/merges", tenant=view.tenant, uid=kept["uid"])
    undone: dict[str, bool] = {row["merge"]: row["undone"] for row in rows}
    if not rows or (merge is not None and merge not in undone):
        which = "in no merge" if merge is None else f"not in the merge {merge!r}"
        raise NotFound(f"{kept['uid']!r} was kept {which}", field="id" if merge is None else "merge")
    newest = next((uid for uid, done in undone.items() if not done), None)
    if newest is None or undone.get(merge or newest):
        return None
    if merge not in (None, newest):
        raise Conflict(f"the newer merge {newest!r} stands on this one; undo it first", field="merge")
    if lost := next(row["lost"] for row in rows if row["merge"] == newest):
        raise _deleted(kept, lost[0])
    if kept["status"] not in (Status.ACTIVE, Status.DRAFT):
        raise Conflict(f"{kept['uid']!r} is {kept['status']}; restore it first, or undo what it was merged into")
    return newest


def _deleted(kept: Stored, lost: str | None = None) -> Conflict:
    what = "a note" if lost is None else repr(lost)
    return Conflict(f"{what} that was merged into {kept['uid']!r} was deleted; what it brought can't go back and stays")


async def _undo(tx: Transaction, view: View, kept: Stored, merge: str, reason: str | None) -> Outcome[Unmerged]:
    rows = await tx.run("knowledge/merge_states", tenant=view.tenant, merge=merge)
    parts = {row["id"]: row for row in rows}
    if len(parts) < 2:  # deleted when merges did not yet note that
        raise _deleted(kept)
    others = await owned_all(tx, view, {uid: "id" for uid in parts if uid != kept["uid"]}, {})
    now = utc_now()  # after the wait for the locks
    left: list[Left] = []
    removed = await tx.run("knowledge/unmerge_evidence", tenant=view.tenant, uid=kept["uid"], merge=merge)
    changes = [_kept(view, kept, parts[kept["uid"]], bool(removed[0]["removed"]), now)]
    changes += [_merged(view, others[uid], parts[uid], left, now) for uid in sorted(others)]
    await write_nodes(tx, view.tenant, changes, {}, now, reason)
    edges = await _edges(tx, view, kept["uid"], set(others), merge, left, now)
    await tx.run("knowledge/note_unmerge", tenant=view.tenant, merge=merge, now=now)
    changed = [change.uid for change in changes if change.changed]
    restored = tuple(change.uid for change in changes[1:] if change.changed)
    version = kept["version"] + bool(changes[0].changed)
    return Outcome(Unmerged(merge, kept["uid"], version, restored, edges, tuple(left)), touched=[kept["uid"], *changed])


def _kept(view: View, node: Stored, part: Mapping[str, Any], evidence: bool, now: datetime) -> NodeChange:
    """Without the names and tags that the merge brought; those that came since stay."""
    aliases, tags = (_without(node, part, key) for key in ("aliases", "tags"))
    given = NodeInput(node["title"], node["content"], resource=_about(node), aliases=aliases, tags=tags)
    return NodeChange(state.properties(view.tenant, node["uid"], given, node, now), node, evidence)


def _without(node: Stored, part: Mapping[str, Any], key: str) -> list[str]:
    brought = set(part["after"][key] or ()) - set(part["before"][key] or ())
    return [value for value in node[key] or () if value not in brought]


def _merged(view: View, node: Stored, part: Mapping[str, Any], left: list[Left], now: datetime) -> NodeChange:
    back = {}
    for key in ("status", "validTo"):
        if node[key] == part["after"][key]:
            back[key] = part["before"][key]
        elif node[key] != part["before"][key]:
            left.append(Left(node["uid"], key))
    given = NodeInput(
        node["title"], node["content"], resource=_about(node),
        status=Status(back["status"]) if "status" in back else None, valid_to=back.get("validTo"),
    )  # fmt: skip
    return NodeChange(state.properties(view.tenant, node["uid"], given, node, now), node)


def _about(node: Stored) -> str | None:
    return None if node["resource"] == SHARED else str(node["resource"])


async def _marked(tx: Transaction, view: View, ids: set[str], merge: str) -> list[moves.Stored]:
    """The edges of nodes that a merge closed or opened, as they are now."""
    rows = await tx.run("knowledge/merge_marks", tenant=view.tenant, ids=sorted(ids), merge=merge)
    return [moves.Stored.from_row(row) for row in rows]


async def _edges(
    tx: Transaction, view: View, kept: str, others: set[str], merge: str, left: list[Left], now: datetime
) -> int:
    await tx.run("knowledge/lock_supersedes", tenant=view.tenant, now=now)
    marked = await _marked(tx, view, {kept, *others}, merge)
    if await lock_ends(tx, view, marked, {kept, *others}):
        marked = await _marked(tx, view, {kept, *others}, merge)
    found = moves.undoing(kept, others, marked, merge, FOREVER)
    left += [Left(edge.source, edge.type, edge.target) for edge in found.left]
    await swap(tx, view, found.closing, found.opening, None, now)
    return len(found.opening) + await move_back(tx, view.tenant, kept, others, merge, now)
