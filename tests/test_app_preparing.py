"""What a service waits for, refuses and does without until its schema and its vectors are ready."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

import graphmem.runtime
from graphmem import embedding
from graphmem.app import create_app
from graphmem.config import Settings
from graphmem.embedding import Embedder
from graphmem.errors import GraphmemError, SchemaMismatch, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.runtime import running
from tests.asgi import started
from tests.factories import ids, note
from tests.fakes.embedder import HashingEmbedder
from tests.jobs.support import until
from tests.life import keyed, parts, until_ready
from tests.operations import remember, search


@pytest.mark.parametrize(
    ("other", "said", "advice"),
    [
        (
            {"dimension": 32},
            "not by hashing (32 dimensions, recipe 1)",
            "have all made anew by `graphmem reembed --model hashing`",
        ),
        ({"model": "other"}, "not by other (64 dimensions, recipe 1)", "set GRAPHMEM_EMBEDDING_MODEL=hashing"),
        (
            {"recipe": "2"},
            "not by hashing (64 dimensions, recipe 2)",
            "have all made anew by `graphmem reembed --model hashing`",
        ),
    ],
)
async def test_an_embedder_that_does_not_fit_the_graph_is_refused_with_what_to_do(
    settings: Settings, graph: Graph, other: dict[str, Any], said: str, advice: str
) -> None:
    """B69."""
    async with started(create_app(settings, graph, HashingEmbedder(**other))) as http:

        async def refused() -> bool:
            return (await parts(http)).get("embedder", "").startswith("failed")

        await until(refused)
        reason = (await parts(http))["embedder"]
        assert said in reason
        assert advice in reason
        client = await keyed(graph, http)
        await remember(client, [note("a", "Otters", "Otters swim.")])
        found = await search(client, "otters")
        assert ids(found["hits"]) == ["a"]
        assert [warning["code"] for warning in found["warnings"]] == ["EMBEDDER_UNAVAILABLE"]


async def test_a_model_is_loaded_once_however_often_it_does_not_fit(
    settings: Settings, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads = []

    async def load(_: Settings) -> Embedder:
        loads.append(HashingEmbedder(32))
        return loads[-1]

    monkeypatch.setattr(embedding, "load", load)
    with capture_logs() as logs:
        async with started(create_app(settings, graph)):

            async def refused_twice() -> bool:
                return [line["event"] for line in logs].count("embedding_model_failed") > 1

            await until(refused_twice)
    assert len(loads) == 1


async def test_a_model_that_cannot_be_loaded_is_told_and_tried_again(
    settings: Settings, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = asyncio.Event()

    async def load(_: Settings) -> Embedder:
        if not there.is_set():
            raise Unavailable("embedding_model x could not be loaded: its file is gone")
        return HashingEmbedder()

    monkeypatch.setattr(embedding, "load", load)
    async with started(create_app(settings, graph)) as http:

        async def told() -> bool:
            return await parts(http) == {"embedder": "failed: embedding_model x could not be loaded: its file is gone"}

        await until(told)
        there.set()
        await until_ready(http)


@pytest.mark.parametrize("failure", [SchemaMismatch("migration 3 was applied with another text"), RuntimeError("bug")])
async def test_what_keeps_the_schema_from_being_ready_is_told_and_tried_again(
    settings: Settings,
    graph: Graph,
    embedder: HashingEmbedder,
    monkeypatch: pytest.MonkeyPatch,
    failure: Exception,
) -> None:
    migrate, mended = graphmem.runtime.migrate, asyncio.Event()

    async def failing(graph: Graph) -> list[str]:
        if not mended.is_set():
            raise failure
        return await migrate(graph)

    monkeypatch.setattr(graphmem.runtime, "migrate", failing)
    expected = failure.message if isinstance(failure, GraphmemError) else "the graph could not be prepared"
    async with started(create_app(settings, graph, embedder)) as http:

        async def told() -> bool:
            return (await parts(http)).get("migrations", "").startswith(expected)

        await until(told)
        mended.set()
        await until_ready(http)


async def test_what_is_behind_a_failed_start_is_raised_where_nobody_waits(
    settings: Settings, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(_: Graph) -> list[str]:
        raise SchemaMismatch("migration 3 was applied with another text")

    monkeypatch.setattr(graphmem.runtime, "migrate", failing)
    without = settings.model_copy(update={"embedding_model": "none"})
    with pytest.raises(SchemaMismatch):
        async with running(without, graph, patient=False):
            pass
