"""What a context starts from, in one trip."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.access.principal import Principal, local_principal
from graphmem.context.inputs import ContextInput, Tier
from graphmem.context.lines import Line, in_order, newest_user, whole_pairs
from graphmem.conversation.notices import MAX_OPEN, Notice, check_hears
from graphmem.conversation.recall_scope import RecallScope
from graphmem.conversation.threads import Thread, no_thread
from graphmem.conversation.turns import no_turn, not_open
from graphmem.conversation.working_memory import WorkingMemory, memory_from_row
from graphmem.graph.gateway import Graph, Row
from graphmem.values import MemoryScope, Tenant, TurnState

BEYOND = 20
"""Messages read beyond the last ones asked for, among which a tool call may be whose result is the first of these."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """`lines`: the thread's newest messages in order, the turn's own and the new one; those from `asked` on are the
    turn, and `committed` of them are the thread's. `scope`: whom recall is about, for `recall_scope.scope_of`."""

    thread: Thread
    lines: tuple[Line, ...]
    asked: int
    committed: int
    notices: tuple[Notice, ...]
    memories: tuple[WorkingMemory, ...]
    scope: Row

    @property
    def query(self) -> str:
        return self.lines[self.asked].text if self.asked < len(self.lines) else ""

    @property
    def asked_at(self) -> datetime | None:
        return self.lines[self.asked].created_at if self.asked < len(self.lines) else None


async def gather(graph: Graph, principal: Principal, wanted: ContextInput) -> Gathered:
    """Raises NotFound (thread, turn), Conflict (the turn has ended) and Forbidden (another's notices). The tokenizers
    must be loaded."""
    if wanted.agent is not None:
        check_hears(principal)
    rows = await graph.read("context/gather", **_gathering(principal, wanted))
    if not rows:
        raise no_thread(wanted.thread)
    row = rows[0]
    if wanted.turn is not None:
        _check_turn(wanted.turn, row["turn"])
    return _gathered(graph, wanted, row)


def _gathering(principal: Principal, wanted: ContextInput) -> dict[str, Any]:
    last = wanted.recency.most if wanted.has(Tier.RECENCY) else 0
    return {
        "tenant": principal.tenant,
        "resource": principal.resource_for(wanted.resource),
        "agent": principal.agent,
        "toldTo": principal.agent_for(wanted.agent),
        "hears": principal.hears_agents,
        "thread": wanted.thread,
        "turn": wanted.turn,
        "count": last + BEYOND if last else 0,
        "look": 0 if wanted.message else 1,
        "memory": wanted.has(Tier.WORKING_MEMORY),
        "notices": MAX_OPEN if wanted.has(Tier.NOTICES) else 0,
        "inThread": wanted.recall.where.scope is RecallScope.THREAD,
    }


async def plan_contexts(graph: Graph) -> None:
    """Have the server plan the statement, so that the first caller need not wait for that."""
    await graph.plan("context/gather", **_gathering(local_principal(Tenant("nobody")), ContextInput("none")))


def _check_turn(uid: str, row: Row | None) -> None:
    if row is None:
        raise no_turn(uid)
    if row["state"] != TurnState.OPEN:
        raise not_open(uid, row["state"])


def _gathered(graph: Graph, wanted: ContextInput, row: Row) -> Gathered:
    committed = [Line.from_row(one) for one in row["messages"]]
    staged = [Line.from_row(one) for one in row["staged"]]
    given = Line.asked(wanted.message, wanted.speaker, wanted.turn) if wanted.message else None
    if newest_user([*committed, *staged]) == len(committed) + len(staged):
        committed = _with_far(committed, [Line.from_row(one) for one in row["asked"]])
    lines = in_order(committed, staged, given)
    kept = whole_pairs(lines, newest_user(lines))
    memories = [memory_from_row(graph.settings, one) for one in row["memories"]]
    return Gathered(
        Thread.from_row(row["thread"]), tuple(kept), newest_user(kept), sum(line.seq is not None for line in kept),
        tuple(map(Notice.from_row, row["notices"])),
        tuple(sorted(memories, key=lambda one: one.scope is MemoryScope.THREAD)), row["scope"],
    )  # fmt: skip


def _with_far(committed: list[Line], asked: list[Line]) -> list[Line]:
    """The last user message before those that were read, which tell how many are between."""
    if not asked or not committed:
        return asked + committed
    between = (committed[0].seq or 0) - (asked[0].seq or 0) - 1
    return [*asked, committed[0].after(between), *committed[1:]]
