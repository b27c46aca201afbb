"""Shared by the tests of the queue."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.graph import local
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph, Transaction
from graphmem.graph.statements import load
from graphmem.jobs import Job, Worker, claim, complete, counts, enqueue, enqueue_many, jobs
from graphmem.jobs.attempt import Handler
from graphmem.values import Tenant, new_id
from tests.spoilt import Probing

EFFECT = "effect"
"""Kind of the job that stands for a handler's effect: written in a transaction, and never worked."""


def new_kind() -> str:
    """A kind that no other test's workers and claimers ask for."""
    return f"kind {new_id()}"


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 60) -> None:
    """Come back once the condition holds."""
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


async def put(
    graph: Graph, tenant: Tenant, kind: str, payload: Mapping[str, Any] | None = None, **how: datetime | str | None
) -> str:
    async def work(tx: Transaction) -> str:
        return await enqueue(tx, tenant, kind, payload or {}, **how)  # type: ignore[arg-type]

    return await graph.write(work)


async def put_many(graph: Graph, tenant: Tenant, kind: str, count: int) -> list[str]:
    return await graph.write(lambda tx: enqueue_many(tx, tenant, [(kind, {"n": n}) for n in range(count)]))


async def take(graph: Graph, kind: str, lease_seconds: float = 60) -> Job:
    """The next job of the kind, as soon as one is due."""
    async with asyncio.timeout(60):
        while not (taken := await claim(graph, [kind], limit=1, lease_seconds=lease_seconds)):
            await asyncio.sleep(0.02)
    return taken[0]


async def everything(graph: Graph, tenant: Tenant, kinds: Sequence[str] = (), states: Sequence[str] = ()) -> list[Job]:
    """All jobs of a tenant, newest first."""
    found: list[Job] = []
    after: str | None = None
    while True:
        page = await jobs(graph, tenant, kinds=kinds, states=states, first=100, after=after)
        found += page.items
        if not page.has_next:
            return found
        after = page.cursors[-1]


async def effects(graph: Graph, tenant: Tenant) -> list[str]:
    """Ids of the jobs whose effect was written, once for each time."""
    return [job.payload["of"] for job in await everything(graph, tenant, [EFFECT])]


def with_effect(graph: Graph) -> Handler:
    """A handler that writes its effect and completes its job in one transaction."""

    async def handle(job: Job) -> None:
        await write_effect(graph, job)

    return handle


async def write_effect(graph: Graph, job: Job) -> bool:
    async def work(tx: Transaction) -> bool:
        if not await complete(tx, job):
            return False
        await enqueue(tx, job.tenant, EFFECT, {"of": job.id})
        return True

    return await graph.write(work)


def addressed(settings: Settings, **changes: Any) -> Settings:
    """Settings that name the test server by its address, for other processes and for lines of one's own."""
    uri, password = settings.neo4j_uri, settings.neo4j_password
    if uri is None:
        server = local.status(settings) or local.start(settings)
        uri, password = server.uri, SecretStr(server.password)
    return settings.model_copy(update={"neo4j_uri": uri, "neo4j_password": password} | changes)


def changed(graph: Graph, **changes: Any) -> Graph:
    """The graph under other settings, on the same driver."""
    return Graph(graph.driver, graph.settings.model_copy(update=changes), graph.statements)


def probing(graph: Graph) -> Graph:
    """The graph with the statements of these tests."""
    return Probing(graph.driver, graph.settings, load(Path(__file__).parent / "cypher"))


@asynccontextmanager
async def running(worker: Worker) -> AsyncIterator[asyncio.Event]:
    """A worker at work; setting the event stops it, and so does leaving."""
    stop = asyncio.Event()
    task = asyncio.create_task(worker.run(stop))
    try:
        yield stop
    finally:
        stop.set()
        await task


@asynccontextmanager
async def other_graphs(settings: Settings, count: int) -> AsyncIterator[list[Graph]]:
    """Graphs on drivers of their own."""
    async with connect(addressed(settings)) as graph:
        if count == 1:
            yield [graph]
        else:
            async with other_graphs(settings, count - 1) as others:
                yield [graph, *others]


def worker(graph: Graph, handlers: Mapping[str, Handler], **settings: float) -> Worker:
    return Worker(graph, handlers, graph.settings.model_copy(update=settings))


class Slow:
    """A handler that tells when it began and ends when told."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.go = asyncio.Event()
        self.cancelled = asyncio.Event()

    async def __call__(self, job: Job) -> None:
        self.began.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise


async def until_counted(graph: Graph, tenant: Tenant, **states: int) -> None:
    async def counted() -> bool:
        found = await counts(graph, tenant)
        return all(found[state] == count for state, count in states.items())

    await until(counted)
