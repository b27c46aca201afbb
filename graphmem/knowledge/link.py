"""`link` and `unlink`: edges opened and closed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge import validate
from graphmem.knowledge.edges_write import EdgeKey, EdgesWritten, close_edges, ends, forbidden, row, write_edges
from graphmem.knowledge.nodes import EdgeInput
from graphmem.values import EdgeType, Scope, utc_now


@dataclass(frozen=True, slots=True)
class Unlinked:
    """`closed`: edges that were open or pending; `absent`: those that were not."""

    closed: tuple[EdgeKey, ...]
    absent: tuple[EdgeKey, ...]


async def link(
    graph: Graph,
    principal: Principal,
    edges: Sequence[EdgeInput],
    *,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> EdgesWritten:
    """Open the edges, all or none; one whose end does not exist waits for it.

    Raises InvalidInput, LimitExceeded, Forbidden where a bound key would join shared knowledge, and Conflict when
    SUPERSEDES would run in a circle.
    """
    principal.require(Scope.WRITE)
    checks.some(edges, "edge", "edges")
    validate.edges(edges, graph.settings)
    view = View.of(principal, resource)

    async def work(tx: Transaction) -> Outcome[EdgesWritten]:
        written = await write_edges(tx, view, edges, utc_now())
        return Outcome(written, ends([*written.created, *written.updated]))

    call = Call(principal, "link", {"edges": edges, "resource": resource}, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(EdgesWritten))


async def unlink(
    graph: Graph,
    principal: Principal,
    edges: Sequence[EdgeKey],
    *,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Unlinked:
    """Close the edges, as of now; reads of the past still see them. Absent ones are told, not refused.

    Raises InvalidInput, LimitExceeded, and Forbidden where a bound key would part shared knowledge.
    """
    principal.require(Scope.WRITE)
    checks.some(edges, "edge", "edges")
    inputs = [EdgeInput(edge.source_id, edge.target_id, edge.type) for edge in edges]
    validate.edges(inputs, graph.settings, new=False)
    view = View.of(principal, resource)
    rows = sorted((row(view, edge) for edge in inputs), key=_order)

    async def work(tx: Transaction) -> Outcome[Unlinked]:
        answers = await close_edges(tx, view, rows)
        for answer in answers:
            if answer["forbidden"]:
                raise forbidden(answer)
        closed = {_order(answer) for answer in answers}
        keys = {_order(found): EdgeKey(found["from"], found["to"], EdgeType(found["type"])) for found in rows}
        done = Unlinked(
            tuple(key for order, key in keys.items() if order in closed),
            tuple(key for order, key in keys.items() if order not in closed),
        )
        return Outcome(done, ends(done.closed))

    call = Call(principal, "unlink", {"edges": edges, "resource": resource}, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(Unlinked))


def _order(found: dict[str, Any]) -> tuple[str, str, str]:
    return found["from"], found["to"], found["type"]
