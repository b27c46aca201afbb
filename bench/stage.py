"""What every benchmark works with, and the callers that it compares."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import orjson
from neo4j import READ_ACCESS, AsyncDriver

from bench.data import EdgeRow, NodeRow
from bench.questions import Question
from bench.report import Figure, Times
from bench.service import service
from bench.stats import Summary, summary
from bench.store import Tell, fresh, store_edges, store_nodes, wipe
from graphmem.access.keys import create_key
from graphmem.config import Settings
from graphmem.errors import Unavailable
from graphmem.graph.gateway import Graph, Row
from graphmem.values import Scope, Tenant

Sent = tuple[str, dict[str, Any]]
"""A statement's text and parameters, as a driver takes them."""
SEED = 7
SEARCH = """
query ($input: SearchInput!) {
  search(input: $input) { hits { node { id title } score depth parts { vector text graph } path { from type } } }
}
"""
"""What the prototype tells of each hit."""
WHOLE_SEARCH = """
query ($input: SearchInput!) {
  search(input: $input) {
    hits {
      node { id title content } score depth
      parts { vector text title graph }
      path { from to type forward }
    }
    edges { from to type }
  }
}
"""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much is measured."""

    calls: int = 250
    warmup: int = 200
    """Enough for the server to have compiled what both sides run."""
    search_nodes: int = 10_000
    grown_nodes: int = 100_000
    recall_nodes: int = 50_000
    hub_nodes: int = 112_361
    """The largest tenant has 100,001 of them."""
    hub_edges: int = 100_000
    batch: int = 1_000
    batches: int = 20
    notes: int = 1_000
    folders: int = 5
    rounds: int = 8
    """Of throughput, each of `calls` calls a side."""
    thread_messages: int = 20_000
    threads: int = 1_000
    crowd: int = 100
    crowd_rounds: int = 10


FULL = Sizes()
QUICK = Sizes(
    calls=40, warmup=10, search_nodes=2_000, grown_nodes=6_000, recall_nodes=5_000, hub_nodes=6_000, hub_edges=5_000,
    batch=200, batches=6, notes=200, folders=2, rounds=3, thread_messages=1_000, threads=50,
    crowd=20, crowd_rounds=3,
)  # fmt: skip


@dataclass
class Stage:
    """One server, and what has been measured on it."""

    settings: Settings
    graph: Graph
    sizes: Sizes
    folder: Path
    tell: Tell
    figures: list[Figure] = field(default_factory=list)
    times: list[Times] = field(default_factory=list)
    model: str = "none"
    """The embedding model of benchmarks that need a real one."""
    data: Path | None = None
    """The folder of the public sets."""

    async def clear(self) -> None:
        """An empty graph without vectors."""
        await wipe(self.graph)
        await self.graph.run_schema("drop_vectors")
        await self.graph.run("forget_vectors")

    async def store(self, nodes: Sequence[NodeRow], edges: Sequence[EdgeRow]) -> None:
        """This graph in place of what was there."""
        await fresh(self.graph)
        await store_nodes(self.graph, nodes, self.tell)
        await store_edges(self.graph, edges, self.tell)

    async def key(self, tenant: str) -> str:
        made = await create_key(self.graph, Tenant(tenant), name="bench", scopes=[Scope.ADMIN])
        assert made.key is not None, "only a repeated call is not told the key"
        return made.key

    @asynccontextmanager
    async def service(self, asked: Sequence[Question]) -> AsyncIterator[str]:
        async with service(self.settings, asked, self.folder / "service.log") as address:
            yield address

    def took(self, bench: str, times: dict[str, list[float]]) -> dict[str, Summary]:
        """Note the times of each side, and give them summed up."""
        found = {side: summary(values) for side, values in times.items()}
        self.times += [Times(bench, side, ms) for side, ms in found.items()]
        return found


class Caller:
    """A client of the service: one key, connections kept alive."""

    def __init__(self, http: aiohttp.ClientSession, key: str) -> None:
        self._http = http
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    async def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        """The data of the answer. Raises Unavailable when it has errors: a refusal must not count as a fast call."""
        asked = orjson.dumps({"query": query, "variables": variables})
        async with self._http.post("/graphql", data=asked, headers=self._headers) as answer:
            body = orjson.loads(await answer.read())
        if answer.status != 200 or body.get("errors"):
            raise Unavailable(f"the service answered {answer.status}: {str(body)[:500]}")
        data: dict[str, Any] = body["data"]
        return data

    async def search(self, question: Question, query: str = SEARCH, **more: Any) -> dict[str, Any]:
        found: dict[str, Any] = (await self.ask(query, input={"query": question.text, **more}))["search"]
        return found


@asynccontextmanager
async def http_client(address: str) -> AsyncIterator[aiohttp.ClientSession]:
    """aiohttp's: a call costs it a third of what it costs httpx, and what is measured is the service."""
    async with aiohttp.ClientSession(address, timeout=aiohttp.ClientTimeout(120)) as client:
        yield client


class Recording(Graph):
    """A graph that notes which reads a verb makes, and with which parameters."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph.driver, graph.settings, graph.statements)
        self.generation, self.dimension = graph.generation, graph.dimension
        self.made: list[Sent] = []

    async def read(self, name: str, /, **params: Any) -> list[Row]:
        self.made.append(sendable(self, name, params))
        return await super().read(name, **params)


def sendable(graph: Graph, name: str, params: dict[str, Any]) -> Sent:
    """A statement of the house with its parameters as a driver takes them from anybody, instants as `datetime`s."""
    return graph.text(graph.statement(name, params)), {"p": params}


async def raw(driver: AsyncDriver, sent: Sequence[Sent]) -> list[list[Any]]:
    """The statements, one after the other, through the driver and nothing else; the values of their records."""
    found = []
    async with driver.session(default_access_mode=READ_ACCESS, fetch_size=-1) as session:
        for text, params in sent:
            result = await session.run(text, params)
            found += [record.values() async for record in result]
    return found


def cycle(items: Sequence[Any]) -> Callable[[int], Any]:
    return lambda number: items[number % len(items)]
