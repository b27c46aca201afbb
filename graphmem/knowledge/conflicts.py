"""Contradictions: said, listed and resolved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge import as_of
from graphmem.knowledge.edges_write import EdgesWritten, close_edges, row
from graphmem.knowledge.lifecycle import StatusChanged, outcome, owned
from graphmem.knowledge.link import link
from graphmem.knowledge.nodes import Edge, EdgeInput, Node
from graphmem.knowledge.nodes_write import again_when_stale
from graphmem.knowledge.supersede import replace
from graphmem.values import FOREVER, EdgeType, Page, Scope, decode_moment, encode_cursor, utc_now


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two nodes in use that can't both be true; `first` has the smaller id."""

    edge: Edge
    first: Node
    second: Node


async def conflicts(graph: Graph, view: View, first: int, after: str | None) -> Page[Contradiction]:
    """Contradictions between nodes in use that are open, or were at the view's time; oldest first.

    Raises InvalidInput for a cursor of another list.
    """
    time, key = (None, None) if after is None else decode_moment(after, "after")
    params: dict[str, Any] = {
        "tenant": view.tenant,
        "resources": view.resources,
        "statuses": as_of.in_use(view),
        "afterTime": time,
        "afterKey": key,
        "count": first + 1,
    }
    if view.is_present:
        rows = await graph.read("knowledge/conflicts", **params, open=FOREVER)
    else:
        rows = await graph.read("knowledge/conflicts_as_of", **params, **as_of.walk(view))
    found = [
        Contradiction(Edge.from_row(row["edge"]), Node.from_row(row["first"]), Node.from_row(row["second"]))
        for row in rows
    ]
    return Page(tuple(found[:first]), tuple(map(_cursor, found[:first])), len(found) > first)


async def flag_conflict(
    graph: Graph,
    principal: Principal,
    one: str,
    other: str,
    reason: str | None = None,
    *,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> EdgesWritten:
    """Say that two nodes contradict each other; once for a pair, whichever is named first."""
    edge = EdgeInput(one, other, EdgeType.CONFLICTS_WITH, reason=reason)
    return await link(graph, principal, [edge], resource=resource, idempotency_key=idempotency_key, dry_run=dry_run)


async def resolve_conflict(
    graph: Graph,
    principal: Principal,
    keep: str,
    drop: str,
    reason: str | None = None,
    *,
    expected_version: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> StatusChanged:
    """Have `keep` supersede `drop`, and close the contradiction between them. `expected_version` is that of `drop`.

    Raises NotFound where either is missing or they are in no open contradiction, and what `supersede` raises.
    """
    principal.require(Scope.WRITE)
    for uid, field in ((keep, "keep"), (drop, "drop")):
        checks.identifier(uid, field)
    if keep == drop:
        raise InvalidInput(f"{keep!r} can't contradict itself; name two nodes", field="drop")
    view = View.of(principal, resource)
    stated = {
        "keep": keep, "drop": drop, "reason": reason, "expectedVersion": expected_version, "resource": resource,
    }  # fmt: skip

    async def work(tx: Transaction) -> Outcome[StatusChanged]:
        had = await owned(tx, view, drop, expected_version, field="drop")
        now = utc_now()  # after the wait for the lock
        edge = row(view, EdgeInput(keep, drop, EdgeType.CONFLICTS_WITH))
        closed = await close_edges(tx, view, [edge])
        if not closed and not await _resolved(tx, view, keep, drop):
            raise NotFound(f"{keep!r} and {drop!r} are in no open contradiction", field="drop")
        return outcome(*await replace(tx, view, had, keep, reason, now))

    call = Call(principal, "resolveConflict", stated, idempotency_key, dry_run)
    return await again_when_stale(lambda: recorded(graph, call, work, *reply_of(StatusChanged)))


async def _resolved(tx: Transaction, view: View, keep: str, drop: str) -> bool:
    """Whether the one supersedes the other already."""
    pairs = [[drop, keep]]
    return bool(await tx.run("knowledge/supersedes_cycle", tenant=view.tenant, pairs=pairs, open=FOREVER))


def _cursor(found: Contradiction) -> str:
    made = found.edge.created_at or datetime.min
    return encode_cursor(made.isoformat(), f"{found.first.id} {found.second.id}")
