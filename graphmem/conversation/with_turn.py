"""What is done in the transaction that stores a turn: notices it was told are acknowledged, and fields change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from graphmem import checks
from graphmem.access.canonical import canonical_hash
from graphmem.access.changes import Outcome
from graphmem.access.principal import Principal
from graphmem.config import Settings
from graphmem.conversation.memory_state import Where
from graphmem.conversation.update_working_memory import MemoryUpdate, check_update, update_in
from graphmem.errors import Conflict, NotFound
from graphmem.graph.gateway import Transaction
from graphmem.values import MemoryScope

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class TurnMemory:
    """What a turn makes known: a change of its thread's working memory, or of its resource's."""

    update: MemoryUpdate
    scope: MemoryScope = MemoryScope.RESOURCE
    expected_version: int | None = None


@dataclass(frozen=True, slots=True)
class WithTurn:
    """`notices`: ids of those that the turn's context carried: they are acknowledged, and no others, since nobody else
    knows which were told. `memory`: known from now on; it may rest on the turn's own messages."""

    notices: Sequence[str] = ()
    memory: Sequence[TurnMemory] = ()

    @property
    def known(self) -> str | None:
        """A hash of what the turn makes known, kept with it; None: nothing."""
        return canonical_hash(list(self.memory)) if self.memory else None

    def check_known(self, kept: str | None) -> None:
        """`kept`: that hash, of a turn that is stored already. Raises Conflict where it made something else known."""
        if self.memory and self.known != kept:
            raise Conflict("it is stored without this memory; updateWorkingMemory makes it known", field="memory")

    def check(self, settings: Settings) -> None:
        """Raises InvalidInput, LimitExceeded."""
        checks.count(len(self.notices), settings.max_messages, "max_messages", "noticeIds")
        for at, uid in enumerate(self.notices):
            checks.identifier(uid, f"noticeIds[{at}]")
        for one in self.memory:
            check_update(one.update)


ALONE = WithTurn()


async def do_with(
    tx: Transaction, principal: Principal, resource: str | None, turn: str, thread: str, given: WithTurn, now: datetime,
    done: Outcome[T],
) -> Outcome[T]:  # fmt: skip
    """`done`, and what is given beside it. The messages are stored; `tokens.load` has been waited for.

    Raises:
        NotFound: a notice is neither the thread's nor an agent's that the caller may speak for.
        What `update_working_memory` raises.
    """
    if given.notices:
        done = replace(done, touched=[*done.touched, *await _told(tx, principal, resource, turn, given.notices, now)])
    for one in given.memory:
        where = Where(one.scope, resource, thread)
        known = await update_in(tx, principal, where, one.update, one.expected_version)
        done = replace(
            done, touched=[*done.touched, *known.touched], before={**done.before, **known.before},
            after={**done.after, **known.after},
        )  # fmt: skip
    return done


async def _told(
    tx: Transaction, principal: Principal, resource: str | None, turn: str, notices: Sequence[str], now: datetime
) -> list[str]:
    """The notices that were not acknowledged before."""
    wanted = sorted(set(notices))
    rows = await tx.run(
        "conversation/acknowledge_with_turn",
        tenant=principal.tenant, resource=resource, agent=principal.agent, hears=principal.hears_agents,
        turn=turn, ids=wanted, now=now,
    )  # fmt: skip
    found = {row["uid"] for row in rows}
    for uid in wanted:
        if uid not in found:
            raise NotFound(
                f"there is no notice {uid!r} for this thread or agent; nothing was stored", field="noticeIds"
            )
    return [row["uid"] for row in rows if row["changed"]]
