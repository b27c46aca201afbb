"""`graphmem neo4j`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphmem.cli import console
from graphmem.cli.command import Json, app, command, settings

if TYPE_CHECKING:
    from graphmem.graph.local import Server

neo4j = typer.Typer(no_args_is_help=True, help="The managed local Neo4j.")
app.add_typer(neo4j, name="neo4j")


@command(neo4j, "start")
def neo4j_start(as_json: Json = False) -> None:
    """Start it, installing it first if need be."""
    from graphmem.graph import local

    with console.bars() as bars:
        server = local.start(settings(), bars)
    console.show(_described(server), as_json)


@command(neo4j, "stop")
def neo4j_stop(as_json: Json = False) -> None:
    """Stop it."""
    from graphmem.graph import local

    stopped = local.stop(settings())
    console.show({"stopped": stopped} if as_json else ("stopped" if stopped else "it was not running"), as_json)


@command(neo4j, "status")
def neo4j_status(as_json: Json = False) -> None:
    """Tell whether it runs; exits 1 when it does not."""
    from graphmem.graph import local

    server = local.status(settings())
    if server is None:
        console.show({"running": False} if as_json else "not running", as_json)
        raise typer.Exit(1)
    console.show(_described(server), as_json)


@command(neo4j, "browser")
def neo4j_browser(
    query: Annotated[str | None, typer.Argument(help="Cypher to begin with.")] = None, as_json: Json = False
) -> None:
    """Print the address of Neo4j Browser, and how to log in."""
    from graphmem.graph import local

    chosen = settings()
    address = local.browser_url(chosen, query)
    found = {"address": address, "user": "neo4j", "password": f"in {chosen.home / 'password'}"}
    console.show(found, as_json)


def _described(server: Server) -> dict[str, Any]:
    return {
        "running": True,
        "uri": server.uri,
        "version": server.version,
        "pid": server.pid,
        "home": str(server.home),
        "browser": server.browser_url,
    }
