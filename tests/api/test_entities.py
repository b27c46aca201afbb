"""Names found in texts, over GraphQL."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.graph.trips import count_trips
from graphmem.values import Tenant
from tests import operations
from tests.api.test_as_of import now
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import note

ENTITIES = """
query ($filter: EntityFilter, $first: Int! = 20, $after: String, $resourceId: ID) {
  entities(filter: $filter, first: $first, after: $after, resourceId: $resourceId) {
    nodes { id name spellings nodeCount mentionedIn { nodes { id } } }
    pageInfo { hasNextPage endCursor }
  }
}
"""
ENTITY = """
query ($id: ID!, $resourceId: ID, $first: Int! = 20, $after: String) {
  entity(id: $id, resourceId: $resourceId) {
    name nodeCount
    mentionedIn(first: $first, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
  }
}
"""
OF_NODE = """
query ($id: ID!, $resourceId: ID) { knowledge(id: $id, resourceId: $resourceId) { entities { name nodeCount } } }
"""
NOTES = [
    note("a", "one", "in São Paulo with Ann Lee"), note("b", "two", "to são paulo"),
    note("c", "three", "of Ann Lee in Zürich"), note("d", "four", "the Sao Paulo office"),
]  # fmt: skip


async def stored(client: Client, settle: Settle, *nodes: dict[str, Any]) -> None:
    await client.query(operations.REMEMBER, nodes=list(nodes))
    await settle()


async def listed(client: Client, **variables: Any) -> list[tuple[str, int, list[str]]]:
    page = (await client.query(ENTITIES, **variables))["entities"]
    return [
        (one["name"], one["nodeCount"], [node["id"] for node in one["mentionedIn"]["nodes"]]) for one in page["nodes"]
    ]


async def test_entities_are_listed_with_the_nodes_that_have_them(client: Client, settle: Settle) -> None:
    await stored(client, settle, *NOTES)
    every = [("Ann Lee", 2, ["a", "c"]), ("Sao Paulo", 3, ["a", "b", "d"]), ("Zürich", 1, ["c"])]
    assert await listed(client) == every
    assert await listed(client, filter={"text": "SÃO p"}) == every[1:2]
    assert await listed(client, filter={"minNodes": 2}) == every[:2]
    assert await listed(client, filter={"text": "nobody"}) == []


async def test_pages_of_entities_make_up_the_list(client: Client, settle: Settle) -> None:
    await stored(client, settle, *NOTES)
    found: list[str] = []
    after = None
    while True:
        page = (await client.query(ENTITIES, first=1, after=after))["entities"]
        found += [one["name"] for one in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
    assert found == ["Ann Lee", "Sao Paulo", "Zürich"]


async def test_pages_of_the_nodes_that_have_an_entity_make_up_the_list(client: Client, settle: Settle) -> None:
    await stored(client, settle, *NOTES)
    (entity,) = (await client.query(ENTITIES, filter={"text": "paulo"}))["entities"]["nodes"]
    found: list[str] = []
    after = None
    while True:
        page = (await client.query(ENTITY, id=entity["id"], first=1, after=after))["entity"]["mentionedIn"]
        found += [node["id"] for node in page["nodes"]]
        if not page["pageInfo"]["hasNextPage"]:
            break
        after = page["pageInfo"]["endCursor"]
    assert found == ["a", "b", "d"]


async def test_what_stands_only_in_unseen_customers_texts_does_not_show(
    client: Client, connect_as: Connect, settle: Settle, tenant: Tenant
) -> None:
    await stored(
        client, settle, note("shared", "one", "of Ann Lee and the acme deal"),
        note("theirs", "two", "ANN LEE, ANN LEE and Acme", resourceId="r1"),
    )  # fmt: skip
    acme, ann = (await client.query(ENTITIES, resourceId="r1"))["entities"]["nodes"]
    assert (acme["name"], acme["nodeCount"], ann["spellings"]) == ("Acme", 2, ["ANN LEE", "Ann Lee"])
    for resource in (None, "r2"):
        assert await listed(client, resourceId=resource) == [("Ann Lee", 1, ["shared"])]
        assert await listed(client, resourceId=resource, filter={"minNodes": 2}) == []
        assert (await client.query(ENTITY, id=acme["id"], resourceId=resource))["entity"] is None
        found = (await client.query(OF_NODE, id="shared", resourceId=resource))["knowledge"]["entities"]
        assert found == [{"name": "Ann Lee", "nodeCount": 1}]
    bound = await connect_as(resource="r2")
    assert await listed(bound) == [("Ann Lee", 1, ["shared"])]
    stranger = await connect_as(tenant=Tenant(f"{tenant} other"))
    assert await listed(stranger) == []
    assert (await stranger.query(ENTITY, id=ann["id"]))["entity"] is None


async def test_the_entities_of_many_nodes_come_in_one_trip(client: Client, settle: Settle) -> None:
    await stored(client, settle, *NOTES)
    document = "{ knowledgeNodes { nodes { id entities { name mentionedIn { nodes { id } } } } } }"
    with count_trips() as trips:
        found = (await client.query(document))["knowledgeNodes"]["nodes"]
    names = {node["id"]: [entity["name"] for entity in node["entities"]] for node in found}
    assert names == {"a": ["Ann Lee", "Sao Paulo"], "b": ["Sao Paulo"], "c": ["Ann Lee", "Zürich"], "d": ["Sao Paulo"]}
    assert sorted(trip.statement for trip in trips.made if "entit" in trip.statement) == [
        "knowledge/entities_of_nodes", "knowledge/nodes_with_entities",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("variables", "code", "field"),
    [
        ({"filter": {"text": "?!"}}, "INVALID_INPUT", "filter.text"),
        ({"filter": {"minNodes": 0}}, "INVALID_INPUT", "filter.minNodes"),
        ({"filter": {"minNodes": 1_000_000}}, "LIMIT_EXCEEDED", "filter.minNodes"),
        ({"after": "x"}, "INVALID_INPUT", "after"),
        ({"first": 0}, "INVALID_INPUT", "first"),
    ],
)
async def test_nonsense_is_refused_by_name(client: Client, variables: dict[str, Any], code: str, field: str) -> None:
    error = await client.error(ENTITIES, **variables)
    assert (error["code"], error["field"]) == (code, field)


OF_THEN = """
query ($asOf: DateTime, $validAt: DateTime) {
  entities(asOf: $asOf, validAt: $validAt) { nodes { id name nodeCount mentionedIn { nodes { id content } } } }
  knowledge(id: "a", asOf: $asOf, validAt: $validAt) { entities { name mentionedIn { nodes { id } } } }
}
"""


async def test_entities_are_those_of_the_moment_asked_for(
    client: Client, connect_as: Connect, settle: Settle, tenant: Tenant
) -> None:
    """Names, counts, spellings and nodes; what an edit has taken away is there as it was."""
    await stored(client, settle, note("a", "one", "in HANK SNOW"), note("b", "two", "of Hank Snow"))
    then = now()
    await client.query(operations.UPDATE, id="a", patch={"content": "in Kew Garden"})
    await stored(client, settle, note("b", "two", "of hank snow"))
    assert await listed(client) == [("Kew Garden", 1, ["a"])]
    found = await client.query(OF_THEN, asOf=then)
    (entity,) = found["entities"]["nodes"]
    uid = entity.pop("id")
    nodes = [{"id": "a", "content": "in HANK SNOW"}, {"id": "b", "content": "of Hank Snow"}]
    assert entity == {"name": "HANK SNOW", "nodeCount": 2, "mentionedIn": {"nodes": nodes}}
    assert found["knowledge"]["entities"] == [
        {"name": "HANK SNOW", "mentionedIn": {"nodes": [{"id": "a"}, {"id": "b"}]}}
    ]
    one = "query ($id: ID!, $asOf: DateTime) { entity(id: $id, asOf: $asOf) { name } }"
    assert (await client.query(one, id=uid, asOf=then))["entity"] == {"name": "HANK SNOW"}
    assert (await client.query(one, id=uid))["entity"] is None
    stranger = await connect_as(tenant=Tenant(f"{tenant} 2"))
    assert (await stranger.query(one, id=uid, asOf=then))["entity"] is None
    assert (await stranger.query(OF_THEN, asOf=then))["entities"]["nodes"] == []


async def test_entities_are_counted_by_what_was_true(client: Client, settle: Settle) -> None:
    times = {"validFrom": "2020-01-01T00:00:00Z", "validTo": "2022-01-01T00:00:00Z"}
    later = {"validFrom": "2021-01-01T00:00:00Z"}
    await stored(client, settle, note("a", "one", "in Hank Snow", **times), note("b", "two", "of Hank Snow", **later))
    for at, uids in (
        ("2019-06-01", []),
        ("2020-06-01", [["a"]]),
        ("2021-06-01", [["a", "b"]]),
        ("2023-06-01", [["b"]]),
    ):
        found = (await client.query(OF_THEN, validAt=f"{at}T00:00:00Z"))["entities"]["nodes"]
        assert [[node["id"] for node in entity["mentionedIn"]["nodes"]] for entity in found] == uids
