from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from graphmem.errors import InvalidInput, LimitExceeded
from graphmem.graph.gateway import Graph, Transaction
from graphmem.graph.trips import count_trips
from graphmem.jobs import claim, counts, enqueue, enqueue_many, fail, find
from graphmem.values import Tenant, utc_now
from tests.jobs.support import everything, new_kind, probing, put, put_many, take


async def test_a_job_is_ready_with_what_it_was_given(graph: Graph, tenant: Tenant) -> None:
    payload = {"text": "naïve 😀 \u0000 客戶", "deep": [{"n": 1.5}, None, True]}
    kind = new_kind()
    id = await put(graph, tenant, kind, payload)
    job = await find(graph, tenant, id)
    assert (job.id, job.tenant, job.kind, job.payload) == (id, tenant, kind, payload)
    assert (job.state, job.attempts, job.lease, job.error, job.result) == ("ready", 0, "", None, None)
    assert (await take(graph, kind)).payload == payload


async def test_a_job_of_a_transaction_that_fails_was_never_there(graph: Graph, tenant: Tenant) -> None:
    async def work(tx: Transaction) -> None:
        await enqueue(tx, tenant, "lost", {})
        await enqueue(tx, tenant, "lost", {}, key="one")
        await enqueue_many(tx, tenant, [("lost", {}), ("lost", {})])
        raise InvalidInput("no")

    with pytest.raises(InvalidInput):
        await graph.write(work)
    assert sum((await counts(graph, tenant)).values()) == 0


async def test_a_job_cannot_be_claimed_before_its_transaction_ends(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()

    async def work(tx: Transaction) -> int:
        await enqueue(tx, tenant, kind, {})
        return len(await claim(graph, [kind], limit=1, lease_seconds=60))

    assert await graph.write(work) == 0
    assert len(await claim(graph, [kind], limit=1, lease_seconds=60)) == 1


async def test_many_jobs_take_one_statement(graph: Graph, tenant: Tenant) -> None:
    with count_trips() as trips:
        ids = await put_many(graph, tenant, "many", 500)
    assert trips.count == 1
    assert {job.id: job.payload["n"] for job in await everything(graph, tenant)} == {id: n for n, id in enumerate(ids)}


async def test_no_payloads_are_no_jobs(graph: Graph, tenant: Tenant) -> None:
    assert await put_many(graph, tenant, "many", 0) == []


async def test_a_job_waits_for_its_time(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    later = utc_now() + timedelta(hours=1)
    id = await put(graph, tenant, kind, run_after=later)
    assert await claim(graph, [kind], limit=1, lease_seconds=60) == []
    assert (await find(graph, tenant, id)).run_after == later


async def test_an_equal_job_that_waits_is_reused(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    ids = {await put(graph, tenant, kind, {"n": n}, key="thread 1") for n in range(3)}
    job = await take(graph, kind)
    assert ids == {job.id}
    assert (job.payload, job.key) == ({"n": 2}, "thread 1")


async def test_a_reused_job_keeps_the_earlier_time(graph: Graph, tenant: Tenant) -> None:
    soon, late = utc_now() + timedelta(hours=1), utc_now() + timedelta(hours=2)
    id = await put(graph, tenant, "k", key="a", run_after=soon)
    await put(graph, tenant, "k", key="a", run_after=late)
    assert (await find(graph, tenant, id)).run_after == soon
    kind = new_kind()
    id = await put(graph, tenant, kind, key="a", run_after=late)
    await put(graph, tenant, kind, key="a")
    assert (await take(graph, kind)).id == id


async def test_other_keys_kinds_and_tenants_share_no_job(graph: Graph, tenant: Tenant) -> None:
    other = Tenant(f"{tenant} 2")
    ids = {
        await put(graph, whose, kind, key=key)
        for whose in (tenant, other)
        for kind in ("k", "k 2")
        for key in ("a", "A", "a ")
    }
    assert len(ids) == 12


async def test_a_job_that_was_started_is_not_reused(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    first = await put(graph, tenant, kind, key="a")
    job = await take(graph, kind)
    second = await put(graph, tenant, kind, key="a")
    assert await fail(graph, job, "no") == "ready"
    assert first != second == await put(graph, tenant, kind, key="a")


async def test_equal_jobs_enqueued_at_once_are_one(graph: Graph, tenant: Tenant) -> None:
    ids = await asyncio.gather(*(put(graph, tenant, "k", {"n": n}, key="a") for n in range(20)))
    assert len(set(ids)) == 1
    assert len(await everything(graph, tenant)) == 1


async def test_a_reused_job_starts_only_after_the_transaction_that_reused_it(graph: Graph, tenant: Tenant) -> None:
    """Else its handler would not see what that transaction wrote, and nothing would be done about it."""
    kind = new_kind()
    await put(graph, tenant, kind, {"n": 0}, key="a")
    claiming: list[asyncio.Task[object]] = []

    async def work(tx: Transaction) -> None:
        await enqueue(tx, tenant, kind, {"n": 1}, key="a")
        claiming.append(asyncio.create_task(claim(graph, [kind], limit=1, lease_seconds=60)))
        # The claim either waits for this transaction or comes too early to see anything of it.
        await asyncio.wait(claiming, timeout=0.3)

    await graph.write(work)
    jobs = await claiming[0]
    assert [job.payload for job in jobs] == [{"n": 1}]  # type: ignore[attr-defined]


async def test_a_job_that_is_being_claimed_is_not_reused(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    first = await put(graph, tenant, kind, {"n": 0}, key="a")
    enqueuing: list[asyncio.Task[str]] = []

    async def work(tx: Transaction) -> None:
        await tx.run("jobs/claim", kinds=[kind], limit=1, width=1, lease="x", seconds=60, attempts=5)
        enqueuing.append(asyncio.create_task(put(graph, tenant, kind, {"n": 1}, key="a")))
        # It either waits for this transaction or comes after it.
        await asyncio.wait(enqueuing, timeout=0.5)

    await graph.write(work)
    second = await enqueuing[0]
    assert first != second
    assert (await find(graph, tenant, first)).payload == {"n": 0}
    assert (await take(graph, kind)).payload == {"n": 1}


async def test_no_request_is_lost_between_enqueuers_and_claimers(graph: Graph, tenant: Tenant) -> None:
    """Each payload is either the one a started job has, or was replaced by a later one before the job started."""
    kind = new_kind()
    started: list[int] = []
    done = asyncio.Event()

    async def claimer() -> None:
        while True:
            over = done.is_set()
            taken = await claim(graph, [kind], limit=3, lease_seconds=60)
            started.extend(job.payload["n"] for job in taken)
            if over and not taken:
                return

    claimers = [asyncio.create_task(claimer()) for _ in range(3)]
    for n in range(60):
        await asyncio.gather(*(put(graph, tenant, kind, {"n": n}, key="a") for _ in range(2)))
    done.set()
    await asyncio.gather(*claimers)
    assert 59 in started
    assert await claim(graph, [kind], limit=1, lease_seconds=60) == []


async def test_a_job_has_an_edge_to_what_it_is_about(graph: Graph, tenant: Tenant) -> None:
    about = await put(graph, tenant, "thing")
    plain = await put(graph, tenant, "k", on=about)
    keyed = {await put(graph, tenant, "k", key="a", on=about) for _ in range(2)}
    foreign = await put(graph, Tenant(f"{tenant} 2"), "k", on=about)
    probe = probing(graph)
    for id in (plain, *keyed):
        assert await probe.read("probe/subjects", tenant=tenant, uid=id) == [{"uid": about}]
    assert await probe.read("probe/subjects", tenant=f"{tenant} 2", uid=foreign) == []


@pytest.mark.parametrize(
    ("how", "error", "field"),
    [
        ({"payload": {"x": "y" * 1_000_000}}, LimitExceeded, "payload"),
        ({"payload": {"x": object()}}, InvalidInput, "payload"),
        ({"payload": {"x": "\ud83d"}}, InvalidInput, "payload"),
        ({"run_after": datetime(2030, 1, 1)}, InvalidInput, "run_after"),
        ({"kind": " "}, InvalidInput, "kind"),
        ({"key": ""}, InvalidInput, "key"),
        ({"key": "k" * 501}, InvalidInput, "key"),
    ],
)
async def test_a_job_that_cannot_be_kept_is_refused(
    graph: Graph, tenant: Tenant, how: dict[str, object], error: type[InvalidInput], field: str
) -> None:
    with pytest.raises(error) as caught:
        await put(graph, tenant, **({"kind": "k"} | how))  # type: ignore[arg-type]
    assert caught.value.field == field
    assert await everything(graph, tenant) == []
