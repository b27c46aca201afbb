"""`mergeKnowledge`: nodes that say the same become one, and nothing of them is lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.config import Settings
from graphmem.errors import Conflict, InvalidInput, LimitExceeded
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge import moves, state
from graphmem.knowledge.lifecycle import Stored, owned_all, superseded
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.nodes_write import NodeChange, again_when_stale, write_nodes
from graphmem.knowledge.pending_moves import move_pending
from graphmem.values import FOREVER, SHARED, EdgeType, Scope, Source, Status, fold, new_id, utc_now

MAX_MERGED = 50
REASON = "merged"
"""Of the SUPERSEDES edge from the node that is kept."""


@dataclass(frozen=True, slots=True)
class Merged:
    """`id`: of the merge, for `unmerge`; None where nothing was left to do. `merged`: the nodes that were superseded.

    `aliases`, `tags`, `evidence`: how many the node that is kept has got; `edges`: how many were moved or closed.
    """

    id: str | None
    kept: str
    version: int
    merged: tuple[str, ...]
    aliases: int
    tags: int
    evidence: int
    edges: int


async def merge_knowledge(
    graph: Graph,
    principal: Principal,
    ids: Sequence[str],
    reason: str | None = None,
    *,
    keep: str | None = None,
    expected_versions: Mapping[str, int] | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Merged:
    """Make one node of several: `keep`, or the first, takes the others' names, tags, evidence and edges and supersedes
    them. Those that it was merged with before are passed over.

    Raises:
        NotFound, Forbidden, VersionConflict: as other verbs on a node.
        InvalidInput: fewer than two ids, one twice, `keep` is none of them, or they are about two resources.
        LimitExceeded: too many ids, edges, or names or tags for one node.
        Conflict: one is out of use, or two of them contradict or supersede each other: similar is not the same.
    """
    principal.require(Scope.WRITE)
    kept = _checked(ids, keep, reason)
    expected = dict(expected_versions or {})
    if unknown := sorted(expected.keys() - set(ids)):
        raise InvalidInput(f"expectedVersions names {unknown[0]!r}, which is none of ids", field="expectedVersions")
    view = View.of(principal, resource)
    stated = {"ids": ids, "keep": kept, "reason": reason, "expectedVersions": expected, "resource": resource}

    async def work(tx: Transaction) -> Outcome[Merged]:
        return await _merge(tx, view, list(ids), kept, reason, expected, graph.settings)

    call = Call(principal, "mergeKnowledge", stated, idempotency_key, dry_run)
    return await again_when_stale(lambda: recorded(graph, call, work, *reply_of(Merged)))


def _checked(ids: Sequence[str], keep: str | None, reason: str | None) -> str:
    """The id of the node to keep."""
    checks.count(len(ids), MAX_MERGED, "max_merged", "ids")
    for at, uid in enumerate(ids):
        checks.identifier(uid, f"ids[{at}]")
        if uid in ids[:at]:
            raise InvalidInput(f"ids[{at}] is the same as ids[{ids.index(uid)}]; give each once", field=f"ids[{at}]")
    if len(ids) < 2:
        raise InvalidInput("ids: give at least two nodes to make one of", field="ids")
    if keep is not None and keep not in ids:
        raise InvalidInput(f"keep {keep!r} is none of ids", field="keep")
    if reason is not None:
        checks.text(reason, checks.MAX_TITLE, "reason", limit="max_reason", blank=True)
    return ids[0] if keep is None else keep


async def _merge(
    tx: Transaction,
    view: View,
    ids: list[str],
    kept: str,
    reason: str | None,
    expected: Mapping[str, int],
    settings: Settings,
) -> Outcome[Merged]:
    stored = await owned_all(tx, view, {uid: f"ids[{at}]" for at, uid in enumerate(ids)}, expected)
    now, merge = utc_now(), new_id()  # after the wait for the locks
    edges = await _edges(tx, view, ids, settings)
    todo = [stored[uid] for uid in ids if uid != kept and not _was_merged(stored[uid], kept, edges)]
    keeper = stored[kept]
    if not todo:
        return Outcome(Merged(None, kept, keeper["version"], (), 0, 0, 0, 0))
    _check(keeper, todo, edges)
    others = {node["uid"] for node in todo}
    evidence = await tx.run(
        "knowledge/merge_evidence", tenant=view.tenant, uid=kept, ids=sorted(others), merge=merge, now=now
    )
    change = _kept(view, keeper, todo, bool(evidence[0]["added"]), now)
    gone = [superseded(view.tenant, node, now) for node in todo]
    await write_nodes(tx, view.tenant, [change, *gone], {}, now, reason)
    moved = await _move(tx, view, kept, others, edges, merge, now)
    await _note(tx, view, change, todo, merge, now)
    done = Merged(
        merge, kept, keeper["version"] + bool(change.changed), tuple(node["uid"] for node in todo),
        len(change.properties["aliases"]) - len(keeper["aliases"] or ()),
        len(change.properties["tags"]) - len(keeper["tags"] or ()), evidence[0]["added"], moved,
    )  # fmt: skip
    return Outcome(done, touched=[kept, *done.merged])


async def _edges(tx: Transaction, view: View, ids: Sequence[str], settings: Settings) -> list[moves.Stored]:
    """Of nodes that are locked; their other ends are locked, too: else an edge could be opened again at another node
    that somebody closes meanwhile."""
    edges = await _read(tx, view, ids, settings)
    if await lock_ends(tx, view, edges, ids):
        edges = await _read(tx, view, ids, settings)
    return edges


async def lock_ends(tx: Transaction, view: View, edges: Iterable[moves.Stored], known: Collection[str]) -> bool:
    """Whether edges have ends that are not `known` to be locked: they are from now on, and must be read again."""
    more = {end for edge in edges for end in (edge.source, edge.target)}.difference(known)
    if more:
        await tx.run("knowledge/lock_nodes", tenant=view.tenant, ids=sorted(more))
    return bool(more)


async def _read(tx: Transaction, view: View, ids: Sequence[str], settings: Settings) -> list[moves.Stored]:
    most = settings.max_edges
    rows = await tx.run("knowledge/merge_edges", tenant=view.tenant, ids=sorted(ids), open=FOREVER, count=most + 1)
    if len(rows) > most:
        raise LimitExceeded(
            f"ids: these nodes have more than {most} edges; unlink some, or supersede instead",
            field="ids", limit="max_edges", value=most,
        )  # fmt: skip
    return [moves.Stored.from_row(row) for row in rows]


def _was_merged(node: Stored, kept: str, edges: Sequence[moves.Stored]) -> bool:
    key = kept, str(EdgeType.SUPERSEDES), node["uid"]
    return node["status"] == Status.SUPERSEDED and any(
        edge.key == key and edge.properties.get("openedBy") for edge in edges
    )


def _check(keeper: Stored, todo: Sequence[Stored], edges: Sequence[moves.Stored]) -> None:
    for node in (keeper, *todo):
        if node["status"] not in (Status.ACTIVE, Status.DRAFT):
            raise Conflict(f"{node['uid']!r} is {node['status']}; restore it first, or leave it out", field="ids")
        if node["resource"] != keeper["resource"]:
            raise InvalidInput(
                f"{node['uid']!r} and {keeper['uid']!r} are about two different resources, which are not merged",
                field="ids",
            )
    within = {node["uid"] for node in (keeper, *todo)}
    for edge in edges:
        if not {edge.source, edge.target} <= within:
            continue
        if edge.type == EdgeType.CONFLICTS_WITH:
            raise Conflict(
                f"{edge.source!r} and {edge.target!r} contradict each other and so are not the same; resolve that",
                field="ids",
            )
        if edge.type == EdgeType.SUPERSEDES and edge.source != keeper["uid"]:
            raise Conflict(
                f"{edge.source!r} supersedes {edge.target!r}; keep the former, or unlink them first", field="ids"
            )


def _kept(view: View, keeper: Stored, todo: Sequence[Stored], evidence: bool, now: datetime) -> NodeChange:
    """The node that is kept with what the others go by, and their tags."""
    aliases = list(keeper["aliases"] or ())
    known = {fold(name) for name in (keeper["title"], *aliases)}
    for name in (name for node in todo for name in (node["title"], *(node["aliases"] or ()))):
        # A title may be longer than an alias; the node that has it keeps it.
        if fold(name) not in known and len(name) <= checks.MAX_ID:
            known.add(fold(name))
            aliases.append(name)
    tags = sorted({tag for node in (keeper, *todo) for tag in node["tags"] or ()})
    checks.labels(aliases, "ids: aliases together")
    checks.labels(tags, "ids: tags together")
    about = None if keeper["resource"] == SHARED else keeper["resource"]
    given = NodeInput(keeper["title"], keeper["content"], resource=about, aliases=aliases, tags=tags)
    return NodeChange(state.properties(view.tenant, keeper["uid"], given, keeper, now), keeper, evidence)


async def _move(
    tx: Transaction, view: View, kept: str, others: set[str], edges: list[moves.Stored], merge: str, now: datetime
) -> int:
    """Gives the edges of `others` to `kept`, and says that it supersedes them; returns how many had to go."""
    # Taken before the look for circles, as whoever opens such an edge does.
    await tx.run("knowledge/lock_supersedes", tenant=view.tenant, now=now)
    found = moves.merging(kept, others, edges, merge)
    over = [moves.Stored(kept, uid, EdgeType.SUPERSEDES, _SUPERSEDING).opened_by(merge) for uid in sorted(others)]
    await swap(tx, view, found.closing, [*found.opening, *over], merge, now)
    return len(found.closing) + await move_pending(tx, view.tenant, dict.fromkeys(others, kept), merge, now)


_SUPERSEDING: Mapping[str, Any] = {
    "weight": 1.0, "confidence": 1.0, "source": str(Source.DOCS), "reason": REASON, "validTo": FOREVER,
}  # fmt: skip


async def swap(
    tx: Transaction,
    view: View,
    closing: Sequence[moves.Stored],
    opening: Sequence[moves.Stored],
    merge: str | None,
    now: datetime,
) -> None:
    """Close edges and open others. Raises Conflict where SUPERSEDES would run in a circle."""
    await tx.run(
        "knowledge/swap_edges",
        tenant=view.tenant, merge=merge, open=FOREVER, now=now,
        closing=[edge.row for edge in sorted(closing, key=_order)],
        opening=[edge.row for edge in sorted(opening, key=_order)],
    )  # fmt: skip
    pairs = [[edge.source, edge.target] for edge in opening if edge.type == EdgeType.SUPERSEDES]
    rows = await tx.run("knowledge/supersedes_cycle", tenant=view.tenant, pairs=pairs, open=FOREVER) if pairs else []
    for row in rows:
        raise Conflict(
            f"{row['to']!r} already supersedes {row['from']!r}: that would close a circle of SUPERSEDES edges"
        )


def _order(edge: moves.Stored) -> moves.Key:
    return edge.key


async def _note(
    tx: Transaction, view: View, change: NodeChange, todo: Sequence[Stored], merge: str, now: datetime
) -> None:
    assert change.had is not None
    before = change.had["version"]
    rows = [{"uid": change.uid, "kept": True, "before": before, "after": before + bool(change.changed)}]
    rows += [
        {"uid": node["uid"], "kept": False, "before": node["version"], "after": node["version"] + 1} for node in todo
    ]
    await tx.run("knowledge/note_merge", tenant=view.tenant, merge=merge, rows=rows, now=now)
