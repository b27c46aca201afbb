"""Level 2 as a caller sees it: GraphQL over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.values import Scope, Tenant
from tests.client import Client
from tests.conftest import Connect, Settle

CREATE = """
mutation (
  $resourceId: ID, $id: ID, $title: String, $metadata: JSON, $contextType: ContextType! = GENERAL, $topic: String
) {
  createThread(
    resourceId: $resourceId, id: $id, title: $title, metadata: $metadata, contextType: $contextType, topic: $topic
  ) { id resourceId version thread { id title titlePinned contextType topic metadata lastSeq messageCount } }
}
"""
APPEND = """
mutation ($threadId: ID!, $messages: [MessageInput!]!, $turnId: ID, $resourceId: ID, $key: String) {
  appendTurn(
    threadId: $threadId, messages: $messages, turnId: $turnId, resourceId: $resourceId, idempotencyKey: $key
  ) {
    threadId turnId firstSeq lastSeq ids unchanged
    messages { id seq role speaker text turnId parts { type text toolCallId toolName data uri caption } }
  }
}
"""
BEGIN = "mutation ($threadId: ID!) { beginTurn(threadId: $threadId) { id state attempt turn { staged expiresAt } } }"
STAGE = """
mutation ($turnId: ID!, $messages: [MessageInput!]!) {
  stageMessages(turnId: $turnId, messages: $messages) { ids attempt turn { staged } }
}
"""
COMMIT = """
mutation ($turnId: ID!, $memory: [TurnMemoryInput!]) {
  commitTurn(turnId: $turnId, memory: $memory) { state ids firstSeq lastSeq turn { endedAt } }
}
"""
REJECT = """
mutation ($turnId: ID!, $reason: String, $retry: Boolean! = false) {
  rejectTurn(turnId: $turnId, reason: $reason, retry: $retry) { state attempt turn { reason staged } }
}
"""
MESSAGES = """
query ($threadId: ID!, $first: Int, $after: String, $last: Int, $before: String, $around: ID, $resourceId: ID) {
  messages(
    threadId: $threadId, first: $first, after: $after, last: $last, before: $before, around: $around,
    resourceId: $resourceId
  ) { nodes { id seq text role } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }
}
"""
THREADS = """
query ($filter: ThreadFilterInput, $orderBy: ThreadOrder! = CREATED_DESC) {
  threads(filter: $filter, orderBy: $orderBy) {
    nodes {
      id related { id } resource { id name }
      messages(last: 2) { text revisions { text } } again: messages(last: 2) { text }
    }
  }
}
"""


def user(text: str, **more: Any) -> dict[str, Any]:
    return {"role": "USER", "text": text, **more}


async def test_a_conversation_from_its_beginning_to_its_end(client: Client, settle: Settle) -> None:
    made = (await client.query(CREATE, resourceId="r1", id="t1", contextType="SUPPORT", metadata={"a": 1}))[
        "createThread"
    ]
    assert made["thread"]["contextType"] == "SUPPORT"
    done = (await client.query(APPEND, threadId="t1", messages=[user("Why did it stop?", speaker="Ann")]))["appendTurn"]
    assert (done["firstSeq"], done["messages"][0]["text"]) == (1, "Why did it stop?")
    turn = (await client.query(BEGIN, threadId="t1"))["beginTurn"]
    call = {"type": "TOOL_CALL", "toolCallId": "c1", "toolName": "look_up", "data": {"id": 7}}
    result = {"type": "TOOL_RESULT", "toolCallId": "c1", "text": "It was full."}
    steps = [{"role": "ASSISTANT", "parts": [call]}, {"role": "TOOL", "parts": [result]}]
    staged = (await client.query(STAGE, turnId=turn["id"], messages=steps))["stageMessages"]
    assert staged["turn"]["staged"] == 2
    assert len((await client.query(MESSAGES, threadId="t1"))["messages"]["nodes"]) == 1
    again = (await client.query(REJECT, turnId=turn["id"], reason="too terse", retry=True))["rejectTurn"]
    assert (again["state"], again["attempt"], again["turn"]) == ("OPEN", 2, {"reason": "too terse", "staged": 0})
    await client.query(STAGE, turnId=turn["id"], messages=[*steps, {"role": "ASSISTANT", "text": "The disk was full."}])
    committed = (await client.query(COMMIT, turnId=turn["id"]))["commitTurn"]
    assert (committed["state"], committed["firstSeq"], committed["lastSeq"]) == ("COMMITTED", 2, 4)
    page = (await client.query(MESSAGES, threadId="t1", last=2))["messages"]
    assert [one["seq"] for one in page["nodes"]] == [3, 4]
    assert (page["pageInfo"]["hasPreviousPage"], page["pageInfo"]["hasNextPage"]) == (True, False)
    older = (await client.query(MESSAGES, threadId="t1", last=9, before=page["pageInfo"]["startCursor"]))["messages"]
    assert [one["seq"] for one in older["nodes"]] == [1, 2]
    edit = 'mutation ($id: ID!) { editMessage(id: $id, text: "Why?") { version message { text revisions { text } } } }'
    edited = (await client.query(edit, id=done["ids"][0]))["editMessage"]
    assert edited == {"version": 2, "message": {"text": "Why?", "revisions": [{"text": "Why did it stop?"}]}}
    gone = (await client.query('mutation { deleteThread(id: "t1") { turns messages revisions } }'))["deleteThread"]
    assert gone == {"turns": 2, "messages": 4, "revisions": 1}
    await settle()


async def test_many_threads_cost_a_trip_a_level(client: Client) -> None:
    link = 'mutation { linkThreads(from: "t0", to: "t1") { changed } }'
    patch = 'mutation { updateResource(id: "r1", name: "Acme") { version resource { name } } }'
    for at in range(3):
        await client.query(CREATE, resourceId="r1", id=f"t{at}")
        await client.query(APPEND, threadId=f"t{at}", messages=[user(f"{at} {n}") for n in range(3)])
    assert (await client.query(link))["linkThreads"] == {"changed": True}
    assert (await client.query(patch))["updateResource"] == {"version": 2, "resource": {"name": "Acme"}}
    response = await client.post(THREADS, {"filter": {"resourceId": "r1"}, "orderBy": "ACTIVE_DESC"})
    nodes = response.json()["data"]["threads"]["nodes"]
    assert [node["id"] for node in nodes] == ["t2", "t1", "t0"]
    assert [[one["text"] for one in node["messages"]] for node in nodes] == [[f"{at} 1", f"{at} 2"] for at in (2, 1, 0)]
    assert [len(node["again"]) for node in nodes] == [2, 2, 2]
    assert [[one["id"] for one in node["related"]] for node in nodes] == [[], ["t0"], ["t1"]]
    assert {node["resource"]["name"] for node in nodes} == {"Acme"}
    related = 'query { relatedThreads(id: "t1") { id } }'
    assert (await client.query(related))["relatedThreads"] == [{"id": "t0"}]


async def test_one_resources_key_sees_nothing_of_another(connect_as: Connect, client: Client) -> None:
    """C56, R14, M-6."""
    for at in (1, 2):
        await client.query(CREATE, resourceId=f"r{at}", id=f"t{at}")
        await client.query(APPEND, threadId=f"t{at}", messages=[user("mine", id=f"m{at}")])
    turn = (await client.query(BEGIN, threadId="t2"))["beginTurn"]["id"]
    bound = await connect_as(Scope.WRITE, resource="r1")
    for query, variables in (
        (MESSAGES, {"threadId": "t2"}),
        (MESSAGES, {"threadId": "t1", "around": "m2"}),
        (APPEND, {"threadId": "t2", "messages": [user("x")]}),
        (BEGIN, {"threadId": "t2"}),
        (STAGE, {"turnId": turn, "messages": [user("x")]}),
        (COMMIT, {"turnId": turn}),
        (REJECT, {"turnId": turn}),
        ('mutation { editMessage(id: "m2", text: "x") { id } }', {}),
        ('mutation { deleteMessages(ids: ["m2"]) { ids } }', {}),
        ('mutation { deleteThread(id: "t2") { id } }', {}),
        ('mutation { cloneThread(id: "t2") { id } }', {}),
        ('mutation { updateThread(id: "t2", patch: {topic: "x"}) { id } }', {}),
        ('mutation { linkThreads(from: "t1", to: "t2") { changed } }', {}),
        ('mutation { postNotice(threadId: "t2", text: "x") { id } }', {}),
        ('{ relatedThreads(id: "t2") { id } }', {}),
    ):
        assert (await bound.error(query, **variables))["code"] == "NOT_FOUND", query
    seen = """query ($turn: ID!) {
      thread(id: "t2") { id } resource(id: "r2") { id } turn(id: $turn) { id } resources { nodes { id } }
    }"""
    assert await bound.query(seen, turn=turn) == {
        "thread": None, "resource": None, "turn": None, "resources": {"nodes": [{"id": "r1"}]},
    }  # fmt: skip
    assert [node["id"] for node in (await bound.query(THREADS))["threads"]["nodes"]] == ["t1"]
    assert (await bound.error(MESSAGES, threadId="t1", resourceId="r2"))["code"] == "FORBIDDEN"
    assert (await client.error(MESSAGES, threadId="t1", resourceId="r2"))["code"] == "NOT_FOUND"
    assert (await bound.error(APPEND, threadId="t1", messages=[user("x", id="m2")]))["code"] == "CONFLICT"


async def test_another_tenant_may_use_the_same_ids(client: Client, connect_as: Connect, tenant: Tenant) -> None:
    other = await connect_as(tenant=Tenant(f"{tenant} 2"))
    for who, text in ((client, "ours"), (other, "theirs")):
        await who.query(CREATE, resourceId="r1", id="t1")
        await who.query(APPEND, threadId="t1", messages=[user(text, id="m1")])
    for who, text in ((client, "ours"), (other, "theirs")):
        assert [one["text"] for one in (await who.query(MESSAGES, threadId="t1"))["messages"]["nodes"]] == [text]


@pytest.mark.parametrize(
    ("message", "code", "field"),
    [
        ({"role": "USER"}, "INVALID_INPUT", "messages[0]"),
        ({"role": "USER", "text": "a", "parts": []}, "INVALID_INPUT", "messages[0]"),
        ({"role": "USER", "parts": []}, "INVALID_INPUT", "messages[0].parts"),
        ({"role": "USER", "text": " "}, "INVALID_INPUT", "messages[0].parts"),
        ({"role": "TOOL", "parts": [{"type": "TOOL_RESULT", "toolCallId": "c"}]}, "INVALID_INPUT", "messages"),
        ({"role": "USER", "parts": [{"type": "VIDEO", "text": "x"}]}, "INVALID_INPUT", "messages[0].parts[0].type"),
        ({"role": "HUMAN", "text": "x"}, "INVALID_INPUT", "messages[0].role"),
    ],
)
async def test_bad_messages_are_refused_and_nothing_is_stored(
    client: Client, message: dict[str, Any], code: str, field: str
) -> None:
    await client.query(CREATE, resourceId="r1", id="t1")
    error = await client.error(APPEND, threadId="t1", messages=[message])
    assert (error["code"], error["field"]) == (code, field)
    assert (await client.query(MESSAGES, threadId="t1"))["messages"]["nodes"] == []


@pytest.mark.parametrize("arguments", [{"first": -1}, {"last": 0}, {"first": 201}, {"first": 1, "before": "x"}])
async def test_pages_that_cannot_be_are_refused(client: Client, arguments: dict[str, Any]) -> None:
    await client.query(CREATE, resourceId="r1", id="t1")
    assert (await client.error(MESSAGES, threadId="t1", **arguments))["code"] in ("INVALID_INPUT", "LIMIT_EXCEEDED")


async def test_notices_and_clones_over_http(client: Client) -> None:
    await client.query(CREATE, resourceId="r1", id="t1")
    await client.query(APPEND, threadId="t1", messages=[user("one"), user("two")])
    post = 'mutation { postNotice(threadId: "t1", text: "New terms.", source: "legal") { id } }'
    uid = (await client.query(post))["postNotice"]["id"]
    told = '{ notices(threadId: "t1") { id text source threadId } }'
    assert (await client.query(told))["notices"] == [
        {"id": uid, "text": "New terms.", "source": "legal", "threadId": "t1"}
    ]
    acknowledge = "mutation ($ids: [ID!]!) { acknowledgeNotices(ids: $ids) { ids } }"
    assert (await client.query(acknowledge, ids=[uid]))["acknowledgeNotices"] == {"ids": [uid]}
    assert (await client.query(told))["notices"] == []
    clone = 'mutation { cloneThread(id: "t1", upToSeq: 1, newId: "t2") { messages thread { lastSeq title } } }'
    assert (await client.query(clone))["cloneThread"] == {"messages": 1, "thread": {"lastSeq": 1, "title": "one"}}
    drop = "mutation ($ids: [ID!]!) { deleteMessages(ids: $ids) { ids } }"
    uid = (await client.query(MESSAGES, threadId="t1", first=1))["messages"]["nodes"][0]["id"]
    assert (await client.query(drop, ids=[uid]))["deleteMessages"] == {"ids": [uid]}
    erase = 'mutation { eraseResource(id: "r1") { threads messages kept { what why count } } }'
    erased = (await client.query(erase))["eraseResource"]
    assert (erased["threads"], erased["messages"]) == (2, 3)
    assert [kept["what"] for kept in erased["kept"]] == ["change log"]
