"""`graphmem demo`: Neo4j is started before all else, and stopped at the end; what makes its next start fast is left."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, nullcontext
from pathlib import Path

from graphmem.cli import console, loop
from graphmem.config import Settings
from graphmem.errors import GraphmemError
from graphmem.graph import local


def run(settings: Settings) -> None:
    """Start all, take in the documentation, ask; serve on in a terminal. Leaves no process behind."""
    console.configure_logging("error")
    loop.run(_run(settings, serves_on=sys.stdout.isatty()))


async def _run(settings: Settings, *, serves_on: bool) -> None:
    """The start-up cache is made where this started Neo4j: while it serves on, else when all has been shown."""
    builds = settings.fast_start == "build"
    # A trainer that the start begins would outlive the demonstration.
    start = "use" if builds else settings.fast_start
    # Nobody looks at the Browser of a server that is stopped at once.
    browser = settings.browser and serves_on
    own = settings.model_copy(update={"fast_start": start, "short_lived": True, "browser": browser})
    with console.bars() as bars:
        async with _neo4j(own, bars, record=builds and not serves_on) as server:
            # Importing it takes seconds, in which Neo4j starts.
            from graphmem.cli import demo_tour

            async with demo_tour.shown(own, server, bars) as service:
                if serves_on:
                    bars.stop()
                    demo_tour.tell_what_to_try(own, service.address)
                    await _serve_on(own, builds and server is not None)


@asynccontextmanager
async def _neo4j(
    settings: Settings, bars: console.Bars, *, record: bool = False
) -> AsyncIterator[Awaitable[local.Server] | None]:
    """The managed server, which is being started, and stopped at the end; None where another Neo4j is named or it ran.

    `record`: as `local.start` takes it.
    """
    if settings.neo4j_uri is not None or await asyncio.to_thread(local.status, settings) is not None:
        yield None
        return
    # In a thread that begins at once: a task would wait for what the caller does next.
    starting = asyncio.get_running_loop().run_in_executor(None, lambda: local.start(settings, bars, record=record))
    try:
        yield starting
    except BaseException:
        # What a thread has begun can't be called off: a server that is still starting is waited for, and stopped then.
        await asyncio.wait({starting})
        await asyncio.to_thread(local.stop, settings)
        raise
    if local.is_recorded(settings):
        await _make_cache(settings)
    else:
        await asyncio.to_thread(local.stop, settings)


async def _serve_on(settings: Settings, builds: bool) -> None:
    from graphmem.cli.serve import until_signalled

    with _trainer(settings) if builds else nullcontext():
        await until_signalled()


async def _make_cache(settings: Settings) -> None:
    """Stops the server that was recorded, too. A signal ends it all at once, and is no failure: all has been shown."""
    from graphmem.cli.serve import signalled

    console.say("Making Java's start-up cache, so that the next start is fast; Ctrl-C leaves it unmade")
    with signalled() as stop:
        await asyncio.to_thread(local.stop, settings, writes=True)
        with _trainer(settings, "there is one by now, or too little free memory or disk for it") as wait:
            if wait is None or stop.is_set():
                return
            made, stopped = asyncio.create_task(asyncio.to_thread(wait)), asyncio.create_task(stop.wait())
            await asyncio.wait({made, stopped}, return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            if made.done() and (log := made.result()):
                console.say(f"It could not be made; {log} says why")


@contextmanager
def _trainer(settings: Settings, none: str | None = None) -> Iterator[Callable[[], Path | None] | None]:
    """As `local.trainer`, but without one nothing is lost: what keeps it from beginning is only told. `none`: what is
    told where there is no call for one."""
    with ExitStack() as stack:
        wait, why = None, none
        try:
            wait = stack.enter_context(local.trainer(settings))
        except GraphmemError as error:
            why = error.message
        if wait is None and why is not None:
            console.say(f"No start-up cache is made: {why}")
        yield wait
