"""`rejectTurn`, and what becomes of turns that nobody ends."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal, local_principal
from graphmem.conversation.begin_turn import EXPIRE
from graphmem.conversation.turns import MAX_ATTEMPTS, TurnChanged, locked, not_open
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.jobs import Job, enqueue
from graphmem.values import Scope, TurnState, utc_now

MAX_REASON = 2000


async def reject_turn(
    graph: Graph,
    principal: Principal,
    turn: str,
    reason: str | None = None,
    *,
    retry: bool = False,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> TurnChanged:
    """Throw away what a turn staged. `retry`: the turn stays open for its next attempt, of three at most.

    A turn that is rejected or has expired is told as it is, unless it is to be tried again.

    Raises:
        NotFound: there is no such turn, or it is not the caller's.
        Conflict: the turn is committed, or it is to be tried again and is not open.
    """
    principal.require(Scope.WRITE)
    checks.identifier(turn, "turnId")
    if reason is not None:
        checks.text(reason, MAX_REASON, "reason", limit="max_reason", blank=True)
    about = principal.resource_for(resource)
    stated = {"turn": turn, "reason": reason, "retry": retry, "resource": resource}

    async def work(tx: Transaction) -> Outcome[TurnChanged]:
        had = (await locked(tx, principal, about, turn))["turn"]
        is_open = had["state"] == TurnState.OPEN
        if had["state"] == TurnState.COMMITTED or (retry and not is_open):
            raise not_open(turn, had["state"])
        if not is_open:
            return Outcome(_changed(had))
        again = retry and had["attempt"] < MAX_ATTEMPTS
        state = TurnState.OPEN if again else TurnState.REJECTED
        return Outcome(_changed(await _discard(tx, principal, had, state, reason)), touched=[turn])

    call = Call(principal, "rejectTurn", stated, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(TurnChanged))


async def expire(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler: end the turn of a job whose time is over; one that got more time is looked at again then."""
    caller = local_principal(job.tenant, "turns that expire")

    async def work(tx: Transaction) -> dict[str, Any]:
        try:
            had = (await locked(tx, caller, None, job.payload["turn"]))["turn"]
        except NotFound:
            return {"state": "gone"}
        if had["state"] == TurnState.OPEN:
            after = had["expiresAt"] + timedelta(milliseconds=1)
            await enqueue(tx, job.tenant, EXPIRE, {"turn": had["uid"]}, run_after=after, on=had["uid"])
        elif had["expiresAt"] is not None:
            await _discard(tx, caller, had, TurnState.EXPIRED, "nobody ended it in time")
        return {"state": had["state"]}

    return await graph.write(work)


async def _discard(tx: Transaction, principal: Principal, had: Row, state: TurnState, reason: str | None) -> Row:
    rows = await tx.run(
        "conversation/reject_turn",
        tenant=principal.tenant, uid=had["uid"], state=str(state), reason=reason, now=utc_now(),
        attempt=had["attempt"] + (state is TurnState.OPEN),
    )  # fmt: skip
    turn: Row = rows[0]["turn"]
    return turn


def _changed(turn: Row) -> TurnChanged:
    return TurnChanged(turn["uid"], turn["thread"], TurnState(turn["state"]), turn["attempt"])
