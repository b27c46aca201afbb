from __future__ import annotations

import pytest

from graphmem.graph.gateway import Graph
from graphmem.jobs import LOST, claim, complete, fail, find, retry_failed
from graphmem.jobs.fail import pause
from graphmem.values import Tenant
from tests.jobs.support import changed, everything, new_kind, put, take


@pytest.mark.parametrize(
    ("attempts", "seconds"), [(1, 1), (2, 4), (3, 16), (4, 64), (5, 256), (6, 900), (7, 900), (1000, 900)]
)
def test_pauses_grow_to_a_quarter_of_an_hour(attempts: int, seconds: float) -> None:
    drawn = {pause(attempts) for _ in range(200)}
    assert seconds * 0.8 <= min(drawn) < max(drawn) <= seconds


async def test_a_failed_attempt_waits_before_the_next(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    assert await fail(graph, job, "no 😀") == "ready"
    waiting = await find(graph, tenant, job.id)
    assert (waiting.state, waiting.attempts, waiting.error, waiting.lease_until) == ("ready", 1, "no 😀", None)
    assert waiting.run_after > job.run_after
    again = await take(graph, kind)
    assert (again.id, again.attempts) == (job.id, 2)
    assert await complete(graph, again)
    assert (await find(graph, tenant, job.id)).error is None


async def test_later_failures_wait_longer(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    pauses = []
    for attempts in (3, 1, 4, 2):
        await put(graph, tenant, kind)
        for _ in range(attempts):
            job = await take(graph, kind, lease_seconds=0.01)
        assert job.attempts == attempts
        await fail(graph, job, "no")
        waiting = await find(graph, tenant, job.id)
        pauses.append((attempts, (waiting.run_after - waiting.created_at).total_seconds()))
    assert [attempts for attempts, _ in sorted(pauses, key=lambda pair: pair[1])] == [1, 2, 3, 4]


async def test_after_the_last_attempt_a_job_is_failed_for_all_to_see(graph: Graph, tenant: Tenant) -> None:
    once, kind = changed(graph, job_attempts=1), new_kind()
    id = await put(graph, tenant, kind)
    assert await fail(once, await take(once, kind), "no") == "failed"
    [job] = await everything(graph, tenant, states=["failed"])
    assert (job.id, job.error, job.finished_at is None) == (id, "no", False)
    assert await claim(graph, [kind], limit=1, lease_seconds=60) == []


async def test_a_job_can_be_failed_at_once(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    assert await fail(graph, await take(graph, kind), "no", retry=False) == "failed"


async def test_who_lost_the_lease_fails_nothing(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    late = await take(graph, kind, lease_seconds=0.01)
    heir = await take(graph, kind)
    assert await fail(graph, late, "no", retry=False) == LOST
    assert await find(graph, tenant, late.id) == heir


async def test_failing_again_tells_the_state_and_changes_nothing(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    assert await fail(graph, job, "first", retry=False) == "failed"
    failed = await find(graph, tenant, job.id)
    assert await fail(graph, job, "second") == "failed"
    assert await find(graph, tenant, job.id) == failed


async def test_a_done_job_does_not_fail(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    await complete(graph, job)
    assert await fail(graph, job, "no") == "done"
    assert (await find(graph, tenant, job.id)).error is None


@pytest.mark.parametrize(("text", "kept"), [("e" * 5000, "e" * 2000), ("half \ud83d", "half ?"), ("", "")])
async def test_any_text_can_be_the_reason(graph: Graph, tenant: Tenant, text: str, kept: str) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    assert await fail(graph, job, text, retry=False) == "failed"
    assert (await find(graph, tenant, job.id)).error == kept


async def test_failed_jobs_get_all_their_attempts_again(graph: Graph, tenant: Tenant) -> None:
    kind, other = new_kind(), Tenant(f"{tenant} 2")
    for whose, of in ((tenant, kind), (tenant, kind), (tenant, f"{kind} 2"), (other, kind)):
        await put(graph, whose, of)
        await fail(graph, await take(graph, of), "no", retry=False)
    done = await put(graph, tenant, kind)
    await complete(graph, await take(graph, kind))
    ids = [job.id for job in await everything(graph, tenant, [kind], ["failed"])]
    assert await retry_failed(graph, tenant, [ids[0], done, "none"]) == 1
    assert (await take(graph, kind)).attempts == 1
    assert await retry_failed(graph, tenant, kinds=[kind]) == 1
    assert await retry_failed(graph, tenant) == 1
    assert await retry_failed(graph, tenant) == 0
    assert len(await everything(graph, other, states=["failed"])) == 1
    assert (await find(graph, tenant, done)).state == "done"
