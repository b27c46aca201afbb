from __future__ import annotations

import asyncio

import pytest

from graphmem.access.changes import Call, Outcome, recorded
from graphmem.access.principal import local_principal
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph, Transaction
from graphmem.graph.migrate import migrate
from graphmem.values import Tenant
from tests.graph.probing import probing, until
from tests.graph.second_server import SecondServer

ENOUGH = 10
"""Rounds of calls before the server is killed, and again when it is back."""
AGES = 300
"""Seconds; only a failure takes so long."""


class Rounds:
    """Calls of all kinds at once, round after round. `done`: how many rounds came back whole."""

    def __init__(self, graph: Graph, tenant: Tenant) -> None:
        self.graph = graph
        self.tenant = tenant
        self.done = 0

    async def go_on(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            ids = self.ids(self.done)
            calls = [self.create(ids[0]), self.create(ids[1]), self.merge(ids[2]), self.merge(ids[3])]
            await asyncio.gather(*calls, self.read(), self.read())
            self.done += 1

    def ids(self, number: int) -> list[str]:
        return [f"mark {number:05} {place}" for place in range(4)]

    async def create(self, uid: str) -> None:
        """A write that fails if it is done a second time; that it isn't is up to the change log."""

        async def work(tx: Transaction) -> Outcome[str]:
            await tx.run("probe/create_mark", tenant=self.tenant, uid=uid)
            return Outcome(uid, touched=[uid])

        call = Call(local_principal(self.tenant), "mark", {"uid": uid})
        made = await recorded(self.graph, call, work, lambda made: {"uid": made}, lambda reply: str(reply["uid"]))
        assert made == uid

    async def merge(self, uid: str) -> None:
        assert await self.graph.run("probe/mark", tenant=self.tenant, uid=uid) == [{"uid": uid}]

    async def read(self) -> None:
        """Long enough to be under way at the wrong moment."""
        assert await self.graph.read("probe/slow", most=10**6) == [{"count": 142857}]

    async def have_reached(self, number: int) -> bool:
        return self.done >= number


@pytest.mark.timeout(2 * AGES)
async def test_a_killed_server_loses_and_doubles_nothing_and_fails_no_call(
    second: SecondServer, tenant: Tenant
) -> None:
    """Killed and started again in the middle of writes and reads: all end well."""
    async with connect(second.addressed(retry_seconds=AGES)) as graph:
        await migrate(graph)
        rounds = Rounds(probing(graph), tenant)
        stop = asyncio.Event()
        calling = asyncio.create_task(rounds.go_on(stop))
        await until(lambda: rounds.have_reached(ENOUGH), AGES)
        await asyncio.to_thread(second.kill)
        before = rounds.done
        await asyncio.to_thread(second.start)
        await until(lambda: rounds.have_reached(before + ENOUGH), AGES)
        stop.set()
        await calling
        stored = [row["uid"] for row in await rounds.graph.read("probe/marks", tenant=tenant)]
        logged = await rounds.graph.read("probe/count_changes", tenant=tenant)
    assert [uid for uid in stored if uid.startswith("mark")] == [
        uid for number in range(rounds.done) for uid in rounds.ids(number)
    ]
    assert logged == [{"action": "mark", "count": 2 * rounds.done}]
