"""`commitTurn`: what was staged becomes part of the thread, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graphmem import checks
from graphmem.access.canonical import canonical_hash
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.memory_state import Where
from graphmem.conversation.turns import TurnChanged, no_turn, not_open
from graphmem.conversation.update_working_memory import MemoryUpdate, check_update, update_in
from graphmem.conversation.vectors import queue_vectors
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.ranking import lucene, tokens
from graphmem.values import MemoryScope, Scope, TurnState, utc_now


@dataclass(frozen=True, slots=True)
class TurnMemory:
    """What a turn makes known: a change of its thread's working memory, or of its resource's."""

    update: MemoryUpdate
    scope: MemoryScope = MemoryScope.RESOURCE
    expected_version: int | None = None


async def commit_turn(
    graph: Graph,
    principal: Principal,
    turn: str,
    *,
    notices: Sequence[str] | None = None,
    memory: Sequence[TurnMemory] = (),
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> TurnChanged:
    """Store what a turn staged behind the thread's last message; once, however often it is called.

    `notices`: ids of the thread's notices that the turn's context carried, which are acknowledged with it; None: all
    that were there when the turn was begun. `memory`: known from now on, and not at all where the turn can't be
    committed; it may rest on the turn's own messages.

    Raises:
        NotFound: there is no such turn, or it is not the caller's.
        Conflict: the turn was rejected or has expired; its state stands in `details`. Or a call that it has the result
            of does not wait for one any more, or it was committed with other `memory`.
        What `update_working_memory` raises.
    """
    principal.require(Scope.WRITE)
    checks.identifier(turn, "turnId")
    about, now = principal.resource_for(resource), utc_now()
    stated = {"turn": turn, "notices": notices, "resource": resource, "memory": list(memory)}
    for one in memory:
        check_update(one.update)
    known = canonical_hash(list(memory)) if memory else None
    if memory:
        await tokens.load()

    async def work(tx: Transaction) -> Outcome[TurnChanged]:
        row = await _commit(tx, principal, about, turn, None if notices is None else list(notices), known, now)
        if not row["committed"]:
            if known is not None and known != row["memory"]:
                message = f"turn {turn!r} was committed without this memory; updateWorkingMemory makes it known"
                raise Conflict(message, field="memory")
            return Outcome(_done(turn, row))
        if row["ids"]:
            await queue_vectors(tx, principal.tenant, row["thread"], row["ids"])
        return await _with_memory(tx, principal, about, row["thread"], memory, _outcome(turn, row))

    call = Call(principal, "commitTurn", stated, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(TurnChanged))


async def _commit(
    tx: Transaction, principal: Principal, resource: str | None, turn: str, notices: list[str] | None,
    known: str | None, now: datetime,
) -> Row:  # fmt: skip
    """`known`: the hash of what the turn makes known."""
    rows = await tx.run(
        "conversation/commit_turn",
        tenant=principal.tenant, resource=resource, agent=principal.agent, uid=turn,
        tenantToken=lucene.tenant_token(principal.tenant), now=now, notices=notices, memory=known,
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


async def _with_memory(
    tx: Transaction, principal: Principal, resource: str | None, thread: str, memory: Sequence[TurnMemory],
    done: Outcome[TurnChanged],
) -> Outcome[TurnChanged]:  # fmt: skip
    """`done`, and what the turn makes known."""
    for one in memory:
        where = Where(one.scope, resource, thread)
        known = await update_in(tx, principal, where, one.update, one.expected_version)
        done = replace(
            done, touched=[*done.touched, *known.touched], before={**done.before, **known.before},
            after={**done.after, **known.after},
        )  # fmt: skip
    return done


def _outcome(turn: str, row: Row) -> Outcome[TurnChanged]:
    after = dict(zip(row["ids"], row["hashes"], strict=True))
    return Outcome(_done(turn, row), touched=[row["thread"], turn, *row["ids"]], after=after)


def _done(turn: str, row: Row) -> TurnChanged:
    return TurnChanged(
        turn, row["thread"], TurnState.COMMITTED, row["attempt"], tuple(row["ids"]), row["firstSeq"], row["lastSeq"]
    )
