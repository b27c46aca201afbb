"""What commands share: registration, options, a prepared graph, errors in one line."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from importlib import import_module
from typing import Annotated, Any

import typer

from graphmem.access.principal import Principal, local_principal
from graphmem.app import Runtime, running
from graphmem.cli import console
from graphmem.config import Settings
from graphmem.errors import GraphmemError, Unavailable
from graphmem.values import Tenant

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Knowledge and memory for AI agents, on one Neo4j graph.",
)

Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
TenantOption = Annotated[str | None, typer.Option("--tenant", help="Tenant; default: GRAPHMEM_DEFAULT_TENANT.")]
ResourceOption = Annotated[str | None, typer.Option("--resource", help="Whom it is about.")]


def main() -> None:
    """Run a command. Expected failures are one line on standard error and an exit status of their kind."""
    for group in ("service", "knowledge", "keys", "neo4j"):
        import_module(f"graphmem.cli.{group}")
    try:
        app()
    except GraphmemError as error:
        console.err.print(f"graphmem: {error.message}", markup=False)
        sys.exit(error.exit_status)


def command(group: typer.Typer, name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a command, which may be a coroutine function."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def run(*args: Any, **kwargs: Any) -> None:
            settings = Settings()
            console.configure_logging(settings.log_level)
            result = function(*args, **kwargs)
            if isinstance(result, Coroutine):
                asyncio.run(result)

        group.command(name)(run)
        return function

    return register


@asynccontextmanager
async def ready(embedder: bool = False) -> AsyncIterator[tuple[Runtime, Principal]]:
    """A prepared graph, and its embedder if wanted, without a worker; who acts is the command line itself."""
    settings = Settings()
    async with running(settings, work=False) as runtime:
        await _prepared(runtime, settings.start_timeout)
        if embedder:
            await runtime.embedding.embedder()
        yield runtime, local_principal(Tenant(settings.default_tenant))


async def _prepared(runtime: Runtime, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await runtime.prepared.wait()
    except TimeoutError:
        raise Unavailable("; ".join(runtime.problems)) from None
