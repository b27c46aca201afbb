"""`supersede`: a node takes another's place, and searches follow."""

from __future__ import annotations

from datetime import datetime

from graphmem import checks
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.errors import Conflict, InvalidInput
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge.edges_write import ends, write_edges
from graphmem.knowledge.lifecycle import Decided, StatusChanged, Stored, change_status, owned, superseded
from graphmem.knowledge.nodes import EdgeInput
from graphmem.values import EdgeType, Status


async def supersede(
    graph: Graph,
    principal: Principal,
    old: str,
    new: str,
    reason: str | None = None,
    *,
    expected_version: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> StatusChanged:
    """Have `new` supersede `old`: an edge says so, `old` is no longer valid, and retrieval brings `new` in its place.

    `expected_version` is that of `old`. Raises NotFound, Forbidden, VersionConflict, InvalidInput where both are one,
    and Conflict where `new` is out of use or is superseded by `old`, directly or through others.
    """
    checks.identifier(new, "new")
    if old == new:
        raise InvalidInput(f"{old!r} can't supersede itself; name two nodes", field="new")

    async def decide(tx: Transaction, view: View, had: Stored, now: datetime) -> Decided:
        return await replace(tx, view, had, new, reason, now)

    return await change_status(
        graph, principal, "supersede", old, reason, decide, expected_version=expected_version, resource=resource,
        idempotency_key=idempotency_key, dry_run=dry_run,
    )  # fmt: skip


async def replace(tx: Transaction, view: View, had: Stored, new: str, reason: str | None, now: datetime) -> Decided:
    """The work of `supersede`, for verbs that do more in the same transaction."""
    successor = await owned(tx, view, new, None, field="new")
    if successor["status"] not in (Status.ACTIVE, Status.DRAFT):
        raise Conflict(f"{new!r} is {successor['status']}, so it can't replace another; restore it first", field="new")
    edge = EdgeInput(new, had["uid"], EdgeType.SUPERSEDES, reason=reason)
    written = await write_edges(tx, view, [edge], now)  # which takes the old one out of use
    return superseded(view.tenant, had, now), ends([*written.created, *written.updated])
