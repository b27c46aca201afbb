"""Runs the service under Uvicorn."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

import uvicorn

from graphmem.access.keys import first_key
from graphmem.app import check_access, create_app
from graphmem.cli import console, loop
from graphmem.config import Settings
from graphmem.embedding import Embedder
from graphmem.errors import GraphmemError, InvalidInput
from graphmem.graph import local
from graphmem.runtime import Runtime, background, running
from graphmem.values import Tenant


def run(settings: Settings) -> None:
    """Serve until a signal; the tenant's first key is made and printed once."""
    loop.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    async with serving(settings, prepared=False) as service:
        with signalled() as stop:
            console.out.print(f"graphmem answers at {service.address}/graphql", markup=False)
            if settings.open_access:
                console.out.print("open access: no key is needed", markup=False)
            await _until(stop, _show_first_key(service, settings))
    if settings.neo4j_uri is None:
        console.out.print("Neo4j runs on; `graphmem neo4j stop` stops it", markup=False)


async def _show_first_key(service: Service, settings: Settings) -> None:
    await service.runtime.prepared.wait()
    if settings.open_access:
        return
    if first := await first_key(service.runtime.graph, Tenant(settings.default_tenant)):
        console.out.print(f"first API key, shown once: {first.key}", markup=False)


async def _until(stop: asyncio.Event, work: Coroutine[None, None, None]) -> None:
    """Do the work, then wait; or stop meanwhile. Raises what the work raises."""
    task, stopped = asyncio.create_task(work), asyncio.create_task(stop.wait())
    await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
        await stopped
    task.cancel()
    await asyncio.wait({task})


@dataclass(frozen=True)
class Service:
    """A service that listens at `address`."""

    address: str
    runtime: Runtime


@asynccontextmanager
async def serving(
    settings: Settings,
    embedder: Embedder | None = None,
    *,
    server: Awaitable[local.Server] | None = None,
    prepared: bool = True,
) -> AsyncIterator[Service]:
    """The service, listening and, if that is to be waited for, `prepared`.

    `embedder`: in place of the one that the settings name. `server`: as `running` takes it. Raises InvalidInput when
    the port is taken.
    """
    check_access(settings)
    with _listen(settings) as bound:
        async with running(settings, embedder=embedder, server=server) as runtime:
            http = _Server(
                uvicorn.Config(
                    create_app(settings, services=runtime.services),
                    log_config=None,
                    access_log=False,
                    timeout_graceful_shutdown=10,
                    server_header=False,
                )
            )
            task = asyncio.create_task(http.serve([bound]), name="http")
            try:
                async with background(_settle(runtime), "settle"):
                    if prepared:
                        await runtime.prepared.wait()
                    host = f"[{settings.host}]" if ":" in settings.host else settings.host
                    yield Service(f"http://{host}:{bound.getsockname()[1]}", runtime)
            finally:
                http.should_exit = True
                await task


async def _settle(runtime: Runtime) -> None:
    await runtime.prepared.wait()
    with contextlib.suppress(GraphmemError):
        await runtime.embedding.embedder()
    loop.settled()


class _Server(uvicorn.Server):
    """Leaves signals to the command, which has more to stop than HTTP."""

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]
        yield


@contextmanager
def signalled() -> Iterator[asyncio.Event]:
    """An event that SIGINT or SIGTERM sets. What is stopped outside of it, a second signal ends at once."""
    stop = asyncio.Event()
    events = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    for number in numbers:
        events.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        for number in numbers:
            events.remove_signal_handler(number)


async def until_signalled() -> None:
    """Wait for SIGINT or SIGTERM."""
    with signalled() as stop:
        await stop.wait()


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio turns Nagle's algorithm off only where the protocol is named; with it, each answer waits 40 ms for an ACK.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
        # At once: two sockets that do not listen yet can be bound to one port.
        bound.listen(2048)
    except OSError as error:
        bound.close()
        is_place = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        field, advice = ("host", "an address of this machine") if is_place else ("port", "another")
        raise InvalidInput(
            f"{settings.host}:{settings.port} can't be listened on ({error.strerror}); set GRAPHMEM_{field.upper()} to "
            f"{advice}",
            field=field,
        ) from error
    return bound
