"""`commitTurn`: what was staged becomes part of the thread, all at once."""

from __future__ import annotations

from datetime import datetime

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.turns import TurnChanged, no_turn, not_open
from graphmem.conversation.vectors import queue_vectors
from graphmem.conversation.with_turn import ALONE, WithTurn, do_with
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.ranking import lucene, tokens
from graphmem.values import Scope, TurnState, utc_now


async def commit_turn(
    graph: Graph,
    principal: Principal,
    turn: str,
    *,
    beside: WithTurn = ALONE,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> TurnChanged:
    """Store what a turn staged behind the thread's last message; once, however often it is called.

    `beside`: done with it, and not at all where the turn can't be committed.

    Raises:
        NotFound: there is no such turn or notice, or it is not the caller's.
        Conflict: the turn was rejected or has expired; its state stands in `details`. Or a call that it has the result
            of does not wait for one any more, or it was committed with other `memory`.
        What `update_working_memory` raises.
    """
    principal.require(Scope.WRITE)
    checks.identifier(turn, "turnId")
    about, now = principal.resource_for(resource), utc_now()
    stated = {"turn": turn, "beside": beside, "resource": resource}
    beside.check(graph.settings)
    if beside.memory:
        await tokens.load()

    async def work(tx: Transaction) -> Outcome[TurnChanged]:
        row = await _commit(tx, principal, about, turn, beside.known, now)
        if not row["committed"]:
            beside.check_known(row["memory"])
            return Outcome(_done(turn, row))
        if row["ids"]:
            await queue_vectors(tx, principal.tenant, row["thread"], row["ids"])
        return await do_with(tx, principal, about, turn, row["thread"], beside, now, _outcome(turn, row))

    call = Call(principal, "commitTurn", stated, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(TurnChanged))


async def _commit(
    tx: Transaction, principal: Principal, resource: str | None, turn: str, known: str | None, now: datetime
) -> Row:
    """`known`: the hash of what the turn makes known."""
    rows = await tx.run(
        "conversation/commit_turn",
        tenant=principal.tenant, resource=resource, agent=principal.agent, uid=turn,
        tenantToken=lucene.tenant_token(principal.tenant), memory=known, now=now,
    )  # fmt: skip
    if not rows:
        raise no_turn(turn)
    if rows[0]["state"] != TurnState.COMMITTED:
        raise not_open(turn, rows[0]["state"])
    if lost := rows[0]["lost"]:
        raise Conflict(
            f"turn {turn!r} has a result of the call {lost[0]!r}, which was deleted or has another result meanwhile; "
            "reject the turn, with retry to stage the rest again",
            field="turnId", toolCallIds=lost,
        )  # fmt: skip
    return rows[0]


def _outcome(turn: str, row: Row) -> Outcome[TurnChanged]:
    after = dict(zip(row["ids"], row["hashes"], strict=True))
    return Outcome(_done(turn, row), touched=[row["thread"], turn, *row["ids"]], after=after)


def _done(turn: str, row: Row) -> TurnChanged:
    return TurnChanged(
        turn, row["thread"], TurnState.COMMITTED, row["attempt"], tuple(row["ids"]), row["firstSeq"], row["lastSeq"]
    )
