"""A graph with the statements of these tests beside the service's own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from graphmem.graph.gateway import Graph
from graphmem.graph.statements import load
from tests.spoilt import Probing

FOLDER = Path(__file__).parent / "cypher"


def probing(graph: Graph, **changes: object) -> Graph:
    """On the same driver, under changed settings."""
    settings = graph.settings.model_copy(update=changes)
    statements = {**graph.statements, **load(FOLDER)}
    return Probing(graph.driver, settings, statements)


async def emptied(graph: Graph) -> None:
    """Drops all that is stored, the schema included."""
    probe = probing(graph)
    await probe.run("probe/delete_all")
    for row in await probe.read("probe/constraints"):
        await probe.run_schema("probe/drop_constraint", name=row["name"])
    for row in await probe.read("probe/schema"):
        await probe.run_schema("probe/drop_index", name=row["name"])


async def until(condition: Callable[[], Awaitable[bool]], seconds: float = 60) -> None:
    """Come back once the condition holds."""
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)
