"""One managed Neo4j for the whole run; a fresh tenant for each test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from graphmem.config import Settings
from graphmem.graph import local
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import ensure_vectors
from graphmem.graph.migrate import migrate
from graphmem.values import Tenant, new_id
from tests.fakes.embedder import HashingEmbedder


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of the test server: its own home, free ports, nothing of the user's."""
    home: Path = tmp_path_factory.mktemp("neo4j") / "home"
    return Settings(home=home, bolt_port=0, http_port=0, browser=False, worker=False, retry_seconds=30)


@pytest.fixture(scope="session")
def server(settings: Settings) -> Iterator[local.Server]:
    yield local.start(settings)
    local.stop(settings)


@pytest.fixture(scope="session")
def embedder() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture(scope="session")
async def graph(server: local.Server, settings: Settings, embedder: HashingEmbedder) -> AsyncIterator[Graph]:
    async with connect(settings) as graph:
        await asyncio.gather(migrate(graph), migrate(graph))
        await ensure_vectors(graph, "knowledge", embedder.model, embedder.dimension, embedder.recipe)
        yield graph


@pytest.fixture
def tenant() -> Tenant:
    return Tenant(f"tenant {new_id()}")
