from __future__ import annotations

import pytest

from graphmem.access.keys import create_key
from graphmem.graph.gateway import Graph
from graphmem.values import Scope, Tenant


@pytest.fixture
async def key(graph: Graph, tenant: Tenant) -> str:
    """An admin key of the test's tenant."""
    return (await create_key(graph, tenant, name="test", scopes=[Scope.ADMIN])).key
