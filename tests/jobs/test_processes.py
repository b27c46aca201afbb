from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphmem.config import Settings
from graphmem.graph.gateway import Graph
from graphmem.jobs import Worker, claim, counts, find
from graphmem.values import Tenant
from tests.jobs.support import addressed, effects, new_kind, put, put_many, running, until, with_effect


@asynccontextmanager
async def process(
    settings: Settings, what: str, kind: str, lease_seconds: float
) -> AsyncIterator[asyncio.subprocess.Process]:
    here = addressed(settings)
    assert here.neo4j_uri is not None
    assert here.neo4j_password is not None
    environment = os.environ | {
        "GRAPHMEM_NEO4J_URI": here.neo4j_uri,
        "GRAPHMEM_NEO4J_USER": here.neo4j_user,
        "GRAPHMEM_NEO4J_PASSWORD": here.neo4j_password.get_secret_value(),
        "GRAPHMEM_NEO4J_DATABASE": here.neo4j_database,
        "GRAPHMEM_LEASE_SECONDS": str(lease_seconds),
    }
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.jobs.process", what, kind, env=environment, stdout=asyncio.subprocess.PIPE
    )  # fmt: skip
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


async def test_three_processes_share_the_work(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    ids = await put_many(graph, tenant, kind, 200)
    async with (
        process(graph.settings, "work", kind, 60) as one,
        process(graph.settings, "work", kind, 60) as two,
        process(graph.settings, "work", kind, 60) as three,
    ):
        assert [await each.wait() for each in (one, two, three)] == [0, 0, 0]
    assert (await counts(graph, tenant))["done"] == 200
    assert sorted(await effects(graph, tenant)) == sorted(ids)


async def test_the_job_of_a_killed_worker_is_done_by_another_once_in_effect(graph: Graph, tenant: Tenant) -> None:
    kind = new_kind()
    id = await put(graph, tenant, kind)
    async with process(graph.settings, "hang", kind, 6) as victim:
        assert victim.stdout is not None
        assert (await victim.stdout.readline()).decode().strip() == id
        assert await claim(graph, [kind], limit=1, lease_seconds=60) == []
        victim.kill()
        await victim.wait()
    settings = graph.settings.model_copy(update={"job_poll_seconds": 0.05})

    async def done() -> bool:
        return (await find(graph, tenant, id)).state == "done"

    async with running(Worker(graph, {kind: with_effect(graph)}, settings)):
        await until(done)
    assert await effects(graph, tenant) == [id]
    assert (await find(graph, tenant, id)).attempts == 2
