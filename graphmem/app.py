"""The only wiring: settings in, a service out."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial

import structlog
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from graphmem import embedding as model
from graphmem.access.keyring import Keyring
from graphmem.api.context import Services
from graphmem.api.http import Endpoint
from graphmem.api.schema import make_schema
from graphmem.config import Settings
from graphmem.embedding import Embedder, Loading
from graphmem.errors import GraphmemError, IndexMismatch, InvalidInput, Unavailable
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import ensure_vectors, use_vectors
from graphmem.graph.migrate import migrate
from graphmem.jobs import Handler, Worker
from graphmem.knowledge import mentions, vectors
from graphmem.knowledge.nodes_write import EMBED, MENTIONS
from graphmem.upkeep.health import health
from graphmem.web.pages import routes

log = structlog.get_logger(__name__)


def create_app(
    settings: Settings,
    graph: Graph | None = None,
    embedder: Embedder | None = None,
    services: Services | None = None,
) -> Starlette:
    """The service. What is given is used and left open; what is not is made at start and closed at the end.

    `services`: those of a `running` process that the app is a part of.

    Raises InvalidInput when open access is asked for on an address that others can reach.
    """
    if settings.open_access and not _is_loopback(settings.host):
        raise InvalidInput(f"open_access needs a loopback host, not {settings.host}; use keys, or host 127.0.0.1")

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[Mapping[str, object]]:
        if services is not None:
            yield {"services": services}
            return
        async with running(settings, graph, embedder) as runtime:
            yield {"services": runtime.services}

    return Starlette(
        routes=[
            Route("/graphql", Endpoint(make_schema(settings))),
            Route("/healthz", _healthz),
            Route("/readyz", _readyz),
            *routes(settings),
        ],
        middleware=[
            Middleware(
                CORSMiddleware,
                allow_origins=settings.allowed_origins,
                allow_methods=["GET", "POST"],
                allow_headers=["authorization", "content-type"],
            )
        ]
        if settings.allowed_origins
        else [],
        lifespan=lifespan,
        max_body_size=settings.max_body_bytes,
    )


@dataclass
class Runtime:
    """The parts of one process, running."""

    graph: Graph
    embedding: Loading
    worker: Worker
    services: Services
    prepared: asyncio.Event
    problems: list[str] = field(default_factory=list)


@asynccontextmanager
async def running(
    settings: Settings, given: Graph | None = None, embedder: Embedder | None = None, *, work: bool | None = None
) -> AsyncIterator[Runtime]:
    """Graph, embedder, and worker (unless `work` or the setting says no), prepared in the background.

    A Neo4j that is down does not keep the service from starting: it is not ready until Neo4j answers.
    """
    async with AsyncExitStack() as stack:
        graph = given if given is not None else await stack.enter_async_context(connect(settings))
        prepared, problems = asyncio.Event(), ["not checked yet"]
        loading = Loading(settings, load=partial(_load, graph, embedder, prepared))
        stack.push_async_callback(loading.close)
        worker = Worker(graph, handlers(graph, loading), settings)
        services = Services(settings, graph, loading, Keyring(graph, settings), worker.wake, lambda: list(problems))
        await stack.enter_async_context(_task(_prepare(graph, prepared, problems)))
        if settings.worker if work is None else work:
            await stack.enter_async_context(_working(worker, prepared))
        yield Runtime(graph, loading, worker, services, prepared, problems)


def handlers(graph: Graph, loading: Loading) -> dict[str, Handler]:
    """Who does which kind of job."""
    return {
        EMBED: partial(vectors.embed, graph, loading),
        MENTIONS: partial(mentions.mentions, graph),
        vectors.DUPLICATES: partial(vectors.near_duplicates, graph),
    }


async def _load(graph: Graph, given: Embedder | None, prepared: asyncio.Event, settings: Settings) -> Embedder | None:
    """The embedder, once it is known to fit the graph's vectors; texts that have none yet are queued for it."""
    embedder = given or await model.load(settings)
    if embedder is None:
        return None
    await prepared.wait()
    try:
        await ensure_vectors(graph, "knowledge", embedder.model, embedder.dimension, embedder.recipe)
    except IndexMismatch as error:
        log.error("vectors do not fit", reason=error.message)
        raise Unavailable(error.message) from error
    await vectors.backfill(graph)
    return embedder


async def _prepare(graph: Graph, prepared: asyncio.Event, problems: list[str]) -> None:
    """Migrate, for as long as it takes."""
    pause = 0.5
    while True:
        try:
            await migrate(graph)
            await use_vectors(graph, "knowledge")
        except GraphmemError as error:
            problems[:] = [error.message]
            log.warning("not ready", reason=error.message)
            await asyncio.sleep(pause)
            pause = min(pause * 2, 10)
        else:
            problems.clear()
            prepared.set()
            return


@asynccontextmanager
async def _working(worker: Worker, prepared: asyncio.Event) -> AsyncIterator[None]:
    stop = asyncio.Event()

    async def work() -> None:
        await prepared.wait()
        await worker.run(stop)

    task = asyncio.create_task(work(), name="worker")
    try:
        yield
    finally:
        stop.set()
        worker.wake()
        if not prepared.is_set():
            task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def _task(work: Coroutine[None, None, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _healthz(_: Request) -> JSONResponse:
    """The process is alive; says nothing about what it stands on."""
    return JSONResponse({"status": "alive"})


async def _readyz(request: Request) -> JSONResponse:
    """Whether requests can be answered, and what is missing if not."""
    services: Services = request.state.services
    parts = await health(services.graph, services.embedding, services.problems())
    ready = all(part.ok for part in parts)
    body = {part.name: {"ok": part.ok, "detail": part.detail} for part in parts}
    return JSONResponse({"ready": ready, "parts": body}, 200 if ready else 503)
