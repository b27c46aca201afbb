"""Faults seen in others' graph walks, each tried here. The id of the case stands in the docstring."""

from __future__ import annotations

from random import Random

import pytest

from graphmem.graph.gateway import Graph
from graphmem.knowledge.remember import remember as remember_nodes
from graphmem.values import EdgeType, Tenant
from tests import operations
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import arrow, chain, edge, ids, node, note, plants, principal
from tests.knowledge.support import join
from tests.operations import edges, link, listed, path, remember, search, traverse, update


async def test_an_edge_is_told_though_its_other_end_was_not_asked_for(client: Client, settle: Settle) -> None:
    """B80"""
    await remember(client, plants(3), [arrow("p0", "DEPENDS_ON", "p1"), arrow("p2", "RELATED_TO", "p0")])
    await settle()
    assert set(await edges(client, "p0")) == {("p0", "DEPENDS_ON", "p1"), ("p2", "RELATED_TO", "p0")}
    assert await edges(client, "p1") == [("p0", "DEPENDS_ON", "p1")]
    found = await search(client, "alder", topK=1, expand=False)
    assert ids(found["hits"]) == ["p0"]
    assert found["edges"] == [arrow("p0", "DEPENDS_ON", "p1")]
    both = await search(client, "alder birch", topK=2, expand=False)
    assert both["edges"].count(arrow("p0", "DEPENDS_ON", "p1")) == 1


async def test_an_edge_to_nothing_waits_and_is_walked_by_nobody(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    """B81; an end that is missing is reported as pending and not refused."""
    await remember(client, plants(2))
    batch = [arrow("p0", "DEPENDS_ON", "p1"), arrow("p0", "DEPENDS_ON", "ghost"), arrow("p1", "DEPENDS_ON", "p0")]
    done = await link(client, batch)
    assert (len(done["created"]), done["pending"]) == (2, [arrow("p0", "DEPENDS_ON", "ghost")])
    log = (await client.query("{ changes(first: 1) { nodes { id } } }"))["changes"]["nodes"][0]["id"]
    assert len((await link(client, [arrow("p0", "RELATED_TO", log)]))["pending"]) == 1
    assert (await remember(client, [note("n", connections=["gone"])]))["pending"] == [arrow("n", "RELATED_TO", "gone")]
    assert len(await operations.audit(client, "dangling_links")) == 3
    # What an older store or an import may have left behind.
    await join(graph, (tenant, "p0"), "RELATED_TO", (tenant, log))
    assert set(ids((await traverse(client, "p0", maxDepth=4, direction="BOTH"))["hits"])) == {"p0", "p1"}
    assert await edges(client, "p0", types=["RELATED_TO"]) == []


async def test_what_a_cap_leaves_does_not_depend_on_the_order_of_writing(
    connect_as: Connect, tenant: Tenant, settle: Settle
) -> None:
    """B84; each order in a tenant of its own."""
    spokes = [f"s{at:02}" for at in range(40)]
    answers = []
    for seed in range(2):
        own = Tenant(f"{tenant} {seed}")
        client = await connect_as(tenant=own)
        order = Random(seed).sample(spokes, 40)
        await remember(client, [note("hub", "Central station"), *map(note, order)])
        for uid in order:
            await link(client, [arrow("hub", "RELATED_TO", uid)])
        await settle(own)
        for _ in range(5):
            assert ids((await traverse(client, "hub", limit=10))["hits"]) == ["hub", *spokes[:9]]
            assert [one[2] for one in await edges(client, "hub", first=10)] == spokes[:10]
            answers.append((await search(client, "central station", topK=1, limit=11))["hits"])
    assert answers == [answers[0]] * 10
    assert len(answers[0]) == 11


async def test_depth_counts_edges(client: Client) -> None:
    """B85; a depth over the limit is an error."""
    await remember(client, plants(5), chain("p0", "p1", "p2", "p3", "p4"))
    for depth, reached in ((0, 1), (1, 2), (2, 3), (4, 5)):
        hits = (await traverse(client, "p0", maxDepth=depth))["hits"]
        assert [(hit["node"]["id"], hit["depth"]) for hit in hits] == [(f"p{at}", at) for at in range(reached)]
    for depth, code in ((50, "LIMIT_EXCEEDED"), (-1, "INVALID_INPUT")):
        error = await client.error(operations.TRAVERSE, **{"from": "p0"}, maxDepth=depth)
        assert error["code"] == code
    assert set(ids((await traverse(client, "p2"))["hits"])) == {"p1", "p2", "p3"}
    assert set(ids((await traverse(client, "p2", direction="OUT"))["hits"])) == {"p2", "p3"}


async def test_circles_and_double_edges_are_walked_once(client: Client) -> None:
    """B88, within the deepest walk that is allowed; an edge of a node to itself is refused."""
    await remember(client, plants(3))
    given = [
        arrow("p0", "RELATED_TO", "p1"), arrow("p0", "DEPENDS_ON", "p1"), arrow("p1", "RELATED_TO", "p0"),
        arrow("p1", "RELATED_TO", "p2"), arrow("p2", "RELATED_TO", "p0"),
    ]  # fmt: skip
    assert (await client.error(operations.LINK, edges=[*given, arrow("p0", "RELATED_TO", "p0")]))["field"] == "edges[5]"
    await link(client, given)
    found = await traverse(client, "p0", maxDepth=4, direction="BOTH")
    assert {hit["node"]["id"]: hit["depth"] for hit in found["hits"]} == {"p0": 0, "p1": 1, "p2": 1}
    assert len(found["hits"]) == 3
    key = lambda one: (one["from"], one["type"], one["to"])  # noqa: E731
    assert sorted(found["edges"], key=key) == sorted(given, key=key)


async def test_a_hub_is_answered_within_the_caps_and_says_so(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    """B86: two seeds beside a hub of 5,000 neighbours of two kilobytes each."""
    who = principal(tenant)
    text = "lorem ipsum " * 170
    await remember_nodes(graph, who, [node("hub", "Central station"), node("a", "Alder"), node("b", "Birch")])
    for part in range(5):
        spokes = [node(f"n{part}{at:03}", content=f"{text}{part}{at}") for at in range(1000)]
        joined = [edge(one.id or "", EdgeType.RELATED_TO, "hub") for one in spokes]
        await remember_nodes(graph, who, spokes, joined)
    near = [edge("a", EdgeType.RELATED_TO, "hub"), edge("b", EdgeType.RELATED_TO, "hub")]
    await remember_nodes(graph, who, [], near)
    for found in (
        await search(client, "alder birch", topK=2, maxDepth=2, limit=200, mode="TEXT"),
        await traverse(client, "a", maxDepth=2, limit=200),
    ):
        assert {"a", "hub"} <= set(ids(found["hits"]))
        assert len(found["hits"]) <= 3 + 25
        assert ("SCAN", 2, "hub") in {(cap["name"], cap["depth"], cap["nodeId"]) for cap in found["caps"]}
        assert found["roundTrips"] <= 3
    response = await client.post(operations.TRAVERSE, {"from": "hub", "maxDepth": 4, "limit": 200})
    assert len(response.content) < 100_000
    nested = '{ knowledge(id: "hub") { edges(first: 200) { capped edges { node { id } } } } }'
    found = (await client.query(nested))["knowledge"]["edges"]
    assert (len(found["edges"]), found["capped"]) == (200, True)


@pytest.mark.parametrize("order", ["CREATED_ASC", "CREATED_DESC", "UPDATED_ASC", "UPDATED_DESC"])
async def test_pages_are_whole_while_nodes_are_added(client: Client, order: str) -> None:
    await remember(client, [note(f"n{at:02}") for at in range(20)])
    seen: list[str] = []
    after = None
    for turn in range(10):
        page = await listed(client, first=3, after=after, orderBy=order)
        seen += ids(page["nodes"])
        after = page["pageInfo"]["endCursor"]
        await remember(client, [note(f"new{turn}")])
        if not page["pageInfo"]["hasNextPage"]:
            break
    assert len(seen) == len(set(seen))
    assert {uid for uid in seen if uid.startswith("n") and not uid.startswith("new")} == {
        f"n{at:02}" for at in range(20)
    }


async def test_a_way_is_told_over_http_with_its_nodes_and_steps(client: Client) -> None:
    await remember(client, plants(3), [arrow("p1", "DEPENDS_ON", "p0"), arrow("p1", "RELATED_TO", "p2")])
    assert await path(client, "p0", "p2", direction="BOTH") == {
        "nodes": [{"id": "p0"}, {"id": "p1"}, {"id": "p2"}],
        "steps": [
            {"from": "p0", "to": "p1", "type": "DEPENDS_ON", "forward": False},
            {"from": "p1", "to": "p2", "type": "RELATED_TO", "forward": True},
        ],
    }
    assert await path(client, "p0", "p2") is None
    await update(client, "p1", {"status": "DRAFT"})
    assert await path(client, "p0", "p2", direction="BOTH") is None
