"""One attempt at a job that was claimed: its handler, the lease it keeps meanwhile, and the end it comes to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import structlog

from graphmem.errors import GraphmemError
from graphmem.graph.gateway import Graph
from graphmem.jobs.complete import complete
from graphmem.jobs.fail import fail
from graphmem.jobs.job import Job
from graphmem.jobs.renew import release, renew

Handler = Callable[[Job], Awaitable[Mapping[str, Any] | None]]
"""Does a job and returns its result. It may run twice, and on two machines at once when a lease is lost: to do it
again must come to the same. Whatever it raises fails the attempt."""

_RELEASE_SECONDS = 5.0
log = structlog.get_logger(__name__)


async def attempt(graph: Graph, job: Job, handler: Handler, lease_seconds: float) -> None:
    """Run the handler, renewing the lease, and complete or fail the job.

    The handler is cancelled when the lease is lost. When the caller is cancelled, so is the handler, and the job is
    given back.

    Raises:
        Unavailable, TimedOut: Neo4j did not take the outcome; the job comes back when its lease ends.
    """
    work = asyncio.create_task(_call(handler, job))
    ended = asyncio.Event()
    keeper = asyncio.create_task(_keep(graph, job, lease_seconds, work, ended))
    try:
        await _settle(graph, job, work)
    except asyncio.CancelledError:
        await _give_back(graph, job)
        raise
    finally:
        # Not cancelled, because that would cost its connection.
        ended.set()
        await keeper
    if _is_cancelled():
        # The handler ended well although it was cancelled for the caller's sake.
        raise asyncio.CancelledError


async def _call(handler: Handler, job: Job) -> Mapping[str, Any] | None:
    return await handler(job)


async def _settle(graph: Graph, job: Job, work: asyncio.Task[Mapping[str, Any] | None]) -> None:
    try:
        result = await work
        if not await complete(graph, job, result):
            log.warning("job was taken over before it was done", kind=job.kind, job=job.id)
    except asyncio.CancelledError:
        if _is_cancelled():
            raise
        await _fail(graph, job, "the handler was cancelled")
    except GraphmemError as error:
        await _fail(graph, job, error.message)
    except Exception as error:
        log.exception("handler crashed", kind=job.kind, job=job.id)
        await _fail(graph, job, f"{type(error).__name__}: {error}")


def _is_cancelled() -> bool:
    """Whether this task was asked to stop, rather than the handler it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


async def _fail(graph: Graph, job: Job, reason: str) -> None:
    state = await fail(graph, job, reason)
    log.warning("attempt failed", kind=job.kind, job=job.id, attempts=job.attempts, state=state, reason=reason)


async def _keep(
    graph: Graph, job: Job, seconds: float, work: asyncio.Task[Mapping[str, Any] | None], ended: asyncio.Event
) -> None:
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), seconds / 3)
        if ended.is_set():
            return
        try:
            held = await renew(graph, job, seconds)
        except GraphmemError as error:
            log.warning("lease not renewed", kind=job.kind, job=job.id, reason=error.message)
            continue
        except Exception:
            # Nobody would renew it any more, and another worker would begin beside this one.
            log.exception("lease not renewed", kind=job.kind, job=job.id)
            continue
        if not held:
            work.cancel()
            return


async def _give_back(graph: Graph, job: Job) -> None:
    try:
        async with asyncio.timeout(_RELEASE_SECONDS):
            await release(graph, job)
    except (GraphmemError, TimeoutError) as error:
        log.warning("job not given back; its lease will end", kind=job.kind, job=job.id, reason=str(error))
