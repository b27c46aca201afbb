"""Commands that run the service."""

from __future__ import annotations

import sys

from graphmem.cli import console
from graphmem.cli.command import Json, app, command, settings


@command(app, "demo", service=True)
def demo_command() -> None:
    """Start everything, take in this project's documentation, and answer questions about it over HTTP."""
    from graphmem.cli import demo

    demo.run(settings())


@command(app, "serve", service=True)
def serve_command() -> None:
    """Answer GraphQL over HTTP, and work on jobs."""
    from graphmem.cli import serve

    serve.run(settings())


@command(app, "work", service=True)
async def work() -> None:
    """Work on jobs until stopped; any number of workers may run."""
    from graphmem.cli.serve import signalled
    from graphmem.runtime import running

    async with running(settings(), work=True):
        with signalled() as stop:
            console.out.print("working on jobs; Ctrl-C stops")
            await stop.wait()


@command(app, "migrate")
async def migrate_command(as_json: Json = False) -> None:
    """Bring the graph's schema to this version."""
    from graphmem.graph.connect import connect
    from graphmem.graph.migrate import migrate

    async with connect(settings()) as graph:
        applied = await migrate(graph)
    if as_json or applied:
        console.show({"applied": applied}, as_json, [{"applied": name} for name in applied])
    else:
        console.show("nothing to apply", as_json)


@command(app, "schema")
def schema_command(as_json: Json = False) -> None:
    """Print the GraphQL schema, as clients' generators take it."""
    from graphmem.api.schema import make_schema

    text = make_schema(settings()).as_str()
    if as_json:
        console.show({"schema": text}, as_json)
    else:
        sys.stdout.write(text + "\n")
