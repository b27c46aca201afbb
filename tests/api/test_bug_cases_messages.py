"""Faults seen in others' memory stores, each tried on threads and messages. The id of the case stands in the docstring;
test_bug_cases.py and others try them on notes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Scope, Tenant
from tests import operations
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.context.support import APPEND, BEGIN, STAGE, assistant, begin, stage, user
from tests.conversation.support import labels
from tests.factories import note
from tests.fakes.embedder import HashingEmbedder
from tests.operations import context, memory, recall, remember, update_memory

MESSAGES = """
query ($thread: ID!, $around: ID) {
  messages(threadId: $thread, around: $around) { nodes { id seq text createdAt updatedAt version } }
}
"""
EDIT = "mutation ($id: ID!, $text: String!) { editMessage(id: $id, text: $text) { version } }"
DELETE = "mutation ($id: ID!) { deleteMessages(ids: [$id]) { ids } }"
THREADS = """
query ($resource: ID!) { threads(filter: {resourceId: $resource}) { nodes { id resourceId messages { text } } } }
"""
ERASE = "mutation ($id: ID!) { eraseResource(id: $id) { threads messages } }"


async def messages(client: Client, thread: str) -> list[dict[str, Any]]:
    return list((await client.query(MESSAGES, thread=thread))["messages"]["nodes"])


@pytest.mark.parametrize(
    "text", ["a\x00b", "line1\r\nline2 b", "tab\there b", "\ufeffb", "b \u202eשלום\u202c", "a\u2028b", "\x1b[31mb"]
)
async def test_control_characters_in_a_message_are_kept_and_hide_no_word(
    client: Client, settle: Settle, text: str
) -> None:
    """B08"""
    await begin(client, "t1", user(text, "m1"), user("Other.", "m2"))
    await settle()
    assert (await messages(client, "t1"))[0]["text"] == text
    found = await recall(client, "b", resourceId="r1", topK=1)
    assert [(hit["message"]["id"], hit["message"]["text"]) for hit in found["hits"]] == [("m1", text)]
    bundle = await context(client, "t1", message="And?", tiers=["RECENCY"])
    assert bundle["messages"][0]["text"] == text
    assert text in bundle["rendered"]
    await client.query(EDIT, id="m2", text=text)
    assert (await messages(client, "t1"))[1]["text"] == text


async def test_a_blank_message_is_refused_and_nothing_is_made_of_it(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle, embedder: HashingEmbedder
) -> None:
    """B09: appended, staged or edited, among others or alone."""
    await begin(client, "t1", user("Hello.", "m1"))
    await client.query(BEGIN, thread="t1", id="u1")
    await settle()
    before, calls = await labels(graph, tenant), embedder.calls
    for blank in ("", "   ", "\n\t", "\u00a0", "\u3000", "\u200b"):
        for given in (user(blank), {"role": "ASSISTANT", "parts": [{"type": "TEXT", "text": blank}]}):
            for document, uid in ((APPEND, "t1"), (STAGE, "u1")):
                error = await client.error(document, id=uid, messages=[user("Fine."), given])
                assert error["code"] == "INVALID_INPUT"
                assert error["field"].startswith("messages[1]")
        assert (await client.error(EDIT, id="m1", text=blank))["code"] == "INVALID_INPUT"
    await settle()
    assert await labels(graph, tenant) == before
    assert embedder.calls == calls
    assert [one["text"] for one in await messages(client, "t1")] == ["Hello."]


async def test_an_edit_of_a_message_keeps_its_time_and_place(client: Client) -> None:
    """B40: a message is changed by an edit alone; sent again with other words it is a CONFLICT."""
    times = {f"m{at}": f"2024-05-0{at}T00:00:00Z" for at in (1, 2, 3)}
    await begin(client, "t1", *(user(f"Text of {uid}.", uid, createdAt=at) for uid, at in times.items()))
    before = await messages(client, "t1")
    for other in (user("Other.", "m1"), user("Other.", "m1", createdAt="2026-01-01T00:00:00Z")):
        assert (await client.error(APPEND, id="t1", messages=[other]))["code"] == "CONFLICT"
    again = user("Text of m1.", "m1", createdAt="2026-01-01T00:00:00Z")
    await client.query(APPEND, id="t1", messages=[again])
    assert await messages(client, "t1") == before
    await client.query(EDIT, id="m1", text="Edited.")
    after = await messages(client, "t1")
    assert {one["id"]: one["createdAt"] for one in after} == times
    assert [(one["id"], one["seq"]) for one in after] == [("m1", 1), ("m2", 2), ("m3", 3)]
    assert after[0]["updatedAt"] > before[0]["updatedAt"]
    assert after[1:] == before[1:]


ROUTES: list[tuple[str, dict[str, Any]]] = [
    (MESSAGES, {"thread": "mine", "around": "ID"}),
    (EDIT, {"id": "ID", "text": "Taken."}),
    (DELETE, {"id": "ID"}),
    ('query ($id: ID!) { recall(input: {resourceId: "r1", query: "secret", excludeIds: [$id]}) { hits { score } } }',
     {"id": "ID"}),
    ('mutation ($id: ID!) { updateWorkingMemory(threadId: "mine", merge: {a: 1}, sourceMessageId: $id) { version } }',
     {"id": "ID"}),
    ('mutation ($id: ID!) { commitTurn(turnId: "open", memory: [{merge: {a: 1}, sourceMessageId: $id}]) { state } }',
     {"id": "ID"}),
]  # fmt: skip


@pytest.mark.parametrize(("document", "variables"), ROUTES)
@pytest.mark.parametrize("tenants", ["another tenant", "the same tenant"])
async def test_a_message_of_others_is_answered_as_one_that_was_made_up(
    client: Client, connect_as: Connect, tenant: Tenant, document: str, variables: dict[str, Any], tenants: str
) -> None:
    """B23: by its id, whatever the way; of another tenant, or of another resource to a key that is bound to one."""
    if tenants == "another tenant":
        owner, caller = await connect_as(tenant=Tenant(f"{tenant} other")), client
    else:
        owner, caller = client, await connect_as(Scope.WRITE, resource="r1")
    await begin(owner, "theirs", user("A secret.", "theirs1"), resource="r2")
    await begin(client, "mine", user("Hello.", "m1"))
    await stage(client, "mine", "open", user("Staged.", "s1"))

    async def answer(uid: str) -> str:
        given = {name: uid if value == "ID" else value for name, value in variables.items()}
        return (await caller.post(document, given)).text.replace(uid, "ID")

    assert await answer("theirs1") == await answer("made_up")
    assert [(one["text"], one["version"]) for one in await messages(owner, "theirs")] == [("A secret.", 1)]
    assert [one["text"] for one in await messages(client, "mine")] == ["Hello."]


async def test_a_window_is_of_the_thread_that_was_named(client: Client) -> None:
    """B23"""
    await begin(client, "t1", user("Mine.", "m1"))
    await begin(client, "t2", user("Of the same resource.", "m2"))
    errors = [await client.error(MESSAGES, thread="t1", around=uid) for uid in ("m2", "m9")]
    assert [error["code"] for error in errors] == ["NOT_FOUND", "NOT_FOUND"]
    assert errors[0]["message"].replace("m2", "m9") == errors[1]["message"]


async def test_every_part_of_a_recall_and_a_context_keeps_to_the_tenant(
    client: Client, connect_as: Connect, tenant: Tenant, settle: Settle
) -> None:
    """B20: the same said, known and noted by two tenants, under the same ids of resource and thread."""
    other = Tenant(f"{tenant} other")
    stranger = await connect_as(tenant=other)
    for who, mark in ((client, "ours"), (stranger, "theirs")):
        for uid in ("old", "now"):
            said = (user("The tide is high.", f"{mark}-{uid}1"), assistant("High water.", f"{mark}-{uid}2"))
            await begin(who, uid, *said, title=f"{mark}-title")
        await remember(who, [note(f"{mark}-note", "Tide tables", "High water"), note(f"{mark}-own", resourceId="r1")])
        await update_memory(who, resourceId="r1", merge={"tide": f"{mark}-memory"})
        await who.query('mutation ($t: String!) { postNotice(threadId: "now", text: $t) { id } }', t=f"{mark}-notice")
        await stage(who, "now", f"{mark}-turn", user("Staged high tide.", f"{mark}-staged"))
    await settle()
    await settle(other)
    found = [
        await recall(client, "high tide", resourceId="r1", topK=50, before=5, after=5),
        await recall(client, "high tide", threadId="now", scope="THREAD", topK=50),
        await context(client, "now", message="Is the tide high?", recall={"topK": 50}, knowledge={"topK": 50}),
        await context(client, "now", turnId="ours-turn"),
        await memory(client, threadId="now"),
        await client.query(MESSAGES, thread="now"),
    ]
    for one in found:
        text = json.dumps(one)
        assert "ours-" in text
        assert "theirs-" not in text
    assert await client.query("{ resources { nodes { id } } }") == {"resources": {"nodes": [{"id": "r1"}]}}


LOOKALIKES = [
    ("a_b", "c"), ("a", "b_c"), ("a_b_c", "d"), ("a/b", "e"), ("a:b", "f"), ("a.b", "g"), ("a b", "h"), ("A_B", "C"),
    ("\U0001f98a", "i"), ("a_b ", "j"),
]  # fmt: skip


async def test_owners_and_threads_that_look_alike_stay_apart_and_one_is_erased_alone(
    client: Client, settle: Settle
) -> None:
    """B27: owner `a_b` with thread `c`, owner `a` with thread `b_c`."""
    for owner, uid in LOOKALIKES:
        await begin(client, uid, user(f"The tide of {uid}.", f"m of {uid}"), resource=owner)
        await remember(client, [note(f"note of {uid}", "Tide tables", resourceId=owner)])
        await update_memory(client, resourceId=owner, merge={"of": uid})
    await settle()

    async def kept(owner: str, uid: str) -> bool:
        """Whether all that an owner has is there, and nothing else is."""
        threads = (await client.query(THREADS, resource=owner))["threads"]["nodes"]
        said = [hit["message"]["id"] for hit in (await recall(client, "tide", resourceId=owner, topK=50))["hits"]]
        notes = (await operations.search(client, "tide tables", resourceId=owner, topK=50))["hits"]
        known = (await memory(client, resourceId=owner))["json"]
        if not (threads or said or notes or known):
            return False
        assert threads == [{"id": uid, "resourceId": owner, "messages": [{"text": f"The tide of {uid}."}]}]
        assert (said, [hit["node"]["id"] for hit in notes], known) == ([f"m of {uid}"], [f"note of {uid}"], {"of": uid})
        return True

    assert [await kept(*one) for one in LOOKALIKES] == [True] * len(LOOKALIKES)
    assert (await client.query(ERASE, id="a_b"))["eraseResource"] == {"threads": 1, "messages": 1}
    assert [await kept(*one) for one in LOOKALIKES] == [False, *[True] * (len(LOOKALIKES) - 1)]
    await client.query('mutation { deleteThread(id: "b_c") { id } }')
    assert (await client.query(THREADS, resource="a"))["threads"]["nodes"] == []
    assert [await kept(*one) for one in LOOKALIKES[2:]] == [True] * (len(LOOKALIKES) - 2)
