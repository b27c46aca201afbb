"""One ranked list: seeds, what they lead to, and why each hit is there (`design.md` §5)."""

from collections.abc import Sequence
from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.search import Mode
from graphmem.knowledge.winners import AT_ONCE, fetch
from graphmem.values import Direction, EdgeType, Tenant
from tests.factories import PLANTS, edge, node, related
from tests.knowledge.support import hit, ids, replace_in_use


def plants(count: int) -> list[NodeInput]:
    """`n0`, `n1`, … without a word in common, none of which mentions another."""
    return [node(f"n{at}", PLANTS[at].capitalize(), f"{at}{at}{at}") for at in range(count)]


TREES = [node(f"t{at}", f"Tree care {at}", "prune " * at + "in winter") for at in range(1, 9)]


@pytest.mark.parametrize("mode", list(Mode))
async def test_the_list_is_in_order_and_its_parts_add_up(store: Any, find: Any, mode: Mode) -> None:
    await store(TREES, [edge("t1", EdgeType.RELATED_TO, "t8"), edge("t2", EdgeType.DEPENDS_ON, "t3")])
    found = await find("prune trees in winter", mode=mode, top_k=8)
    scores = [one.rank.score for one in found.hits]
    assert scores == sorted(scores, reverse=True)
    # Each of the texts has all three words of the question: the vector list yields 0.3 of its weight.
    dense = {Mode.HYBRID: 0.5, Mode.VECTOR: 1.0, Mode.TEXT: 0.0}[mode] * (1 if mode is Mode.VECTOR else 0.7)
    for one in found.hits:
        rank = one.rank
        assert 0 <= rank.vector <= 1
        assert 0 <= rank.text <= 1
        own = dense * rank.vector + (1 - dense) * rank.text + rank.title
        assert rank.score == pytest.approx(own + rank.graph)
    assert max(one.rank.vector for one in found.hits) == (0 if mode is Mode.TEXT else 1)
    assert max(one.rank.text for one in found.hits) == (0 if mode is Mode.VECTOR else 1)


async def test_without_expansion_the_list_is_the_seeds_of_the_list_with_it(store: Any, find: Any) -> None:
    await store([*TREES, *plants(4)], [*related("t8", "n0", "n1"), *related("t7", "n2")])
    for top_k in (1, 3, 5):
        seeds = await find("prune in winter", top_k=top_k, expand=False, limit=100)
        whole = await find("prune in winter", top_k=top_k, max_depth=3, limit=100)
        assert len(seeds.hits) == top_k
        assert {uid for uid in ids(whole) if hit(whole, uid).rank.depth == 0} == set(ids(seeds))
        for one in seeds.hits:
            assert (one.rank.depth, one.rank.path, one.rank.graph) == (0, (), 0)
            same = hit(whole, one.node.id).rank
            assert (same.vector, same.text, same.title) == (one.rank.vector, one.rank.text, one.rank.title)


async def test_one_list_is_cut_at_its_limit(store: Any, find: Any) -> None:
    await store([*TREES, *plants(6)], [edge(f"t{at + 1}", EdgeType.RELATED_TO, f"n{at}") for at in range(6)])
    whole = ids(await find("prune in winter", top_k=5, limit=100))
    assert len(whole) > 5
    for limit in (1, 4, 7):
        assert ids(await find("prune in winter", top_k=5, limit=limit)) == whole[:limit]


async def test_what_the_best_seed_leads_to_does_not_push_it_out_of_a_short_list(store: Any, find: Any) -> None:
    """All of the nodes that it leads to are candidates themselves, so their scores are above its own."""
    seed = node("s", "Pruning", "prune trees in winter")
    around = [node(f"t{at}", f"Care {at}", f"prune trees in winter {at}") for at in range(6)]
    weak = node("w", "Snow", "winter " + "and much else besides " * 9)
    await store([seed, *around, weak], [edge("s", EdgeType.DEPENDS_ON, one.id or "") for one in around])
    whole = ids(await find("prune trees in winter", top_k=1))
    assert whole.index("s") > 2
    assert ids(await find("prune trees in winter", top_k=1, limit=3)) == [*whole[:2], "s"]


async def test_a_path_at_depth_two_and_three_is_told_step_by_step(
    graph: Graph, tenant: Tenant, store: Any, find: Any
) -> None:
    given = [edge("n0", EdgeType.DEPENDS_ON, "n1", weight=0.9), edge("n3", EdgeType.RELATED_TO, "n2", weight=0.5)]
    await store(plants(4), given)
    await replace_in_use(graph, tenant, ("n2", "n1"), weight=0.8)
    found = await find("alder", top_k=1, max_depth=3)
    seed = hit(found, "n0").rank.score
    expected = {"n1": 0.8 * 0.9, "n2": 0.8**2 * 0.9 * 0.8, "n3": 0.8**3 * 0.9 * 0.8 * 0.5}
    assert {uid: hit(found, uid).rank.graph for uid in expected} == pytest.approx(
        {uid: share * seed for uid, share in expected.items()}
    )
    steps = [(step.source, step.type, step.forward, step.target) for step in hit(found, "n3").rank.path]
    assert steps == [
        ("n0", "DEPENDS_ON", True, "n1"),
        ("n1", "SUPERSEDES", False, "n2"),
        ("n2", "RELATED_TO", False, "n3"),
    ]
    assert [len(hit(found, f"n{at}").rank.path) for at in range(4)] == [0, 1, 2, 3]


async def test_a_seed_that_another_leads_to_gains_and_keeps_depth_zero(store: Any, find: Any) -> None:
    await store([*plants(2), *TREES[:1]])
    apart = await find("alder birch", top_k=2)
    await store([], [edge("n0", EdgeType.RELATED_TO, "n1", weight=0.5)])
    joined = await find("alder birch", top_k=2)
    for uid, other in (("n0", "n1"), ("n1", "n0")):
        rank = hit(joined, uid).rank
        assert (rank.depth, rank.path) == (0, ())
        assert rank.graph == pytest.approx(0.8 * 0.5 * hit(apart, other).rank.score)
        assert rank.score == pytest.approx(hit(apart, uid).rank.score + rank.graph)


async def test_types_have_their_own_directions_and_callers_override_them(
    graph: Graph, tenant: Tenant, store: Any, find: Any
) -> None:
    given = [
        edge("n0", EdgeType.RELATED_TO, "n1"), edge("n2", EdgeType.RELATED_TO, "n0"),
        edge("n0", EdgeType.DEPENDS_ON, "n3"), edge("n4", EdgeType.DEPENDS_ON, "n0"),
        edge("n0", EdgeType.CONFLICTS_WITH, "n7"),
    ]  # fmt: skip
    seed = node("n0", PLANTS[0].capitalize(), "with lichens and Roots, lichen")
    await store([seed, *plants(8)[1:], node("n8", "Kelp", "Alder"), node("n9", "Roots", "999")], given)
    await replace_in_use(graph, tenant, ("n0", "n5"), ("n6", "n0"))

    async def reached(types: Sequence[EdgeType] | None = None, direction: Direction | None = None) -> set[str]:
        ways = Directions.of(types, direction)
        return set(ids(await find("alder lichen", top_k=1, mode=Mode.TEXT, directions=ways))) - {"n0"}

    assert await reached() == {"n1", "n2", "n3", "n6", "n7", "n9"}
    assert await reached(direction=Direction.OUT) == {"n1", "n3", "n5", "n7", "n9"}
    assert await reached(direction=Direction.IN) == {"n2", "n4", "n6"}
    assert await reached(direction=Direction.BOTH) == {f"n{at}" for at in (1, 2, 3, 4, 5, 6, 7, 9)}
    assert await reached([EdgeType.DEPENDS_ON]) == {"n3"}
    assert await reached([EdgeType.DEPENDS_ON], Direction.IN) == {"n4"}
    assert await reached([EdgeType.MENTIONS]) == {"n9"}
    assert await reached([EdgeType.MENTIONS], Direction.IN) == set()
    assert await reached([]) == set()


async def test_a_mention_is_followed_one_step_from_a_seed_only(store: Any, find: Any) -> None:
    given = [node("a", "Aspen", "see Beech"), node("b", "Beech", "see Cypress"), node("c", "Cypress", "nothing")]
    await store([*given, node("d", "Dates", "999")], related("d", "a"))
    found = await find("aspen", top_k=1, max_depth=4, mode=Mode.TEXT)
    assert {uid: hit(found, uid).rank.depth for uid in ids(found)} == {"a": 0, "b": 1, "d": 1}
    seed = hit(found, "a").rank
    assert hit(found, "b").rank.graph == pytest.approx(0.8 * 0.6 * (seed.score - seed.graph))
    assert [step.type for step in hit(found, "b").rank.path] == ["MENTIONS"]


async def test_a_title_named_in_the_question_counts_by_how_many_bear_it(store: Any, find: Any) -> None:
    await store([node("a", "Tide tables", "111"), node("b", "Moon", "222"), node("c", "Moon", "333")])
    found = await find("what has the moon to do with tide tables", top_k=3)
    assert hit(found, "a").rank.title == pytest.approx(0.5)
    assert hit(found, "b").rank.title == hit(found, "c").rank.title == pytest.approx(0.5 / 2**0.5)


@pytest.mark.parametrize("depth", [0, 1, 4])
@pytest.mark.parametrize("mode", list(Mode))
async def test_a_search_takes_one_trip(store: Any, find: Any, depth: int, mode: Mode) -> None:
    await store(plants(5), related("n0", "n1", "n2", "n3", "n4"))
    with count_trips() as trips:
        await find("alder birch cedar", max_depth=depth, mode=mode)
    assert trips.count == 1


@pytest.mark.parametrize(("others", "expected"), [(AT_ONCE - 1, 1), (AT_ONCE, 2)])
async def test_where_many_nodes_may_win_a_second_trip_brings_the_same(
    store: Any, find: Any, graph: Graph, tenant: Tenant, others: int, expected: int
) -> None:
    named = [f"n{at}" for at in range(1, others + 1)]
    notes = [node(f"n{at}", f"Plate {at:02}x", f"{at}{at}{at}") for at in range(1, others + 1)]
    await store(
        [*plants(1), *notes],
        [edge("n0" if at < 20 else "n1", EdgeType.RELATED_TO, one) for at, one in enumerate(named)],
    )
    some = named[1:9]
    await store([], [edge(one, EdgeType.DEPENDS_ON, other) for one in some for other in some if one != other])
    with count_trips() as trips:
        found = await find("alder lichen", top_k=1, mode=Mode.TEXT, max_depth=2, limit=30)
    assert trips.count == expected
    shown = ids(found)
    assert len(shown) == 30
    again = await fetch(graph, View(tenant), shown, ("title",), edges=True)
    assert found.edges == again.edges
    assert {hit.node.id: hit.node for hit in found.hits} == again.nodes


async def test_edges_among_the_hits_come_before_all_others_even_those_of_a_hub(
    store: Any, graph: Graph, tenant: Tenant
) -> None:
    """The hub has more edges out than are looked at, and its edge to the other hit is the oldest and the weakest."""
    await store(plants(16))
    await store([], [edge("n0", EdgeType.RELATED_TO, "n1", weight=0.1), edge("n1", EdgeType.DEPENDS_ON, "n0")])
    await store([], [edge("n0", EdgeType.RELATED_TO, f"n{at}") for at in range(2, 16)])
    small = Graph(graph.driver, graph.settings.model_copy(update={"scan_cap": 10}), graph.statements)
    edges = (await fetch(small, View(tenant), ["n0", "n1"], ("title",), edges=True)).edges
    assert edges[0] == ("n0", "n1", EdgeType.RELATED_TO)
    assert ("n1", "n0", EdgeType.DEPENDS_ON) in edges
    assert len(edges) == len(set(edges))
    assert {source for source, _, _ in edges[:-1]} == {"n0"}
    whole = (await fetch(graph, View(tenant), ["n0", "n1"], ("title",), edges=True)).edges
    assert len(whole) == 16
