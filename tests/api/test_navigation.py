"""From a resource to its threads, from a turn to what is said in it, from both to what is to be known."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.values import Scope, Tenant
from tests.client import Client
from tests.conftest import Connect
from tests.context.support import COMMIT, begin, say, stage, user
from tests.operations import trips, update_memory

DOWN = """
query ($first: Int!) {
  resources(first: $first) { nodes {
    id workingMemory { scope json version fields { name } }
    threads(first: 2) { id messages(last: 1) { text } workingMemory { scope threadId json } }
  } }
}
"""
TURNS = """
query ($one: ID!, $two: ID!, $first: Int! = 20) {
  one: turn(id: $one) { ...said }
  two: turn(id: $two) { ...said }
}
fragment said on Turn { state messages(first: $first) { id seq staged text createdAt version deletedAt } }
"""


async def customers(client: Client, count: int) -> None:
    for at in range(count):
        for number in range(3):
            await begin(client, f"r{at}t{number}", user(f"said {number}"), resource=f"r{at}")
        await update_memory(client, resourceId=f"r{at}", merge={"plan": f"p{at}"})
        await update_memory(client, threadId=f"r{at}t2", scope="THREAD", merge={"step": at})


async def test_resources_lead_to_threads_and_working_memory_in_one_trip_a_level(client: Client) -> None:
    await customers(client, 4)
    await client.query(DOWN, first=1)
    made = {first: await trips(client, DOWN, first=first) for first in (1, 4)}
    assert {count for count, _ in made.values()} == {5}
    nodes = made[4][1]["resources"]["nodes"]
    assert [(one["id"], one["workingMemory"]["json"]) for one in nodes] == [
        (f"r{at}", {"plan": f"p{at}"}) for at in reversed(range(4))
    ]
    assert [[thread["id"] for thread in one["threads"]] for one in nodes] == [
        [f"r{at}t2", f"r{at}t1"] for at in reversed(range(4))
    ]
    last = nodes[0]["threads"]
    assert [one["workingMemory"] for one in last] == [
        {"scope": "THREAD", "threadId": "r3t2", "json": {"step": 3}},
        {"scope": "THREAD", "threadId": "r3t1", "json": {}},
    ]
    assert [one["messages"] for one in last] == [[{"text": "said 2"}], [{"text": "said 1"}]]


async def test_a_bound_key_goes_no_further_than_its_resource(
    client: Client, connect_as: Connect, tenant: Tenant
) -> None:
    await customers(client, 2)
    bound = await connect_as(Scope.READ, resource="r1")
    (own,) = (await bound.query(DOWN, first=5))["resources"]["nodes"]
    assert (own["id"], own["workingMemory"]["json"]) == ("r1", {"plan": "p1"})
    assert [one["id"] for one in own["threads"]] == ["r1t2", "r1t1"]
    up = "query ($id: ID!) { thread(id: $id) { resource { threads { id } workingMemory { json } } } }"
    assert (await bound.query(up, id="r0t0"))["thread"] is None
    strange = await connect_as(tenant=Tenant(f"{tenant} too"))
    await begin(strange, "r1t1", resource="r1")
    found = (await strange.query(up, id="r1t1"))["thread"]["resource"]
    assert found == {"threads": [{"id": "r1t1"}], "workingMemory": {"json": {}}}


async def test_a_turn_leads_to_what_is_said_in_it(client: Client) -> None:
    await begin(client, "t1", user("before"))
    await stage(client, "t1", "u1", user("one", "m1"), user("two", "m2"))
    await client.query(COMMIT, id="u1")
    await stage(client, "t1", "u2", *[user(f"draft {at}", f"d{at}") for at in range(12)])
    data = await client.query(TURNS, one="u1", two="u2")
    assert [(one["id"], one["seq"], one["staged"]) for one in data["one"]["messages"]] == [
        ("m1", 2, False), ("m2", 3, False),
    ]  # fmt: skip
    drafts = data["two"]["messages"]
    assert [(one["id"], one["seq"], one["staged"]) for one in drafts] == [(f"d{at}", None, True) for at in range(12)]
    few = await client.query(TURNS, one="u1", two="u2", first=1)
    assert [[one["id"] for one in few[turn]["messages"]] for turn in ("one", "two")] == [["m1"], ["d0"]]
    await client.query('mutation { rejectTurn(turnId: "u2") { state } }')
    assert (await client.query(TURNS, one="u1", two="u2"))["two"] == {"state": "REJECTED", "messages": []}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ('{ turn(id: "u1") { messages(first: %d) { id } } }', "first"),
        ('{ resource(id: "r1") { threads(first: %d) { id } } }', "first"),
        ('{ thread(id: "t1") { messages { revisions(first: %d) { text } } } }', "first"),
    ],
)
async def test_lists_below_others_have_a_limit(client: Client, query: str, field: str) -> None:
    await begin(client, "t1", user("one"))
    await stage(client, "t1", "u1", user("two"))
    for count, code in ((201, "LIMIT_EXCEEDED"), (0, "INVALID_INPUT")):
        error = await client.error(query % count)
        assert (error["code"], error["field"]) == (code, field)
    await client.query(query % 200)


async def test_the_cost_counts_what_stands_in_lists(client: Client) -> None:
    """A hundred resources with a hundred threads of a hundred messages are a million."""
    below = "threads(first: 100) { messages(last: 100) { revisions(first: 100) { text } } }"
    query = f"{{ resources(first: 100) {{ nodes {{ {below} }} }} }}"
    error = await client.error(query)
    assert (error["code"], error["limit"]) == ("LIMIT_EXCEEDED", "max_query_cost")
    assert error["actual"] > 100**4


async def test_earlier_versions_are_as_many_as_asked_for(client: Client) -> None:
    await begin(client, "t1", user("one", "m1"))
    edit = 'mutation ($to: String!) { editMessage(id: "m1", text: $to) { message { revisions(first: 2) { text } } } }'
    told: Any = None
    for text in ("two", "three", "four"):
        told = (await client.query(edit, to=text))["editMessage"]["message"]["revisions"]
    assert [one["text"] for one in told] == ["three", "two"]
    await say(client, "t1", user("another"))
    all_of_them = '{ thread(id: "t1") { messages { revisions { text } } } }'
    found = (await client.query(all_of_them))["thread"]["messages"]
    assert [len(one["revisions"]) for one in found] == [3, 0]
