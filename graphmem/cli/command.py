"""What commands share: registration, options, a prepared graph, errors in one line.

A command imports what it works with when it runs: `graphmem --help` needs none of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from importlib import import_module, metadata
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from pydantic import ValidationError
from pydantic_settings import SettingsError

from graphmem.cli import console, loop
from graphmem.config import Settings
from graphmem.errors import GraphmemError, InvalidInput, Unavailable
from graphmem.values import Tenant

if TYPE_CHECKING:
    from graphmem.access.principal import Principal
    from graphmem.runtime import Runtime

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Knowledge and memory for AI agents, on one Neo4j graph.",
)


def _tell_version(wanted: bool) -> None:
    if wanted:
        console.out.print(metadata.version("graphmem"))
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Tell the version.", callback=_tell_version, is_eager=True)
    ] = False,
) -> None: ...


Json = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
TenantOption = Annotated[str | None, typer.Option("--tenant", help="Tenant; default: GRAPHMEM_DEFAULT_TENANT.")]
ResourceOption = Annotated[str | None, typer.Option("--resource", help="Whom it is about.")]


def run() -> int:
    """Run the command that the program was called with, and give its exit status.

    Expected failures are one line on standard error and a status of their kind.
    """
    for group in ("service", "ingest", "knowledge", "keys", "neo4j", "bench"):
        import_module(f"graphmem.cli.{group}")
    try:
        app(prog_name="graphmem")
    except GraphmemError as error:
        console.err.print(f"graphmem: {console.printable(error.message)}", markup=False)
        return error.exit_status
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    return 0


def settings() -> Settings:
    """From the environment. Raises InvalidInput naming the variable; what was in it may be a secret, and isn't told."""
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        raise InvalidInput(f"GRAPHMEM_{name.upper()}: {first['msg']}", field=name) from None
    except SettingsError as error:
        raise InvalidInput(f"{error}; lists are given as JSON") from None


def command(
    group: typer.Typer, name: str, *, service: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a command, which may be a coroutine function. `service`: it runs on, and logs for machines."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def called(*args: Any, **kwargs: Any) -> None:
            chosen = settings()
            if service:
                console.configure_logging(chosen.log_level)
            else:
                _log_in_words(chosen)
            result = function(*args, **kwargs)
            if isinstance(result, Coroutine):
                loop.run(result)

        group.command(name)(called)
        return function

    return register


def _log_in_words(chosen: Settings) -> None:
    """What the settings ask for; where they don't say, warnings, but not of a database that takes its time."""
    asked = chosen.model_fields_set & {"log_level", "slow_statement_ms"}
    console.log_in_words(chosen.log_level if "log_level" in asked else "warning", slow=bool(asked))


def acting(tenant: str | None) -> Principal:
    """The command line itself, for the default tenant or another."""
    from graphmem.access.principal import local_principal

    return local_principal(Tenant(tenant or settings().default_tenant))


@asynccontextmanager
async def ready(
    embedder: Literal["off", "wanted", "needed"] = "off", tenant: str | None = None
) -> AsyncIterator[tuple[Runtime, Principal]]:
    """A prepared graph, without a worker, and who acts.

    An embedder that is `wanted` and can't be had is told of; one that is `needed` raises Unavailable or what is behind
    it, and InvalidInput where none is configured.
    """
    from graphmem.runtime import running

    chosen, principal = settings(), acting(tenant)
    if embedder == "off":
        chosen = chosen.model_copy(update={"embedding_model": "none"})
    async with running(chosen, work=False, patient=False) as runtime:
        if embedder != "off":
            await _load_embedder(runtime, needed=embedder == "needed")
        yield runtime, principal


async def _load_embedder(runtime: Runtime, *, needed: bool) -> None:
    try:
        found = await runtime.embedding.embedder()
    except Unavailable as error:
        cause = error.__cause__
        if needed:
            raise cause if isinstance(cause, GraphmemError) else error from None
        console.say(f"going on without vectors: {error.message}")
        return
    if needed and found is None:
        raise InvalidInput("GRAPHMEM_EMBEDDING_MODEL is none; name a model to make vectors with")
