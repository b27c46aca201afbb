"""Whether the parts that the service stands on can do their work, each with a reason when it can't."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.embedding import Loading
from graphmem.errors import GraphmemError
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import IndexState, index_state
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
    if (state := await index_state(graph)) is not None and (state.building or state.retired):
        parts.append(Part("vectors", True, _change(state)))
    if tenant is not None:
        queue = await counts(graph, tenant)
        parts.append(Part("jobs", True, ", ".join(f"{count} {state}" for state, count in queue.items()) or "none"))
    return parts


def _change(state: IndexState) -> str:
    if state.building is None:
        return f"made by {state.live.maker.model}; those not in use any more are being removed"
    left = "" if state.left is None else f": {state.left} texts left"
    return f"made by {state.live.maker.model}; being made by {state.building.maker.model}{left}"


def _schema(problems: Sequence[str]) -> Part:
    return Part("migrations", not problems, "; ".join(problems) or "applied")


def _embedder(embedding: Loading) -> Part:
    state = embedding.state
    return Part("embedder", state in ("ready", "off"), state)
