"""What becomes of a job whose worker is slow, stops, or cannot reach the queue."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta

from structlog.testing import capture_logs

from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.jobs import Job, counts, find, release
from graphmem.values import Tenant
from tests.jobs.gate import gate
from tests.jobs.support import (
    Slow,
    addressed,
    effects,
    new_kind,
    put,
    put_many,
    running,
    take,
    until,
    until_counted,
    with_effect,
    worker,
)


async def test_a_slow_job_keeps_its_lease(graph: Graph, tenant: Tenant) -> None:
    kind, began = new_kind(), asyncio.Event()

    async def outlast(job: Job) -> None:
        began.set()
        assert job.lease_until is not None
        renewed = job.lease_until + timedelta(seconds=1)

        async def is_renewed() -> bool:
            now = (await find(graph, tenant, job.id)).lease_until
            return now is not None and now > renewed

        await until(is_renewed)

    id = await put(graph, tenant, kind)
    async with running(worker(graph, {kind: outlast}, lease_seconds=6, job_poll_seconds=0.05)):
        await began.wait()
        await until_counted(graph, tenant, done=1)
    assert (await find(graph, tenant, id)).attempts == 1


async def test_a_handler_whose_lease_is_lost_is_cancelled(graph: Graph, tenant: Tenant) -> None:
    kind, slow = new_kind(), Slow()
    id = await put(graph, tenant, kind)
    async with running(worker(graph, {kind: slow}, lease_seconds=0.3, job_poll_seconds=3600, job_stop_seconds=0)):
        await slow.began.wait()
        assert await release(graph, await find(graph, tenant, id))
        await asyncio.wait_for(slow.cancelled.wait(), 60)
    job = await find(graph, tenant, id)
    assert (job.state, job.error) == ("ready", None)


async def test_a_stopping_worker_lets_its_jobs_end_and_takes_no_other(graph: Graph, tenant: Tenant) -> None:
    kind, both_began, go = new_kind(), asyncio.Barrier(3), asyncio.Event()

    async def handle(job: Job) -> None:
        await both_began.wait()
        await go.wait()

    begun = await put_many(graph, tenant, kind, 2)
    async with running(worker(graph, {kind: handle}, job_stop_seconds=60)) as stop:
        await asyncio.wait_for(both_began.wait(), 60)
        stop.set()
        left = await put(graph, tenant, kind)
        go.set()
    assert {(await find(graph, tenant, id)).state for id in begun} == {"done"}
    assert (await find(graph, tenant, left)).state == "ready"


async def test_a_job_that_does_not_end_in_time_is_given_back(graph: Graph, tenant: Tenant) -> None:
    kind, slow = new_kind(), Slow()
    id = await put(graph, tenant, kind)
    async with running(worker(graph, {kind: slow}, job_stop_seconds=0)):
        await slow.began.wait()
    assert slow.cancelled.is_set()
    job = await find(graph, tenant, id)
    assert (job.state, job.attempts, job.error) == ("ready", 0, None)
    assert (await take(graph, kind)).attempts == 1


async def test_a_worker_that_is_cancelled_gives_its_jobs_back(graph: Graph, tenant: Tenant) -> None:
    kind, slow = new_kind(), Slow()
    await put(graph, tenant, kind)
    task = asyncio.create_task(worker(graph, {kind: slow}).run(asyncio.Event()))
    await slow.began.wait()
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    assert await counts(graph, tenant) == {"ready": 1, "leased": 0, "done": 0, "failed": 0}


async def test_a_worker_rides_over_an_outage(graph: Graph, tenant: Tenant) -> None:
    """It notices that the database is gone, and goes on when it is back; the job it held is worked once in effect."""
    kind, slow = new_kind(), Slow()
    settings = addressed(graph.settings, retry_seconds=0.2)
    assert settings.neo4j_uri is not None
    async with gate(settings.neo4j_uri) as door, connect(addressed(settings, neo4j_uri=door.uri)) as shaky:
        effect = with_effect(shaky)

        async def handle(job: Job) -> None:
            await slow(job)
            await effect(job)

        held = await put(graph, tenant, kind)
        with capture_logs() as logs:
            async with running(worker(shaky, {kind: handle}, lease_seconds=1, job_poll_seconds=0.05)):
                await slow.began.wait()
                await door.shut()
                await until_logged(logs, "queue not reached; trying again")
                other = await put(graph, tenant, kind)
                slow.go.set()
                await door.open()
                await until_counted(graph, tenant, done=2, leased=0)
    assert sorted(await effects(graph, tenant)) == sorted([held, other])


async def until_logged(logs: Sequence[Mapping[str, object]], event: str) -> None:
    async def logged() -> bool:
        return any(entry["event"] == event for entry in logs)

    await until(logged)
