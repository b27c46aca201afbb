"""`deleteKnowledge`: for what must not have been stored at all, such as a pasted secret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.jobs import RESUME_AFTER, Job, enqueue
from graphmem.knowledge.lifecycle import owned
from graphmem.knowledge.mentions import forget
from graphmem.values import Scope, Tenant, utc_now

CLEAR = "knowledge.clear"
EDGES_AT_ONCE = 200
"""A node with more edges than that goes without them, and they go after it: 100,000 are more than a transaction's
memory holds, and `eraseResource` takes many nodes in one."""
EDGES_A_STEP = 10_000


@dataclass(frozen=True, slots=True)
class Deleted:
    """What went with the node. The change log keeps its id and the hash of its text."""

    id: str
    revisions: int
    chunks: int


async def delete(
    graph: Graph,
    principal: Principal,
    uid: str,
    *,
    expected_version: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Deleted:
    """Take a node away for good, with its earlier states, pieces and edges. Needs the scope admin.

    Raises NotFound, Forbidden and VersionConflict.
    """
    principal.require(Scope.ADMIN)
    checks.identifier(uid, "id")
    view = View.of(principal, resource)
    left: list[str] = []

    async def work(tx: Transaction) -> Outcome[Deleted]:
        had = await owned(tx, view, uid, expected_version)
        gone = await delete_in(tx, view.tenant, [uid])
        left[:] = gone["left"]
        return Outcome(Deleted(uid, gone["revisions"], gone["chunks"]), before={uid: had["contentHash"]})

    stated = {"id": uid, "expectedVersion": expected_version, "resource": resource}
    call = Call(principal, "deleteKnowledge", stated, idempotency_key, dry_run)
    done = await recorded(graph, call, work, *reply_of(Deleted))
    if not dry_run:
        await clear(graph, view.tenant, left)
    return done


async def delete_in(tx: Transaction, tenant: Tenant, ids: Sequence[str]) -> Row:
    """Take nodes, which are locked, away for good: the work of `delete`, for verbs that do more in the transaction.
    Returns how many `revisions` and `chunks` they had, and the ids that are `left` for `clear` when it is committed; a
    job goes on where a process was killed."""
    now = utc_now()
    await forget(tx, tenant, ids, now)
    (row,) = await tx.run("knowledge/delete", tenant=tenant, ids=list(ids), most=EDGES_AT_ONCE, now=now)
    if row["left"]:
        await enqueue(tx, tenant, CLEAR, {"ids": row["left"]}, run_after=now + RESUME_AFTER)
    return row


async def clear(graph: Graph, tenant: Tenant, ids: Sequence[str]) -> None:
    """Take away what `delete_in` has left, some thousand edges at a time."""
    for uid in ids:
        more = True
        while more:
            rows = await graph.run("knowledge/clear_deleted", tenant=tenant, uid=uid, count=EDGES_A_STEP)
            more = any(row["more"] for row in rows)


async def clear_job(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler: takes away what is still left."""
    await clear(graph, job.tenant, job.payload["ids"])
    return {}
