"""From a seed to nodes that have an entity in common with it, and what the question's words weigh there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.knowledge.directions import Directions
from graphmem.ranking import residual
from graphmem.values import FOREVER, Direction, EdgeType, Status, Tenant, utc_now
from tests.conftest import Settle
from tests.factories import edge, node
from tests.knowledge.support import hit, ids, probing, set_status

QUESTION = "alder bark remedy"
SEED, TARGET = ("s", "Alder", "bark of Kew"), ("t", "Birch", "a remedy of Kew")
FILLING = [node(f"f{at}", f"Filling {at}", str(at) * 3) for at in range(6)]


@pytest.fixture
def join(graph: Graph, tenant: Tenant) -> Any:
    async def write(uids: Sequence[str], key: str = "kew", *, nodes: int | None = None, closed: bool = False) -> None:
        now = utc_now()
        await probing(graph).run(
            "probe/entity", tenant=tenant, key=key, name=key.title(), uids=list(uids),
            nodes=len(uids) if nodes is None else nodes, open=now if closed else FOREVER, now=now,
        )  # fmt: skip

    return write


async def seeded(store: Any, *more: tuple[str, str, str]) -> None:
    await store([node(*SEED), node(*TARGET), *(node(*one) for one in more), *FILLING])


async def test_a_node_that_shares_an_entity_is_reached_and_the_path_names_it(store: Any, find: Any, join: Any) -> None:
    await seeded(store)
    await join(["s", "t"])
    found = await find(QUESTION, top_k=1)
    assert ids(found) == ["s", "t"]
    rank = hit(found, "t").rank
    (step,) = rank.path
    assert (rank.depth, step.source, step.target, step.type, step.via) == (1, "s", "t", "MENTIONS", "Kew")
    seed = hit(found, "s").rank
    assert (seed.depth, seed.graph, seed.path) == (0, 0, ())


async def test_its_bonus_is_rarity_times_what_it_has_of_the_words_that_the_seed_lacks(
    store: Any, find: Any, join: Any
) -> None:
    """Eight nodes; the seed lacks `remedi` alone, which the target has: w(e) × (0.05 + 0.95)."""
    await seeded(store)
    await join(["s", "t"])
    found = await find(QUESTION, top_k=1)
    rare = math.log(8 / 2) / math.log(8)
    assert hit(found, "t").rank.graph == pytest.approx(0.8 * rare * hit(found, "s").rank.score)


async def test_words_weigh_by_how_few_nodes_have_them(store: Any, find: Any, join: Any) -> None:
    """Of the two words that the seed lacks, each target has one; `remedi` is in two nodes and `tonic` in one."""
    await seeded(store, ("u", "Cypress", "a tonic of Kew"), ("v", "Dogwood", "no remedy"))
    await join(["s", "t", "u"])
    found = await find("alder bark remedy tonic", top_k=1)
    remedy, tonic = residual.idf(10, 2), residual.idf(10, 1)
    rare = residual.rarity(10, 3)
    own = hit(found, "s").rank.score
    for uid, mass in (("t", remedy), ("u", tonic)):
        expected = residual.bridge(own, rare, mass / (remedy + tonic), weight=0.8)
        assert hit(found, uid).rank.graph == pytest.approx(expected)


async def test_a_mention_too_weighs_by_the_words_that_the_seed_lacks(store: Any, find: Any) -> None:
    """Two titles that the seed mentions: one has the word that it lacks, the other none: 1 and 0.6 of the weight."""
    await store([
        node("s", "Alder", "bark as in Willow and in Poplar"), node("w", "Willow", "its remedy"),
        node("p", "Poplar", "999"), *FILLING,
    ])  # fmt: skip
    found = await find(QUESTION, top_k=1)
    own = hit(found, "s").rank.score
    assert hit(found, "w").rank.graph == pytest.approx(0.8 * own)
    assert hit(found, "p").rank.graph == pytest.approx(0.8 * 0.6 * own)


async def test_an_entity_of_the_question_leads_nowhere(store: Any, find: Any, join: Any) -> None:
    await seeded(store)
    await join(["s", "t"])
    assert ids(await find(f"{QUESTION} at Kew", top_k=1)) == ["s"]
    assert ids(await find(f"{QUESTION} at Kewstoke", top_k=1)) == ["s", "t"]


@pytest.mark.parametrize(("nodes", "reached"), [(1, False), (2, True), (60, True), (61, False)])
async def test_an_entity_of_one_node_or_of_many_leads_nowhere(
    store: Any, find: Any, join: Any, nodes: int, reached: bool
) -> None:
    await seeded(store)
    await join(["s", "t"], nodes=nodes)
    assert ids(await find(QUESTION, top_k=1)) == (["s", "t"] if reached else ["s"])


async def test_a_node_without_a_word_that_the_seed_lacks_is_not_brought(store: Any, find: Any, join: Any) -> None:
    await seeded(store, ("u", "Cypress", "999"), ("v", "Dates", "alder bark"))
    await join(["s", "t", "u", "v"])
    assert set(ids(await find("alder bark alder remedy", top_k=1))) == {"s", "t"}


async def test_the_rarer_of_two_shared_entities_counts(store: Any, find: Any, join: Any) -> None:
    await seeded(store)
    await join(["s", "t"], "kew", nodes=4)
    await join(["s", "t"], "surrey", nodes=2)
    rank = hit(await find(QUESTION, top_k=1), "t").rank
    assert [step.via for step in rank.path] == ["Surrey"]


async def test_closed_edges_hidden_nodes_and_other_tenants_are_not_bridged(
    store: Any, find: Any, join: Any, graph: Graph, tenant: Tenant
) -> None:
    await seeded(store, ("u", "Cypress", "a remedy"), ("v", "Dates", "a remedy"))
    await store([node("w", "Elder", "a remedy", resource="carol")])
    await join(["s", "t", "w"])
    await join(["s", "u"], "surrey", closed=True)
    await join(["s", "v"], "essex")
    await set_status(graph, tenant, "v", Status.ARCHIVED)
    assert set(ids(await find(QUESTION, top_k=1))) == {"s", "t"}


async def test_an_entity_is_no_hit_and_no_edge(store: Any, find: Any, join: Any) -> None:
    await seeded(store)
    await join(["s", "t"])
    found = await find("kew bark remedy", top_k=5, max_depth=3, edges=True)
    assert set(ids(found)) == {"s", "t"}
    assert found.edges == ()


async def test_entities_are_switched_off_with_mentions(store: Any, find: Any, join: Any) -> None:
    await seeded(store)
    await join(["s", "t"])
    for off in (
        {"expand": False}, {"max_depth": 0}, {"directions": Directions.of([EdgeType.RELATED_TO], None)},
        {"directions": Directions.of(None, Direction.IN)},
    ):  # fmt: skip
        assert ids(await find(QUESTION, top_k=1, **off)) == ["s"]


async def test_an_explicit_edge_is_told_rather_than_a_weaker_bridge(
    store: Any, find: Any, join: Any, settle: Settle
) -> None:
    await seeded(store)
    await join(["s", "t"])
    await store([], [edge("s", EdgeType.RELATED_TO, "t", weight=0.9)])
    rank = hit(await find(QUESTION, top_k=1), "t").rank
    assert [(step.type, step.via) for step in rank.path] == [("RELATED_TO", None)]
    assert rank.graph == pytest.approx(0.8 * 0.9 * hit(await find(QUESTION, top_k=1), "s").rank.score, rel=0.6)
