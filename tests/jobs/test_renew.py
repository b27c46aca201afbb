from __future__ import annotations

import asyncio
import importlib
from datetime import timedelta

import pytest

from graphmem.graph.gateway import Graph
from graphmem.jobs import Job, claim, complete, find, release, renew
from graphmem.values import Tenant
from tests.jobs.support import new_kind, put, take

attempting = importlib.import_module("graphmem.jobs.attempt")


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


async def test_a_lease_is_renewed_again_after_whatever_befell_its_keeper(
    graph: Graph, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, renewed = new_kind(), asyncio.Event()
    await put(graph, tenant, kind)
    job, left = await take(graph, kind, lease_seconds=30), [RuntimeError("who knows")]

    async def renewing(graph: Graph, job: Job, seconds: float) -> bool:
        if left:
            raise left.pop()
        renewed.set()
        return await renew(graph, job, seconds)

    async def until_renewed(_: Job) -> None:
        await renewed.wait()

    monkeypatch.setattr(attempting, "renew", renewing)
    await attempting.attempt(graph, job, until_renewed, 0.3)
    assert (await find(graph, tenant, job.id)).state == "done"


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
