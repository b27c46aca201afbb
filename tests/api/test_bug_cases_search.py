"""Faults of searches and lists seen in others' memory stores; the id of the case stands in the docstring."""

from __future__ import annotations

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests import operations
from tests.client import Client
from tests.conftest import Settle
from tests.factories import ids, note, plants
from tests.operations import audit, listed, remember, search
from tests.upkeep.support import forget_vector, plant

DELETE = "mutation ($id: ID!) { deleteKnowledge(id: $id) { id } }"


async def test_a_node_with_no_vector_or_a_wrong_one_spoils_no_search(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    """B65"""
    await remember(client, plants(13))
    await settle()
    await forget_vector(graph, tenant, "p10")
    await plant(graph, "set", tenant, "p11", properties={f"embedding_{graph.generation}": [1.0] * 32})
    await plant(graph, "set", tenant, "p12", properties={f"embedding_{graph.generation}": [0.0] * 64})
    found = await search(client, "alder", mode="VECTOR", topK=10, expand=False)
    assert sorted(ids(found["hits"])) == sorted(f"p{at}" for at in range(10))
    assert found["hits"][0]["node"]["id"] == "p0"
    assert "p11" in ids((await search(client, "larch", mode="HYBRID"))["hits"])
    for name, faulty in (("missing_vectors", ["p10"]), ("wrong_size_vectors", ["p11", "p12"])):
        rows = (await client.query("query ($name: String!) { audit(name: $name) { id } }", name=name))["audit"]
        assert ids(rows) == faulty


@pytest.mark.parametrize("mode", ["VECTOR", "HYBRID"])
async def test_what_is_hardly_alike_is_not_cut_off(client: Client, settle: Settle, mode: str) -> None:
    """B70: a search has no threshold; tests/conversation/test_recall.py has that of recall."""
    await remember(client, plants(12))
    await settle()
    for top, count in ((5, 5), (50, 12)):
        found = await search(client, "xylophone zeppelin", mode=mode, topK=top, limit=50, expand=False)
        assert len(ids(found["hits"])) == count


async def test_no_filter_negates(client: Client) -> None:
    """B71: a pair of metadata is there or isn't, and a null is a value."""
    given = {"a": {"age": 30}, "b": {}, "c": {"age": None}, "d": {"age": 40}}
    await remember(client, [note(uid, content="Of some age.", metadata=data) for uid, data in given.items()])
    for pairs, expected in (
        ({"age": 30}, ["a"]),
        ({"age": None}, ["c"]),
        ({"age": 50}, []),
        ({}, ["a", "b", "c", "d"]),
    ):
        assert sorted(ids((await listed(client, filter={"metadata": pairs}))["nodes"])) == expected
        assert sorted(ids((await search(client, "age", mode="TEXT", metadata=pairs))["hits"])) == expected
    for field in ("not", "metadataNot", "metadata_ne", "exists"):
        assert (await client.error(operations.LIST, filter={field: {"age": 30}}))["code"] == "INVALID_INPUT"
    assert ids((await listed(client, filter={"metadata": {"age": {"$ne": 30}}}))["nodes"]) == []


async def test_a_filter_comes_before_the_limit_of_a_page(client: Client) -> None:
    """B74"""
    await remember(client, [note(f"old{at}", tags=["x"], createdAt=f"2020-01-0{at}T00:00:00Z") for at in (1, 2, 3)])
    await remember(client, [note(f"n{at}", content=f"Number {at}.") for at in range(300)])
    for order, expected in (("CREATED_DESC", ["old3", "old2", "old1"]), ("CREATED_ASC", ["old1", "old2", "old3"])):
        page = await listed(client, filter={"tags": ["x"]}, first=10, orderBy=order)
        assert (ids(page["nodes"]), page["pageInfo"]["hasNextPage"]) == (expected, False)
        first = await listed(client, filter={"tags": ["x"]}, first=2, orderBy=order)
        assert (ids(first["nodes"]), first["pageInfo"]["hasNextPage"]) == (expected[:2], True)
        after = first["pageInfo"]["endCursor"]
        rest = await listed(client, filter={"tags": ["x"]}, first=2, orderBy=order, after=after)
        assert (ids(rest["nodes"]), rest["pageInfo"]["hasNextPage"]) == (expected[2:], False)


async def test_fewer_than_were_asked_for_are_all_there_are(client: Client, settle: Settle) -> None:
    """B79: also on a tenant that never had any, and again and again."""
    for mode in ("VECTOR", "HYBRID"):
        assert (await search(client, "alder", mode=mode))["hits"] == []
    for turn in range(5):
        await remember(client, [note(f"{turn} {at}", f"Alder {at}", tags=["x"] if at < 2 else []) for at in range(10)])
        await settle()
        for gone, left in ((None, 2), (f"{turn} 0", 1), (f"{turn} 1", 0)):
            if gone:
                await client.query(DELETE, id=gone)
            for mode in ("VECTOR", "HYBRID"):
                found = await search(client, "alder", mode=mode, tags=["x"], topK=5, expand=False)
                assert len(found["hits"]) == left
        assert len((await search(client, "alder", mode="VECTOR", topK=20, expand=False))["hits"]) == 8
        for at in range(2, 10):
            await client.query(DELETE, id=f"{turn} {at}")
        assert (await search(client, "alder", mode="VECTOR"))["hits"] == []
    assert await audit(client, "missing_vectors") == []
