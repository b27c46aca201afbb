"""`graphmem neo4j`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphmem.cli import console
from graphmem.cli.command import Json, app, command
from graphmem.config import Settings
from graphmem.graph import local

neo4j = typer.Typer(no_args_is_help=True, help="The managed local Neo4j.")
app.add_typer(neo4j, name="neo4j")


@command(neo4j, "start")
def neo4j_start(as_json: Json = False) -> None:
    """Start it, installing it first if need be."""
    with console.bars() as bars:
        server = local.start(Settings(), bars)
    console.show(_described(server), as_json)


@command(neo4j, "stop")
def neo4j_stop(as_json: Json = False) -> None:
    """Stop it."""
    stopped = local.stop(Settings())
    console.show({"stopped": stopped} if as_json else ("stopped" if stopped else "it was not running"), as_json)


@command(neo4j, "status")
def neo4j_status(as_json: Json = False) -> None:
    """Tell whether it runs; exits 1 when it does not."""
    server = local.status(Settings())
    if server is None:
        console.show({"running": False} if as_json else "not running", as_json)
        raise typer.Exit(1)
    console.show(_described(server), as_json)


@command(neo4j, "browser")
def neo4j_browser(query: Annotated[str | None, typer.Argument(help="Cypher to begin with.")] = None) -> None:
    """Print the address of Neo4j Browser, and how to log in."""
    settings = Settings()
    address = local.browser_url(settings, query)
    console.out.print(f"{address}\nuser neo4j, password in {settings.home / 'password'}", markup=False)


def _described(server: local.Server) -> dict[str, Any]:
    return {
        "running": True,
        "uri": server.uri,
        "version": server.version,
        "pid": server.pid,
        "home": str(server.home),
        "browser": server.browser_url,
    }
