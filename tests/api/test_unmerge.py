"""Merges that are undone after more has happened, and the past before and after."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tests.api.test_merge import UNMERGE, VERB, merge, twins, unmerge, whole
from tests.client import Client
from tests.factories import arrow
from tests.operations import edges, knowledge, link, unlink, update

AS_OF = """query ($id: ID!, $asOf: DateTime) {
  knowledge(id: $id, asOf: $asOf) {
    status aliases tags validTo edges { edges { edge { from to type weight } } }
  }
}"""


async def test_what_was_changed_since_the_merge_stays_and_is_told(client: Client) -> None:
    await twins(client)
    await merge(client, "a", "b")
    await update(client, "a", {"aliases": ["refunds", "Time of refunds", "mine"], "tags": ["mine", "money"]})
    await update(client, "b", {"content": "Corrected since."})
    await client.query(VERB.format(verb="archive"), id="b")
    await unlink(client, [arrow("a", "RELATED_TO", "x")])
    await link(client, [arrow("y", "DEPENDS_ON", "a", weight=0.3)])
    done = await unmerge(client, "a")
    assert done["left"] == [
        {"id": "b", "field": "status", "to": None}, {"id": "a", "field": "RELATED_TO", "to": "x"},
        {"id": "y", "field": "DEPENDS_ON", "to": "a"},
    ]  # fmt: skip
    kept, other = await knowledge(client, "a"), await knowledge(client, "b")
    assert (kept["aliases"], kept["tags"]) == (["refunds", "mine"], ["mine"])
    assert (other["status"], other["content"], other["validTo"]) == ("ARCHIVED", "Corrected since.", None)
    assert ("y", "DEPENDS_ON", "b") in await edges(client, "b")
    assert ("b", "RELATED_TO", "x") not in await edges(client, "b")


async def test_a_node_restored_by_hand_stays_so_when_its_merge_is_undone(client: Client) -> None:
    await twins(client)
    await merge(client, "a", "b")
    await client.query(VERB.format(verb="restore"), id="b")
    done = await unmerge(client, "a")
    assert done["left"] == []
    assert (await knowledge(client, "b"))["status"] == "ACTIVE"
    assert ("b", "RELATED_TO", "x") in await edges(client, "b")


async def test_a_merge_of_what_was_deleted_since_is_not_undone_and_nothing_is_lost(client: Client) -> None:
    await twins(client)
    await merge(client, "a", "b")
    before = await knowledge(client, "a"), await edges(client, "a")
    await client.query('mutation { deleteKnowledge(id: "b") { id } }')
    kept = await knowledge(client, "a"), [edge for edge in await edges(client, "a") if "b" not in edge]
    error = await client.error(UNMERGE, id="a")
    assert (error["code"], "'b'" in error["message"]) == ("CONFLICT", True)
    assert (await knowledge(client, "a"), await edges(client, "a")) == kept
    assert kept == (before[0], [edge for edge in before[1] if "b" not in edge])


async def test_merges_upon_merges_are_undone_newest_first(client: Client) -> None:
    await twins(client)
    before = await whole(client)
    first = await merge(client, "a", "b")
    between = await whole(client)
    second = await merge(client, "x", "a")
    assert (await client.error(UNMERGE, id="a"))["code"] == "CONFLICT"
    assert (await unmerge(client, "x"))["mergeId"] == second["mergeId"]
    assert await whole(client) == between
    third = await merge(client, "a", "y")
    refused = await client.error(UNMERGE, id="a", merge=first["mergeId"])
    assert (refused["code"], third["mergeId"] in refused["message"]) == ("CONFLICT", True)
    await unmerge(client, "a")
    await unmerge(client, "a")
    assert await whole(client) == before
    assert (await unmerge(client, "a", merge=first["mergeId"]))["mergeId"] is None


async def then(client: Client, moment: str) -> list[Any]:
    """What the graph said of the nodes and their edges at a moment."""
    found = []
    for uid in "abxyz":
        node = (await client.query(AS_OF, id=uid, asOf=moment))["knowledge"]
        found.append(node | {"edges": sorted(map(str, (one["edge"] for one in node["edges"]["edges"])))})
    return found


async def test_the_past_is_read_as_it_was_before_a_merge_and_before_it_was_undone(client: Client) -> None:
    await twins(client)
    before = datetime.now(UTC).isoformat()
    as_before = await then(client, before)
    await merge(client, "a", "b")
    between = datetime.now(UTC).isoformat()
    as_merged = await then(client, between)
    await unmerge(client, "a")
    assert await then(client, before) == as_before
    assert await then(client, between) == as_merged
    assert await then(client, datetime.now(UTC).isoformat()) == as_before
    assert [node["status"] for node in as_merged[:2]] == ["ACTIVE", "SUPERSEDED"]
    assert as_merged != as_before
