from __future__ import annotations

from datetime import timedelta

from graphmem.graph.gateway import Graph
from graphmem.jobs import claim, complete, find, release, renew
from graphmem.values import Tenant
from tests.jobs.support import new_kind, put, take


async def test_a_renewed_lease_lasts_longer(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind, lease_seconds=0.01)
    assert await renew(graph, job, 1000)
    renewed = (await find(graph, tenant, job.id)).lease_until
    assert renewed is not None
    assert renewed - job.created_at > timedelta(seconds=900)
    assert await claim(graph, [kind], limit=1, lease_seconds=60) == []


async def test_a_lost_lease_is_not_renewed(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    late = await take(graph, kind, lease_seconds=0.01)
    heir = await take(graph, kind)
    assert not await renew(graph, late, 1000)
    assert await find(graph, tenant, late.id) == heir
    await complete(graph, heir)
    assert not await renew(graph, heir, 1000)


async def test_a_released_job_is_due_at_once_with_all_its_attempts(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    job = await take(graph, kind)
    assert await release(graph, job)
    assert not await release(graph, job)
    [again] = await claim(graph, [kind], limit=1, lease_seconds=60)
    assert (again.id, again.attempts) == (job.id, 1)
    assert not await complete(graph, job)
    assert not await release(graph, job)
