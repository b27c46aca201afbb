"""Inside a tenant, knowledge about a customer is seen only by those who name that customer."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests import operations
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import arrow, ids, note
from tests.knowledge.support import counted, replace_in_use
from tests.operations import edges, knowledge, link, listed, path, remember, search, traverse, unlink, update

NESTED = """
query ($id: ID!, $resourceId: ID) {
  knowledge(id: $id, resourceId: $resourceId) {
    edges { edges { edge { from to } node { id } } }
    relatedTo { id relatedTo { id } } dependsOn { id } dependents { id } supersedes { id } supersededBy { id }
    conflictsWith { id } mentions { id mentionedIn { id } } mentionedIn { id } derivedFrom { path }
  }
}
"""
INGEST = 'mutation ($text: String!) { ingestDocument(path: "r1.md", text: $text, resourceId: "r1") { created } }'


@pytest.fixture
async def filled(client: Client, settle: Settle, graph: Graph, tenant: Tenant) -> Client:
    """Shared s1 and s2; about r1: p1, joined to both by edges of every type and by mentions, and p2; about r2: q1."""
    nodes = [
        note("s1", "Alder", "We like Private matter and Birch", resourceId="*"),
        note("s2", "Birch", "two", resourceId="*"),
        note("p1", "Private matter", "Alder and Birch, says the customer", tags=["vip"], metadata={"k": "v"}),
        note("p2", "Private notes", "three"),
        note("q1", "Quiet matter", "Alder again", resourceId="r2"),
    ]  # fmt: skip
    kinds = ["RELATED_TO", "DEPENDS_ON", "CONFLICTS_WITH"]
    joined = [arrow("s1", kind, "p1") for kind in kinds] + [arrow("p1", kind, "s2") for kind in kinds]
    await remember(client, nodes, [*joined, arrow("p1", "RELATED_TO", "p2")], resourceId="r1")
    await replace_in_use(graph, tenant, ("s1", "p1"), ("p1", "s2"))
    await client.query(INGEST, text="# Contract\n\nSigned.\n")
    await settle()
    return client


def mentioned_ids(answer: Any) -> set[str]:
    """Every id that stands anywhere in an answer."""
    if isinstance(answer, dict):
        return {str(answer[key]) for key in ("id", "from", "to") if key in answer}.union(
            *map(mentioned_ids, answer.values())
        )
    return set().union(*map(mentioned_ids, answer)) if isinstance(answer, list) else set()


PRIVATE = {"p1", "p2", "q1", "r1.md"}


@pytest.mark.parametrize(
    ("document", "variables"),
    [
        (operations.LIST, {"first": 100}),
        (operations.LIST, {"filter": {"tags": ["vip"]}}),
        (operations.SEARCH, {"input": {"query": "private matter of the customer", "maxDepth": 4, "topK": 50}}),
        (operations.SEARCH, {"input": {"query": "alder", "maxDepth": 4, "direction": "BOTH"}}),
        (operations.SEARCH, {"input": {"query": "private", "mode": "VECTOR", "topK": 50, "direction": "IN"}}),
        (operations.SEARCH, {"input": {"query": "customer", "tags": ["vip"]}}),
        (operations.SEARCH, {"input": {"query": "customer", "metadata": {"k": "v"}}}),
        (operations.TRAVERSE, {"from": "s1", "maxDepth": 4, "direction": "BOTH"}),
        (operations.TRAVERSE, {"from": "s2", "maxDepth": 4, "direction": "BOTH"}),
        (operations.EDGES, {"id": "s1"}),
        (operations.EDGES, {"id": "s2"}),
        (NESTED, {"id": "s1"}),
        (NESTED, {"id": "s2"}),
        (operations.PATH, {"from": "s1", "to": "s2", "direction": "BOTH", "edgeTypes": ["RELATED_TO", "DEPENDS_ON"]}),
    ],
)
async def test_nothing_about_a_customer_is_in_what_is_shared(
    filled: Client, document: str, variables: dict[str, Any]
) -> None:
    answer = await filled.query(document, **variables)
    assert not mentioned_ids(answer) & PRIVATE
    assert "rivate" not in str([hit["node"] for hit in answer.get("search", {}).get("hits", [])])


async def test_who_names_the_customer_sees_what_is_shared_and_about_it(filled: Client) -> None:
    assert set(ids((await listed(filled, resourceId="r1"))["nodes"])) >= {"s1", "s2", "p1", "p2"}
    assert set(ids((await listed(filled, resourceId="r2"))["nodes"])) == {"s1", "s2", "q1"}
    found = await search(filled, "private matter", resourceId="r1", topK=1, expand=False)
    assert (ids(found["hits"])[0], found["resourceId"]) == ("p1", "r1")
    assert set(ids((await traverse(filled, "s1", resourceId="r1"))["hits"])) >= {"s1", "p1"}
    steps = (await path(filled, "s1", "s2", resourceId="r1", edgeTypes=["RELATED_TO"]))["steps"]
    assert [step["to"] for step in steps] == ["p1", "s2"]
    assert len(await edges(filled, "p1", resourceId="r1", first=100)) == 12
    nested = (await filled.query(NESTED, id="p1", resourceId="r1"))["knowledge"]
    assert {one["id"] for one in nested["relatedTo"]} == {"s1", "s2", "p2"}
    assert not mentioned_ids(nested) & {"q1"}
    assert (await search(filled, "private", resourceId="r2"))["resourceId"] == "r2"


async def test_an_id_about_another_customer_is_answered_as_one_that_was_made_up(filled: Client) -> None:
    said = set()
    for uid in ("p1", "q1", "zz"):
        own = {"p1": "r2", "q1": "r1", "zz": "r1"}[uid]
        for resource in (None, own):
            assert await knowledge(filled, uid, resource) is None
            for document, variables in (
                (operations.TRAVERSE, {"from": uid}), (operations.PATH, {"from": uid, "to": "s1"}),
                (operations.UPDATE, {"id": uid, "patch": {"content": "Taken"}}),
            ):  # fmt: skip
                error = await filled.error(document, **variables, resourceId=resource)
                said.add((error["code"], error["message"].replace(uid, "ID")))
            waiting = (await link(filled, [arrow("s1", "RELATED_TO", uid)], resourceId=resource))["pending"]
            assert len(waiting) == 1
            assert len((await unlink(filled, [arrow("s1", "RELATED_TO", uid)], resourceId=resource))["closed"]) == 1
    assert said == {("NOT_FOUND", "there is no knowledge node 'ID'")}


@pytest.mark.parametrize("resource", ["r1", "r2"])
async def test_a_bound_key_sees_its_own_customer_without_naming_it(
    filled: Client, connect_as: Connect, resource: str
) -> None:
    bound = await connect_as(resource=resource)
    own, foreign = ({"p1", "p2"}, {"q1"}) if resource == "r1" else ({"q1"}, {"p1", "p2"})
    seen = set(ids((await listed(bound))["nodes"]))
    assert seen >= own | {"s1", "s2"}
    assert not seen & foreign
    assert not mentioned_ids(await search(bound, "private quiet matter", topK=50, maxDepth=4)) & foreign
    for uid in foreign:
        assert await knowledge(bound, uid) is None
    assert (await search(bound, "matter"))["resourceId"] == resource


async def test_a_bound_key_can_name_no_other_customer(filled: Client, connect_as: Connect) -> None:
    bound = await connect_as(resource="r1")
    calls: list[tuple[str, dict[str, Any]]] = [
        (operations.KNOWLEDGE, {"id": "s1"}), (operations.LIST, {}), (operations.TRAVERSE, {"from": "s1"}),
        (operations.PATH, {"from": "s1", "to": "s2"}), (operations.EDGES, {"id": "s1"}),
        (operations.REMEMBER, {"nodes": [note("n")]}), (operations.UPDATE, {"id": "p1", "patch": {"content": "x"}}),
        (operations.LINK, {"edges": [arrow("p1", "RELATED_TO", "p2")]}),
        (operations.UNLINK, {"edges": [arrow("p1", "RELATED_TO", "p2")]}),
    ]  # fmt: skip
    for other in ("r2", "*", "R1", "r1 "):
        for document, variables in calls:
            assert (await bound.error(document, **variables, resourceId=other))["code"] == "FORBIDDEN"
        assert (await bound.error(operations.SEARCH, input={"query": "x", "resourceId": other}))["code"] == "FORBIDDEN"
        error = await bound.error(operations.REMEMBER, nodes=[note("n", resourceId=other)])
        assert error["code"] == "FORBIDDEN"
    assert (await knowledge(bound, "s1", "r1"))["id"] == "s1"


async def test_a_bound_key_writes_only_about_its_own_customer(
    filled: Client, connect_as: Connect, graph: Graph, tenant: Tenant
) -> None:
    bound = await connect_as(resource="r1")
    before = await counted(graph, tenant)
    assert (await bound.error(operations.UPDATE, id="s1", patch={"content": "Taken"}))["code"] == "FORBIDDEN"
    for kind in ("RELATED_TO", "DEPENDS_ON", "SUPERSEDES", "CONFLICTS_WITH"):
        assert (await bound.error(operations.LINK, edges=[arrow("s1", kind, "s2")]))["code"] == "FORBIDDEN"
    shared = [arrow("s2", "DEPENDS_ON", "s1")]
    assert (await bound.error(operations.REMEMBER, nodes=[note("n")], edges=shared))["code"] == "FORBIDDEN"
    for uid in ("s1", "q1"):
        assert (await bound.error(operations.REMEMBER, nodes=[note(uid)]))["code"] == "CONFLICT"
    assert await counted(graph, tenant) == before
    done = await remember(bound, [note("n"), note("p1", "Private matter", "Changed")], [arrow("n", "RELATED_TO", "s1")])
    assert (done["created"], done["updated"], done["edgesCreated"]) == (["n"], ["p1"], 1)
    assert (await knowledge(bound, "n"))["resourceId"] == "r1"
    assert await knowledge(filled, "n") is None
    assert (await update(bound, "n", {"content": "Again"}))["version"] == 2


async def test_owners_that_look_alike_stay_apart(client: Client, settle: Settle) -> None:
    """B27."""
    owners = ["a", "a_b", "a/b", "a:b", "a.b", "a b", "A", "ä", "a\u0308", "\U0001f98a", "a\u200b", "a*", "**"]
    await remember(client, [note(f"n{at}", "Tide tables", "water", resourceId=one) for at, one in enumerate(owners)])
    await settle()
    for at, owner in enumerate(owners):
        assert ids((await listed(client, resourceId=owner))["nodes"]) == [f"n{at}"]
        assert (await knowledge(client, f"n{at}", owner))["resourceId"] == owner
        for mode in ("TEXT", "VECTOR"):
            found = await search(client, "tide tables", mode=mode, resourceId=owner)
            assert ids(found["hits"]) == [f"n{at}"]


async def test_knowledge_may_be_said_to_be_shared_in_a_call_about_a_customer(client: Client) -> None:
    await remember(client, [note("own"), note("all", resourceId="*")], resourceId="r1")
    assert (await knowledge(client, "all"))["resourceId"] is None
    assert await knowledge(client, "own") is None
    assert (await knowledge(client, "own", "r1"))["resourceId"] == "r1"
    assert (await search(client, "title", resourceId="*"))["resourceId"] is None
