from __future__ import annotations

import pytest

from graphmem.errors import InvalidInput, LimitExceeded
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph, Transaction
from graphmem.jobs import claim, complete, enqueue, find
from graphmem.values import Tenant
from tests.access.unreliable import COMMIT, unreliable
from tests.jobs.support import (
    EFFECT,
    addressed,
    effects,
    everything,
    new_kind,
    probing,
    put,
    take,
    write_effect,
)


async def test_a_completed_job_has_its_result_and_is_never_claimed_again(graph: Graph, tenant: Tenant) -> None:
    kind, result = new_kind(), {"labels": ["a", "😀"], "n": 1}
    await put(graph, tenant, kind)
    job = await take(graph, kind, lease_seconds=0.01)
    assert await complete(graph, job, result)
    done = await find(graph, tenant, job.id)
    assert (done.state, done.result, done.lease_until) == ("done", result, None)
    assert done.finished_at is not None
    assert await claim(graph, [kind], limit=1, lease_seconds=60) == []


async def test_who_lost_the_lease_completes_nothing(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    late = await take(graph, kind, lease_seconds=0.01)
    heir = await take(graph, kind)
    assert not await complete(graph, late, {"by": "late"})
    assert await find(graph, tenant, late.id) == heir
    assert await complete(graph, heir, {"by": "heir"})
    assert not await complete(graph, late, {"by": "late"})
    assert (await find(graph, tenant, late.id)).result == {"by": "heir"}


async def test_a_lease_that_ran_out_still_completes_while_nobody_took_over(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    assert await complete(graph, await take(graph, kind, lease_seconds=0.001))


async def test_completing_again_is_true_and_changes_nothing(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    assert await complete(graph, job, {"n": 1})
    done = await find(graph, tenant, job.id)
    assert await complete(graph, job, {"n": 2})
    assert await find(graph, tenant, job.id) == done


async def test_effect_and_completion_are_kept_or_undone_together(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)

    async def work(tx: Transaction) -> None:
        assert await complete(tx, job)
        await enqueue(tx, tenant, EFFECT, {"of": job.id})
        raise InvalidInput("no")

    with pytest.raises(InvalidInput):
        await graph.write(work)
    assert await find(graph, tenant, job.id) == job
    assert await effects(graph, tenant) == []
    assert await write_effect(graph, job)
    assert await effects(graph, tenant) == [job.id]


async def test_an_effect_is_written_once_though_its_transaction_runs_again(graph: Graph, tenant: Tenant) -> None:
    """The answer to the commit is lost, so the driver cannot know and the whole transaction is run again."""
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    settings = addressed(graph.settings)
    assert settings.neo4j_uri is not None
    async with unreliable(settings.neo4j_uri) as line, connect(addressed(settings, neo4j_uri=line.uri)) as shaky:
        line.at, line.answered = COMMIT, True
        assert not await write_effect(shaky, job)
        assert line.breaks == 1
        assert await complete(shaky, job)
    assert await effects(graph, tenant) == [job.id]


@pytest.mark.parametrize(("result", "error"), [({"x": "y" * 1_000_000}, LimitExceeded), ({"x": {1, 2}}, InvalidInput)])
async def test_a_result_that_cannot_be_kept_is_refused(
    graph: Graph, tenant: Tenant, result: dict[str, object], error: type[InvalidInput]
) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    with pytest.raises(error) as caught:
        await complete(graph, job, result)
    assert caught.value.field == "result"
    assert await everything(graph, tenant) == [job]


async def test_a_job_erased_meanwhile_is_not_completed(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    await probing(graph).run("probe/erase", tenant=tenant, uid=job.id)
    assert not await complete(graph, job)
    assert not await write_effect(graph, job)
    assert await everything(graph, tenant) == []


async def test_another_tenants_job_is_not_completed(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    stolen = type(job)(**{name: getattr(job, name) for name in job.__slots__} | {"tenant": Tenant("else")})
    assert not await complete(graph, stolen)
    assert await find(graph, tenant, job.id) == job
