from __future__ import annotations

import asyncio

import pytest

from graphmem.access.principal import Principal, local_principal
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.migrate import migrate
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.remember import remember
from graphmem.values import Tenant
from tests.graph.probing import probing, until
from tests.graph.second_server import SecondServer

WRITERS = 4
ENOUGH = 5
"""Writes that each writer has behind it before the server is killed, and once more when it is back."""


@pytest.mark.timeout(600)
async def test_a_killed_server_loses_and_doubles_nothing_and_no_call_fails(
    second: SecondServer, tenant: Tenant
) -> None:
    """Killed and started again in the middle of writes and reads, which all end well."""
    async with connect(second.addressed(retry_seconds=300)) as graph:
        await migrate(graph)
        caller = local_principal(tenant)
        said: list[list[str]] = [[] for _ in range(WRITERS)]
        stop = asyncio.Event()
        tasks = [asyncio.create_task(write(graph, caller, at, said[at], stop)) for at in range(WRITERS)]
        tasks.append(asyncio.create_task(read(graph, stop)))
        await until(lambda: have_each(said, ENOUGH))
        before = sum(map(len, said))
        await asyncio.to_thread(second.kill)
        await asyncio.to_thread(second.start)
        await until(lambda: have_each(said, ENOUGH + before), 120)
        stop.set()
        await asyncio.gather(*tasks)
        stored = await probing(graph).read("probe/knowledge_and_changes", tenant=tenant)
    expected = sorted(uid for of_one in said for uid in of_one)
    assert [row["uid"] for row in stored] == expected
    assert [row["nodes"] for row in stored] == [1] * len(expected)
    assert [row["versions"] for row in stored] == [[1]] * len(expected)
    assert [row["changes"] for row in stored] == [1] * len(expected)


async def write(graph: Graph, caller: Principal, writer: int, said: list[str], stop: asyncio.Event) -> None:
    """Remembers one node after the other; `said` are those whose call came back."""
    while not stop.is_set():
        uid = f"w{writer} n{len(said)}"
        await remember(graph, caller, [NodeInput(uid, f"content of {uid}", id=uid)])
        said.append(uid)


async def read(graph: Graph, stop: asyncio.Event) -> None:
    while not stop.is_set():
        assert await graph.read("graph/ping")


async def have_each(said: list[list[str]], count: int) -> bool:
    return all(len(of_one) >= count for of_one in said)
