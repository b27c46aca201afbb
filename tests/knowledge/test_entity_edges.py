"""Edges from texts to the entities in them, right whatever happens to the texts and in whatever order."""

import asyncio
from random import Random

import pytest

from graphmem.graph.gateway import Graph, Row
from graphmem.knowledge.delete import delete
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.remember import remember
from graphmem.knowledge.restore import restore
from graphmem.knowledge.retract import retract
from graphmem.knowledge.update import Patch, update
from graphmem.ranking import names
from graphmem.values import Tenant
from tests.conftest import Settle
from tests.factories import node, principal
from tests.knowledge.support import contained, mention_edges, stored_entities

TEXTS = [
    node("snow", "song one", "sung by Hank Snow in Nova Scotia"),
    node("lower", "song two", "a song of hank snow, from nova scotia"),
    node("loud", "song three", "the HANK SNOW song; an Apple a day"),
    node("fruit", "song four", "an apple from the Apple orchard"),
    node("other", "song five", "apples, snow and Hank"),
    node("plain", "song six", "snow in nova scotia"),
]  # fmt: skip
EXPECTED: dict[str, Row] = {
    "hank snow": {
        "name": "HANK SNOW", "spellings": ["HANK SNOW", "Hank Snow"], "counts": [1, 1], "nodes": 3,
        "edges": [["loud", "HANK SNOW"], ["lower", None], ["snow", "Hank Snow"]],
    },
    "nova scotia": {
        "name": "Nova Scotia", "spellings": ["Nova Scotia"], "counts": [1], "nodes": 3,
        "edges": [["lower", None], ["plain", None], ["snow", "Nova Scotia"]],
    },
    "apple": {
        "name": "Apple", "spellings": ["Apple"], "counts": [2], "nodes": 2,
        "edges": [["fruit", "Apple"], ["loud", "Apple"]],
    },
    "hank": {
        "name": "Hank", "spellings": ["Hank"], "counts": [1], "nodes": 4,
        "edges": [["loud", None], ["lower", None], ["other", "Hank"], ["snow", None]],
    },
}  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
async def test_entities_are_the_same_in_whatever_order_and_portions_texts_arrive(
    graph: Graph, tenant: Tenant, settle: Settle, seed: int
) -> None:
    chance = Random(seed)
    left = chance.sample(TEXTS, len(TEXTS))
    while left:
        size = chance.randint(1, len(left))
        await remember(graph, principal(tenant), left[:size])
        left = left[size:]
        if chance.random() < 0.5:
            await settle()
    await settle()
    assert await stored_entities(graph, tenant) == EXPECTED


async def test_entities_are_the_same_when_several_jobs_run_at_once(
    graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    for given in TEXTS:
        await remember(graph, principal(tenant), [given])
    await asyncio.gather(*(settle() for _ in range(3)))
    await settle()
    assert await stored_entities(graph, tenant) == EXPECTED


async def test_a_name_that_no_text_shows_any_more_is_no_entity(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    who = principal(tenant)
    await remember(graph, who, TEXTS)
    await settle()
    await update(graph, who, "snow", Patch(content="sung by hank snow in nova scotia"))
    await settle()
    found = await stored_entities(graph, tenant)
    assert found["hank snow"]["edges"] == [["loud", "HANK SNOW"], ["lower", None], ["snow", None]]
    assert (found["nova scotia"]["nodes"], found["nova scotia"]["edges"]) == (0, [])
    await update(graph, who, "plain", Patch(content="the town of Nova Scotia"))
    await settle()
    found = await stored_entities(graph, tenant)
    assert found["nova scotia"]["edges"] == [["lower", None], ["plain", "Nova Scotia"], ["snow", None]]


async def test_only_nodes_in_use_have_entities(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    who = principal(tenant)
    await remember(graph, who, TEXTS)
    await settle()
    await retract(graph, who, "snow")
    await settle()
    found = await stored_entities(graph, tenant)
    counts = {key: one["nodes"] for key, one in found.items()}
    assert counts == {"apple": 2, "hank": 3, "hank snow": 2, "nova scotia": 0}
    await restore(graph, who, "snow")
    await settle()
    assert await stored_entities(graph, tenant) == EXPECTED


async def test_with_the_last_node_that_had_it_an_entity_goes(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    who = principal(tenant)
    await remember(graph, who, TEXTS)
    await settle()
    await delete(graph, who, "snow")
    assert (await stored_entities(graph, tenant))["hank"]["nodes"] == 3
    await settle()
    for uid in ("lower", "plain", "loud", "fruit"):
        await delete(graph, who, uid)
    await settle()
    assert set(await stored_entities(graph, tenant)) == {"hank"}
    await delete(graph, who, "other")
    assert await stored_entities(graph, tenant) == {}


async def test_tenants_entities_are_their_own(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    other = Tenant(f"{tenant} other")
    await remember(graph, principal(other), [NodeInput("song", "the hank snow song", id="theirs")])
    await settle(other)
    await remember(graph, principal(tenant), TEXTS)
    await settle()
    assert await stored_entities(graph, tenant) == EXPECTED
    assert await stored_entities(graph, other) == {}


WORDS = [
    "Ann Lee",
    "ann lee",
    "Lee",
    "Ann",
    "York",
    "New York",
    "new york",
    "New York Times",
    "of",
    "and",
    "data",
    "Data",
]


@pytest.mark.parametrize("seed", range(3))
async def test_after_any_history_the_edges_are_those_of_a_fresh_tenant(
    graph: Graph, tenant: Tenant, settle: Settle, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(names, "LARGE", 6)
    monkeypatch.setattr(names, "MOST_TEXTS", 3)
    chance, who = Random(seed), principal(tenant)
    nodes, retracted = dict[str, tuple[str, str]](), set[str]()

    def text() -> str:
        return "it says " + " ".join(chance.choices(WORDS, k=5))

    for step in range(25):
        uid = chance.choice(sorted(nodes)) if len(nodes) > 8 or (nodes and chance.random() < 0.6) else f"n{step}"
        if uid not in nodes:
            nodes[uid] = (chance.choice([*WORDS, f"Note {step}"]), text())
            await remember(graph, who, [node(uid, *nodes[uid])])
        elif uid in retracted:
            retracted.discard(uid)
            await restore(graph, who, uid)
        elif (what := chance.random()) < 0.2:
            retracted.add(uid)
            await retract(graph, who, uid)
        elif what < 0.4:
            del nodes[uid]
            await delete(graph, who, uid)
        elif what < 0.7:
            nodes[uid] = (nodes[uid][0], text())
            await update(graph, who, uid, Patch(content=nodes[uid][1]))
        else:
            nodes[uid] = (chance.choice([*WORDS, f"Note {step}"]), nodes[uid][1])
            await update(graph, who, uid, Patch(title=nodes[uid][0]))
        if chance.random() < 0.3:
            await asyncio.gather(settle(), settle())
    await settle()
    fresh = Tenant(f"{tenant} fresh")
    await remember(graph, principal(fresh), [node(uid, *one) for uid, one in nodes.items()])
    for uid in retracted:
        await retract(graph, principal(fresh), uid)
    await settle(fresh)
    await check_same_edges(graph, tenant, fresh)


async def check_same_edges(graph: Graph, tenant: Tenant, fresh: Tenant) -> None:
    for found in (mention_edges, contained):
        assert await found(graph, tenant) == await found(graph, fresh)
    here, there = await stored_entities(graph, tenant), await stored_entities(graph, fresh)
    assert {key: one for key, one in here.items() if one["nodes"]} == {
        key: one for key, one in there.items() if one["nodes"]
    }
