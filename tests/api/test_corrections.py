"""Supersede, retract, restore, archive, contradictions, history and deletion, through GraphQL."""

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Scope, Tenant
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.knowledge.support import counted

REMEMBER = "mutation ($nodes: [KnowledgeInput!]) { remember(nodes: $nodes) { ids } }"
SUPERSEDE = """mutation ($old: ID!, $new: ID!, $version: Int) {
  supersede(old: $old, new: $new, reason: "newer", expectedVersion: $version) { status version changed } }"""
CHANGE = "mutation ($id: ID!) {{ {verb}(id: $id) {{ status version changed }} }}"
SEARCH = "query ($q: String!) { search(input: {query: $q, expand: false}) { hits { node { id } } } }"
STATUS = "query ($id: ID!) { knowledge(id: $id) { status version validTo supersededBy { id } } }"
HISTORY = "query ($id: ID!) { history(id: $id) { recordedTo node { version status content } } }"
CONFLICTS = """query ($first: Int!, $after: String) { conflicts(first: $first, after: $after) {
  nodes { first { id } second { id } edge { reason } } pageInfo { hasNextPage endCursor } } }"""
FLAG = """mutation ($one: ID!, $other: ID!) {
  flagConflict(one: $one, other: $other, reason: "both say so") { created { from to } } }"""
RESOLVE = "mutation ($keep: ID!, $drop: ID!) { resolveConflict(keep: $keep, drop: $drop) { id status changed } }"
DELETE = "mutation ($id: ID!) { deleteKnowledge(id: $id) { revisions chunks } }"


async def remember(client: Client, *ids: str) -> None:
    nodes = [{"id": uid, "title": f"Title of {uid}", "content": f"The price of {uid} rises."} for uid in ids]
    await client.query(REMEMBER, nodes=nodes)


async def found(client: Client) -> set[str]:
    return {hit["node"]["id"] for hit in (await client.query(SEARCH, q="price"))["search"]["hits"]}


async def test_a_superseded_node_leaves_retrieval_and_names_its_successor(client: Client, settle: Settle) -> None:
    await remember(client, "old", "new")
    await settle()
    done = (await client.query(SUPERSEDE, old="old", new="new", version=1))["supersede"]
    assert done == {"status": "SUPERSEDED", "version": 2, "changed": True}
    assert await found(client) == {"new"}
    node = (await client.query(STATUS, id="old"))["knowledge"]
    assert node["supersededBy"] == [{"id": "new"}]
    assert node["validTo"] is not None
    again = (await client.query(SUPERSEDE, old="old", new="new"))["supersede"]
    assert again == {"status": "SUPERSEDED", "version": 2, "changed": False}


async def test_two_nodes_do_not_supersede_each_other(client: Client) -> None:
    await remember(client, "a", "b")
    await client.query(SUPERSEDE, old="a", new="b")
    assert (await client.error(SUPERSEDE, old="b", new="a"))["code"] == "CONFLICT"
    assert (await client.error(SUPERSEDE, old="b", new="b"))["code"] == "INVALID_INPUT"
    assert (await client.error(SUPERSEDE, old="b", new="nobody"))["field"] == "new"
    assert (await client.query(STATUS, id="b"))["knowledge"]["status"] == "ACTIVE"


async def test_a_stale_version_is_refused_with_the_current_one(client: Client) -> None:
    await remember(client, "a", "b")
    error = await client.error(SUPERSEDE, old="a", new="b", version=7)
    assert (error["code"], error["currentVersion"]) == ("VERSION_CONFLICT", 1)


async def test_restoring_ends_the_superseding_and_reopens_validity(client: Client, settle: Settle) -> None:
    await remember(client, "a", "b")
    await settle()
    await client.query(SUPERSEDE, old="a", new="b")
    done = (await client.query(CHANGE.format(verb="restore"), id="a"))["restore"]
    assert done == {"status": "ACTIVE", "version": 3, "changed": True}
    assert (await client.query(STATUS, id="a"))["knowledge"] == {
        "status": "ACTIVE", "version": 3, "validTo": None, "supersededBy": [],
    }  # fmt: skip
    assert await found(client) == {"a", "b"}


@pytest.mark.parametrize(("verb", "status"), [("retract", "RETRACTED"), ("archive", "ARCHIVED")])
async def test_what_is_taken_out_of_use_stays_readable_and_comes_back(
    client: Client, settle: Settle, verb: str, status: str
) -> None:
    await remember(client, "a")
    await settle()
    first = (await client.query(CHANGE.format(verb=verb), id="a"))[verb]
    assert first == {"status": status, "version": 2, "changed": True}
    assert (await client.query(CHANGE.format(verb=verb), id="a"))[verb]["changed"] is False
    assert await found(client) == set()
    assert (await client.query(STATUS, id="a"))["knowledge"]["status"] == status
    await client.query(CHANGE.format(verb="restore"), id="a")
    assert await found(client) == {"a"}


async def test_history_tells_every_state_newest_first(client: Client) -> None:
    await remember(client, "a")
    await client.query('mutation { updateKnowledge(id: "a", patch: {content: "Second."}) { version } }')
    await client.query(CHANGE.format(verb="retract"), id="a")
    states = (await client.query(HISTORY, id="a"))["history"]
    assert [state["node"] for state in states] == [
        {"version": 3, "status": "RETRACTED", "content": "Second."},
        {"version": 2, "status": "ACTIVE", "content": "Second."},
        {"version": 1, "status": "ACTIVE", "content": "The price of a rises."},
    ]
    assert [state["recordedTo"] is None for state in states] == [True, False, False]
    assert (await client.error(HISTORY, id="nobody"))["code"] == "NOT_FOUND"


async def test_contradictions_are_listed_page_by_page_until_they_are_resolved(client: Client) -> None:
    await remember(client, "a", "b", "c")
    await client.query(FLAG, one="b", other="a")
    assert (await client.query(FLAG, one="a", other="b"))["flagConflict"]["created"] == []
    await client.query(FLAG, one="b", other="c")
    page = (await client.query(CONFLICTS, first=1))["conflicts"]
    assert page["nodes"] == [{"first": {"id": "a"}, "second": {"id": "b"}, "edge": {"reason": "both say so"}}]
    assert page["pageInfo"]["hasNextPage"] is True
    rest = (await client.query(CONFLICTS, first=5, after=page["pageInfo"]["endCursor"]))["conflicts"]
    assert [node["second"]["id"] for node in rest["nodes"]] == ["c"]
    done = (await client.query(RESOLVE, keep="a", drop="b"))["resolveConflict"]
    assert done == {"id": "b", "status": "SUPERSEDED", "changed": True}
    assert (await client.query(CONFLICTS, first=5))["conflicts"]["nodes"] == []
    assert (await client.error(RESOLVE, keep="a", drop="c"))["code"] == "NOT_FOUND"


async def test_deleting_leaves_nothing_of_the_node(client: Client, graph: Graph, tenant: Tenant) -> None:
    await remember(client, "a", "b")
    before = await counted(graph, tenant)
    await remember(client, "secret")
    await client.query('mutation { updateKnowledge(id: "secret", patch: {content: "hunter2"}) { version } }')
    gone = (await client.query(DELETE, id="secret"))["deleteKnowledge"]
    assert gone == {"revisions": 1, "chunks": 0}
    after = await counted(graph, tenant)
    assert {key: value for key, value in after.items() if key != "changes"} == {
        key: value for key, value in before.items() if key != "changes"
    }
    assert (await client.query(STATUS, id="secret"))["knowledge"] is None


async def test_deleting_needs_an_admin_and_other_tenants_nodes_are_not_there(connect_as: Connect) -> None:
    """B25"""
    await remember(await connect_as(), "a")
    writer = await connect_as(Scope.WRITE)
    assert (await writer.error(DELETE, id="a"))["code"] == "FORBIDDEN"
    stranger = await connect_as(tenant=Tenant("stranger to corrections"))
    for query in (DELETE, HISTORY, CHANGE.format(verb="retract"), CHANGE.format(verb="restore")):
        assert (await stranger.error(query, id="a"))["code"] == "NOT_FOUND"
