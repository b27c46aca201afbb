"""`archive`: what is no longer of interest leaves retrieval and stays readable."""

from __future__ import annotations

from datetime import datetime

from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge.lifecycle import Decided, StatusChanged, Stored, change_status, set_status
from graphmem.values import Status


async def archive(
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
    """Raises NotFound, Forbidden and VersionConflict. A superseded node may be archived; its edge stays."""

    async def decide(tx: Transaction, view: View, had: Stored, now: datetime) -> Decided:
        return await set_status(tx, view, had, Status.ARCHIVED, now, reason=reason), ()

    return await change_status(
        graph, principal, "archive", uid, reason, decide, expected_version=expected_version, resource=resource,
        idempotency_key=idempotency_key, dry_run=dry_run,
    )  # fmt: skip
