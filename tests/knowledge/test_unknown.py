"""A resource that is named and of which nothing is stored is told."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.knowledge.delete import delete
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.listing import Filter
from graphmem.knowledge.remember import remember
from graphmem.knowledge.search import Mode, SearchInput, SearchResult
from graphmem.knowledge.search_as_of import search
from graphmem.knowledge.traverse import traverse
from graphmem.runtime import Runtime
from graphmem.values import KnowledgeType, Tenant, utc_now
from tests.factories import node, principal

WAYS: list[dict[str, Any]] = [
    {"mode": Mode.TEXT}, {"mode": Mode.VECTOR}, {"max_depth": 2}, {"wanted": Filter(tags=("x",))},
    {"wanted": Filter(types=(KnowledgeType.FACT,))}, {"expand": False},
]  # fmt: skip


def told(found: SearchResult) -> list[str]:
    return [warning.message.split("'")[1] for warning in found.warnings if warning.code == "UNKNOWN_RESOURCE"]


@pytest.fixture
async def known(graph: Graph, tenant: Tenant) -> Tenant:
    """A tenant with a shared note and one about alice, that has talked with bob; another has notes about erin."""
    await remember(graph, principal(tenant), [node("a", "Tea"), node("b", "Coffee", resource="alice")], [])
    await create_thread(graph, principal(tenant), ThreadInput("bob"))
    await remember(graph, principal(Tenant(f"{tenant} 2")), [node("c", "Tea", resource="erin")], [])
    return tenant


@pytest.mark.parametrize("past", [False, True])
@pytest.mark.parametrize("way", WAYS)
async def test_a_search_tells_a_resource_of_which_nothing_is_stored(
    graph: Graph, runtime: Runtime, known: Tenant, past: bool, way: dict[str, Any]
) -> None:
    """Known are those that notes are about, whether or not they are found, and those that have conversations."""
    wanted = SearchInput(query="tea", **way)
    as_of = utc_now() if past else None
    trips = []
    for named, expected in (((), []), (("alice",), []), (("bob",), []), (("alcie",), ["alcie"]), (("erin",), ["erin"])):
        with count_trips() as counted:
            found = await search(graph, runtime.embedding, View(known, named).at(as_of, None), wanted)
        assert told(found) == expected
        trips.append(counted.count)
    assert len(set(trips)) == 1


@pytest.mark.parametrize("past", [False, True])
@pytest.mark.parametrize("depth", [1, 2])
async def test_a_traversal_tells_it_too(graph: Graph, known: Tenant, past: bool, depth: int) -> None:
    as_of = utc_now() if past else None
    for named, expected in (("alice", []), ("alcie", ["alcie"])):
        view = View(known, (named,)).at(as_of, None)
        assert told(await traverse(graph, view, "a", depth, Directions(), 10, [], edges=False)) == expected


async def test_a_resource_is_unknown_again_when_all_about_it_is_gone(
    graph: Graph, runtime: Runtime, known: Tenant
) -> None:
    await delete(graph, principal(known), "b", resource="alice")
    found = await search(graph, runtime.embedding, View(known, ("alice",)), SearchInput(query="tea", mode=Mode.TEXT))
    assert told(found) == ["alice"]
