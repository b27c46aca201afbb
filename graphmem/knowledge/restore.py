"""`restore`: a node that was superseded, retracted or archived is in use again."""

from __future__ import annotations

from datetime import datetime

from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge.lifecycle import Decided, StatusChanged, Stored, change_status, set_status
from graphmem.knowledge.nodes_write import NodeChange
from graphmem.values import FOREVER, Status


async def restore(
    graph: Graph,
    principal: Principal,
    uid: str,
    reason: str | None = None,
    *,
    expected_version: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> StatusChanged:
    """Make a node active. What superseded it no longer does, and its validity, which ended with that, is as it was.

    Raises NotFound, Forbidden and VersionConflict.
    """

    async def decide(tx: Transaction, view: View, had: Stored, now: datetime) -> Decided:
        if had["status"] in (Status.ACTIVE, Status.DRAFT):
            return NodeChange(dict(had), had), ()
        closed = await tx.run("knowledge/close_superseding", tenant=view.tenant, uid=uid, open=FOREVER, now=now)
        ended = bool(closed) or had["status"] == Status.SUPERSEDED
        # What was superseded before it became valid ended as it began, which is still to come.
        over = ended and had["validTo"] <= max(now, had["validFrom"])
        reopened = await _valid_to(tx, view, uid) if over else None
        return await set_status(tx, view, had, Status.ACTIVE, now, valid_to=reopened, reason=reason), ()

    return await change_status(
        graph, principal, "restore", uid, reason, decide, expected_version=expected_version, resource=resource,
        idempotency_key=idempotency_key, dry_run=dry_run,
    )  # fmt: skip


async def _valid_to(tx: Transaction, view: View, uid: str) -> datetime:
    """Until when the node was valid when it was last in use."""
    rows = await tx.run("knowledge/last_in_use", tenant=view.tenant, uid=uid)
    return rows[0]["validTo"] if rows else FOREVER
