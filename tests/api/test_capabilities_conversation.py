"""Threads, turns and messages as the capabilities ask for them, through GraphQL over HTTP."""

from __future__ import annotations

from typing import Any

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests.client import Client
from tests.conftest import Settle
from tests.context.support import STAGE, assistant, begin, call, ids, result, say, talk, user
from tests.conversation.support import labels
from tests.operations import context, recall

CREATE = """
mutation ($id: ID!, $contextType: ContextType!, $topic: String) {
  createThread(resourceId: "r1", id: $id, contextType: $contextType, topic: $topic) { id }
}
"""
THREADS = """
query ($filter: ThreadFilterInput!) {
  threads(filter: $filter, orderBy: CREATED_DESC) { nodes { id contextType topic } }
}
"""
THREAD = "query ($id: ID!) { thread(id: $id) { title titlePinned lastSeq messageCount related { id } } }"
MESSAGES = """
query ($id: ID!, $last: Int) {
  messages(threadId: $id, last: $last) {
    nodes {
      id seq turnId role text createdAt version parts { type text toolCallId toolName data } revisions { version text }
    }
  }
}
"""
BEGIN = "mutation ($thread: ID!, $id: ID!) { beginTurn(threadId: $thread, id: $id) { state attempt } }"
REJECT = """
mutation ($id: ID!, $retry: Boolean!) { rejectTurn(turnId: $id, reason: "rude", retry: $retry) { state attempt } }
"""
COMMIT = """
mutation ($id: ID!, $memory: [TurnMemoryInput!]) { commitTurn(turnId: $id, memory: $memory) { state ids firstSeq } }
"""
LINK = """
mutation ($from: ID!, $to: ID!, $unlink: Boolean!) { linkThreads(from: $from, to: $to, unlink: $unlink) { changed } }
"""
RELATED = "query ($id: ID!) { relatedThreads(id: $id) { id } }"
LOG = "{ changes(first: 50) { nodes { action touched at } } }"


async def messages(client: Client, thread: str, last: int | None = None) -> list[dict[str, Any]]:
    return list((await client.query(MESSAGES, id=thread, last=last))["messages"]["nodes"])


async def test_threads_have_a_kind_and_a_topic_and_are_listed_by_both(client: Client) -> None:
    """C15, C16."""
    made = [
        ("t1", "SUPPORT", "billing"),
        ("t2", "RESEARCH", "billing"),
        ("t3", "PLANNING", None),
        ("t4", "GENERAL", "x"),
    ]
    for uid, kind, topic in made:
        await client.query(CREATE, id=uid, contextType=kind, topic=topic)

    async def listed(**wanted: Any) -> list[tuple[str, str, str | None]]:
        found = (await client.query(THREADS, filter={"resourceId": "r1", **wanted}))["threads"]["nodes"]
        return [(one["id"], one["contextType"], one["topic"]) for one in found]

    assert await listed() == made[::-1]
    for one in made:
        assert await listed(contextTypes=[one[1]]) == [one]
    assert await listed(contextTypes=["SUPPORT", "PLANNING"]) == [made[2], made[0]]
    assert await listed(topic="billing") == [made[1], made[0]]
    assert await listed(topic="billing", contextTypes=["SUPPORT"]) == [made[0]]
    assert await listed(topic="none") == []
    error = await client.error(CREATE, id="t5", contextType="SALES")
    assert error["code"] == "INVALID_INPUT"
    patch = 'mutation { updateThread(id: "t4", patch: {topic: "billing", contextType: SUPPORT}) { id } }'
    await client.query(patch)
    assert await listed(topic="billing", contextTypes=["SUPPORT"]) == [("t4", "SUPPORT", "billing"), made[0]]


async def test_linked_threads_are_found_from_both(client: Client) -> None:
    """C17."""
    for uid in ("t1", "t2", "t3"):
        await begin(client, uid)
    assert (await client.query(LINK, **{"from": "t1", "to": "t2"}, unlink=False))["linkThreads"]["changed"]
    assert not (await client.query(LINK, **{"from": "t2", "to": "t1"}, unlink=False))["linkThreads"]["changed"]
    for one, other in (("t1", "t2"), ("t2", "t1")):
        assert (await client.query(RELATED, id=one))["relatedThreads"] == [{"id": other}]
        assert (await client.query(THREAD, id=one))["thread"]["related"] == [{"id": other}]
    assert (await client.query(RELATED, id="t3"))["relatedThreads"] == []
    assert (await client.query(LINK, **{"from": "t2", "to": "t1"}, unlink=True))["linkThreads"]["changed"]
    assert (await client.query(RELATED, id="t1"))["relatedThreads"] == []


async def test_the_last_messages_come_as_they_were_said_and_in_order(client: Client) -> None:
    """C44: the last 20 of 60."""
    await begin(client, "t1", *(user(f" Said  {at}\n", f"m{at}") for at in range(60)))
    found = await messages(client, "t1", last=20)
    assert [(one["id"], one["seq"], one["text"]) for one in found] == [
        (f"m{at}", at + 1, f" Said  {at}\n") for at in range(40, 60)
    ]
    bundle = await context(client, "t1", message="And?", recency={"lastMessages": 20}, tiers=["RECENCY"])
    assert [one["text"] for one in bundle["messages"]] == [*(one["text"] for one in found), "And?"]


async def test_memory_is_read_before_the_guards_and_stored_after_them(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    """C57: reading is a step of its own that writes nothing; the change log shows the steps in order."""
    await talk(client, "t1", 2)
    before, steps = await labels(graph, tenant), (await client.query(LOG))["changes"]["nodes"]
    found = await context(client, "t1", message="May I?", tiers=["RECENCY", "WORKING_MEMORY"])
    assert ids(found) == ["t1.q1", "t1.a1", "t1.q2", "t1.a2", None]
    assert (await labels(graph, tenant), (await client.query(LOG))["changes"]["nodes"]) == (before, steps)
    await client.query(BEGIN, thread="t1", id="u1")
    await client.query(STAGE, id="u1", messages=[user("May I?", "m1"), assistant("Yes.", "m2")])
    assert ids(await context(client, "t1", tiers=["RECENCY"])) == ids(found)[:-1]
    assert [one["id"] for one in await messages(client, "t1")] == ids(found)[:-1]
    done = (await client.query(COMMIT, id="u1"))["commitTurn"]
    assert (done["state"], done["ids"], done["firstSeq"]) == ("COMMITTED", ["m1", "m2"], 5)
    assert ids(await context(client, "t1", tiers=["RECENCY"])) == [*ids(found)[:-1], "m1", "m2"]
    log = (await client.query(LOG))["changes"]["nodes"]
    new = log[: len(log) - len(steps)][::-1]
    assert log[len(new) :] == steps
    assert [one["action"] for one in new] == ["beginTurn", "stageMessages", "commitTurn"]
    assert [one["at"] for one in new] == sorted(one["at"] for one in new)
    assert {"m1", "m2"} <= set(new[-1]["touched"])


async def test_a_turn_that_is_rejected_after_a_tool_step_leaves_nothing(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    """C58: no message, no vector, no working memory, and nothing to be found."""
    await begin(client, "t1", user("Hello.", "m1"))
    await client.query(BEGIN, thread="t1", id="u1")
    await settle()
    before, thread = await labels(graph, tenant), await client.query(THREAD, id="t1")
    said = (user("The password is swordfish.", "s1"), call("c1", uid="s2"), result("c1", "swordfish", "s3"))
    await client.query(STAGE, id="u1", messages=list(said))
    done = (await client.query(REJECT, id="u1", retry=False))["rejectTurn"]
    assert done["state"] == "REJECTED"
    await settle()
    assert await labels(graph, tenant) == before
    assert await client.query(THREAD, id="t1") == thread
    assert [one["id"] for one in await messages(client, "t1")] == ["m1"]
    assert [hit["message"]["id"] for hit in (await recall(client, "swordfish", resourceId="r1"))["hits"]] in (
        [],
        ["m1"],
    )
    error = await client.error(COMMIT, id="u1", memory=[{"merge": {"password": "swordfish"}}])
    assert (error["code"], error["state"]) == ("CONFLICT", "rejected")
    memory = '{ workingMemory(resourceId: "r1") { version } }'
    assert (await client.query(memory))["workingMemory"]["version"] == 0


async def test_the_first_exchange_gives_the_title_and_one_that_was_given_stays(client: Client) -> None:
    """C69."""
    await begin(client, "t1")
    await begin(client, "t2", title="Mine")
    for uid in ("t1", "t2"):
        await say(client, uid, user("Why did the export stop? It ran for hours."), assistant("It was full."))
        await say(client, uid, user("Another thing."))
    titles = {uid: (await client.query(THREAD, id=uid))["thread"] for uid in ("t1", "t2")}
    assert {uid: (one["title"], one["titlePinned"]) for uid, one in titles.items()} == {
        "t1": ("Why did the export stop?", False), "t2": ("Mine", True),
    }  # fmt: skip
    await client.query('mutation { updateThread(id: "t1", patch: {title: "Exports"}) { id } }')
    await say(client, "t1", user("And a third."))
    assert (await client.query(THREAD, id="t1"))["thread"]["title"] == "Exports"


async def test_of_three_attempts_at_most_the_accepted_one_is_stored(client: Client) -> None:
    """C70."""
    for uid, thread in (("u1", "t1"), ("u2", "t2")):
        await begin(client, thread)
        await client.query(BEGIN, thread=thread, id=uid)
        for attempt in (1, 2):
            draft = [user("Hi.", f"{uid}.{attempt}q"), assistant(f"Draft {attempt}.", f"{uid}.{attempt}a")]
            await client.query(STAGE, id=uid, messages=draft)
            again = (await client.query(REJECT, id=uid, retry=True))["rejectTurn"]
            assert (again["state"], again["attempt"]) == ("OPEN", attempt + 1)
        await client.query(STAGE, id=uid, messages=[user("Hi.", f"{uid}.3q"), assistant("Good.", f"{uid}.3a")])
    assert (await client.query(COMMIT, id="u1"))["commitTurn"]["ids"] == ["u1.3q", "u1.3a"]
    assert [(one["id"], one["turnId"]) for one in await messages(client, "t1")] == [("u1.3q", "u1"), ("u1.3a", "u1")]
    assert (await client.query(REJECT, id="u2", retry=True))["rejectTurn"] == {"state": "REJECTED", "attempt": 3}
    assert await messages(client, "t2") == []
    assert (await client.error(STAGE, id="u2", messages=[user("Once more.")]))["state"] == "rejected"


async def test_ten_steps_with_tools_are_one_turn_with_its_pairs_in_order(client: Client) -> None:
    """C71."""
    steps = [one for at in range(10) for one in (call(f"c{at}", uid=f"s{at}"), result(f"c{at}", f"row {at}", f"f{at}"))]
    await begin(client, "t1", user("Look all of it up.", "ask"), *steps, assistant("Done.", "end"))
    stored = await messages(client, "t1", last=200)
    assert [one["id"] for one in stored] == ["ask", *(f"{kind}{at}" for at in range(10) for kind in "sf"), "end"]
    assert [one["seq"] for one in stored] == list(range(1, 23))
    assert len({one["turnId"] for one in stored}) == 1
    assert [one["role"] for one in stored] == ["USER", *["ASSISTANT", "TOOL"] * 10, "ASSISTANT"]
    empty = dict.fromkeys(("text", "toolCallId", "toolName", "data"))
    for at in range(10):
        asked, answered = stored[2 * at + 1 : 2 * at + 3]
        assert asked["parts"] == [
            {**empty, "type": "TOOL_CALL", "toolCallId": f"c{at}", "toolName": "look_up", "data": {"of": f"c{at}"}}
        ]
        assert answered["parts"] == [{**empty, "type": "TOOL_RESULT", "toolCallId": f"c{at}", "text": f"row {at}"}]
    bundle = await context(client, "t1", tiers=["RECENCY"], recency={"lastMessages": 4})
    assert ids(bundle) == ["ask", "s8", "f8", "s9", "f9", "end"]


async def test_an_edit_is_a_revision_and_what_was_said_stays(client: Client, settle: Settle) -> None:
    """C74."""
    await begin(client, "t1", user("The pump is blue.", "m1"), assistant("Noted.", "m2"))
    first = (await messages(client, "t1"))[0]
    for version, text in ((2, "The pump is green."), (3, "The pump is red.")):
        edit = 'mutation ($text: String!) { editMessage(id: "m1", text: $text) { version changed } }'
        assert (await client.query(edit, text=text))["editMessage"] == {"version": version, "changed": True}
    await settle()
    edited, other = await messages(client, "t1")
    assert (edited["text"], edited["version"], edited["seq"], edited["createdAt"]) == (
        "The pump is red.", 3, 1, first["createdAt"],
    )  # fmt: skip
    told = sorted((one["version"], one["text"]) for one in edited["revisions"])
    assert told == [(1, "The pump is blue."), (2, "The pump is green.")]
    assert (other["text"], other["revisions"]) == ("Noted.", [])
    error = await client.error('mutation { editMessage(id: "m1", text: "x", expectedVersion: 1) { version } }')
    assert (error["code"], error["currentVersion"]) == ("VERSION_CONFLICT", 3)
