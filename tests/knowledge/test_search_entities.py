"""From a seed to nodes that have an entity in common with it, and what the question's words weigh there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.knowledge.directions import Directions
from graphmem.ranking import residual
from graphmem.values import Direction, EdgeType, Status, Tenant
from tests.factories import edge, node
from tests.knowledge.support import hit, ids, probing, set_status

QUESTION = "alder bark remedy"
SEED, TARGET = ("s", "Alder", "bark of Kew"), ("t", "Birch", "a remedy of Kew")
FILLING = [node(f"f{at}", f"Filling {at}", str(at) * 3) for at in range(6)]


@pytest.fixture
def say(graph: Graph, tenant: Tenant) -> Any:
    async def set_nodes(key: str, nodes: int) -> None:
        await probing(graph).run("probe/entity_nodes", tenant=tenant, key=key, nodes=nodes)

    return set_nodes


@pytest.fixture
def seeded(store: Any) -> Any:
    async def write(*more: tuple[str, str, str], texts: Sequence[tuple[str, str, str]] = (SEED, TARGET)) -> None:
        await store([*(node(*one) for one in (*texts, *more)), *FILLING])

    return write


async def test_a_node_that_shares_an_entity_is_reached_and_the_path_names_it(seeded: Any, find: Any) -> None:
    await seeded()
    found = await find(QUESTION, top_k=1)
    assert ids(found) == ["s", "t"]
    rank = hit(found, "t").rank
    (step,) = rank.path
    assert (rank.depth, step.source, step.target, step.type, step.via) == (1, "s", "t", "MENTIONS", "Kew")
    seed = hit(found, "s").rank
    assert (seed.depth, seed.graph, seed.path) == (0, 0, ())


async def test_its_bonus_is_rarity_times_what_it_has_of_the_words_that_the_seed_lacks(seeded: Any, find: Any) -> None:
    """Eight nodes; the seed lacks `remedi` alone, which the target has: w(e) × (0.05 + 0.95)."""
    await seeded()
    found = await find(QUESTION, top_k=1)
    rare = math.log(8 / 2) / math.log(8)
    assert hit(found, "t").rank.graph == pytest.approx(0.8 * rare * hit(found, "s").rank.score)


async def test_words_weigh_by_how_few_nodes_have_them(seeded: Any, find: Any) -> None:
    """Of the two words that the seed lacks, each target has one; `remedi` is in two nodes and `tonic` in one."""
    await seeded(("u", "Cypress", "a tonic of Kew"), ("v", "Dogwood", "no remedy"))
    found = await find("alder bark remedy tonic", top_k=1)
    remedy, tonic = residual.idf(10, 2), residual.idf(10, 1)
    rare, own = residual.rarity(10, 3), hit(found, "s").rank.score
    for uid, mass in (("t", remedy), ("u", tonic)):
        expected = residual.bridge(own, rare, mass / (remedy + tonic), weight=0.8)
        assert hit(found, uid).rank.graph == pytest.approx(expected)


async def test_what_was_counted_once_is_remembered(seeded: Any, find: Any) -> None:
    await seeded()
    first = await find(QUESTION, top_k=1)
    assert await find(QUESTION, top_k=1) == first


async def test_a_mention_too_weighs_by_the_words_that_the_seed_lacks(seeded: Any, find: Any) -> None:
    """Two titles that the seed mentions: one has the word that it lacks, the other none: 1 and 0.6 of the weight."""
    texts = (("s", "Alder", "bark as in willow and in poplar"), ("w", "Willow", "its remedy"), ("p", "Poplar", "999"))
    await seeded(texts=texts)
    found = await find(QUESTION, top_k=1)
    own = hit(found, "s").rank.score
    assert hit(found, "w").rank.graph == pytest.approx(0.8 * own)
    assert hit(found, "p").rank.graph == pytest.approx(0.8 * 0.6 * own)


async def test_an_entity_of_the_question_leads_nowhere(seeded: Any, find: Any) -> None:
    await seeded()
    assert ids(await find(f"{QUESTION} at Kew", top_k=1)) == ["s"]
    assert ids(await find(f"{QUESTION} at Kewstoke", top_k=1)) == ["s", "t"]


@pytest.mark.parametrize(("nodes", "reached"), [(1, False), (2, True), (60, True), (61, False)])
async def test_an_entity_of_one_node_or_of_many_leads_nowhere(
    store: Any, seeded: Any, find: Any, say: Any, nodes: int, reached: bool
) -> None:
    await seeded()
    await store([node(f"g{at}") for at in range(60)])  # so many that one in sixty is still rare
    await say("kew", nodes)
    assert ids(await find(QUESTION, top_k=1)) == (["s", "t"] if reached else ["s"])


async def test_a_node_without_a_word_that_the_seed_lacks_is_not_brought(seeded: Any, find: Any) -> None:
    await seeded(("u", "Cypress", "999 at Kew"), ("v", "Dates", "some bark at Kew"))
    assert set(ids(await find(QUESTION, top_k=1))) == {"s", "t"}


async def test_the_rarer_of_two_shared_entities_counts(seeded: Any, find: Any, say: Any) -> None:
    await seeded(texts=(("s", "Alder", "bark of Kew and Surrey"), ("t", "Birch", "a remedy of Surrey and Kew")))
    await say("kew", 4)
    rank = hit(await find(QUESTION, top_k=1), "t").rank
    assert [step.via for step in rank.path] == ["Surrey"]


async def test_closed_edges_and_hidden_nodes_are_no_bridge(
    store: Any, seeded: Any, find: Any, graph: Graph, tenant: Tenant
) -> None:
    await seeded(("u", "Cypress", "a remedy of Kew"), ("v", "Dates", "a remedy of Kew"))
    await store([node("w", "Elder", "a remedy of Kew", resource="carol"), node("u", "Cypress", "a remedy")])
    await set_status(graph, tenant, "v", Status.ARCHIVED)
    assert set(ids(await find(QUESTION, top_k=1))) == {"s", "t"}


async def test_an_entity_is_no_hit_and_no_edge(seeded: Any, find: Any) -> None:
    await seeded()
    found = await find("kew bark remedy", top_k=2, max_depth=3, edges=True)
    assert set(ids(found)) == {"s", "t"}
    assert found.edges == ()


async def test_entities_are_switched_off_with_mentions(seeded: Any, find: Any) -> None:
    await seeded()
    for off in (
        {"expand": False}, {"max_depth": 0}, {"directions": Directions.of([EdgeType.RELATED_TO], None)},
        {"directions": Directions.of(None, Direction.IN)},
    ):  # fmt: skip
        assert ids(await find(QUESTION, top_k=1, **off)) == ["s"]


async def test_an_explicit_edge_is_told_rather_than_a_weaker_bridge(store: Any, seeded: Any, find: Any) -> None:
    await seeded()
    await store([], [edge("s", EdgeType.DEPENDS_ON, "t", weight=0.9)])
    found = await find(QUESTION, top_k=1)
    rank = hit(found, "t").rank
    assert [(step.type, step.via) for step in rank.path] == [("DEPENDS_ON", None)]
    assert rank.graph == pytest.approx(0.8 * 0.9 * hit(found, "s").rank.score)
