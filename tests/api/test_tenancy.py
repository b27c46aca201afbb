"""What another tenant has is as if it were not there."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Scope, Tenant
from tests import operations
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import arrow, ids, note
from tests.knowledge.support import counted, join
from tests.operations import edges, knowledge, link, listed, path, remember, search, traverse, unlink

OTHERS = [
    note("theirs", "Secret harbour", "Nobody knows the harbour", tags=["t"], metadata={"k": "v"}, aliases=["Old port"]),
    note("quay", "Secret quay", "See Secret harbour"),
]


@pytest.fixture
def other(tenant: Tenant) -> Tenant:
    return Tenant(f"{tenant} other")


@pytest.fixture
async def stranger(connect_as: Connect, settle: Settle, other: Tenant) -> Client:
    """Another tenant's client, with two notes, an edge and a mention between them."""
    client = await connect_as(tenant=other)
    await remember(client, OTHERS, [arrow("theirs", "RELATED_TO", "quay")])
    await settle(other)
    return client


READS: list[tuple[str, dict[str, Any]]] = [
    (operations.KNOWLEDGE, {"id": "ID"}),
    (operations.EDGES, {"id": "ID"}),
    (operations.TRAVERSE, {"from": "ID"}),
    (operations.PATH, {"from": "ID", "to": "mine"}),
    (operations.PATH, {"from": "mine", "to": "ID"}),
    (operations.UPDATE, {"id": "ID", "patch": {"content": "Taken"}}),
    (operations.UPDATE, {"id": "ID", "patch": {"content": "Taken"}, "expectedVersion": 1}),
    (operations.LINK, {"edges": [arrow("mine", "DEPENDS_ON", "ID")]}),
    (operations.LINK, {"edges": [arrow("ID", "SUPERSEDES", "quay")]}),
    (operations.UNLINK, {"edges": [arrow("ID", "RELATED_TO", "quay")]}),
    (operations.REMEMBER, {"edges": [arrow("ID", "CONFLICTS_WITH", "mine")]}),
    (operations.REMEMBER, {"nodes": [note("mine", connections=["ID"])]}),
]


@pytest.mark.parametrize(("document", "variables"), READS)
async def test_another_tenants_id_is_answered_as_one_that_was_made_up(
    client: Client, stranger: Client, graph: Graph, other: Tenant, document: str, variables: dict[str, Any]
) -> None:
    """B23"""
    await remember(client, [note("mine")])
    before = await counted(graph, other)

    async def answer(uid: str) -> str:
        asked = json.loads(json.dumps(variables).replace("ID", uid))
        return (await client.post(document, asked)).text.replace(uid, "ID")

    # Of equal length, and in the same place among other ids.
    assert await answer("theirs") == await answer("thisis")
    assert await counted(graph, other) == before
    assert (await knowledge(stranger, "theirs"))["version"] == 1


async def test_another_tenants_id_can_be_ones_own(client: Client, stranger: Client) -> None:
    done = await remember(client, [note("theirs", "Mine", "Own words")], [arrow("theirs", "RELATED_TO", "quay")])
    assert done["created"] == ["theirs"]
    assert done["pending"] == [arrow("theirs", "RELATED_TO", "quay")]
    assert (await knowledge(client, "theirs"))["title"] == "Mine"
    assert (await knowledge(stranger, "theirs"))["title"] == "Secret harbour"
    assert await edges(stranger, "theirs", types=["RELATED_TO"]) == [("theirs", "RELATED_TO", "quay")]
    assert await edges(client, "theirs") == []


@pytest.mark.parametrize("mode", ["HYBRID", "TEXT", "VECTOR"])
async def test_a_search_brings_nothing_of_another_tenant(
    client: Client, stranger: Client, settle: Settle, mode: str
) -> None:
    await remember(client, [note("mine", "Harbour", "A harbour of my own")])
    await settle()
    for query in ("Secret harbour", "Old port", "harbour", "nobody knows"):
        found = await search(client, query, mode=mode, topK=100, limit=200, maxDepth=4)
        assert set(ids(found["hits"])) <= {"mine"}
        assert found["edges"] == []
    for more in ({"tags": ["t"]}, {"metadata": {"k": "v"}}):
        assert (await search(client, "harbour", mode=mode, **more))["hits"] == []
    assert set(ids((await search(stranger, "harbour", mode=mode, topK=100))["hits"])) == {"theirs", "quay"}


async def test_lists_audits_and_logs_are_a_tenants_own(client: Client, stranger: Client) -> None:
    await remember(client, [note("mine")], [arrow("mine", "RELATED_TO", "ghost")])
    assert ids((await listed(client))["nodes"]) == ["mine"]
    assert set(ids((await listed(stranger))["nodes"])) == {"theirs", "quay"}
    assert len(await operations.audit(client, "dangling_links")) == 1
    assert await operations.audit(stranger, "dangling_links") == []
    log = (await client.query("{ changes { nodes { touched } } }"))["changes"]["nodes"]
    assert not {"theirs", "quay"} & {uid for entry in log for uid in entry["touched"]}
    counts = (await client.query("{ jobs { nodes { id } } }"))["jobs"]["nodes"]
    assert not {job["id"] for job in counts} & {
        job["id"] for job in (await stranger.query("{ jobs { nodes { id } } }"))["jobs"]["nodes"]
    }


async def test_an_edge_into_another_tenant_leads_nowhere(
    client: Client, stranger: Client, graph: Graph, tenant: Tenant, other: Tenant, settle: Settle
) -> None:
    """B22. The edges are such as only an import behind the service's back can make."""
    await remember(client, [note("a1", "Alder", "one"), note("a2", "Birch", "two")])
    for kind in ("RELATED_TO", "DEPENDS_ON", "SUPERSEDES", "CONFLICTS_WITH", "MENTIONS", "DERIVED_FROM"):
        await join(graph, (tenant, "a1"), kind, (other, "theirs"))
        await join(graph, (other, "theirs"), kind, (tenant, "a2"))
    await settle()
    assert ids((await traverse(client, "a1", maxDepth=3, direction="BOTH"))["hits"]) == ["a1"]
    assert (await traverse(client, "a1", maxDepth=3, direction="BOTH"))["edges"] == []
    found = await search(client, "alder", topK=1, maxDepth=3, direction="BOTH")
    assert (ids(found["hits"]), found["edges"]) == (["a1"], [])
    assert await path(client, "a1", "a2", direction="BOTH") is None
    assert await edges(client, "a1") == await edges(client, "a2") == []
    nested = """query ($id: ID!) { knowledge(id: $id) {
        relatedTo { id } dependsOn { id } dependents { id } supersedes { id } supersededBy { id }
        conflictsWith { id } mentions { id } mentionedIn { id } derivedFrom { path } } }"""
    for uid in ("a1", "a2"):
        assert not any((await client.query(nested, id=uid))["knowledge"].values())
    assert len(await operations.audit(client, "cross_tenant_edges")) == 6


async def test_a_tenant_with_few_notes_finds_them_all_among_many(
    client: Client, connect_as: Connect, settle: Settle, tenant: Tenant
) -> None:
    crowd = Tenant(f"{tenant} crowd")
    many = await connect_as(tenant=crowd)
    await remember(many, [note(f"n{at}", "Tide tables", f"High water number {at}") for at in range(500)])
    await remember(client, [note(f"m{at}", "Tide tables", f"High water number {at}") for at in range(3)])
    await settle(crowd)
    await settle()
    for mode in ("HYBRID", "TEXT", "VECTOR"):
        found = await search(client, "tide tables high water", mode=mode, topK=3, expand=False)
        assert sorted(ids(found["hits"])) == ["m0", "m1", "m2"]


@pytest.mark.parametrize("scopes", [[Scope.READ], [Scope.WRITE]])
async def test_a_key_does_only_what_its_scope_allows(connect_as: Connect, scopes: list[Scope]) -> None:
    """Write includes read; neither may run audits."""
    client = await connect_as(*scopes)
    assert (await listed(client))["nodes"] == []
    assert (await client.error(operations.AUDIT, name="dangling_links"))["code"] == "FORBIDDEN"
    calls: list[tuple[str, dict[str, Any]]] = [
        (operations.REMEMBER, {"nodes": [note("a")]}),
        (operations.UPDATE, {"id": "a", "patch": {"content": "Two"}}),
        (operations.LINK, {"edges": [arrow("a", "RELATED_TO", "b")]}),
        (operations.UNLINK, {"edges": [arrow("a", "RELATED_TO", "b")]}),
    ]
    for document, variables in calls:
        answer = (await client.post(document, variables)).json()
        if scopes == [Scope.WRITE]:
            assert "errors" not in answer
        else:
            assert [error["extensions"]["code"] for error in answer["errors"]] == ["FORBIDDEN"]
    if scopes == [Scope.WRITE]:
        assert (await link(client, [arrow("a", "RELATED_TO", "b")]))["pending"]
        assert (await unlink(client, [arrow("a", "RELATED_TO", "b")]))["closed"]
