"""Commands that run the service."""

from __future__ import annotations

from graphmem.app import running
from graphmem.cli import console, demo, serve
from graphmem.cli.command import Json, app, command
from graphmem.config import Settings
from graphmem.graph.connect import connect
from graphmem.graph.migrate import migrate


@command(app, "demo")
def demo_command() -> None:
    """Start everything, take in this project's documentation, and answer questions about it over HTTP."""
    demo.run(Settings())


@command(app, "serve")
def serve_command() -> None:
    """Answer GraphQL over HTTP, and work on jobs."""
    serve.run(Settings())


@command(app, "work")
async def work() -> None:
    """Work on jobs until stopped; any number of workers may run."""
    async with running(Settings(), work=True):
        await serve.until_signalled()


@command(app, "migrate")
async def migrate_command(as_json: Json = False) -> None:
    """Bring the graph's schema to this version."""
    async with connect(Settings()) as graph:
        applied = await migrate(graph)
    console.show({"applied": applied}, as_json, [{"applied": name} for name in applied])
