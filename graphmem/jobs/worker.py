"""The loop that takes jobs and runs their handlers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

import structlog

from graphmem.config import Settings
from graphmem.errors import GraphmemError, TimedOut
from graphmem.graph.gateway import Graph
from graphmem.jobs.attempt import Handler, attempt
from graphmem.jobs.claim import claim
from graphmem.jobs.job import State
from graphmem.jobs.listing import counts
from graphmem.jobs.prune import BATCH, prune
from graphmem.values import Tenant

_LANES = 2
_PRUNE_EVERY = 3600.0
_PRUNE_BATCHES = 1000
log = structlog.get_logger(__name__)

Tell = Callable[[int, int], None]
"""Called with jobs done, and these with those that are left."""


class Worker:
    """Runs the jobs of the kinds that have a handler, two at a time."""

    def __init__(self, graph: Graph, handlers: Mapping[str, Handler], settings: Settings) -> None:
        self._graph = graph
        self._handlers = dict(handlers)
        self._settings = settings
        self._news = asyncio.Event()
        self._steps = 0
        self._quiet = asyncio.Event()

    def wake(self) -> None:
        """Look at the queue now; to be called after a transaction that enqueued was committed."""
        self._news.set()

    async def run(self, stop: asyncio.Event, tenant: Tenant | None = None) -> None:
        """Work until `stop` is set, for one tenant or, where none is named, all.

        Jobs begun by then may end within `Settings.job_stop_seconds`; after that, or at once when this call is
        cancelled, they are cancelled and given back. While Neo4j is away the worker waits for it.
        """
        lanes = [asyncio.create_task(self._lane(stop, tenant)) for _ in range(_LANES)]
        pruning = asyncio.create_task(self._prune(stop))
        try:
            await stop.wait()
            self.wake()
            await asyncio.wait(lanes, timeout=self._settings.job_stop_seconds)
        finally:
            await _end(*lanes, pruning)

    async def drain(self, timeout: float, tenant: Tenant | None = None, tell: Tell | None = None) -> None:  # noqa: ASYNC109
        """Work until no job of the kinds is due and this worker holds none. `tell` hears of each job that is done.

        Without `tenant`, jobs of all tenants. Jobs that wait for a later time, or are held by another worker, are not
        waited for.

        Raises:
            TimedOut: there was still work after `timeout` seconds; what was begun is given back.
            Unavailable: Neo4j does not answer.
        """
        done = total = 0

        async def one_more() -> None:
            nonlocal done, total
            done += 1
            if tell is not None:
                # The other lane's job may end while this one counts: by what was done before, none is counted twice.
                before = done
                left = await counts(self._graph, tenant, (State.READY, State.LEASED))
                total = max(total, done, before + sum(left.values()))
                tell(done, total)

        try:
            async with asyncio.timeout(timeout):
                await self._until_empty(tenant, one_more)
                while self._steps:
                    await self._quiet.wait()
                    await self._until_empty(tenant, one_more)
        except TimeoutError:
            raise TimedOut(f"jobs are still due after {timeout:g} s; `graphmem work` goes on with them") from None

    async def _until_empty(self, tenant: Tenant | None, one_more: Callable[[], Awaitable[None]]) -> None:
        lanes = [asyncio.create_task(self._steps_until_empty(tenant, one_more)) for _ in range(_LANES)]
        try:
            await asyncio.gather(*lanes)
        finally:
            await _end(*lanes)

    async def _steps_until_empty(self, tenant: Tenant | None, one_more: Callable[[], Awaitable[None]]) -> None:
        while await self._step(tenant):
            await one_more()

    async def _lane(self, stop: asyncio.Event, tenant: Tenant | None) -> None:
        while not stop.is_set():
            try:
                worked = await self._step(tenant)
            except GraphmemError as error:
                log.warning("queue not reached; trying again", reason=error.message)
                worked = False
            except Exception:
                # A lane that ended would leave the work of every tenant lying, with nobody told.
                log.exception("step failed; trying again")
                worked = False
            if not worked and not stop.is_set():
                await self._rest()

    async def _step(self, tenant: Tenant | None) -> bool:
        """Claim a job and bring it to its end; False when none was due."""
        self._steps += 1
        self._quiet.clear()
        try:
            seconds = self._settings.lease_seconds
            claimed = await claim(self._graph, list(self._handlers), limit=1, lease_seconds=seconds, tenant=tenant)
            for job in claimed:
                await attempt(self._graph, job, self._handlers[job.kind], seconds)
            return bool(claimed)
        finally:
            self._steps -= 1
            if not self._steps:
                self._quiet.set()

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), self._settings.job_poll_seconds)
        self._news.clear()

    async def _prune(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            try:
                for _ in range(_PRUNE_BATCHES):
                    if stop.is_set() or await prune(self._graph, self._settings.job_keep_days) < BATCH:
                        break
            except GraphmemError as error:
                log.warning("done jobs not pruned; trying again later", reason=error.message)
            except Exception:
                log.exception("done jobs not pruned; trying again later")
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), _PRUNE_EVERY)


async def _end(*tasks: asyncio.Task[None]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
