"""The vectors of a graph made anew by another model, while it is searched and written."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from graphmem.app import Runtime, running
from graphmem.config import Settings
from graphmem.embedding import Embedder
from graphmem.errors import Conflict, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import IndexState, index_state
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.remember import remember
from graphmem.knowledge.search import Mode, SearchInput, plan_searches, search
from graphmem.knowledge.update import Patch, update
from graphmem.knowledge.view import View
from graphmem.upkeep import reembed
from graphmem.upkeep.audits import run_audit
from graphmem.values import Tenant
from tests.factories import principal
from tests.fakes.embedder import HashingEmbedder
from tests.graph.probing import until
from tests.own_server import OwnServer, own_server
from tests.upkeep.models import NEW, OLD
from tests.upkeep.support import PLANT

TENANT = Tenant("reembedding")
COUNT = 220


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnServer]:
    with own_server(tmp_path_factory.mktemp("own")) as server:
        yield server


@pytest.fixture(scope="module")
def quick(own: OwnServer) -> Settings:
    """A graph whose processes notice things soon."""
    return own.addressed(
        vectors_poll_seconds=0.2, job_poll_seconds=0.1, lease_seconds=5, statement_timeout=90, retry_seconds=60
    )


@asynccontextmanager
async def process(settings: Settings, embedder: Embedder) -> AsyncIterator[Runtime]:
    async with running(settings, embedder=embedder, work=True) as runtime:
        await runtime.prepared.wait()
        await until(lambda: settled(runtime), 120)
        yield runtime


async def settled(runtime: Runtime) -> bool:
    return runtime.embedding.state != "loading"


async def found(runtime: Runtime, query: str, mode: Mode = Mode.HYBRID) -> list[str]:
    wanted = SearchInput(query=query, mode=mode, top_k=1, expand=False)
    return [hit.node.id for hit in (await search(runtime.graph, runtime.embedding, View(TENANT), wanted)).hits]


async def by_vector(runtime: Runtime, query: str) -> list[str]:
    try:
        return await found(runtime, query, Mode.VECTOR)
    except Unavailable:
        return ["unavailable"]


async def state_of(graph: Graph) -> IndexState:
    state = await index_state(graph, "knowledge")
    assert state is not None
    return state


async def left(graph: Graph, generation: int) -> tuple[int, list[str]]:
    """Items with a vector of a generation, and the vector indexes."""
    probe = Graph(graph.driver, graph.settings, PLANT)
    (row,) = await probe.read("probe/vectors_left", property=f"embedding_{generation}")
    indexes = [row["name"] for row in await graph.read("graph/indexes") if row["type"] == "VECTOR"]
    return row["count"], sorted(indexes)


async def killed_half_way(settings: Settings) -> None:
    """A process with the new model writes some vectors, and is killed."""
    named = {f"GRAPHMEM_{key.upper()}": str(value) for key, value in vars_of(settings).items()}
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.upkeep.half_a_change", env={**os.environ, **named}, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    async with asyncio.timeout(120):
        while (line := await child.stdout.readline()).strip() != b"half":
            assert line, "it ended before it had written anything"
    child.kill()
    await child.wait()


def vars_of(settings: Settings) -> dict[str, object]:
    assert settings.neo4j_password is not None
    names = ("neo4j_uri", "vectors_poll_seconds", "job_poll_seconds", "lease_seconds", "statement_timeout")
    return {name: getattr(settings, name) for name in names} | {
        "neo4j_password": settings.neo4j_password.get_secret_value()
    }


@pytest.mark.timeout(400)
async def test_another_model_takes_over_while_the_graph_is_searched_and_written(quick: Settings) -> None:
    who = principal(TENANT)
    long = " ".join(f"filler{at}" for at in range(300)) + " porcupine"
    nodes = [NodeInput(f"Title {at}", f"word{at} other{at}", id=f"n{at}") for at in range(COUNT)]
    async with process(quick, HashingEmbedder(**OLD)) as first:
        await remember(first.graph, who, [*nodes, NodeInput("Handbook", long, id="long")])
        await update(first.graph, who, "n1", Patch(content="word1 changed1"))
        await plan_searches(first.graph)
        await until(lambda: is_found(first, "word219", "n219"), 120)
        (before, indexes), answers = await left(first.graph, 1), list[list[str]]()
        assert before > COUNT
        assert indexes == ["knowledge_vector_1", "revision_vector_1"]

        await reembed.start(first.graph, TENANT, HashingEmbedder(**NEW))
        asking = asyncio.create_task(ask_on(first, answers))
        await killed_half_way(quick)
        (some, both), state = await left(first.graph, 2), await state_of(first.graph)
        assert 0 < some < COUNT
        assert len(both) == 4
        assert (state.live.maker.model, state.building and state.building.maker.model) == ("old", "new")

        await remember(first.graph, who, [NodeInput("Otters", "otters swim", id="otters")])
        await update(first.graph, who, "n2", Patch(content="walrus"))
        first.worker.wake()
        await until(lambda: is_found(first, "otters", "otters"), 60)
        assert answers
        assert all(answer == ["n7"] for answer in answers), "nothing but the old vectors answers until all are new"

        async with process(quick, HashingEmbedder(**NEW)) as second:
            await until(lambda: has_switched(second.graph), 150)
            await until(lambda: is_found(second, "otters swim", "otters"), 60)
            assert await by_vector(second, "walrus") == ["n2"]
            assert await by_vector(second, "porcupine") == ["long"]
            await until(lambda: is_found(first, "word7 other7", "unavailable"), 60)
            assert await found(first, "word7") == ["n7"], "the old process goes on by text"
            assert "GRAPHMEM_EMBEDDING_MODEL=new" in first.embedding.state
            await hasten(second.graph)
            await until(lambda: is_cleared(second.graph), 120)
            assert await by_vector(second, "word219") == ["n219"]
            asking.cancel()
            assert {tuple(answer) for answer in answers} <= {("n7",), ("unavailable",)}
            assert await left(second.graph, 1) == (0, ["knowledge_vector_2", "revision_vector_2"])
            assert (await left(second.graph, 2))[0] > COUNT
            for audit in ("missing_vectors", "stale_vectors", "wrong_size_vectors", "unknown_names"):
                assert await run_audit(second.graph, audit) == []


async def is_found(runtime: Runtime, query: str, uid: str) -> bool:
    return await by_vector(runtime, query) == [uid]


async def hasten(graph: Graph) -> None:
    """Do not wait for processes that are slow to notice: all have."""
    await Graph(graph.driver, graph.settings, PLANT).run("probe/hasten", kind=reembed.DROP)


async def has_switched(graph: Graph) -> bool:
    return (await state_of(graph)).building is None


async def is_cleared(graph: Graph) -> bool:
    return (await state_of(graph)).retired is None


async def ask_on(runtime: Runtime, answers: list[list[str]]) -> None:
    while True:
        answers.append(await by_vector(runtime, "word7 other7"))
        await asyncio.sleep(0.05)


@pytest.mark.timeout(300)
async def test_one_change_of_models_at_a_time_and_it_can_be_given_up(quick: Settings) -> None:
    other, third = HashingEmbedder(48, model="other"), HashingEmbedder(24, model="third")
    async with process(quick, HashingEmbedder(**OLD)) as stranger:
        graph = stranger.graph
        live = (await state_of(graph)).live.number
        await until(lambda: is_cleared(graph), 60)
        begun = await reembed.start(graph, TENANT, other)
        assert begun.number == live + 1
        assert await reembed.start(graph, TENANT, other) == begun
        with pytest.raises(Conflict, match="made by other already"):
            await reembed.start(graph, TENANT, third)
        assert await reembed.give_up(graph, TENANT)
        assert not await reembed.give_up(graph, TENANT)
        with pytest.raises(Conflict, match="still being removed"):
            await reembed.start(graph, TENANT, third)
        await hasten(graph)
        await until(lambda: is_cleared(graph), 120)
        assert (await state_of(graph)).live.number == live
        assert (await left(graph, live + 1))[0] == 0
        assert len((await left(graph, live + 1))[1]) == 2
