"""Whose messages a recall brings."""

from __future__ import annotations

from graphmem.values import Scope, Tenant
from tests.api.test_recall import begin, hits, say
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.operations import recall


async def test_nobody_recalls_what_is_anothers(
    client: Client, connect_as: Connect, settle: Settle, tenant: Tenant
) -> None:
    """C56, R15, M-6: neither another resource's nor another tenant's, whatever is named."""
    await begin(client, "t1", "My secret word is plum.", resource="r1")
    await begin(client, "t2", "My secret word is fig.", resource="r2")
    other = await connect_as(tenant=Tenant(f"{tenant} 2"))
    await begin(other, "t1", "My secret word is kiwi.", resource="r1")
    await settle()
    await settle(Tenant(f"{tenant} 2"))
    bound = await connect_as(Scope.READ, resource="r1")
    for who, asked, expected in (
        (client, {"resourceId": "r1"}, ["t1.1"]),
        (client, {"resourceId": "r2"}, ["t2.1"]),
        (client, {"threadId": "t2"}, ["t2.1"]),
        (client, {"resourceId": "r3"}, []),
        (bound, {}, ["t1.1"]),
        (bound, {"threadId": "t1"}, ["t1.1"]),
    ):
        found = await recall(who, "secret word", topK=20, before=5, after=5, **asked)
        assert hits(found) == expected
        assert [message["id"] for one in found["ranges"] for message in one["messages"]] == expected
    assert [hit["message"]["text"] for hit in (await recall(other, "secret word", resourceId="r1"))["hits"]] == [
        "My secret word is kiwi."
    ]
    query = "query ($input: RecallInput!) { recall(input: $input) { scope } }"
    for who, asked, code in (
        (client, {"resourceId": "r1", "threadId": "t2"}, "NOT_FOUND"),
        (client, {"threadId": "none"}, "NOT_FOUND"),
        (other, {"threadId": "t2"}, "NOT_FOUND"),
        (bound, {"threadId": "t2"}, "NOT_FOUND"),
        (bound, {"resourceId": "r2"}, "FORBIDDEN"),
        (client, {}, "INVALID_INPUT"),
    ):
        assert (await who.error(query, input={"query": "secret", **asked}))["code"] == code, asked


async def test_an_agent_may_recall_its_own_turns_alone(client: Client, settle: Settle) -> None:
    """R19."""
    await begin(client, "t1")
    await say(client, "t1", "Tea with milk, please.", agent="a")
    await say(client, "t1", "Tea with lemon, please.", agent="b")
    await settle()
    assert sorted(hits(await recall(client, "tea", resourceId="r1"))) == ["t1.1", "t1.2"]
    for asked in ({"resourceId": "r1"}, {"threadId": "t1", "scope": "THREAD"}):
        found = await recall(client, "tea", agent="a", **asked)
        assert hits(found) == ["t1.1"]
        assert [message["id"] for one in found["ranges"] for message in one["messages"]] == ["t1.1"]


async def test_a_resource_without_a_conversation_is_told(client: Client, connect_as: Connect, tenant: Tenant) -> None:
    """As one of another tenant; a thread's resource is always known."""
    await begin(client, "t1", "Tea with milk, please.", resource="alice")
    await begin(await connect_as(tenant=Tenant(f"{tenant} 2")), "t1", "Tea.", resource="erin")
    trips = []
    for asked, expected in (
        ({"resourceId": "alice"}, []),
        ({"threadId": "t1"}, []),
        ({"resourceId": "alcie"}, ["there is no conversation of the resource 'alcie'; check resourceId"]),
        ({"resourceId": "erin"}, ["there is no conversation of the resource 'erin'; check resourceId"]),
    ):
        found = await recall(client, "tea", **asked)
        messages = [one["message"] for one in found["warnings"] if one["code"] == "UNKNOWN_RESOURCE"]
        assert messages == expected
        trips.append(found["roundTrips"])
    assert trips[2] == trips[3] < trips[0]
