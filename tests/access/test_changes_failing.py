from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from neo4j.exceptions import ServiceUnavailable, TransientError

from graphmem.access.changes import Outcome
from graphmem.access.keys import list_keys
from graphmem.config import Settings
from graphmem.errors import Conflict
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph, Transaction
from graphmem.graph.local import Server
from graphmem.values import Tenant
from tests.access.calls import KEY, Done, added, adding, call, do, logged
from tests.access.unreliable import COMMIT, Line, unreliable


@pytest.fixture
async def line(server: Server, settings: Settings) -> AsyncIterator[tuple[Line, Graph]]:
    async with unreliable(server.uri) as line:
        update = {"neo4j_uri": line.uri, "neo4j_user": server.user, "neo4j_password": server.password}
        async with connect(Settings(**update, retry_seconds=20)) as graph:
            yield line, graph


async def test_a_call_that_fails_leaves_nothing_and_its_key_free(graph: Graph, tenant: Tenant) -> None:
    for error in (Conflict("no"), ValueError("a bug")):
        with pytest.raises(type(error)):
            await do(graph, call(tenant), adding(tenant, fails=[error]))
    assert (await added(graph, tenant), await logged(graph, tenant)) == ([], 0)
    done = await do(graph, call(tenant, text="another input"), adding(tenant))
    assert await added(graph, tenant) == [done.id]


async def test_a_cancelled_call_leaves_nothing_and_its_key_free(graph: Graph, tenant: Tenant) -> None:
    claimed = asyncio.Event()

    async def hanging(tx: Transaction) -> Outcome[Done]:
        await adding(tenant)(tx)
        claimed.set()
        await asyncio.Event().wait()
        raise AssertionError

    hung = asyncio.create_task(do(graph, call(tenant), hanging))
    await claimed.wait()
    hung.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hung
    done = await do(graph, call(tenant), adding(tenant))
    assert await added(graph, tenant) == [done.id]


@pytest.mark.parametrize("key", [KEY, None])
@pytest.mark.parametrize("kind", [ServiceUnavailable, TransientError])
async def test_work_that_is_run_again_by_the_driver_counts_once(
    graph: Graph, tenant: Tenant, kind: type[Exception], key: str | None
) -> None:
    done = await do(graph, call(tenant, key), adding(tenant, fails=[kind("gone"), kind("gone")]))
    assert await added(graph, tenant) == [done.id]
    assert await logged(graph, tenant) == 1


@pytest.mark.parametrize("key", [KEY, None])
@pytest.mark.parametrize(
    ("at", "answered"),
    [(COMMIT, True), (COMMIT, False), (b"CREATE (k:Item:ApiKey", False), (b"$p.touched", True)],
    ids=["commit done", "commit not sent", "work", "record"],
)
async def test_a_line_that_breaks_in_a_call_costs_nothing_and_doubles_nothing(
    line: tuple[Line, Graph], graph: Graph, tenant: Tenant, at: bytes, answered: bool, key: str | None
) -> None:
    broken, through = line
    await list_keys(through, tenant)
    broken.at, broken.answered = at, answered
    done = await do(through, call(tenant, key), adding(tenant))
    assert broken.breaks == 1
    assert await added(graph, tenant) == [done.id]
    assert await logged(graph, tenant) == 1
