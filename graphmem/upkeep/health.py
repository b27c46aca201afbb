"""Whether the parts that the service stands on can do their work, each with a reason when it can't."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.embedding import Loading
from graphmem.errors import GraphmemError
from graphmem.graph.gateway import Graph
from graphmem.jobs import counts
from graphmem.values import Tenant

ANSWER_SECONDS = 5.0
"""A database that takes longer to say that it is there is of no use to a caller, and a probe would not wait."""


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    ok: bool
    detail: str


async def health(graph: Graph, embedding: Loading, problems: Sequence[str], tenant: Tenant | None = None) -> list[Part]:
    """`problems`: what keeps the schema from being ready, as far as the starter knows. `tenant`: whose jobs to count.

    Answers within `ANSWER_SECONDS`, whatever Neo4j does.
    """
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            database = await _database(graph, tenant)
    except GraphmemError as error:
        database = [Part("neo4j", False, error.message)]
    except TimeoutError:
        database = [Part("neo4j", False, f"no answer within {ANSWER_SECONDS:g} s")]
    return [*database, _schema(problems), _embedder(embedding)]


async def _database(graph: Graph, tenant: Tenant | None) -> list[Part]:
    version = (await graph.probe("graph/ping"))[0]["version"]
    waiting = [row["name"] for row in await graph.probe("graph/indexes") if row["state"] != "ONLINE"]
    parts = [
        Part("neo4j", True, f"version {version}"),
        Part("indexes", not waiting, f"not online: {', '.join(waiting)}" if waiting else "online"),
    ]
    if tenant is not None:
        queue = await counts(graph, tenant)
        parts.append(Part("jobs", True, ", ".join(f"{count} {state}" for state, count in queue.items()) or "none"))
    return parts


def _schema(problems: Sequence[str]) -> Part:
    return Part("migrations", not problems, "; ".join(problems) or "applied")


def _embedder(embedding: Loading) -> Part:
    state = embedding.state
    return Part("embedder", state in ("ready", "off"), state)
