"""Automatic edges from texts to the nodes whose title or alias stands in them."""

import asyncio
from random import Random
from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.jobs import claim
from graphmem.knowledge.delete import delete
from graphmem.knowledge.mentions import mentions
from graphmem.knowledge.name_edges import named
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.nodes_write import MENTIONS
from graphmem.knowledge.remember import remember
from graphmem.knowledge.update import Patch, update
from graphmem.ranking import names
from graphmem.values import EdgeType, Tenant
from tests.conftest import Settle
from tests.factories import node, principal
from tests.knowledge.support import Paused, done_or_blocked, mention_edges, open_edges


def note(uid: str, title: str, content: str = "Nothing.", **more: Any) -> NodeInput:
    return node(uid, title, content, **more)


CITY = [
    note("york", "York", "A town, not New York."),
    note("city", "New York", "Home of the New York Times. Old York is elsewhere."),
    note("paper", "New York Times", "Printed in New York; don’t miss the Node.js supplement."),
    note("node", "Node.js", "Unlike Deno, it began in New York Times Square, they say. Don't Miss it!"),
    note("square", "Squares", "York, new york and NEW-YORK.", aliases=["Times Square", "Don't Miss"]),
]  # fmt: skip
EXPECTED = {
    ("york", "city"), ("city", "paper"), ("city", "york"), ("paper", "city"), ("paper", "node"), ("paper", "square"),
    ("node", "paper"), ("node", "square"), ("square", "york"), ("square", "city"),
}  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
async def test_the_edges_are_the_same_in_whatever_order_texts_arrive(
    graph: Graph, tenant: Tenant, settle: Settle, seed: int
) -> None:
    order = Random(seed).sample(CITY, len(CITY))
    for given in order:
        await remember(graph, principal(tenant), [given])
        await settle()
    assert await mention_edges(graph, tenant) == EXPECTED


async def test_the_edges_are_the_same_when_all_arrive_at_once(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    await remember(graph, principal(tenant), CITY)
    await settle()
    assert await mention_edges(graph, tenant) == EXPECTED
    await remember(graph, principal(tenant), CITY)
    await settle()
    assert await mention_edges(graph, tenant) == EXPECTED


async def test_the_edges_follow_titles_aliases_and_texts_that_change(
    graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    who = principal(tenant)
    given = [note("a", "The Guide", "See New York Times."), note("city", "New York"), note("paper", "New York Times")]
    await remember(graph, who, given)
    steps: list[tuple[str, Patch, set[tuple[str, str]]]] = [
        ("paper", Patch(title="The Gazette"), {("a", "city")}),
        ("paper", Patch(aliases=("New York Times",)), {("a", "paper")}),
        ("paper", Patch(aliases=()), {("a", "city")}),
        ("a", Patch(content="See the gazettes."), set()),
        ("a", Patch(content="See The Gazette of New York."), {("a", "paper"), ("a", "city")}),
        ("a", Patch(title="New York", content="Nothing."), set()),
    ]
    await settle()
    assert await mention_edges(graph, tenant) == {("a", "paper")}
    for uid, patch, expected in steps:
        await update(graph, who, uid, patch)
        await settle()
        assert await mention_edges(graph, tenant) == expected, patch


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Node.js", "written for node.js."), ("O'Brien", "as O’Brien says"), ("O’Brien", "as O'BRIEN says"),
        ("config.py", "see `config.py`"), ("Café Flore", "the cafe\u0301 flore"), ("3,000 Miles", "3,000 miles away"),
        ("Lord of the Rings", "Lord of the Rings!"), ("AC/DC live", "an AC-DC, live"), ("user_id", "a user_id is"),
        ("北京大学", "我在北京大学读书"), ("Москва", "в город Москва"), ("C++ (language) guide", "the C guide"),
        ("Schindler's List", "Schindler’s list"),
        ("Ham + eggs || not && to: be?", "ham eggs, not to be"), ('A "quoted" name', "a (quoted) name"),
    ],
)  # fmt: skip
async def test_a_name_is_found_whichever_comes_first(
    graph: Graph, tenant: Tenant, settle: Settle, title: str, text: str
) -> None:
    for first in ("name", "text"):
        own = Tenant(f"{tenant} {first}")
        nodes = [note("name", title), note("text", "Something else", f"Before {text} after.")]
        for given in nodes if first == "name" else reversed(nodes):
            await remember(graph, principal(own), [given])
            await settle(own)
        assert await mention_edges(graph, own) == {("text", "name")}, first


async def test_a_name_does_not_reach_from_the_title_into_the_text(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    for first in ("name", "text"):
        own = Tenant(f"{tenant} {first}")
        nodes = [note("name", "New York"), note("text", "Something new", "York is old.")]
        for given in nodes if first == "name" else reversed(nodes):
            await remember(graph, principal(own), [given])
            await settle(own)
        assert await mention_edges(graph, own) == set()


async def test_a_customers_names_hide_nothing_from_others(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    who = principal(tenant)
    text = "We read the New York Times."
    given = [
        note("shared", "One", text), note("ours", "Two", text, resource="r1"),
        note("theirs", "Three", text, resource="r2"), note("city", "New York"),
        note("paper", "New York Times", resource="r1"),
    ]  # fmt: skip
    await remember(graph, who, given)
    await settle()
    assert await mention_edges(graph, tenant) == {
        ("shared", "city"), ("shared", "paper"), ("ours", "paper"), ("theirs", "city"),
    }  # fmt: skip
    assert await open_edges(graph, View(tenant), "shared", EdgeType.MENTIONS) == [("shared", "MENTIONS", "city")]
    assert await open_edges(graph, View(tenant, ("r2",)), "city", EdgeType.MENTIONS) == [
        ("shared", "MENTIONS", "city"), ("theirs", "MENTIONS", "city"),
    ]  # fmt: skip


def test_each_reader_has_the_longest_name_of_those_it_sees() -> None:
    known = {"york": ["*"], "new york": ["r1", "r2"], "new york times": ["r3", "r1"], "times square": ["*", "r1"]}
    parts = ["Elsewhere", "New York Times Square"]
    assert named(parts, "*", (), known) == {
        ("york", "*"), ("times square", "*"), ("new york times", "r1"), ("new york times", "r3"), ("new york", "r2"),
    }  # fmt: skip
    assert named(parts, "r1", (), known) == {("new york times", "r1")}
    assert named(parts, "r2", (), known) == {("new york", "r2"), ("times square", "*")}
    assert named(parts, "r9", ("york",), known) == {("times square", "*")}


async def test_tenants_names_are_their_own(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    other = Tenant(f"{tenant} other")
    await remember(graph, principal(tenant), [note("a", "One", "In New York.")])
    await remember(graph, principal(other), [note("b", "New York", "See One.")])
    await settle()
    await settle(other)
    assert await mention_edges(graph, tenant) == await mention_edges(graph, other) == set()


async def test_a_look_that_is_overtaken_takes_nothing_back(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    """The first job has looked up the names in the text when another one comes and is worked."""
    who = principal(tenant)
    await remember(graph, who, [note("a", "One", "In New York.")])
    (job,) = await claim(graph, [MENTIONS], limit=1, lease_seconds=600, tenant=tenant)
    slow = Paused(graph, at="knowledge/names_by_start")
    first = asyncio.create_task(mentions(slow, job))
    await slow.reached.wait()
    await remember(graph, who, [note("b", "New York")])
    (job,) = await claim(graph, [MENTIONS], limit=1, lease_seconds=600, tenant=tenant)
    second = asyncio.create_task(mentions(graph, job))
    await done_or_blocked(graph, second)
    slow.go.set()
    await asyncio.gather(first, second)
    assert await mention_edges(graph, tenant) == {("a", "b")}


async def test_a_name_in_too_many_of_a_large_tenants_texts_links_nothing_until_it_is_rare_again(
    graph: Graph, tenant: Tenant, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "LARGE", 8)
    monkeypatch.setattr(names, "MOST_TEXTS", 2)
    who = principal(tenant)
    texts = [note(f"t{at}", f"Number {at}", "it speaks of data, and of the old town") for at in range(3)]
    await remember(
        graph, who, [*texts, note("data", "Data"), note("town", "Old Town"), note("own", "Data", "More data.")]
    )
    await settle()
    every = {(f"t{at}", uid) for at in range(3) for uid in ("data", "town", "own")}
    assert await mention_edges(graph, tenant) == every
    await remember(graph, who, [note(f"f{at}", f"Filler {at}") for at in range(4)])
    await settle()
    assert await mention_edges(graph, tenant) == set()
    await update(graph, who, "t0", Patch(content="it speaks of data"))
    await settle()
    assert await mention_edges(graph, tenant) == {("t1", "town"), ("t2", "town")}
    await remember(graph, who, [note("new", "Something new", "it has data in the old town")])
    await settle()
    assert await mention_edges(graph, tenant) == set()
    for uid in ("f0", "f1", "f2", "f3"):
        await delete(graph, who, uid)
    await settle()
    assert await mention_edges(graph, tenant) == {
        *((uid, to) for uid in ("t0", "t1", "t2", "new") for to in ("data", "own")),
        *((uid, "town") for uid in ("t1", "t2", "new")),
    }
