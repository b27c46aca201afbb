"""The parts of one process, wired: settings in; a graph, an embedder and a worker out. Commands need no more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

import structlog

from graphmem import embedding as model
from graphmem.access.keyring import Keyring
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
from graphmem.errors import GraphmemError
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

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Services:
    """What the process has, made once. `wake` tells the worker that there is something to do."""

    settings: Settings
    graph: Graph
    embedding: Loading
    models: Models
    keyring: Keyring
    wake: Callable[[], None]
    problems: Callable[[], list[str]]


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
