"""What the audits find when all tests have run (`tests/conftest.py`)."""

from __future__ import annotations

from graphmem.graph.gateway import Graph
from graphmem.knowledge.remember import remember
from graphmem.values import Tenant
from tests.factories import node, principal
from tests.spoilt import faults
from tests.upkeep.support import PLANT, plant


async def told(graph: Graph, tenant: Tenant) -> list[str]:
    return [row.detail for row in await faults(graph, set()) if row.tenant == tenant]


async def test_only_a_fault_that_a_test_has_not_planted_is_told_and_nothing_that_work_will_put_right(
    graph: Graph, tenant: Tenant
) -> None:
    await remember(graph, principal(tenant), [node("a"), node("b", "Same", "text"), node("c", "Same", "text")])
    assert await told(graph, tenant) == []
    unnoted = Graph(graph.driver, graph.settings, PLANT)
    await unnoted.run("plant/set", tenant=tenant, uid="a", properties={"colour": "red"})
    assert await told(graph, tenant) == ["property colour"]
    await plant(graph, "set", tenant, "a", properties={"size": 1})
    assert await told(graph, tenant) == []
