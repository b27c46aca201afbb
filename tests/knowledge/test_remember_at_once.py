"""Calls that meet."""

import asyncio
from itertools import pairwise
from random import Random

from graphmem.access.view import View
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph
from graphmem.knowledge.get import get
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.remember import remember
from graphmem.values import EdgeType, Tenant
from tests.factories import edge, node, principal, related
from tests.knowledge.support import counted, open_edges


async def test_the_same_call_ten_times_at_once_makes_one_node(graph: Graph, tenant: Tenant) -> None:
    given = [NodeInput("Tides", "The moon makes them.")]
    done = await asyncio.gather(*(remember(graph, principal(tenant), given) for _ in range(10)))
    assert len({one.ids for one in done}) == 1
    assert sum(len(one.created) for one in done) == 1
    assert (await counted(graph, tenant))["nodes"] == 1


async def test_the_same_key_ten_times_at_once_is_one_call_with_one_answer(graph: Graph, tenant: Tenant) -> None:
    given = [node("a"), node("b")]
    calls = (remember(graph, principal(tenant), given, related("a", "b"), idempotency_key="k") for _ in range(10))
    done = await asyncio.gather(*calls)
    assert done == [done[0]] * 10
    assert (done[0].created, done[0].edges_created) == (("a", "b"), 1)
    found = await counted(graph, tenant)
    assert (found["nodes"], found["edges"], found["changes"]) == (2, 1, 1)


async def test_overlapping_sets_at_once_all_go_in(graph: Graph, tenant: Tenant) -> None:
    names = [f"n{at:02}" for at in range(30)]

    def call(seed: int) -> tuple[list[NodeInput], list[str]]:
        chosen = Random(seed).sample(names, 20)
        return [node(uid, f"Shared title {uid[-1]}", f"Says {seed}") for uid in chosen], chosen

    calls = [call(seed) for seed in range(12)]
    await asyncio.gather(*(remember(graph, principal(tenant), nodes, related(*chosen)) for nodes, chosen in calls))
    expected = {uid for _, chosen in calls for uid in chosen}
    pairs = {pair for _, chosen in calls for pair in pairwise(chosen)}
    found = await counted(graph, tenant)
    assert (found["nodes"], found["edges"], found["pending"]) == (len(expected), len(pairs), 0)
    stored = await get(graph, View(tenant), names)
    assert found["revisions"] == sum(one.version - 1 for one in stored.values())


async def test_titles_that_change_places_at_once_do_not_fail(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node(f"n{at}", f"Name {at % 3}") for at in range(6)])
    for turn in range(4):
        await asyncio.gather(
            *(remember(graph, who, [node(f"n{at}", f"Name {(at + turn) % 3} {turn}")]) for at in range(6))
        )
    stored = await get(graph, View(tenant), [f"n{at}" for at in range(6)])
    assert {one.title for one in stored.values()} == {f"Name {at} 3" for at in range(3)}


async def test_a_circle_of_superseding_closed_by_calls_at_once_is_refused_to_one(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    ring = ["a", "b", "c", "d"]
    await remember(graph, who, [node(uid) for uid in ring])
    pairs = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    done = await asyncio.gather(
        *(remember(graph, who, [], [edge(a, EdgeType.SUPERSEDES, b)]) for a, b in pairs), return_exceptions=True
    )
    refused = [pair for pair, one in zip(pairs, done, strict=True) if isinstance(one, BaseException)]
    assert [type(one) for one in done if isinstance(one, BaseException)] == [Conflict]
    held = [edge for uid in ring for edge in await open_edges(graph, View(tenant), uid, EdgeType.SUPERSEDES)]
    assert {(a, b) for a, _, b in held} == set(pairs) - set(refused)
