from __future__ import annotations

import asyncio

from graphmem.graph.gateway import Graph
from graphmem.jobs import complete, fail, prune
from graphmem.values import Tenant
from tests.jobs.support import everything, new_kind, put, take


async def finished(graph: Graph, tenant: Tenant, count: int) -> None:
    kind = new_kind()
    for _ in range(count):
        await put(graph, tenant, kind)
        await complete(graph, await take(graph, kind))


async def test_only_done_jobs_of_that_age_are_deleted(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    await put(graph, tenant, kind)
    await fail(graph, await take(graph, kind), "no", retry=False)
    await put(graph, tenant, kind)
    await take(graph, kind)
    await put(graph, tenant, kind)
    await finished(graph, tenant, 2)
    await prune(graph, 1)
    assert len(await everything(graph, tenant)) == 5
    while await prune(graph, 0):
        pass
    assert {job.state for job in await everything(graph, tenant)} == {"ready", "leased", "failed"}


async def test_no_more_than_the_limit_is_deleted(graph: Graph, tenant: Tenant) -> None:
    while await prune(graph, 0):
        pass
    await finished(graph, tenant, 3)
    assert [await prune(graph, 0, limit=2) for _ in range(3)] == [2, 1, 0]


async def test_processes_may_prune_at_once(graph: Graph, tenant: Tenant) -> None:
    await finished(graph, tenant, 10)
    while any(await asyncio.gather(*(prune(graph, 0) for _ in range(6)))):
        pass
    assert await everything(graph, tenant) == []
