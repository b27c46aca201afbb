"""Making one node of several, and several of one again, through GraphQL."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import FOREVER, Scope, Tenant
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import arrow, note
from tests.knowledge.support import counted, join, stored_edges
from tests.operations import edges, knowledge, remember, search

MERGE = """mutation (
  $ids: [ID!]!, $keep: ID, $versions: [ExpectedVersion!], $resourceId: ID, $key: String, $dryRun: Boolean! = false
) {
  mergeKnowledge(
    ids: $ids, keep: $keep, reason: "the same", expectedVersions: $versions, resourceId: $resourceId,
    idempotencyKey: $key, dryRun: $dryRun
  ) { mergeId id version merged aliases tags evidence edges }
}"""
UNMERGE = """mutation ($id: ID!, $merge: ID, $version: Int, $key: String, $dryRun: Boolean! = false) {
  unmergeKnowledge(id: $id, mergeId: $merge, expectedVersion: $version, idempotencyKey: $key, dryRun: $dryRun) {
    mergeId id version restored edges left { id field to }
  }
}"""
HISTORY = "query ($id: ID!) { history(id: $id) { reason cause { action keyName } node { version status } } }"
FLAG = "mutation ($one: ID!, $other: ID!) { flagConflict(one: $one, other: $other) { created { from } } }"
CONFLICTS = "{ conflicts { nodes { first { id } second { id } } } }"
VERB = "mutation ($id: ID!) {{ {verb}(id: $id) {{ status changed }} }}"
SUPERSEDE = "mutation ($old: ID!, $new: ID!) { supersede(old: $old, new: $new) { version } }"
DELETE = "mutation ($id: ID!) { deleteKnowledge(id: $id) { id } }"


async def merge(client: Client, *ids: str, **more: Any) -> Any:
    return (await client.query(MERGE, ids=list(ids), **more))["mergeKnowledge"]


async def unmerge(client: Client, uid: str, **more: Any) -> Any:
    return (await client.query(UNMERGE, id=uid, **more))["unmergeKnowledge"]


async def twins(client: Client) -> None:
    """`a` and `b` say the same; `x`, `y` and `z` stand around them."""
    await remember(
        client,
        [
            note("a", "Refund period", "A refund is paid within 14 days.", tags=["billing"], aliases=["refunds"]),
            note("b", "Time of refunds", "Refunds are paid in 14 days.", tags=["money"], aliases=["Refunds", "cash"]),
            note("x"), note("y"), note("z"),
        ],
        [
            arrow("a", "RELATED_TO", "x", weight=0.4), arrow("b", "RELATED_TO", "x", weight=0.6, reason="seen"),
            arrow("y", "DEPENDS_ON", "b"), arrow("a", "RELATED_TO", "b"), arrow("b", "RELATED_TO", "nowhere"),
            arrow("b", "CONFLICTS_WITH", "z"),
        ],
    )  # fmt: skip


async def whole(client: Client) -> dict[str, Any]:
    """All that is told of the nodes, but versions and times of change; and their edges."""
    found = {}
    for uid in "abxyz":
        node = await knowledge(client, uid)
        found[uid] = {key: value for key, value in node.items() if key not in ("version", "updatedAt")}
        found[uid]["edges"] = sorted(await edges(client, uid))
    return found


async def test_the_node_that_is_kept_has_all_that_the_others_had(client: Client, settle: Settle) -> None:
    await twins(client)
    done = await merge(client, "a", "b", versions=[{"id": "a", "version": 1}, {"id": "b", "version": 1}])
    assert done == {
        "mergeId": done["mergeId"], "id": "a", "version": 2, "merged": ["b"], "aliases": 2, "tags": 1, "evidence": 0,
        "edges": 6,
    }  # fmt: skip
    kept, gone = await knowledge(client, "a"), await knowledge(client, "b")
    assert (kept["aliases"], kept["tags"]) == (["refunds", "Time of refunds", "cash"], ["billing", "money"])
    assert gone["status"] == "SUPERSEDED"
    assert gone["validTo"] is not None
    assert sorted(await edges(client, "a")) == [
        ("a", "CONFLICTS_WITH", "z"), ("a", "RELATED_TO", "x"), ("a", "SUPERSEDES", "b"), ("y", "DEPENDS_ON", "a"),
    ]  # fmt: skip
    await remember(client, [note("nowhere")])
    assert ("a", "RELATED_TO", "nowhere") in await edges(client, "a")
    await settle()
    assert [hit["node"]["id"] for hit in (await search(client, "cash", expand=False))["hits"]][:1] == ["a"]


async def test_the_heavier_edge_stays_and_the_closed_ones_are_readable(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    await twins(client)
    await merge(client, "a", "b")
    own = await stored_edges(graph, tenant, "a", "RELATED_TO", "x")
    assert [(edge["weight"], edge["recordedTo"] == FOREVER) for edge in own] == [(0.4, False), (0.6, True)]
    assert own[1]["reason"] == "seen"
    (others,) = await stored_edges(graph, tenant, "b", "RELATED_TO", "x")
    assert others["recordedTo"] == own[1]["recordedFrom"]
    (over,) = await stored_edges(graph, tenant, "a", "SUPERSEDES", "b")
    assert (over["reason"], over["recordedTo"]) == ("merged", FOREVER)


async def test_undoing_a_merge_brings_back_what_was(client: Client, graph: Graph, tenant: Tenant) -> None:
    await twins(client)
    before, numbers = await whole(client), await counted(graph, tenant)
    merged = await merge(client, "a", "b")
    done = await unmerge(client, "a", merge=merged["mergeId"], version=2)
    assert (done["restored"], done["left"], done["version"]) == (["b"], [], 3)
    assert await whole(client) == before
    assert (await counted(graph, tenant))["pending"] == numbers["pending"] == 1
    await remember(client, [note("nowhere")])
    assert ("b", "RELATED_TO", "nowhere") in await edges(client, "b")
    again = await unmerge(client, "a")
    assert (again["mergeId"], again["version"]) == (None, 3)


async def test_a_note_merged_before_it_became_valid_was_never_valid(client: Client) -> None:
    begins = "2090-01-01T00:00:00Z"
    await remember(client, [note("a"), note("b", validFrom=begins)])
    await merge(client, "a", "b")
    found = await knowledge(client, "b")
    assert found["validFrom"] == found["validTo"] == begins
    await unmerge(client, "a")
    assert (await knowledge(client, "b"))["validTo"] is None


async def test_the_same_merge_again_changes_nothing(client: Client, graph: Graph, tenant: Tenant) -> None:
    await twins(client)
    first = await merge(client, "a", "b", key="one")
    assert await merge(client, "a", "b", key="one") == first
    there = await whole(client)
    again = await merge(client, "a", "b")
    assert (again["mergeId"], again["merged"], again["version"]) == (None, [], 2)
    assert await whole(client) == there
    more = await merge(client, "a", "b", "x")
    assert more["merged"] == ["x"]
    assert (await client.error(MERGE, ids=["a", "y"], key="one"))["code"] == "IDEMPOTENCY_CONFLICT"


async def test_a_dry_run_tells_and_changes_nothing(client: Client, graph: Graph, tenant: Tenant) -> None:
    await twins(client)
    before, numbers = await whole(client), await counted(graph, tenant)
    assert (await merge(client, "a", "b", dryRun=True))["merged"] == ["b"]
    assert (await whole(client), await counted(graph, tenant)) == (before, numbers)
    await merge(client, "a", "b")
    merged = await whole(client)
    assert (await unmerge(client, "a", dryRun=True))["restored"] == ["b"]
    assert await whole(client) == merged


async def test_nodes_that_contradict_or_supersede_each_other_are_not_merged(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    """Similar is not same."""
    await remember(client, [note(uid) for uid in "abcd"])
    await client.query(FLAG, one="b", other="a")
    assert "contradict" in (await client.error(MERGE, ids=["a", "c", "b"]))["message"]
    await join(graph, (tenant, "c"), "SUPERSEDES", (tenant, "d"))
    assert (await client.error(MERGE, ids=["d", "c"]))["code"] == "CONFLICT"
    assert (await merge(client, "c", "d"))["merged"] == ["d"]
    await client.query(SUPERSEDE, old="b", new="a")
    assert (await client.error(MERGE, ids=["a", "b"]))["code"] == "CONFLICT"


async def test_a_merge_that_would_close_a_circle_is_refused_and_changes_nothing(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    await remember(client, [note(uid) for uid in "abc"])
    for older, newer in ("ab", "bc"):
        await join(graph, (tenant, older), "SUPERSEDES", (tenant, newer))
    assert (await client.error(MERGE, ids=["a", "c"]))["code"] == "CONFLICT"
    assert (await knowledge(client, "c"))["status"] == "ACTIVE"
    assert await edges(client, "c") == [("b", "SUPERSEDES", "c")]


@pytest.mark.parametrize(
    ("variables", "code", "field"),
    [
        ({"ids": ["a"]}, "INVALID_INPUT", "ids"),
        ({"ids": []}, "INVALID_INPUT", "ids"),
        ({"ids": ["a", "b", "a"]}, "INVALID_INPUT", "ids[2]"),
        ({"ids": ["a", "b"], "keep": "x"}, "INVALID_INPUT", "keep"),
        ({"ids": ["a", " "]}, "INVALID_INPUT", "ids[1]"),
        ({"ids": ["a", "nobody"]}, "NOT_FOUND", "ids[1]"),
        ({"ids": [f"n{at}" for at in range(51)]}, "LIMIT_EXCEEDED", "ids"),
        ({"ids": ["a", "b"], "versions": [{"id": "x", "version": 1}]}, "INVALID_INPUT", "expectedVersions"),
        ({"ids": ["a", "b"], "versions": [{"id": "b", "version": 4}]}, "VERSION_CONFLICT", "expectedVersion"),
    ],
)  # fmt: skip
async def test_what_is_no_merge_is_refused_by_name(
    client: Client, variables: dict[str, Any], code: str, field: str
) -> None:
    await twins(client)
    error = await client.error(MERGE, **variables)
    assert (error["code"], error["field"]) == (code, field)


async def test_names_beyond_what_a_node_may_have_are_refused(client: Client) -> None:
    await remember(
        client, [note("a", aliases=[f"a{at}" for at in range(60)]), note("b", aliases=[f"b{at}" for at in range(60)])]
    )
    assert (await client.error(MERGE, ids=["a", "b"]))["code"] == "LIMIT_EXCEEDED"
    assert (await knowledge(client, "b"))["status"] == "ACTIVE"


async def test_walls_between_tenants_and_customers_hold(connect_as: Connect, client: Client) -> None:
    await remember(
        client, [note("a"), note("r", resourceId="red"), note("s", resourceId="red"), note("g", resourceId="green")]
    )
    assert (await client.error(MERGE, ids=["a", "r"]))["code"] == "NOT_FOUND"
    assert (await client.error(MERGE, ids=["a", "r"], resourceId="red"))["code"] == "INVALID_INPUT"
    bound = await connect_as(resource="red")
    assert (await bound.error(MERGE, ids=["a", "r"]))["code"] == "FORBIDDEN"
    assert (await bound.error(MERGE, ids=["g", "r"]))["code"] == "NOT_FOUND"
    assert (await merge(bound, "r", "s"))["merged"] == ["s"]
    assert (await client.error(UNMERGE, id="r"))["code"] == "NOT_FOUND"
    stranger = await connect_as(tenant=Tenant("stranger to merges"))
    assert (await stranger.error(MERGE, ids=["r", "s"], resourceId="red"))["code"] == "NOT_FOUND"
    reader = await connect_as(Scope.READ)
    assert (await reader.error(MERGE, ids=["a", "r"]))["code"] == "FORBIDDEN"
    assert (await unmerge(bound, "r"))["restored"] == ["s"]


async def test_a_merge_stands_in_the_history_and_the_log(client: Client) -> None:
    await twins(client)
    await merge(client, "a", "b")
    await unmerge(client, "a")
    states = (await client.query(HISTORY, id="b"))["history"]
    assert [(state["node"]["status"], state["cause"]["action"], state["reason"]) for state in states] == [
        ("ACTIVE", "unmergeKnowledge", None), ("SUPERSEDED", "mergeKnowledge", "the same"),
        ("ACTIVE", "remember", None),
    ]  # fmt: skip
    log = (await client.query("{ changes(first: 2) { nodes { action touched } } }"))["changes"]["nodes"]
    assert [(change["action"], sorted(change["touched"])) for change in log] == [
        ("unmergeKnowledge", ["a", "b"]), ("mergeKnowledge", ["a", "b"]),
    ]  # fmt: skip


async def test_of_two_merges_at_once_each_node_goes_into_one(client: Client) -> None:
    await twins(client)
    answers = await asyncio.gather(
        client.post(MERGE, {"ids": ["a", "b"]}),
        client.post(MERGE, {"ids": ["x", "b"]}),
        client.post(MERGE, {"ids": ["b", "a"]}),
    )
    merged = [answer.json()["data"]["mergeKnowledge"] for answer in answers if not answer.json().get("errors")]
    assert len([one for one in merged if "b" in one["merged"]]) <= 1
    assert len(merged) in (1, 2)
    refused = [answer.json()["errors"][0]["extensions"]["code"] for answer in answers if answer.json().get("errors")]
    assert set(refused) == {"CONFLICT"}


async def test_contradictions_follow_a_merge_and_deleting_a_node_ends_it(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    await twins(client)
    await merge(client, "a", "b")
    assert (await client.query(CONFLICTS))["conflicts"]["nodes"] == [{"first": {"id": "a"}, "second": {"id": "z"}}]
    await client.query(DELETE, id="b")
    assert (await client.error(UNMERGE, id="a"))["code"] == "CONFLICT"
    assert (await knowledge(client, "a"))["tags"] == ["billing", "money"]
    await client.query(DELETE, id="a")
    assert (await client.error(UNMERGE, id="a"))["code"] == "NOT_FOUND"
    assert (await counted(graph, tenant))["pending"] == 0
