"""Promise 4 (`design.md` §4): a read of any moment says what the graph said then.

`GRAPHMEM_TEST_HISTORIES` is how many random histories are lived through; 6 unless it says otherwise. Deletion, which
takes the past along, and automatic edges, which are made some calls later, are parts of them.
"""

from __future__ import annotations

import os
from dataclasses import replace
from operator import mul
from random import Random

import pytest

from graphmem.access.view import View
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph
from graphmem.knowledge import as_of
from graphmem.knowledge.conflicts import conflicts
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.edges import EdgeQuery, edges_of
from graphmem.knowledge.entities import entities, entities_of, get_entities, nodes_with
from graphmem.knowledge.get import get
from graphmem.knowledge.history import history
from graphmem.knowledge.listing import Filter, Order, knowledge_nodes
from graphmem.knowledge.path import path
from graphmem.knowledge.search import FORMERS, Mode, SearchInput, SearchResult
from graphmem.knowledge.search_as_of import search
from graphmem.knowledge.traverse import traverse
from graphmem.knowledge.vectors import recipe_text
from graphmem.runtime import Runtime
from graphmem.values import Direction, Status, Tenant
from tests.conftest import Settle
from tests.factories import principal
from tests.knowledge.histories import Past
from tests.knowledge.past import ASKED, Moment, Question, years

HISTORIES = int(os.environ.get("GRAPHMEM_TEST_HISTORIES", "6"))
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
    wide: Graph, runtime: Runtime, tenant: Tenant, settle: Settle, seed: int
) -> None:
    random = Random(seed)
    past = Past(wide, principal(tenant), settle, random, most=random.randint(8, 100))
    await past.live(random.randint(10, 40))
    today = sum(state.status is Status.ACTIVE for state in past.now.nodes.values())
    question = Question("apple", max(today, 1))
    told = [(at, moment) for at, moment in past.moments if moment.nodes]
    for at, moment in random.sample(told, min(3, len(told))):
        for asked in (None, years(random.choice(ASKED))):
            await check(wide, runtime, tenant, random, replace(moment, as_of=at, valid_at=asked), question)


async def check(
    graph: Graph, runtime: Runtime, tenant: Tenant, random: Random, moment: Moment, question: Question
) -> None:
    view = View(tenant).at(moment.as_of, moment.valid_at)
    ways, depth = random.choice(WAYS), random.randint(0, 4)
    await check_nodes(graph, view, moment, random.choice(list(Order)))
    await check_edges(graph, view, moment)
    await check_entities(graph, view, moment)
    await check_conflicts(graph, view, moment)
    for mode in (Mode.TEXT, Mode.VECTOR):
        wanted = SearchInput(
            query="apple", mode=mode, top_k=1000, limit=200, properties=READ, max_depth=depth,
            wanted=Filter(statuses=as_of.statuses(view)),
        )  # fmt: skip
        await check_search(graph, runtime, view, moment, wanted, question, random.randint(1, 6), ways)
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
    assert said == {edge: weight for edge, weight in moment.arrows.items() if moment.holds(edge[2])}
    statuses = {one.node.id: one.node.status for many in found.values() for one in many.found}
    assert all(moment.nodes[uid].status is status for uid, status in statuses.items())


async def check_entities(graph: Graph, view: View, moment: Moment) -> None:
    having: dict[str, list[str]] = {}
    for uid in sorted(uid for uid in moment.entities if moment.used(uid)):
        for key in moment.entities[uid]:
            having.setdefault(key, []).append(uid)
    told = {key: (len(uids), moment.spellings(key, uids)) for key, uids in sorted(having.items())}
    told = {key: (count, spellings) for key, (count, spellings) in told.items() if spellings}
    page = await entities(graph, view, "", 1, 100, None)
    assert [(one.key, (one.nodes, list(one.spellings))) for one in page.items] == list(told.items())
    ids = {one.id: one.key for one in page.items}
    assert await get_entities(graph, view, list(ids)) == {one.id: one for one in page.items}
    found = await nodes_with(graph, view, list(ids), 200, None)
    assert {ids[uid]: [node.id for node in page.items] for uid, page in found.items()} == {
        key: having[key] for key in told
    }
    assert all(node.content == moment.nodes[node.id].content for page in found.values() for node in page.items)
    shown = {
        uid: [one.key for one in many] for uid, many in (await entities_of(graph, view, sorted(moment.nodes))).items()
    }
    has = {uid: sorted(told.keys() & found) for uid, found in moment.entities.items()}
    assert shown == {uid: keys for uid, keys in has.items() if keys}


async def check_conflicts(graph: Graph, view: View, moment: Moment) -> None:
    page = await conflicts(graph, view, 200, None)
    pairs = [(start, end) for start, kind, end in moment.edges if kind == "CONFLICTS_WITH"]
    assert {(one.first.id, one.second.id) for one in page.items} == {
        (start, end) for start, end in pairs if moment.used(start) and moment.used(end)
    }
    assert all(moment.nodes[one.first.id].content == one.first.content for one in page.items)


async def check_search(
    graph: Graph, runtime: Runtime, view: View, moment: Moment, wanted: SearchInput, question: Question, top_k: int,
    ways: Directions,
) -> None:  # fmt: skip
    """All seeds, then the best few of them."""
    seeds = await search(graph, runtime.embedding, view, wanted)
    own = {hit.node.id: hit.rank.text + hit.rank.vector + hit.rank.title for hit in seeds.hits if hit.rank.depth == 0}
    by_text = wanted.mode is Mode.TEXT
    found = {uid for uid in moment.nodes if not by_text or "apple" in moment.nodes[uid].content}
    named = {uid for uid in found if moment.shows(uid)}
    former = [uid for uid in found if moment.nodes[uid].status is Status.SUPERSEDED]
    heirs = {uid: moment.heirs(uid) for uid in former} if moment.valid_at is None else {}
    if by_text:
        assert own.keys() == named.union(*heirs.values())
    else:
        assert own == pytest.approx(await shares(runtime, moment, named, heirs), abs=1e-5)
    check_found(seeds, moment, own, wanted.max_depth, Directions(), question)
    best = dict(sorted(own.items(), key=lambda one: (-one[1], one[0]))[:top_k])
    few = replace(wanted, top_k=top_k, directions=ways)
    check_found(await search(graph, runtime.embedding, view, few), moment, best, wanted.max_depth, ways, question)


async def shares(runtime: Runtime, moment: Moment, named: set[str], heirs: dict[str, set[str]]) -> dict[str, float]:
    """What each seed's vector of then makes of its score: its own, or that of what it stands in the place of."""
    embedder = await runtime.embedding.embedder()
    assert embedder is not None
    (asked,) = await embedder.embed_texts(["apple"])
    uids = sorted(named | heirs.keys())
    texts = [recipe_text(f"Title {uid}", moment.nodes[uid].content) for uid in uids]
    vectors = await embedder.embed_texts(texts)
    cosine = {uid: sum(map(mul, asked, vector)) for uid, vector in zip(uids, vectors, strict=True)}
    former = sorted(heirs, key=lambda uid: (-cosine[uid], uid))[:FORMERS]
    least = min((cosine[uid] for uid in named or former), default=0.0)
    most = max((cosine[uid] for uid in (*named, *former)), default=0.0)

    def share(uid: str) -> float:
        if most == least or cosine[uid] < least:
            return float(cosine[uid] >= least)
        return (cosine[uid] - least) / (most - least)

    lent = {one: max(share(uid) for uid in former if one in heirs[uid]) for one in set().union(*map(heirs.get, former))}
    return {uid: max(share(uid) if uid in named else 0.0, lent.get(uid, 0.0)) for uid in named | lent.keys()}


async def check_traversal(graph: Graph, view: View, moment: Moment, start: str, depth: int, ways: Directions) -> None:
    found = await traverse(graph, view, start, depth, ways, 200, READ, edges=True)
    check_found(found, moment, {start: 1.0}, depth, ways, Question())


def check_found(
    found: SearchResult, moment: Moment, own: dict[str, float], depth: int, ways: Directions, question: Question
) -> None:
    depths, paths = moment.walk(own, depth, ways, question)
    assert {hit.node.id: hit.rank.depth for hit in found.hits} == depths
    for hit in found.hits:
        steps = [(step.source, step.type, step.target, step.forward, step.via) for step in hit.rank.path]
        assert steps == paths[hit.node.id]
        state = moment.nodes[hit.node.id]
        assert (hit.node.content, hit.node.status) == (state.content, state.status)
    told = {edge for edge in moment.arrows if edge[0] in depths and moment.shows(edge[2])}
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
            assert (ends[0], step.type, ends[1]) in moment.arrows
