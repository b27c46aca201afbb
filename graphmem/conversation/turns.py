"""Turns as they are stored; what the verbs on one share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.access.principal import Principal
from graphmem.errors import Conflict, NotFound
from graphmem.graph.gateway import Row, Transaction
from graphmem.values import TurnState

MAX_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange in a thread. `staged`: messages that wait in it; `first_seq`, `last_seq`: None while it is open, and
    where it was committed empty."""

    id: str
    thread: str
    resource: str
    state: TurnState
    attempt: int
    agent: str | None
    staged: int
    expires_at: datetime | None
    ended_at: datetime | None
    reason: str | None
    first_seq: int | None
    last_seq: int | None
    created_at: datetime

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Turn:
        """From the map that `fragments/turn.cypher` returns."""
        return cls(
            id=row["uid"],
            thread=row["thread"],
            resource=row["resource"],
            state=TurnState(row["state"]),
            attempt=row["attempt"],
            agent=row["agent"],
            staged=row["staged"],
            expires_at=row["expiresAt"],
            ended_at=row["endedAt"],
            reason=row["reason"],
            first_seq=row["firstSeq"],
            last_seq=row["lastSeq"],
            created_at=row["createdAt"],
        )


@dataclass(frozen=True, slots=True)
class TurnChanged:
    """What became of a turn. `ids`: the messages staged or committed by this call."""

    id: str
    thread: str
    state: TurnState
    attempt: int
    ids: tuple[str, ...] = ()
    first_seq: int | None = None
    last_seq: int | None = None


async def locked(tx: Transaction, principal: Principal, resource: str | None, uid: str) -> Row:
    """A turn that the caller may go on with, and the calls that wait for a result, locked until `tx` ends.

    Raises NotFound: there is no such turn, or it is another resource's, or another agent's than that of a bound key.
    """
    rows = await tx.run(
        "conversation/lock_turn", tenant=principal.tenant, resource=resource, agent=principal.agent, uid=uid
    )
    if not rows:
        raise no_turn(uid)
    return rows[0]


def no_turn(uid: str) -> NotFound:
    return NotFound(f"there is no turn {uid!r}", field="turnId")


def not_open(uid: str, state: str) -> Conflict:
    advice = {
        TurnState.COMMITTED: "begin another one",
        TurnState.REJECTED: "what it staged is gone; begin another one",
        TurnState.EXPIRED: "what it staged is gone; begin another one, with a longer ttlSeconds if need be",
    }
    return Conflict(f"turn {uid!r} is {state}: {advice[TurnState(state)]}", field="turnId", state=str(state))
