"""Nodes going out of use and coming back; what supersede, retract, restore and archive share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.errors import Forbidden, NotFound
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge import state
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.nodes_write import NodeChange, again_when_stale, write_nodes
from graphmem.values import SHARED, Scope, Status, Tenant, utc_now

Stored = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """A node after the call. `changed` is False when it, and the edge that says so, were so before."""

    id: str
    status: Status
    version: int
    changed: bool


async def owned(tx: Transaction, view: View, uid: str, expected: int | None, field: str = "id") -> Stored:
    """What is stored under the id, locked until the transaction ends.

    Raises:
        NotFound: there is no such node in the tenant, or it is about a resource that was not named.
        Forbidden: the key is bound to a resource and the node is shared.
        VersionConflict: the node is not at version `expected`; the current one stands in `details`.
    """
    return (await owned_all(tx, view, {uid: field}, {} if expected is None else {uid: expected}))[uid]


async def owned_all(
    tx: Transaction, view: View, fields: Mapping[str, str], expected: Mapping[str, int]
) -> dict[str, Stored]:
    """As `owned`, for the ids that are the keys of `fields`, whose values name them in errors."""
    rows = await tx.run("knowledge/remember_existing", tenant=view.tenant, ids=sorted(fields), hashes=[])
    found: dict[str, Stored] = {row["uid"]: row for row in rows[0]["nodes"]}
    for uid, field in fields.items():
        had = found.get(uid)
        if had is None or not had["isKnowledge"] or had["resource"] not in view.resources:
            raise NotFound(f"there is no knowledge node {uid!r}", field=field)
        if view.bound is not None and had["resource"] != view.bound:
            raise Forbidden(f"{uid!r} is shared, and this key is bound to a resource: it can't change it")
        checks.version(uid, expected.get(uid), had["version"], id=uid)
    return found


async def set_status(
    tx: Transaction,
    view: View,
    had: Stored,
    status: Status,
    now: datetime,
    *,
    valid_to: datetime | None = None,
    reason: str | None = None,
) -> NodeChange:
    """Store another status, and with it the end of validity if given; the earlier state becomes a revision."""
    change = with_status(view.tenant, had, status, now, valid_to)
    await write_nodes(tx, view.tenant, [change], {}, now, reason)
    return change


def with_status(
    tenant: Tenant, had: Stored, status: Status, now: datetime, valid_to: datetime | None = None
) -> NodeChange:
    """The change to another status, not yet stored."""
    about = None if had["resource"] == SHARED else had["resource"]
    given = NodeInput(had["title"], had["content"], resource=about, status=status, valid_to=valid_to)
    return NodeChange(state.properties(tenant, had["uid"], given, had, now), had)


def superseded(tenant: Tenant, had: Stored, now: datetime) -> NodeChange:
    """What being superseded does to a node: its status says so, and its validity ends, before its start never."""
    until = max(min(now, had["validTo"]), had["validFrom"])
    return with_status(tenant, had, Status.SUPERSEDED, now, until)


Decided = tuple[NodeChange, Sequence[str]]
"""The change of the node, and the ends of an edge that was opened or changed besides."""
Decide = Callable[[Transaction, View, Stored, datetime], Awaitable[Decided]]


async def change_status(
    graph: Graph,
    principal: Principal,
    action: str,
    uid: str,
    reason: str | None,
    decide: Decide,
    *,
    expected_version: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> StatusChanged:
    """The frame of a verb on one node: `decide` makes the change, in the transaction that notes it in the log."""
    principal.require(Scope.WRITE)
    checks.identifier(uid, "id")
    if reason is not None:
        checks.text(reason, checks.MAX_TITLE, "reason", limit="max_reason", blank=True)
    view = View.of(principal, resource)
    stated = {"id": uid, "reason": reason, "expectedVersion": expected_version, "resource": resource}

    async def work(tx: Transaction) -> Outcome[StatusChanged]:
        had = await owned(tx, view, uid, expected_version)
        return outcome(*await decide(tx, view, had, utc_now()))

    call = Call(principal, action, stated, idempotency_key, dry_run)
    return await again_when_stale(lambda: recorded(graph, call, work, *reply_of(StatusChanged)))


def outcome(change: NodeChange, joined: Sequence[str]) -> Outcome[StatusChanged]:
    """`joined`: the ends of edges that were opened with it."""
    assert change.had is not None
    version = change.had["version"] + bool(change.changed)
    changed = bool(joined or change.changed)
    done = StatusChanged(change.uid, Status(change.properties["status"]), version, changed)
    return Outcome(done, touched=sorted({change.uid, *joined}) if changed else [])
