"""Processes on a graph whose vectors are made anew, and what is left of either generation."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from graphmem.app import create_app
from graphmem.config import Settings
from graphmem.embedding import Load
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import IndexState, index_state
from graphmem.runtime import Runtime, running
from graphmem.upkeep import reembed
from graphmem.values import Tenant
from tests.asgi import started
from tests.client import Client
from tests.factories import ids
from tests.fakes.models import load
from tests.graph.probing import until
from tests.life import keyed
from tests.operations import recall, search, update
from tests.upkeep.support import planting

APPEND = """
mutation ($text: String!) {
  appendTurn(threadId: "t1", messages: [{role: USER, parts: [{type: TEXT, text: $text}]}]) { ids }
}
"""
EMBEDS = ("knowledge.embed", "conversation.embed")


@dataclass
class Process:
    runtime: Runtime
    client: Client

    @property
    def graph(self) -> Graph:
        return self.runtime.graph

    async def nearest(self, query: str, **more: str) -> list[str]:
        """By vector alone."""
        found = await search(self.client, query, mode="VECTOR", topK=1, expand=False, **more)
        return ids(found["hits"])

    async def nearest_message(self, query: str) -> str:
        embedder = await self.runtime.embedding.embedder()
        assert embedder is not None
        return await nearest_message(self.graph, await embedder.embed_query(query))

    async def recalled(self, query: str) -> str:
        """By text and vector; whatever kept the vector from being used is raised."""
        found = await recall(self.client, query, resourceId="acme", topK=1, before=0, after=0)
        assert found["warnings"] == []
        assert found["hits"][0]["similarity"] > 0.7
        return str(found["hits"][0]["message"]["id"])

    async def append(self, text: str) -> str:
        return str((await self.client.query(APPEND, text=text))["appendTurn"]["ids"][0])

    async def until_live(self, model: str) -> None:
        """Until this process has noticed."""

        async def live() -> bool:
            embedding = self.runtime.embedding
            if embedding.state != "ready":
                return False
            embedder = await embedding.embedder()
            return embedder is not None and embedder.model == model

        await until(live, 120)


@asynccontextmanager
async def process(
    settings: Settings, *, load: Load = load, work: bool = True, kinds: Collection[str] = ()
) -> AsyncIterator[Process]:
    async with (
        running(settings, load=load, work=work, kinds=kinds, patient=False) as runtime,
        started(create_app(settings, services=runtime.services)) as http,
    ):
        await runtime.embedding.embedder()
        yield Process(runtime, await keyed(runtime.graph, http, Tenant(settings.default_tenant)))


async def nearest_message(graph: Graph, vector: list[float]) -> str:
    return str((await planting(graph).read("plant/nearest_message", vector=vector))[0]["uid"])


async def left(graph: Graph, generation: int) -> tuple[int, list[str]]:
    """Items with a vector of a generation, and the vector indexes."""
    (row,) = await planting(graph).read("plant/vectors_left", property=f"embedding_{generation}")
    indexes = [row["name"] for row in await graph.read("graph/indexes") if row["type"] == "VECTOR"]
    return row["count"], sorted(indexes)


def indexes(generation: int) -> list[str]:
    return [f"{of}_vector_{generation}" for of in ("knowledge", "message", "revision")]


async def state_of(graph: Graph) -> IndexState:
    state = await index_state(graph)
    assert state is not None
    return state


async def until_switched(graph: Graph) -> None:
    async def switched() -> bool:
        return (await state_of(graph)).building is None

    await until(switched, 120)


async def until_removed(graph: Graph) -> None:
    """Not waiting for processes that are slow to notice: all have."""
    await planting(graph).run("plant/hasten", kind=reembed.DROP)

    async def removed() -> bool:
        return (await state_of(graph)).retired is None

    await until(removed, 120)


async def until_embedded(on: Process) -> None:
    async def embedded() -> bool:
        waiting = [(await on.graph.read("jobs/open", kind=kind))[0]["count"] for kind in EMBEDS]
        return not any(waiting)

    await until(embedded, 120)


async def stopped(busy: asyncio.Task[None]) -> None:
    busy.cancel()
    with pytest.raises(asyncio.CancelledError):
        await busy


async def finds_all(on: Process, written: list[tuple[str, str]]) -> None:
    assert written
    assert await on.nearest("porcupine") == ["long"]
    assert await on.nearest("changed1") == ["n1"]
    for at, (uid, message) in list(enumerate(written))[-20:]:
        assert await on.nearest(f"fresh{at} new{at}") == [uid]
        assert await on.nearest_message(f"spoken{at} aloud{at}") == message
    assert await on.nearest_message("badger digs") != await on.nearest_message("pangolin")


async def corrects(on: Process, before: str) -> None:
    """What is written by any verb is found by the new vectors, and what was before it as of then."""
    then = datetime.now(UTC).isoformat()
    await update(on.client, "n2", {"content": "word2 changed2"})
    await on.client.query('mutation { supersede(old: "n3", new: "n4") { status } }')
    for verb, uid in (("archive", "n5"), ("archive", "n6"), ("restore", "n6")):
        await on.client.query(f'mutation {{ {verb}(id: "{uid}") {{ status }} }}')
    await until_embedded(on)
    assert await on.nearest("changed2 word2") == ["n2"]
    for at in (3, 5):
        assert await on.nearest(f"word{at} other{at}") != [f"n{at}"]
    for at in (4, 6):
        assert await on.nearest(f"word{at} other{at}") == [f"n{at}"]
    for at in range(2, 7):
        assert await on.nearest(f"word{at} other{at}", asOf=then) == [f"n{at}"]
    assert await on.nearest("word1 other1", asOf=before) == ["n1"]
    assert await on.nearest("changed1", asOf=then) == ["n1"]
