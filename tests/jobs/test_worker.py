from __future__ import annotations

import asyncio
import importlib
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta

import pytest

from graphmem.errors import InvalidInput, TimedOut
from graphmem.graph.gateway import Graph
from graphmem.jobs import Job, complete, counts, fail, find, prune
from graphmem.values import Tenant, utc_now
from tests.jobs.support import (
    Slow,
    everything,
    new_kind,
    put,
    put_many,
    running,
    take,
    until_counted,
    worker,
)

working = importlib.import_module("graphmem.jobs.worker")


async def echo(job: Job) -> Mapping[str, object]:
    return {"echo": job.payload}


async def nothing(job: Job) -> None:
    pass


async def test_drain_works_all_that_is_due_and_keeps_the_results(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put_many(graph, tenant, kind, 25)
    later = await put(graph, tenant, kind, run_after=utc_now() + timedelta(hours=1))
    await worker(graph, {kind: echo}).drain(60)
    assert await counts(graph, tenant) == {"ready": 1, "leased": 0, "done": 25, "failed": 0}
    assert (await find(graph, tenant, later)).state == "ready"
    done = await everything(graph, tenant, states=["done"])
    assert all(job.result == {"echo": job.payload} for job in done)


async def test_done_jobs_are_pruned_again_after_whatever_befell_that(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, left = asyncio.Event(), [RuntimeError("who knows")]

    async def pruning(*_: object) -> int:
        if left:
            raise left.pop()
        again.set()
        return 0

    monkeypatch.setattr(working, "prune", pruning)
    monkeypatch.setattr(working, "_PRUNE_EVERY", 0.01)
    async with running(worker(graph, {new_kind(): nothing})):
        await asyncio.wait_for(again.wait(), 60)


async def test_drain_works_what_handlers_enqueue(graph: Graph, tenant: Tenant) -> None:
    first, second = new_kind(), new_kind()
    await put_many(graph, tenant, first, 3)

    async def pass_on(job: Job) -> None:
        await put(graph, tenant, second, job.payload)

    await worker(graph, {first: pass_on, second: nothing}).drain(60)
    assert len(await everything(graph, tenant, [second], ["done"])) == 3


async def test_drain_tells_of_each_job_and_how_many_there_are(graph: Graph, tenant: Tenant) -> None:
    kind, told = new_kind(), []
    await put_many(graph, tenant, kind, 5)
    await worker(graph, {kind: nothing}).drain(60, tenant, lambda done, total: told.append((done, total)))
    assert len(told) == 5
    assert told == sorted(told), "neither number goes back"
    assert all(done <= total <= 5 for done, total in told), "what others have to do is not counted"
    assert told[-1] == (5, 5)


async def test_a_worker_for_one_tenant_leaves_the_work_of_others(graph: Graph, tenant: Tenant) -> None:
    kind, other = new_kind(), Tenant(f"{tenant} too")
    await put_many(graph, other, kind, 3)
    await put_many(graph, tenant, kind, 3)
    stop = asyncio.Event()
    alone = worker(graph, {kind: nothing})
    working = asyncio.create_task(alone.run(stop, tenant))
    await until_counted(graph, tenant, done=3)
    stop.set()
    await working
    await put_many(graph, tenant, kind, 2)
    await alone.drain(60, tenant)
    assert (await counts(graph, tenant))["done"] == 5
    assert await counts(graph, other) == {"ready": 3, "leased": 0, "done": 0, "failed": 0}


async def test_drain_waits_for_what_the_running_worker_holds(graph: Graph, tenant: Tenant) -> None:
    kind, slow = new_kind(), Slow()
    mine = worker(graph, {kind: slow})
    id = await put(graph, tenant, kind)
    async with running(mine):
        await slow.began.wait()
        draining = asyncio.create_task(mine.drain(60))
        await asyncio.wait([draining], timeout=0.5)
        assert not draining.done()
        slow.go.set()
        await draining
        assert (await find(graph, tenant, id)).state == "done"


async def test_a_drain_out_of_time_says_so_and_gives_back_what_it_began(graph: Graph, tenant: Tenant) -> None:
    kind, slow = new_kind(), Slow()
    id = await put(graph, tenant, kind)
    with pytest.raises(TimedOut):
        await worker(graph, {kind: slow}).drain(3)
    job = await find(graph, tenant, id)
    assert (job.state, job.attempts) == ("ready", 0)


async def test_a_handler_that_ends_when_cancelled_does_not_keep_a_worker_going(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put_many(graph, tenant, kind, 5)

    async def stubborn(job: Job) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    with pytest.raises(TimedOut):
        await worker(graph, {kind: stubborn}).drain(3)
    assert await counts(graph, tenant) == {"ready": 3, "leased": 0, "done": 2, "failed": 0}


async def test_a_worker_leaves_other_kinds_alone(graph: Graph, tenant: Tenant) -> None:
    await put(graph, tenant, new_kind())
    await worker(graph, {new_kind(): nothing}).drain(60)
    await worker(graph, {}).drain(60)
    assert (await counts(graph, tenant))["ready"] == 1


async def test_a_running_worker_is_woken_at_once(graph: Graph, tenant: Tenant) -> None:
    kind, slow = new_kind(), Slow()
    sleepy = worker(graph, {kind: slow}, job_poll_seconds=3600, job_stop_seconds=3600)
    await put(graph, tenant, kind)
    async with running(sleepy):
        await slow.began.wait()
        slow.began.clear()
        slow.go.set()
        await until_counted(graph, tenant, done=1)
        await put(graph, tenant, kind)
        sleepy.wake()
        await asyncio.wait_for(slow.began.wait(), 60)
        await until_counted(graph, tenant, done=2)


async def test_a_worker_finds_what_others_enqueue(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    async with running(worker(graph, {kind: nothing}, job_poll_seconds=0.05)):
        await put_many(graph, tenant, kind, 5)
        await until_counted(graph, tenant, done=5)


async def test_two_jobs_are_worked_at_a_time(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    both = asyncio.Barrier(2)

    async def meet(job: Job) -> None:
        await asyncio.wait_for(both.wait(), 60)

    await put_many(graph, tenant, kind, 2)
    await worker(graph, {kind: meet}).drain(120)
    assert (await counts(graph, tenant))["done"] == 2


async def test_a_poison_job_fails_alone(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()

    async def handle(job: Job) -> None:
        if job.payload["n"] == 0:
            raise ZeroDivisionError("poison 😀")

    await put_many(graph, tenant, kind, 10)
    await worker(graph, {kind: handle}).drain(60)
    assert (await counts(graph, tenant))["done"] == 9
    [poison] = await everything(graph, tenant, states=["ready"])
    assert (poison.attempts, poison.error) == (1, "ZeroDivisionError: poison 😀")


async def test_a_failed_attempt_is_made_again(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()

    async def flaky(job: Job) -> Mapping[str, object]:
        if job.attempts < 2:
            raise InvalidInput("not yet")
        return {"attempts": job.attempts}

    await put(graph, tenant, kind)
    async with running(worker(graph, {kind: flaky}, job_poll_seconds=0.05)):
        await until_counted(graph, tenant, done=1)
    [job] = await everything(graph, tenant)
    assert job.result == {"attempts": 2}


@pytest.mark.parametrize("result", [{"x": {1}}, {"x": "y" * 1_000_000}])
async def test_a_result_that_cannot_be_kept_fails_the_attempt(
    graph: Graph, tenant: Tenant, result: dict[str, object]
) -> None:
    kind = new_kind()

    async def handle(job: Job) -> Mapping[str, object]:
        return result

    await put(graph, tenant, kind)
    await worker(graph, {kind: handle}).drain(60)
    [job] = await everything(graph, tenant)
    assert job.state == "ready"
    assert "result" in (job.error or "")


async def test_a_handler_that_cancels_itself_fails_only_its_job(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()

    async def handle(job: Job) -> None:
        if job.payload["n"] == 0:
            raise asyncio.CancelledError

    await put_many(graph, tenant, kind, 3)
    await worker(graph, {kind: handle}).drain(60)
    assert await counts(graph, tenant) == {"ready": 1, "leased": 0, "done": 2, "failed": 0}


async def test_a_handler_may_complete_its_job_itself(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()

    async def handle(job: Job) -> Mapping[str, object]:
        assert await complete(graph, job, {"by": "handler"})
        return {"by": "worker"}

    id = await put(graph, tenant, kind)
    await worker(graph, {kind: handle}).drain(60)
    assert (await find(graph, tenant, id)).result == {"by": "handler"}


async def test_a_running_worker_prunes_what_was_done_long_ago(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    await complete(graph, await take(graph, kind))
    await put(graph, tenant, kind)
    await fail(graph, await take(graph, kind), "no", retry=False)
    await prune(graph, 1)
    assert len(await everything(graph, tenant)) == 2
    async with running(worker(graph, {}, job_keep_days=0)):
        await until_counted(graph, tenant, done=0, failed=1)
