from __future__ import annotations

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from graphmem.errors import InvalidInput, LimitExceeded
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.jobs import State, claim, counts, find, jobs
from graphmem.values import Tenant, utc_now
from tests.access.unreliable import unreliable
from tests.jobs.support import (
    addressed,
    changed,
    effects,
    new_kind,
    other_graphs,
    put,
    put_many,
    take,
    until,
    write_effect,
)


async def test_the_longest_due_are_claimed_first(graph: Graph, tenant: Tenant) -> None:
    kinds = [new_kind(), new_kind()]
    now = utc_now()
    ids = {
        minutes: await put(graph, tenant, kinds[minutes % 2], run_after=now - timedelta(minutes=minutes))
        for minutes in (3, 8, 1, 6, 5, 4, 7, 2)
    }
    first = await claim(graph, kinds, limit=3, lease_seconds=60)
    second = await claim(graph, kinds, limit=10, lease_seconds=60)
    assert [job.id for job in first + second] == [ids[minutes] for minutes in (8, 7, 6, 5, 4, 3, 2, 1)]


async def test_a_claimed_job_is_leased_by_the_clock_of_the_database(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    id = await put(graph, tenant, kind)
    job = await take(graph, kind, lease_seconds=1000)
    assert (job.id, job.state, job.attempts, bool(job.lease)) == (id, "leased", 1, True)
    assert job.lease_until is not None
    assert timedelta(seconds=900) < job.lease_until - job.created_at < timedelta(seconds=1100)
    assert await find(graph, tenant, id) == job
    assert await claim(graph, [kind], limit=1, lease_seconds=60) == []


async def test_only_the_kinds_asked_for_are_claimed(graph: Graph, tenant: Tenant) -> None:
    mine, other = new_kind(), new_kind()
    await put(graph, tenant, other)
    await put(graph, tenant, mine)
    assert [job.kind for job in await claim(graph, [mine, mine], limit=5, lease_seconds=60)] == [mine]
    assert await claim(graph, [], limit=5, lease_seconds=60) == []


async def test_within_a_tenant_no_other_is_seen(graph: Graph, tenant: Tenant) -> None:
    kind, other = new_kind(), Tenant(f"{tenant} 2")
    await put_many(graph, other, kind, 3)
    mine = await put(graph, tenant, kind)
    assert [job.id for job in await claim(graph, [kind], limit=5, lease_seconds=60, tenant=tenant)] == [mine]
    assert (await counts(graph, other))["leased"] == 0


async def test_of_eight_claimers_none_gets_anothers_job(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    ids = await put_many(graph, tenant, kind, 200)
    won: Counter[str] = Counter()

    async def claimer(own: Graph, limit: int) -> None:
        while taken := await claim(own, [kind], limit=limit, lease_seconds=600):
            for job in taken:
                won[job.id] += 1
                assert await write_effect(own, job)

    async with other_graphs(graph.settings, 8) as graphs:
        await asyncio.gather(*(claimer(own, limit) for own, limit in zip(graphs, [1, 2, 3, 5] * 2, strict=True)))
    assert won == dict.fromkeys(ids, 1)
    assert sorted(await effects(graph, tenant)) == sorted(ids)


async def test_an_empty_answer_means_that_nothing_was_due(graph: Graph, tenant: Tenant) -> None:
    """However many claimers want the same few jobs, none goes away empty while some are left."""
    kind = new_kind()
    await put_many(graph, tenant, kind, 12)
    taken = await asyncio.gather(*(claim(graph, [kind], limit=1, lease_seconds=60) for _ in range(12)))
    assert len({job.id for jobs in taken for job in jobs}) == 12


async def test_a_lease_that_ran_out_is_taken_over(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    dead = await take(graph, kind, lease_seconds=0.01)
    heir = await take(graph, kind)
    assert (heir.id, heir.attempts) == (dead.id, 2)
    assert heir.lease != dead.lease


async def test_a_lease_that_ran_out_once_too_often_fails_the_job(graph: Graph, tenant: Tenant) -> None:
    """A job that kills its worker must not kill workers for ever."""
    twice, kind = changed(graph, job_attempts=2), new_kind()
    poison = await put(graph, tenant, kind)
    for _ in range(2):
        assert (await take(twice, kind, lease_seconds=0.01)).id == poison
    good = await put(graph, tenant, kind)
    assert (await take(twice, kind)).id == good

    async def failed() -> bool:
        assert await claim(twice, [kind], limit=1, lease_seconds=60) == []
        return (await find(graph, tenant, poison)).state == State.FAILED

    await until(failed)
    job = await find(graph, tenant, poison)
    assert job.error is not None
    assert "2 times" in job.error


async def test_a_line_that_breaks_before_the_commit_leaves_one_claim(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    id = await put(graph, tenant, kind)
    settings = addressed(graph.settings)
    assert settings.neo4j_uri is not None
    async with unreliable(settings.neo4j_uri) as line, connect(addressed(settings, neo4j_uri=line.uri)) as shaky:
        line.at, line.answered = b"leaseUntil", True
        taken = await claim(shaky, [kind], limit=1, lease_seconds=60)
        assert line.breaks == 1
    assert [(job.id, job.attempts) for job in taken] == [(id, 1)]
    assert taken == list((await jobs(graph, tenant)).items)


@pytest.mark.parametrize(
    ("limit", "lease_seconds", "error", "field"),
    [
        (0, 60.0, InvalidInput, "limit"),
        (101, 60.0, LimitExceeded, "limit"),
        (1, 0.0, InvalidInput, "lease_seconds"),
        (1, float("nan"), InvalidInput, "lease_seconds"),
        (1, 90_000.0, LimitExceeded, "lease_seconds"),
    ],
)
async def test_a_claim_out_of_range_is_refused(
    graph: Graph, limit: int, lease_seconds: float, error: type[InvalidInput], field: str
) -> None:
    with pytest.raises(error) as caught:
        await claim(graph, ["k"], limit=limit, lease_seconds=lease_seconds)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("jobs/claim", "(kind, dueAt)"),
        ("jobs/claim_tenant", "(tenant, kind, dueAt)"),
        ("jobs/list", "(tenant, state, uid)"),
    ],
)
async def test_the_queue_is_read_in_the_order_of_an_index(graph: Graph, tenant: Tenant, name: str, index: str) -> None:
    """Whatever waits or was done, as many entries are read as are asked for: no scan, no sort of all that matches."""
    await put_many(graph, tenant, "k", 10)
    statement = graph.statements[name]
    params = dict.fromkeys(statement.params) | {"kinds": ["k"], "states": ["ready"], "width": 1, "limit": 1}
    async with graph.driver.session(database=graph.settings.neo4j_database) as session:
        result = await session.run(statement.text.replace("CYPHER 25", "CYPHER 25 EXPLAIN", 1), params)
        plan = (await result.consume()).plan
    assert plan is not None
    operators = _operators(plan)
    at = next(n for n, (name, details) in enumerate(operators) if f"j:Job{index}" in details)
    assert not [name for name, _ in operators if "Scan" in name]
    assert "Limit@neo4j" in [name for name, _ in operators[at - 2 : at]]


def _operators(plan: dict[str, object]) -> list[tuple[str, str]]:
    """Operator and details of each step, a step before those it reads from."""
    arguments, children = plan["args"], plan.get("children", [])
    assert isinstance(arguments, dict)
    assert isinstance(children, list)
    mine = (str(plan["operatorType"]), str(arguments.get("Details", "")))
    return [mine, *(step for child in children for step in _operators(child))]
