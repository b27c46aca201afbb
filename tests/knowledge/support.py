"""Shared by the tests of level 1: looking behind the verbs, and stopping them half-way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

from neo4j import AsyncResult

from graphmem.access.view import View
from graphmem.config import Settings
from graphmem.embedding import Embedder, Loading
from graphmem.errors import Unavailable
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.statements import Statement, load
from graphmem.knowledge.edges import EdgeQuery, edges_of
from graphmem.knowledge.search import SearchHit, SearchResult
from graphmem.values import FOREVER, Direction, EdgeType, Tenant, utc_now
from tests.spoilt import Probing

T = TypeVar("T")
PROBES = load(Path(__file__).parent / "cypher")


def probing(graph: Graph) -> Graph:
    """The graph with the statements of these tests."""
    found = Probing(graph.driver, graph.settings, PROBES)
    found.generation = graph.generation
    return found


async def counted(graph: Graph, tenant: Tenant) -> Row:
    """Numbers of nodes, pending links, edges, revisions and changes."""
    return (await probing(graph).read("probe/count", tenant=tenant))[0]


async def set_status(graph: Graph, tenant: Tenant, uid: str, status: str) -> None:
    await probing(graph).run("probe/set_status", tenant=tenant, uid=uid, status=status)


async def join(graph: Graph, start: tuple[str, str], kind: str, end: tuple[str, str], weight: float = 1.0) -> None:
    """An edge between two items, each given as tenant and id, made behind the verbs' back."""
    ends = {"from": list(start), "to": list(end)}
    await probing(graph).run("probe/join", **ends, type=kind, weight=weight, open=FOREVER, now=utc_now())


async def replace_in_use(graph: Graph, tenant: Tenant, *pairs: tuple[str, str], weight: float = 1.0) -> None:
    """SUPERSEDES edges from the one to the other, which stays in use, so that a walk can pass it."""
    for new, old in pairs:
        await join(graph, (tenant, new), EdgeType.SUPERSEDES, (tenant, old), weight)


async def mention_edges(graph: Graph, tenant: Tenant) -> set[tuple[str, str]]:
    rows = await probing(graph).read("probe/mentions", tenant=tenant, open=FOREVER)
    return {(row["from"], row["to"]) for row in rows}


async def contained(graph: Graph, tenant: Tenant) -> set[tuple[str, int, bool, str]]:
    """Which names stand in which texts: key, number of texts, whether they are too many, node."""
    rows = await probing(graph).read("probe/contained", tenant=tenant)
    return {(row["key"], row["texts"], row["common"], row["uid"]) for row in rows}


async def stored_entities(graph: Graph, tenant: Tenant) -> dict[str, Row]:
    """The entities of a tenant by key, each with its `edges`: who has it, with which spelling."""
    rows = await probing(graph).read("probe/entities", tenant=tenant, open=FOREVER)
    return {row.pop("key"): {**row, "edges": sorted(row["edges"], key=itemgetter(0))} for row in rows}


async def stored_edges(graph: Graph, tenant: Tenant, start: str, kind: str, end: str) -> list[dict[str, Any]]:
    """The properties of edges between two nodes, closed ones first."""
    ends = {"from": start, "to": end}
    return [row["edge"] for row in await probing(graph).read("probe/properties", tenant=tenant, **ends, type=kind)]


async def open_edges(
    graph: Graph, view: View, uid: str, *kinds: EdgeType, direction: Direction = Direction.BOTH
) -> list[tuple[str, str, str]]:
    """The edges of a node as (from, type, to), in their order."""
    found = await edges_of(graph, view, EdgeQuery.of(kinds or None, direction, 100), [uid])
    return [(one.edge.source_id, str(one.edge.type), one.edge.target_id) for one in found[uid].found]


class Paused(Graph):
    """The graph, on the same driver, which stops after the first answer to the statement `at`: `reached` tells that
    it did, `go` lets it go on."""

    def __init__(self, graph: Graph, at: str) -> None:
        super().__init__(graph.driver, graph.settings, graph.statements)
        self.generation, self.dimension = graph.generation, graph.dimension
        self.at, self.reached, self.go = at, asyncio.Event(), asyncio.Event()

    async def timed(self, statement: Statement, sent: Awaitable[AsyncResult]) -> list[Row]:
        rows = await super().timed(statement, sent)
        if statement.name == self.at and not self.reached.is_set():
            self.reached.set()
            await self.go.wait()
        return rows


class Broken(Graph):
    """The graph, on the same driver, to which the line breaks after `statements_left` more answers."""

    def __init__(self, graph: Graph, statements_left: int) -> None:
        super().__init__(graph.driver, graph.settings, graph.statements)
        self.generation, self.dimension = graph.generation, graph.dimension
        self.statements_left = statements_left

    async def timed(self, statement: Statement, sent: Awaitable[AsyncResult]) -> list[Row]:
        rows = await super().timed(statement, sent)
        self.statements_left -= 1
        if self.statements_left < 0:
            raise Unavailable("the line broke")
        return rows


async def done_or_blocked(graph: Graph, task: asyncio.Task[Any]) -> None:
    """Come back when the task is done, or waits for a lock that somebody else holds."""
    probe = probing(graph)
    while not task.done() and not (await probe.read("probe/blocked"))[0]["blocked"]:
        await asyncio.sleep(0.01)


def triples(keys: Sequence[Any]) -> list[tuple[str, str, str]]:
    """Edge keys as (from, type, to)."""
    return [(key.source_id, str(key.type), key.target_id) for key in keys]


@asynccontextmanager
async def loaded(settings: Settings, embedder: Embedder | Unavailable | None) -> AsyncIterator[Loading]:
    """A load that has ended: with an embedder, without one, or in a failure that stays."""

    async def load(_: Settings) -> Embedder | None:
        if isinstance(embedder, Unavailable):
            raise embedder
        return embedder

    loading = Loading(settings, load=load, first_pause=3600)
    with suppress(Unavailable):
        await loading.embedder()
    yield loading
    await loading.close()


def ids(found: SearchResult) -> list[str]:
    return [hit.node.id for hit in found.hits]


def hit(found: SearchResult, uid: str) -> SearchHit:
    return next(one for one in found.hits if one.node.id == uid)
