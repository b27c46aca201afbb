"""A note with more edges than one transaction can take away."""

from __future__ import annotations

import pytest

from graphmem.access.view import View
from graphmem.errors import Unavailable
from graphmem.graph.gateway import Graph, Row
from graphmem.jobs import jobs
from graphmem.knowledge import delete as verb
from graphmem.knowledge.delete import delete
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.get import get
from graphmem.knowledge.remember import remember
from graphmem.knowledge.traverse import traverse
from graphmem.upkeep.erase import erase_resource
from graphmem.values import EdgeType, Tenant
from tests.conversation.support import labels
from tests.factories import edge, node, principal

LEAVES = [f"leaf {number}" for number in range(9)]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine are many, and go four at a time."""
    monkeypatch.setattr(verb, "EDGES_AT_ONCE", 5)
    monkeypatch.setattr(verb, "EDGES_A_STEP", 4)


async def hub(graph: Graph, tenant: Tenant, resource: str | None = None) -> None:
    nodes = [node(uid) for uid in LEAVES] + [node("hub", resource=resource)]
    edges = [edge("hub", EdgeType.RELATED_TO, uid) for uid in LEAVES]
    await remember(graph, principal(tenant), nodes, edges, resource=resource)


async def reached(graph: Graph, view: View, start: str) -> list[str]:
    found = await traverse(graph, view, start, 2, Directions(), 50, ["title"], edges=True)
    return [hit.node.id for hit in found.hits]


async def test_it_is_gone_with_all_of_them_and_its_id_is_free(graph: Graph, tenant: Tenant) -> None:
    await hub(graph, tenant)
    who, view = principal(tenant), View(tenant)
    planned = await delete(graph, who, "hub", dry_run=True)
    assert (await labels(graph, tenant))["Knowledge"] == len(LEAVES) + 1
    assert await delete(graph, who, "hub") == planned
    found = await labels(graph, tenant)
    assert (found["Knowledge"], found["Erased"]) == (len(LEAVES), 0)
    assert list(await get(graph, view, ["hub", *LEAVES])) == LEAVES
    await remember(graph, who, [node("hub")], [])
    assert await reached(graph, view, "hub") == ["hub"]


class Cut(Graph):
    """Breaks where the edges are about to go."""

    async def run(self, name: str, /, **params: object) -> list[Row]:
        if name == "knowledge/clear_deleted":
            raise Unavailable("the line broke")
        return await super().run(name, **params)


async def test_where_that_breaks_off_nobody_sees_it_and_a_job_goes_on(graph: Graph, tenant: Tenant) -> None:
    await hub(graph, tenant)
    cut = Cut(graph.driver, graph.settings, graph.statements)
    cut.generation, cut.dimension = graph.generation, graph.dimension
    with pytest.raises(Unavailable):
        await delete(cut, principal(tenant), "hub")
    view = View(tenant)
    assert list(await get(graph, view, ["hub"])) == []
    assert await reached(graph, view, LEAVES[0]) == [LEAVES[0]]
    await remember(graph, principal(tenant), [node("hub")], [])
    (job,) = (await jobs(graph, tenant, kinds=[verb.CLEAR])).items
    for _ in range(2):
        await verb.clear_job(graph, job)
    found = await labels(graph, tenant)
    assert (found["Knowledge"], found["Erased"]) == (len(LEAVES) + 1, 0)


async def test_an_erasure_leaves_none_behind(graph: Graph, tenant: Tenant) -> None:
    await hub(graph, tenant, "r1")
    await erase_resource(graph, principal(tenant), "r1")
    assert not {"Knowledge", "Erased"} & set(await labels(graph, tenant))
