"""`retract`: what turned out to be wrong leaves retrieval and stays readable."""

from __future__ import annotations

from datetime import datetime

from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge.lifecycle import Decided, StatusChanged, Stored, change_status, set_status
from graphmem.values import Status


async def retract(
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
    """Raises NotFound, Forbidden, VersionConflict, and Conflict where the node was superseded."""

    async def decide(tx: Transaction, view: View, had: Stored, now: datetime) -> Decided:
        if had["status"] == Status.SUPERSEDED:
            raise Conflict(f"{uid!r} is superseded, and so out of use already; restore it before retracting it")
        return await set_status(tx, view, had, Status.RETRACTED, now, reason=reason), ()

    return await change_status(
        graph, principal, "retract", uid, reason, decide, expected_version=expected_version, resource=resource,
        idempotency_key=idempotency_key, dry_run=dry_run,
    )  # fmt: skip
