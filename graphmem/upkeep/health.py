"""Whether the parts that the service stands on can do their work, each with a reason when it can't."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.embedding import Loading
from graphmem.errors import GraphmemError
from graphmem.graph.gateway import Graph
from graphmem.jobs import counts


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    ok: bool
    detail: str


async def health(graph: Graph, embedding: Loading, problems: Sequence[str]) -> list[Part]:
    """`problems`: what keeps the schema from being ready, as far as the starter knows."""
    try:
        version = (await graph.probe("graph/ping"))[0]["version"]
        waiting = [row["name"] for row in await graph.probe("graph/indexes") if row["state"] != "ONLINE"]
        queue = await counts(graph)
    except GraphmemError as error:
        return [Part("neo4j", False, error.message), _schema(problems), _embedder(embedding)]
    return [
        Part("neo4j", True, f"version {version}"),
        Part("indexes", not waiting, f"still filling: {', '.join(waiting)}" if waiting else "online"),
        _schema(problems),
        _embedder(embedding),
        Part("jobs", True, ", ".join(f"{count} {state}" for state, count in queue.items()) or "none"),
    ]


def _schema(problems: Sequence[str]) -> Part:
    return Part("migrations", not problems, "; ".join(problems) or "applied")


def _embedder(embedding: Loading) -> Part:
    state = embedding.state
    return Part("embedder", state in ("ready", "off"), state)
