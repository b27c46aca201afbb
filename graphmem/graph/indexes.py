"""Waits until every index can be asked: a question to one that still fills up would block and fail."""

from __future__ import annotations

import asyncio

from graphmem.errors import SchemaMismatch, Unavailable
from graphmem.graph.gateway import SCHEMA_SECONDS, Graph


async def await_indexes(graph: Graph, seconds: float = SCHEMA_SECONDS) -> None:
    """Return when all are online.

    Raises:
        SchemaMismatch: Neo4j gave up on one; the message has its reason.
        Unavailable: some still fill up after `seconds`.
    """
    waiting: list[str] = []
    try:
        async with asyncio.timeout(seconds):
            while waiting := await _waiting(graph):
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise Unavailable(f"still filling: {', '.join(waiting)}; start again when Neo4j is done") from None


async def _waiting(graph: Graph) -> list[str]:
    rows = await graph.read("graph/indexes")
    for row in rows:
        if row["state"] == "FAILED":
            raise SchemaMismatch(
                f"Neo4j could not fill the index {row['name']}: {row['failure'].partition(chr(10))[0]} "
                "Undo what it says, drop the index and start again"
            )
    return [row["name"] for row in rows if row["state"] != "ONLINE"]
