from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta, timezone

import pytest
from neo4j.exceptions import ClientError, CypherSyntaxError
from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.errors import Conflict, TimedOut, Unavailable
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph, Transaction, UnexpectedParameters
from graphmem.graph.local import Server
from graphmem.graph.trips import count_trips
from graphmem.values import Tenant
from tests.graph.probing import probing, until
from tests.graph.wire import Wire, wire

FOREVER_LONG = 10**12


@asynccontextmanager
async def over_wire(server: Server, settings: Settings, **changes: object) -> AsyncIterator[tuple[Wire, Graph]]:
    """A graph on a driver of its own, whose line is listened to."""
    async with wire(server.uri) as line:
        named = {"neo4j_uri": line.uri, "neo4j_password": SecretStr(server.password)}
        async with connect(settings.model_copy(update=named | changes)) as graph:
            yield line, probing(graph)


async def marks(graph: Graph, tenant: Tenant) -> list[str]:
    return [row["uid"] for row in await probing(graph).read("probe/marks", tenant=tenant)]


async def test_a_read_can_not_write(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(ClientError, match="AccessMode"):
        await probing(graph).read("probe/mark", tenant=tenant, uid="a")
    with pytest.raises(ClientError, match="AccessMode"):
        await graph.read("graph/create_migration_lock")
    assert await marks(graph, tenant) == []


async def test_rows_are_pythons_own(graph: Graph) -> None:
    rows = await probing(graph).read(
        "probe/kinds", instant=datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    )
    instant = datetime(2026, 1, 1, 10, tzinfo=UTC)
    assert rows == [{"instant": instant, "nested": [{"instant": instant}, [None, True, 1, 1.5, "x"]]}]
    assert type(rows[0]["instant"]) is datetime
    assert rows[0]["instant"].tzinfo is UTC


async def test_an_instant_that_was_read_is_the_same_when_it_is_written_back(graph: Graph, tenant: Tenant) -> None:
    """For Neo4j an instant in a zone named UTC is not equal to the same one without a name."""
    await probing(graph).run("probe/fill", tenant=tenant, rows=[{"uid": "a", "at": 7}], start=datetime.now(UTC))
    row = (await probing(graph).read("probe/same_instant", tenant=tenant, instant=None))[0]
    assert (await probing(graph).read("probe/same_instant", tenant=tenant, instant=row["instant"]))[0]["same"]


async def test_parameters_are_just_those_declared(graph: Graph, tenant: Tenant) -> None:
    for given in ({"tenant": tenant}, {"tenant": tenant, "uid": "a", "more": 1}):
        with pytest.raises(UnexpectedParameters, match="uid" if len(given) == 1 else "more"):
            await probing(graph).run("probe/mark", **given)
    with pytest.raises(KeyError):
        await graph.read("graph/no_such_statement")


async def test_what_fails_is_undone_as_a_whole(graph: Graph, tenant: Tenant) -> None:
    async def work(tx: Transaction) -> None:
        await tx.run("probe/mark", tenant=tenant, uid="a")
        raise ValueError("a bug")

    with pytest.raises(ValueError, match="a bug"):
        await probing(graph).write(work)
    assert await marks(graph, tenant) == []


async def test_a_second_of_what_may_be_once_is_a_conflict(graph: Graph, tenant: Tenant) -> None:
    await probing(graph).run("probe/create_mark", tenant=tenant, uid="a")
    with pytest.raises(Conflict):
        await probing(graph).run("probe/create_mark", tenant=tenant, uid="a")


async def test_a_bug_passes_as_it_is(graph: Graph) -> None:
    with pytest.raises(CypherSyntaxError):
        await probing(graph).read("probe/broken")
    with pytest.raises(CypherSyntaxError):
        await probing(graph).run("probe/broken")


@pytest.mark.parametrize(
    ("how", "limit"), [("read", 7500), ("probe", 7500), ("plan", 120_000), ("run", 20250), ("run_schema", 600_000)]
)
async def test_every_call_has_a_time_limit_of_its_own(server: Server, settings: Settings, how: str, limit: int) -> None:
    async with over_wire(server, settings, statement_timeout=7.5, write_timeout=20.25) as (line, graph):
        await getattr(graph, how)("probe/marks", tenant="nobody")
        assert line.limits() == [limit]


@pytest.mark.parametrize("how", ["read", "probe", "run"])
async def test_a_statement_is_stopped_at_its_limit_and_not_run_again(graph: Graph, how: str) -> None:
    hasty = probing(graph, statement_timeout=0.3, write_timeout=0.3)
    with count_trips() as trips, pytest.raises(TimedOut):
        await getattr(hasty, how)("probe/slow", most=FOREVER_LONG)
    assert trips.count == 1
    assert await graph.read("graph/ping")


async def test_waiting_for_a_lock_ends_at_the_limit_too(graph: Graph, tenant: Tenant) -> None:
    held, ended = asyncio.Event(), asyncio.Event()

    async def hold(tx: Transaction) -> None:
        await tx.run("probe/mark", tenant=tenant, uid="a")
        held.set()
        await ended.wait()

    holder = asyncio.create_task(probing(graph).write(hold))
    await held.wait()
    with pytest.raises(Unavailable, match="others were writing"):
        await probing(graph, write_timeout=0.3, retry_seconds=0).run("probe/mark", tenant=tenant, uid="a")
    ended.set()
    await holder


async def test_two_that_wait_for_each_other_both_get_done(graph: Graph, tenant: Tenant) -> None:
    """The server ends one of them with a deadlock; its work is run again."""
    both = asyncio.Barrier(2)
    tries: list[str] = []

    async def work(tx: Transaction, first: str, second: str) -> None:
        tries.append(first)
        await tx.run("probe/mark", tenant=tenant, uid=first)
        if len(tries) <= 2:
            await both.wait()
        await tx.run("probe/mark", tenant=tenant, uid=second)

    wanted = probing(graph)
    await wanted.run("probe/mark", tenant=tenant, uid="a")
    await wanted.run("probe/mark", tenant=tenant, uid="b")
    await asyncio.gather(*(wanted.write(lambda tx, ends=ends: work(tx, *ends)) for ends in ("ab", "ba")))
    assert len(tries) >= 3
    assert await marks(graph, tenant) == ["a", "b"]


async def test_what_an_operator_ends_is_not_run_again(graph: Graph) -> None:
    running = asyncio.create_task(probing(graph).read("probe/slow", most=FOREVER_LONG))
    ended: list[dict[str, str]] = []

    async def is_ended() -> bool:
        ended.extend(await probing(graph).read("probe/end_transactions", word="x % 7"))
        return bool(ended)

    await until(is_ended)
    with pytest.raises(Unavailable, match="ended at the database"):
        await running
    assert len(ended) == 1


async def test_cancelled_calls_leave_no_statement_and_no_place_taken(
    server: Server, settings: Settings, graph: Graph, tenant: Tenant
) -> None:
    async def running(count: int) -> bool:
        rows = await probing(graph).read("probe/running", word="x % 7")
        return bool(rows[0]["count"] == count)

    async with over_wire(server, settings, neo4j_pool=2) as (_, narrow):
        for _ in range(2):
            calls = [asyncio.create_task(narrow.read("probe/slow", most=FOREVER_LONG)) for _ in range(2)]
            await until(lambda: running(2))
            for call in calls:
                call.cancel()
            ends = await asyncio.gather(*calls, return_exceptions=True)
            assert [type(end) for end in ends] == [asyncio.CancelledError] * 2
        await until(lambda: running(0))
        await asyncio.gather(*(narrow.run("probe/mark", tenant=tenant, uid=uid) for uid in "abcd"))
    assert await marks(graph, tenant) == list("abcd")


async def test_a_pool_with_no_place_left_is_told_apart_from_a_server_that_is_down(
    server: Server, settings: Settings, tenant: Tenant
) -> None:
    async with over_wire(server, settings, neo4j_pool=1, statement_timeout=0.5) as (_, narrow):

        async def work(tx: Transaction) -> None:
            await tx.run("probe/mark", tenant=tenant, uid="a")
            with pytest.raises(Unavailable, match="GRAPHMEM_NEO4J_POOL"):
                await narrow.read("graph/ping")

        await narrow.write(work)
        assert await narrow.read("graph/ping")


async def test_trips_are_counted_whether_or_not_they_succeed_in_every_task(graph: Graph, tenant: Tenant) -> None:
    probe = probing(graph)
    with count_trips() as all_trips:
        await probe.run("probe/create_mark", tenant=tenant, uid="a")
        with count_trips() as inner, pytest.raises(Conflict):
            await probe.run("probe/create_mark", tenant=tenant, uid="a")
        await asyncio.gather(*(probe.read("probe/marks", tenant=tenant) for _ in range(3)))
    await probe.read("probe/marks", tenant=tenant)
    assert [trip.statement for trip in inner.made] == ["probe/create_mark"]
    assert [trip.statement for trip in all_trips.made] == ["probe/create_mark"] * 2 + ["probe/marks"] * 3
    assert [trip.rows for trip in all_trips.made] == [0, 0, 1, 1, 1]
    assert all_trips.count == 5
    assert all_trips.ms == pytest.approx(sum(trip.ms for trip in all_trips.made))


async def test_a_graph_that_is_given_bookmarks_asks_for_what_they_stand_for(
    server: Server, settings: Settings, graph: Graph, tenant: Tenant
) -> None:
    await probing(graph).run("probe/mark", tenant=tenant, uid="a")
    written = await graph.bookmarks()
    assert written
    async with over_wire(server, settings) as (line, other):
        await other.read("probe/marks", tenant=tenant)
        assert not any(bookmark.encode() in line.sent for bookmark in written)
        told = Graph(other.driver, other.settings, other.statements, written)
        assert await told.read("probe/marks", tenant=tenant) == [{"uid": "a"}]
        assert all(bookmark.encode() in line.sent for bookmark in written)


async def test_a_graph_reads_what_it_wrote(server: Server, settings: Settings, tenant: Tenant) -> None:
    """On a cluster, by the bookmark of the write, which goes with the read."""
    async with over_wire(server, settings) as (line, graph):
        await graph.run("probe/mark", tenant=tenant, uid="a")
        line.sent.clear()
        await graph.read("probe/marks", tenant=tenant)
        assert all(bookmark.encode() in line.sent for bookmark in await graph.bookmarks())


async def test_a_call_waits_for_a_server_that_comes_back(server: Server, settings: Settings, tenant: Tenant) -> None:
    async with over_wire(server, settings, retry_seconds=60) as (line, graph):
        await graph.run("probe/mark", tenant=tenant, uid="a")
        await line.cut()
        tried = line.connections
        calls = [
            asyncio.create_task(graph.run("probe/mark", tenant=tenant, uid="b")),
            asyncio.create_task(graph.read("graph/ping")),
        ]
        await until(lambda: at_least(line, tried + 4))
        line.is_open = True
        await asyncio.gather(*calls)
        assert [row["uid"] for row in await graph.read("probe/marks", tenant=tenant)] == ["a", "b"]


async def test_a_server_that_stays_away_is_told_at_once(server: Server, settings: Settings) -> None:
    async with over_wire(server, settings, retry_seconds=0.3) as (line, graph):
        await line.cut()
        with pytest.raises(Unavailable, match="does not answer"):
            await graph.read("graph/ping")
        tried = line.connections
        for call in (graph.read, graph.probe, graph.run):
            with pytest.raises(Unavailable, match="does not answer"):
                await call("graph/ping")
        assert line.connections == tried + 3, "one try for each call"
        line.is_open = True
        assert await graph.read("graph/ping")


async def test_of_a_managed_server_that_is_away_it_is_told_how_to_start_it(server: Server, settings: Settings) -> None:
    async with over_wire(server, settings) as (line, graph):
        managed = Graph(graph.driver, settings.model_copy(update={"retry_seconds": 0}), graph.statements)
        await line.cut()
        with pytest.raises(Unavailable) as refused:
            await managed.read("graph/ping")
        assert refused.value.message == "Neo4j does not answer; start it with `graphmem neo4j start`"


async def test_a_server_that_falls_silent_is_given_up(server: Server, settings: Settings) -> None:
    """A frozen machine closes no connection and keeps no time limit: without one here, a call would wait for ever."""
    async with over_wire(server, settings, statement_timeout=0.5, retry_seconds=0) as (line, graph):
        await graph.read("graph/ping")
        line.flows.clear()
        for _ in range(2):  # on the connection it has, and while it makes a new one
            with pytest.raises(Unavailable, match="does not answer"):
                await graph.read("graph/ping")
        line.flows.set()
        assert await graph.read("graph/ping")


async def at_least(line: Wire, connections: int) -> bool:
    return line.connections >= connections
