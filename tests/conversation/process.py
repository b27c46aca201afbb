"""A writer in a process of its own: `python -m tests.conversation.process write|hang ARGUMENTS`, settings in the
environment.

`write TENANT WRITER TURNS` stores turns in the thread `t1` in every way there is. `hang TENANT` begins each call of
`STATEMENTS` for each statement of its transaction, each in a thread of its own, and stops behind that statement; it
says so on its output, and never goes on.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable

from neo4j import AsyncResult

from graphmem.access.principal import Principal
from graphmem.cli import console
from graphmem.config import Settings
from graphmem.conversation.append_turn import Appended, append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.reject_turn import reject_turn
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.turns import TurnChanged
from graphmem.conversation.update_working_memory import MemoryUpdate
from graphmem.conversation.with_turn import TurnMemory, WithTurn
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.statements import Statement
from graphmem.values import MemoryScope, Tenant
from tests.conversation.support import said
from tests.factories import principal

STATEMENTS = {"append": 2, "keyed append": 3, "commit": 3, "commit with memory": 6}
"""Of the transaction of each call: claimed where there is a key, stored, queued where that is apart, working memory
locked, counted on and written, noted."""


async def store(graph: Graph, caller: Principal, call: str, at: int) -> Appended | TurnChanged:
    """One of the calls of `STATEMENTS`, number `at` of it; again, it is the same call."""
    messages, uid = [said("one"), said("two")], f"{call} {at}"
    if call == "append":
        return await append_turn(graph, caller, uid, messages)
    if call == "keyed append":
        return await append_turn(graph, caller, uid, messages, idempotency_key=uid)
    known = [TurnMemory(MemoryUpdate(merge={"plan": "pro"}), MemoryScope.THREAD)]
    beside = WithTurn(memory=known if call == "commit with memory" else ())
    return await commit_turn(graph, caller, f"turn {uid}", beside=beside)


def turn_texts(writer: int, turn: int) -> list[str]:
    return [f"writer {writer} turn {turn} message {at}" for at in range(1 + turn % 3)]


async def write(graph: Graph, tenant: Tenant, writer: int, turns: int) -> None:
    caller = principal(tenant)
    for turn in range(turns):
        messages = [said(text) for text in turn_texts(writer, turn)]
        if turn % 3:
            await append_turn(graph, caller, "t1", messages)
            continue
        begun = (await begin_turn(graph, caller, "t1")).id
        if turn % 2:
            await stage_messages(graph, caller, begun, [said("a draft")])
            await reject_turn(graph, caller, begun, retry=True)
        for message in messages:
            await stage_messages(graph, caller, begun, [message])
        await commit_turn(graph, caller, begun)


class Hanging(Graph):
    """Stops for good behind statement number `at` of those it runs."""

    def __init__(self, graph: Graph, at: int) -> None:
        super().__init__(graph.driver, graph.settings, graph.statements)
        self.left, self.reached = at, asyncio.Event()

    async def timed(self, statement: Statement, sent: Awaitable[AsyncResult]) -> list[Row]:
        rows = await super().timed(statement, sent)
        self.left -= 1
        if self.left == 0:
            self.reached.set()
            await asyncio.Event().wait()
        return rows


async def hang(graph: Graph, tenant: Tenant) -> None:
    caller = principal(tenant)
    stuck = {(call, at): Hanging(graph, at + 1) for call, count in STATEMENTS.items() for at in range(count)}
    tasks = [asyncio.create_task(store(each, caller, call, at)) for (call, at), each in stuck.items()]
    await asyncio.wait([asyncio.create_task(each.reached.wait()) for each in stuck.values()])
    assert not any(task.done() for task in tasks)
    print("stuck", flush=True)
    await asyncio.Event().wait()


async def main(what: str, tenant: str, *more: str) -> None:
    async with connect(Settings()) as graph:
        if what == "write":
            await write(graph, Tenant(tenant), *map(int, more))
        else:
            await hang(graph, Tenant(tenant))


if __name__ == "__main__":
    console.configure_logging("warning")  # on standard error: the output is for what is waited for
    asyncio.run(main(*sys.argv[1:]))
