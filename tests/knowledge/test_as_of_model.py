"""Promise 4 (`design.md` §4): a read of any moment says what the graph said then.

`GRAPHMEM_TEST_HISTORIES` is how many random histories are lived through; 10 unless it says otherwise. Deletion, which
takes the past along, and automatic edges are no part of them.
"""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest

from graphmem.access.view import View
from graphmem.app import Runtime
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph
from graphmem.knowledge import as_of
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.edges import EdgeQuery, edges_of
from graphmem.knowledge.get import get
from graphmem.knowledge.history import history
from graphmem.knowledge.listing import Filter, Order, knowledge_nodes
from graphmem.knowledge.path import path
from graphmem.knowledge.search import Mode, SearchInput, SearchResult
from graphmem.knowledge.search_as_of import search
from graphmem.knowledge.traverse import traverse
from graphmem.values import Direction, Status, Tenant
from tests.factories import principal
from tests.knowledge.histories import Past
from tests.knowledge.past import ASKED, Moment, years

HISTORIES = int(os.environ.get("GRAPHMEM_TEST_HISTORIES", "10"))
READ = ("title", "content", "status")
WAYS = (Directions(), Directions.of(None, Direction.OUT), Directions.of(None, Direction.BOTH))


@pytest.fixture
def wide(graph: Graph) -> Graph:
    """The graph without a limit that would cut what these tests find."""
    limits = {"candidates": 1000, "max_top_k": 1000, "fan_cap": 1000, "level_cap": 1000}
    found = Graph(graph.driver, graph.settings.model_copy(update=limits), graph.statements)
    found.generation, found.dimension = graph.generation, graph.dimension
    return found


@pytest.mark.parametrize("seed", range(HISTORIES))
async def test_every_read_of_a_moment_is_what_the_graph_said_then(
    wide: Graph, runtime: Runtime, tenant: Tenant, seed: int
) -> None:
    random = Random(seed)
    past = Past(wide, principal(tenant), random, most=random.randint(8, 100))
    await past.live(random.randint(10, 40))
    for at, moment in random.sample(past.moments, min(3, len(past.moments))):
        await check(wide, runtime, tenant, random, replace(moment, as_of=at))
        await check(wide, runtime, tenant, random, replace(moment, as_of=at, valid_at=years(random.choice(ASKED))))


async def check(graph: Graph, runtime: Runtime, tenant: Tenant, random: Random, moment: Moment) -> None:
    view = View(tenant).at(moment.as_of, moment.valid_at)
    ways, depth = random.choice(WAYS), random.randint(0, 4)
    await check_nodes(graph, view, moment, random.choice(list(Order)))
    await check_edges(graph, view, moment)
    await check_search(graph, runtime, view, moment, random.randint(1, 6), depth, ways)
    await check_traversal(graph, view, moment, random.choice(sorted(moment.nodes)), depth, ways)
    await check_path(graph, view, moment, [random.choice(sorted(moment.nodes)) for _ in "ab"], ways)


async def check_nodes(graph: Graph, view: View, moment: Moment, order: Order) -> None:
    found = await get(graph, view, [f"n{at:03}" for at in range(101)])
    said = {uid: (node.content, node.status, node.version) for uid, node in found.items()}
    there = {uid: state for uid, state in moment.nodes.items() if moment.holds(uid)}
    assert said == {uid: (state.content, state.status, state.version) for uid, state in there.items()}
    if moment.valid_at is None:
        uid = max(moment.nodes, key=lambda uid: moment.nodes[uid].version)
        states = await history(graph, view, uid)
        assert [state.node.version for state in states] == list(range(moment.nodes[uid].version, 0, -1))
    listed, after = [], None
    while True:
        page = await knowledge_nodes(graph, view, Filter(statuses=tuple(Status)), order, len(found) // 3 + 1, after)
        listed += page.items
        if not page.has_next:
            break
        after = page.cursors[-1]
    places = [((one.created_at if "created" in order else one.updated_at), one.id) for one in listed]
    assert places == sorted(places, reverse="desc" in order)
    assert sorted(one.id for one in listed) == sorted(there)
    assert all(found[one.id] == one for one in listed)


async def check_edges(graph: Graph, view: View, moment: Moment) -> None:
    found = await edges_of(graph, view, EdgeQuery.of(None, Direction.OUT, 200), sorted(moment.nodes))
    said = {
        (uid, str(one.edge.type), one.node.id): one.edge.weight for uid, many in found.items() for one in many.found
    }
    assert said == {edge: weight for edge, weight in moment.edges.items() if moment.holds(edge[2])}
    statuses = {one.node.id: one.node.status for many in found.values() for one in many.found}
    assert all(moment.nodes[uid].status is status for uid, status in statuses.items())


async def check_search(
    graph: Graph, runtime: Runtime, view: View, moment: Moment, top_k: int, depth: int, ways: Directions
) -> None:
    among = Filter(statuses=as_of.statuses(view))
    wanted = SearchInput(
        query="apple", mode=Mode.TEXT, top_k=1000, limit=200, properties=READ, max_depth=depth, wanted=among
    )
    seeds = await search(graph, runtime.embedding, view, wanted)
    named = {uid for uid, state in moment.nodes.items() if moment.shows(uid) and "apple" in state.content}
    own = {hit.node.id: hit.rank.text + hit.rank.title for hit in seeds.hits if hit.rank.depth == 0}
    former = {uid for uid, one in moment.nodes.items() if one.status is Status.SUPERSEDED and "apple" in one.content}
    heirs = [moment.heirs(uid) for uid in former] if moment.valid_at is None else []
    assert own.keys() == named.union(*heirs)
    check_found(seeds, moment, own, depth, Directions())
    wanted = SearchInput(
        query="apple", mode=Mode.TEXT, top_k=top_k, limit=200, properties=READ, max_depth=depth, directions=ways,
        wanted=among,
    )  # fmt: skip
    best = dict(sorted(own.items(), key=lambda one: (-one[1], one[0]))[:top_k])
    check_found(await search(graph, runtime.embedding, view, wanted), moment, best, depth, ways)


async def check_traversal(graph: Graph, view: View, moment: Moment, start: str, depth: int, ways: Directions) -> None:
    found = await traverse(graph, view, start, depth, ways, 200, READ, edges=True)
    check_found(found, moment, {start: 1.0}, depth, ways)


def check_found(found: SearchResult, moment: Moment, own: dict[str, float], depth: int, ways: Directions) -> None:
    depths, paths = moment.walk(own, depth, ways)
    assert {hit.node.id: hit.rank.depth for hit in found.hits} == depths
    for hit in found.hits:
        steps = [(step.source, step.type, step.target, step.forward) for step in hit.rank.path]
        assert steps == paths[hit.node.id]
        state = moment.nodes[hit.node.id]
        assert (hit.node.content, hit.node.status) == (state.content, state.status)
    told = {edge for edge in moment.edges if edge[0] in depths and moment.shows(edge[2])}
    assert {(start, str(kind), end) for start, end, kind in found.edges} == told
    assert found.caps == ()


async def check_path(graph: Graph, view: View, moment: Moment, ends: list[str], ways: Directions) -> None:
    start, end = ends
    if not (moment.holds(start) and moment.holds(end)):
        with pytest.raises(NotFound):
            await path(graph, view, start, end, 4, ways)
        return
    found = await path(graph, view, start, end, 4, ways)
    distance = moment.distance(start, end, 4, ways)
    assert (None if found is None else len(found[1])) == distance
    if found is not None:
        nodes, steps = found
        assert [node.id for node in nodes] == [start, *(step.target for step in steps)]
        assert all(node.content == moment.nodes[node.id].content for node in nodes)
        for step in steps:
            ends = [step.source, step.target][:: 1 if step.forward else -1]
            assert (ends[0], step.type, ends[1]) in moment.edges
