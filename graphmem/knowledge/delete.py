"""`deleteKnowledge`: for what must not have been stored at all, such as a pasted secret."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.knowledge.lifecycle import owned
from graphmem.knowledge.mentions import forget
from graphmem.values import Scope, Tenant, utc_now


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

    async def work(tx: Transaction) -> Outcome[Deleted]:
        had = await owned(tx, view, uid, expected_version)
        gone = await delete_in(tx, view.tenant, [uid])
        return Outcome(Deleted(uid, gone["revisions"], gone["chunks"]), before={uid: had["contentHash"]})

    stated = {"id": uid, "expectedVersion": expected_version, "resource": resource}
    call = Call(principal, "deleteKnowledge", stated, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(Deleted))


async def delete_in(tx: Transaction, tenant: Tenant, ids: Sequence[str]) -> Row:
    """Take nodes, which are locked, away for good: the work of `delete`, for verbs that do more in the transaction.
    Returns how many `revisions` and `chunks` they had."""
    await forget(tx, tenant, ids, utc_now())
    return (await tx.run("knowledge/delete", tenant=tenant, ids=list(ids)))[0]
