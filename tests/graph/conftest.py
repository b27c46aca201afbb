"""A second server, and a tenant that has one of everything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant, new_id
from tests.fakes.embedder import HashingEmbedder
from tests.graph.sample import make_sample
from tests.graph.second_server import SecondServer, second_server


@pytest.fixture(scope="session")
def second(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecondServer]:
    with second_server(tmp_path_factory.mktemp("second")) as running:
        yield running


@pytest.fixture(scope="session")
async def sample(graph: Graph, embedder: HashingEmbedder) -> Tenant:
    tenant = Tenant(f"sample {new_id()}")
    await make_sample(graph, tenant, embedder)
    return tenant
