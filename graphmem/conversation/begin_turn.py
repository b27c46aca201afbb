"""`beginTurn`: from here on messages can be staged."""

from __future__ import annotations

from datetime import datetime, timedelta

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.threads import no_thread
from graphmem.conversation.turns import Turn, TurnChanged
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph, Transaction
from graphmem.jobs import enqueue
from graphmem.values import Scope, Tenant, new_id, utc_now

EXPIRE = "conversation.expire"
TTL_SECONDS = 900
MAX_TTL_SECONDS = 7 * 24 * 3600


async def begin_turn(
    graph: Graph,
    principal: Principal,
    thread: str,
    *,
    turn: str | None = None,
    agent: str | None = None,
    ttl_seconds: int = TTL_SECONDS,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> TurnChanged:
    """Open a turn; one that was begun under this id in this thread is told as it is. Several may be open at once.

    It expires `ttl_seconds` after it was begun or last staged to.

    Raises:
        NotFound: there is no such thread, or it is another resource's.
        Conflict: the id is in use by something else, or by another agent's turn.
        InvalidInput: `ttl_seconds` is less than 1, or an id is blank, too long or has a control character.
        LimitExceeded: `ttl_seconds` is more than `MAX_TTL_SECONDS`.
    """
    principal.require(Scope.WRITE)
    checks.identifier(thread, "threadId")
    about, who = principal.resource_for(resource), principal.agent_for(agent, new=True)
    if turn is not None:
        checks.identifier(turn, "id", new=True)
    checks.whole(ttl_seconds, 1, MAX_TTL_SECONDS, "max_ttl_seconds", "ttlSeconds")
    uid, now = turn or new_id(), utc_now()
    stated = {"thread": thread, "turn": turn, "agent": agent, "ttl": ttl_seconds, "resource": resource}

    async def work(tx: Transaction) -> Outcome[TurnChanged]:
        made = await _open(tx, principal.tenant, thread, about, who, uid, ttl_seconds, now)
        return Outcome(_changed(made), touched=[uid])

    call = Call(principal, "beginTurn", stated, idempotency_key, dry_run)
    try:
        return await recorded(graph, call, work, *reply_of(TurnChanged))
    except _Known as known:
        if known.turn is None or known.turn.agent != who:
            raise Conflict(f"the id {uid!r} is in use elsewhere; nothing was changed", field="id") from None
        return _changed(known.turn)


async def _open(
    tx: Transaction, tenant: Tenant, thread: str, resource: str | None, agent: str | None, uid: str, ttl: int,
    now: datetime,
) -> Turn:  # fmt: skip
    rows = await tx.run(
        "conversation/begin_turn",
        tenant=tenant, thread=thread, resource=resource, uid=uid, agent=agent, ttl=ttl, now=now,
    )  # fmt: skip
    if not rows:
        raise no_thread(thread)
    if not rows[0]["created"]:
        raise _Known(rows[0]["turn"] if rows[0]["isTurn"] else None)
    await enqueue(tx, tenant, EXPIRE, {"turn": uid}, run_after=now + timedelta(seconds=ttl), on=uid)
    return Turn.from_row(rows[0]["turn"])


class _Known(Exception):
    """The id is in use; nothing of the transaction may be kept."""

    def __init__(self, row: dict[str, object] | None) -> None:
        super().__init__("known")
        self.turn = None if row is None else Turn.from_row(row)


def _changed(turn: Turn) -> TurnChanged:
    return TurnChanged(turn.id, turn.thread, turn.state, turn.attempt, (), turn.first_seq, turn.last_seq)
