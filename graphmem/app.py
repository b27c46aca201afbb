"""The only wiring: settings in, a service out."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import AsyncIterator, Awaitable, Collection, Coroutine, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

import structlog
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from graphmem import embedding as model
from graphmem.access.keyring import Keyring
from graphmem.api.context import Services
from graphmem.api.http import Endpoint
from graphmem.api.schema import make_schema
from graphmem.config import Settings
from graphmem.context.gather import plan_contexts
from graphmem.conversation import vectors as said
from graphmem.conversation.begin_turn import EXPIRE
from graphmem.conversation.clone_thread import COPY, copy_job
from graphmem.conversation.delete_thread import EMPTY, empty_job
from graphmem.conversation.move_thread import BRING, bring_job
from graphmem.conversation.recall import plan_recalls
from graphmem.conversation.reject_turn import expire
from graphmem.embedding import Embedder, Load, Loading, Models
from graphmem.errors import GraphmemError, InvalidInput
from graphmem.graph import local
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import use_vectors
from graphmem.graph.migrate import migrate
from graphmem.jobs import Handler, Worker
from graphmem.knowledge import mentions, search_as_of, vectors
from graphmem.knowledge.delete import CLEAR, clear_job
from graphmem.knowledge.nodes_write import EMBED, MENTIONS
from graphmem.knowledge.search import plan_searches
from graphmem.upkeep import reembed
from graphmem.upkeep.erase import ERASE, erase
from graphmem.upkeep.fitting import Fitting
from graphmem.upkeep.health import health
from graphmem.web.pages import routes

log = structlog.get_logger(__name__)


def create_app(
    settings: Settings,
    graph: Graph | None = None,
    embedder: Embedder | None = None,
    services: Services | None = None,
) -> Starlette:
    """The service. What is not given is made at start; all but a given graph is closed at the end.

    `services`: those of a `running` process that the app is a part of.

    Raises what `check_access` raises.
    """
    check_access(settings)

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
        middleware=list(_middleware(settings)),
        lifespan=lifespan,
    )


def check_access(settings: Settings) -> None:
    """Raises InvalidInput when the graph would be open to others without a key."""
    if not settings.open_access:
        return
    if not _is_loopback(settings.host):
        raise InvalidInput(
            f"open_access needs a loopback host, not {settings.host}; use keys, or host 127.0.0.1", field="open_access"
        )
    if "*" in settings.allowed_origins:
        raise InvalidInput(
            "with open_access, allowed_origins must name each origin: any web page could read the graph otherwise",
            field="allowed_origins",
        )


def _middleware(settings: Settings) -> Iterator[Middleware]:
    if settings.open_access:
        # A page whose host name is made to lead to this machine is of the service's own origin to a browser.
        own = ["localhost", "127.0.0.1", "[::1]", settings.host]
        yield Middleware(TrustedHostMiddleware, allowed_hosts=own, www_redirect=False)
    if settings.allowed_origins:
        yield Middleware(
            CORSMiddleware,
            allow_origins=settings.allowed_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
            expose_headers=["X-Request-Id"],
        )


@dataclass
class Runtime:
    """The parts of one process, running."""

    graph: Graph
    embedding: Loading
    models: Models
    worker: Worker
    services: Services
    prepared: asyncio.Event
    problems: list[str]


@asynccontextmanager
async def running(
    settings: Settings,
    given: Graph | None = None,
    embedder: Embedder | None = None,
    *,
    load: Load | None = None,
    work: bool | None = None,
    kinds: Collection[str] = (),
    patient: bool = True,
    server: Awaitable[local.Server] | None = None,
) -> AsyncIterator[Runtime]:
    """Graph, embedder, and worker (unless `work` or the setting says no), prepared in the background.

    `load`: by it models are had that are not given. `kinds`: the jobs that the worker does; none: all. `server`: as
    `connect` takes it.

    A Neo4j that is down does not keep the service from starting: it is not ready until Neo4j answers. Not `patient`:
    the graph is prepared first, and what keeps it from that is raised.
    """
    async with AsyncExitStack() as stack:
        prepared, problems = asyncio.Event(), ["not checked yet"]
        works = settings.worker if work is None else work
        models = Models(settings, load or (model.load if embedder is None else None), embedder)
        stack.push_async_callback(models.close)
        models.prefetch(models.own)  # while Neo4j starts
        graph = given if given is not None else await stack.enter_async_context(connect(settings, server))
        fitting = Fitting(settings, graph, models, prepared, works=works)
        loading = fitting.loading
        stack.push_async_callback(loading.close)
        known = handlers(graph, loading) | upkeep_handlers(graph, models, fitting)
        worker = Worker(graph, {kind: known[kind] for kind in kinds or known}, settings)
        keyring = Keyring(graph, settings)
        services = Services(settings, graph, loading, models, keyring, worker.wake, lambda: list(problems))
        if patient:
            await stack.enter_async_context(background(_prepare_at_last(graph, prepared, problems), "prepare"))
            if not settings.short_lived:
                await stack.enter_async_context(background(_plan(graph, prepared, loading), "plan searches"))
        else:
            await _prepare(graph, prepared, problems)
        await stack.enter_async_context(background(fitting.watch(), "follow the vectors in use"))
        if works:
            await stack.enter_async_context(_working(worker, prepared))
        yield Runtime(graph, loading, models, worker, services, prepared, problems)


def handlers(graph: Graph, loading: Loading) -> dict[str, Handler]:
    """Who does which kind of job."""
    return {
        EMBED: partial(vectors.embed, graph, loading),
        MENTIONS: partial(mentions.mentions, graph),
        CLEAR: partial(clear_job, graph),
        vectors.DUPLICATES: partial(vectors.near_duplicates, graph),
        said.EMBED: partial(said.embed, graph, loading),
        EXPIRE: partial(expire, graph),
        BRING: partial(bring_job, graph),
        COPY: partial(copy_job, graph),
        EMPTY: partial(empty_job, graph),
        ERASE: partial(erase, graph),
    }


def upkeep_handlers(graph: Graph, models: Models, fitting: Fitting) -> dict[str, Handler]:
    """Who does what concerns the whole graph."""
    return {
        reembed.CHANGE: partial(reembed.change, graph, models, fitting.notice),
        reembed.DROP: partial(reembed.drop, graph),
    }


async def _prepare(graph: Graph, prepared: asyncio.Event, problems: list[str]) -> None:
    await migrate(graph)
    await use_vectors(graph)
    problems.clear()
    prepared.set()


async def _prepare_at_last(graph: Graph, prepared: asyncio.Event, problems: list[str]) -> None:
    """For as long as it takes."""
    pause = 0.5
    while not prepared.is_set():
        try:
            await _prepare(graph, prepared, problems)
        except GraphmemError as error:
            problems[:] = [error.message]
            log.warning("not ready", reason=error.message)
        except Exception:
            problems[:] = ["the graph could not be prepared; the log says why"]
            log.exception("not ready")
        if not prepared.is_set():
            await asyncio.sleep(pause)
            pause = min(pause * 2, 10)


async def _plan(graph: Graph, prepared: asyncio.Event, loading: Loading) -> None:
    """Searches by text can be planned at once, those by vector when there are vectors."""
    await prepared.wait()
    try:
        await plan_searches(graph)
        if await loading.embedder() is not None:
            await plan_searches(graph)
        await plan_recalls(graph)
        await plan_contexts(graph)
        await search_as_of.plan_searches(graph)
    except GraphmemError as error:
        log.warning("searches not planned", reason=error.message)


@asynccontextmanager
async def _working(worker: Worker, prepared: asyncio.Event) -> AsyncIterator[None]:
    """Stops the worker gently, so that it can end what it has begun."""
    stop = asyncio.Event()

    async def work() -> None:
        await prepared.wait()
        await worker.run(stop)

    task = asyncio.create_task(work(), name="worker")
    try:
        yield
    finally:
        stop.set()
        if not prepared.is_set():
            task.cancel()
        await asyncio.wait([task])


@asynccontextmanager
async def background(work: Coroutine[None, None, None], name: str) -> AsyncIterator[None]:
    """The work goes on meanwhile, and is cancelled at the end."""
    task = asyncio.create_task(work, name=name)
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


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
