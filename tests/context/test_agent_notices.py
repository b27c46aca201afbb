"""What an agent is to be told stands in its contexts."""

from __future__ import annotations

import httpx

from graphmem.access.keys import create_key
from graphmem.graph.gateway import Graph
from graphmem.values import Scope, Tenant
from tests.client import Client
from tests.context.support import COMMIT, NOTICE, begin, stage, user
from tests.operations import CONTEXT, context

FOR_AGENT = "mutation ($agent: String!, $text: String!) { postNotice(agent: $agent, text: $text) { id } }"
BEGIN = "mutation ($thread: ID!, $agent: String) { beginTurn(threadId: $thread, agent: $agent) { id } }"
APPEND = """
mutation ($id: ID!, $messages: [MessageInput!]!, $agent: String, $notices: [ID!], $memory: [TurnMemoryInput!]) {
  appendTurn(threadId: $id, messages: $messages, agent: $agent, noticeIds: $notices, memory: $memory) { ids }
}
"""


async def told(client: Client, **more: str) -> list[str]:
    found = await context(client, "t1", message="?", **more)
    assert all(one["text"] in found["rendered"] for one in found["notices"])
    return [one["text"] for one in found["notices"]]


async def test_a_context_carries_the_notices_of_its_agent(
    client: Client, http: httpx.AsyncClient, graph: Graph, tenant: Tenant
) -> None:
    await begin(client, "t1")
    for agent in ("helper", "other"):
        await client.query(FOR_AGENT, agent=agent, text=f"For {agent}.")
    await client.query(NOTICE, thread="t1", text="For the thread.")
    assert await told(client) == ["For the thread."]
    assert await told(client, agent="helper") == ["For helper.", "For the thread."]
    turn = (await client.query(BEGIN, thread="t1", agent="other"))["beginTurn"]["id"]
    assert await told(client, turnId=turn) == ["For other.", "For the thread."]
    made = await create_key(graph, tenant, name="bound", scopes=[Scope.READ], agent="helper")
    bound = Client(http, made.key)
    assert await told(bound) == ["For helper.", "For the thread."]
    error = await bound.error(CONTEXT, input={"threadId": "t1", "message": "?", "agent": "other"})
    assert (error["code"], error["field"]) == ("FORBIDDEN", "agent")


async def test_a_key_of_a_resource_is_told_what_its_threads_are_and_nothing_of_agents(
    client: Client, http: httpx.AsyncClient, graph: Graph, tenant: Tenant
) -> None:
    await begin(client, "t1")
    thread = await client.query('{ thread(id: "t1") { resourceId } }')
    await client.query(FOR_AGENT, agent="helper", text="Of another customer.")
    await client.query(NOTICE, thread="t1", text="For the thread.")
    made = await create_key(graph, tenant, name="bound", scopes=[Scope.WRITE], resource=thread["thread"]["resourceId"])
    bound = Client(http, made.key)
    error = await bound.error(CONTEXT, input={"threadId": "t1", "message": "?", "agent": "helper"})
    assert (error["code"], error["field"]) == ("FORBIDDEN", "agent")
    turn = (await bound.query(BEGIN, thread="t1", agent="helper"))["beginTurn"]["id"]
    assert await told(bound, turnId=turn) == ["For the thread."]
    assert await told(client, turnId=turn) == ["Of another customer.", "For the thread."]


async def test_a_notice_rides_on_every_context_until_a_turn_names_it(client: Client) -> None:
    await begin(client, "t1")
    one = (await client.query(NOTICE, thread="t1", text="Look."))["postNotice"]["id"]
    two = (await client.query(FOR_AGENT, agent="helper", text="Speak plainly."))["postNotice"]["id"]
    await stage(client, "t1", "u1", user("First."))
    await client.query(COMMIT, id="u1")
    assert await told(client, agent="helper") == ["Look.", "Speak plainly."]
    said, memory = [user("Second.", "m1")], [{"merge": {"plan": "pro"}, "sourceMessageId": "m1"}]
    error = await client.error(APPEND, id="t1", messages=said, notices=["nothing"])
    assert (error["code"], error["field"]) == ("NOT_FOUND", "noticeIds")
    await client.query(APPEND, id="t1", messages=said, agent="helper", notices=[one, two], memory=memory)
    assert await told(client, agent="helper") == []
    assert next(one["markdown"].strip() for one in (await context(client, "t1"))["workingMemory"]) == "- plan: pro"
