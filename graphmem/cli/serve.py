"""Runs the service under Uvicorn."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import uvicorn

from graphmem.access.keys import first_key
from graphmem.app import Runtime, create_app, running
from graphmem.cli import console
from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.values import Tenant


def run(settings: Settings) -> None:
    """Serve until a signal; the tenant's first key is made and printed once."""
    asyncio.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    async with serving(settings) as service:
        console.out.print(f"graphmem answers at {service.address}/graphql", markup=False)
        if settings.open_access:
            console.out.print("open access: no key is needed", markup=False)
        elif first := await first_key(service.runtime.graph, Tenant(settings.default_tenant)):
            console.out.print(f"first API key, shown once: {first.key}", markup=False)
        await until_signalled()


@dataclass(frozen=True)
class Service:
    """A service that listens at `address`."""

    address: str
    runtime: Runtime


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Service]:
    """The service, listening and prepared.

    Raises InvalidInput when the port is taken.
    """
    with _listen(settings) as bound:
        address = f"http://{settings.host}:{bound.getsockname()[1]}"
        async with running(settings) as runtime:
            server = _Server(
                uvicorn.Config(
                    create_app(settings, services=runtime.services),
                    log_config=None,
                    access_log=False,
                    timeout_graceful_shutdown=10,
                    server_header=False,
                )
            )
            task = asyncio.create_task(server.serve([bound]), name="http")
            try:
                await runtime.prepared.wait()
                yield Service(address, runtime)
            finally:
                server.should_exit = True
                await task


class _Server(uvicorn.Server):
    """Leaves signals to the command, which has more to stop than HTTP."""

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]
        yield


async def until_signalled() -> None:
    """Wait for SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    try:
        await stop.wait()
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)


def _listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    bound = socket.socket(family)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError as error:
        bound.close()
        raise InvalidInput(
            f"{settings.host}:{settings.port} can't be listened on ({error.strerror}); set GRAPHMEM_PORT", field="port"
        ) from error
    return bound
