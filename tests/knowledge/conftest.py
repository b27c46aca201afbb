"""Writing and searching level 1 as its tests do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.knowledge.remember import remember
from graphmem.knowledge.search import SearchInput, SearchResult, search
from graphmem.runtime import Runtime
from graphmem.values import Tenant
from tests.conftest import Settle
from tests.factories import principal


@pytest.fixture
async def store(graph: Graph, tenant: Tenant, settle: Settle) -> Any:
    async def write(nodes: Sequence[NodeInput], edges: Sequence[EdgeInput] = ()) -> None:
        await remember(graph, principal(tenant), nodes, edges)
        await settle()

    return write


@pytest.fixture
def find(graph: Graph, runtime: Runtime, tenant: Tenant) -> Any:
    async def ask(query: str, **more: Any) -> SearchResult:
        wanted = SearchInput(query=query, properties=("title",), **more)
        return await search(graph, runtime.embedding, View(tenant), wanted)

    return ask
