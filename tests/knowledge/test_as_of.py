"""Searches of the past where much has come since."""

from __future__ import annotations

import pytest

from graphmem.access.view import View
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.path import path
from graphmem.knowledge.remember import remember
from graphmem.knowledge.search import Mode, SearchInput
from graphmem.knowledge.search_as_of import search
from graphmem.ranking.tokens import count
from graphmem.runtime import Runtime
from graphmem.values import Tenant, utc_now
from tests.conftest import Settle
from tests.factories import node, principal, related


@pytest.mark.parametrize("mode", list(Mode))
async def test_few_old_nodes_are_found_among_many_new_ones(
    graph: Graph, runtime: Runtime, tenant: Tenant, settle: Settle, mode: Mode
) -> None:
    narrow = Graph(
        graph.driver, graph.settings.model_copy(update={"candidates": 10, "exact_cap": 50}), graph.statements
    )
    narrow.generation, narrow.dimension = graph.generation, graph.dimension
    old = [node(f"old{at}", f"Old {at}", "tea and much else besides") for at in range(3)]
    await remember(graph, principal(tenant), old, [])
    then = utc_now()
    await remember(graph, principal(tenant), [node(f"new{at}", f"New {at}", "tea") for at in range(200)], [])
    await settle()
    wanted = SearchInput(query="tea", mode=mode, top_k=10, expand=False)
    found = await search(narrow, runtime.embedding, View(tenant).at(then, None), wanted)
    assert sorted(hit.node.id for hit in found.hits) == ["old0", "old1", "old2"]


async def test_a_path_of_the_past_is_shortest_and_goes_round_what_was_not_in_use(graph: Graph, tenant: Tenant) -> None:
    uids = [f"n{at}" for at in range(7)]
    await remember(graph, principal(tenant), [node(uid) for uid in uids], related(*uids))
    long = utc_now()
    await remember(graph, principal(tenant), [node("hub")], [*related("n0", "hub", "n6")])
    for at, length in ((long, 6), (utc_now(), 2)):
        found = await path(graph, View(tenant).at(at, None), "n0", "n6", 6, Directions())
        assert found is not None
        assert len(found[1]) == length
    assert await path(graph, View(tenant).at(long, None), "n0", "n6", 5, Directions()) is None


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(InvalidInput, match="validAt needs a time zone"):
        View(Tenant("any")).at(None, utc_now().replace(tzinfo=None))


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("hello world", 2), ("<|endoftext|>", 7), ("\ud800", 1)])
def test_tokens_of_any_text_are_counted(text: str, tokens: int) -> None:
    assert count(text) == tokens
