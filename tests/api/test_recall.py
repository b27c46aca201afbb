"""Recall as a caller sees it: GraphQL over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests.client import Client
from tests.conftest import Settle
from tests.conversation.support import said
from tests.factories import principal
from tests.fakes.embedder import HashingEmbedder
from tests.operations import context, known, recall

CREATE = """
mutation ($resource: ID, $id: ID!, $metadata: JSON) {
  createThread(resourceId: $resource, id: $id, metadata: $metadata) { id }
}
"""
APPEND = """
mutation ($id: ID!, $messages: [MessageInput!]!, $agent: String) {
  appendTurn(threadId: $id, messages: $messages, agent: $agent) { ids unchanged }
}
"""
BEGIN = "mutation ($thread: ID!, $id: ID!) { beginTurn(threadId: $thread, id: $id) { id } }"
STAGE = """
mutation ($id: ID!, $messages: [MessageInput!]!) {
  stageMessages(turnId: $id, messages: $messages) { ids turn { staged } }
}
"""
STEPS = [f"s{step}" for step in range(5)]
FILLER = ["The weather is mild.", "Lunch was late.", "Trains run again.", "A meeting was moved.", "The office is shut."]


async def say(client: Client, thread: str, *texts: str, agent: str | None = None, **more: Any) -> list[str]:
    """Message ids: the thread's, a dot and a running number."""
    count = (await client.query("query ($id: ID!) { thread(id: $id) { lastSeq } }", id=thread))["thread"]["lastSeq"]
    messages = [
        {"role": "USER", "text": text, "id": f"{thread}.{count + at}", **more} for at, text in enumerate(texts, 1)
    ]
    return list((await client.query(APPEND, id=thread, messages=messages, agent=agent))["appendTurn"]["ids"])


async def begin(client: Client, thread: str, *texts: str, resource: str = "r1", metadata: Any = None) -> None:
    await client.query(CREATE, resource=resource, id=thread, metadata=metadata)
    if texts:
        await say(client, thread, *texts)


def hits(found: Any) -> list[str]:
    return [hit["message"]["id"] for hit in found["hits"]]


async def test_three_hits_by_default_and_as_many_as_wanted(client: Client, settle: Settle) -> None:
    """C52."""
    await begin(client, "t1", *(f"The garden has {count} roses." for count in range(2, 22)))
    await settle()
    for more, expected in (({}, 3), ({"topK": 1}, 1), ({"topK": 7}, 7)):
        found = await recall(client, "roses in the garden", resourceId="r1", **more)
        scores = [hit["score"] for hit in found["hits"]]
        assert len(set(hits(found))) == expected
        assert scores == sorted(scores, reverse=True)
    for top, code in ((0, "INVALID_INPUT"), (-1, "INVALID_INPUT"), (101, "LIMIT_EXCEEDED")):
        error = await client.error(
            'query ($n: Int!) { recall(input: {query: "x", resourceId: "r1", topK: $n}) { scope } }', n=top
        )
        assert (error["code"], "topK" in error["message"]) == (code, True)


async def test_each_hit_comes_with_the_messages_around_it(client: Client, settle: Settle) -> None:
    """C53, R16: two before and one after; ranges that touch are one; the rest of the thread stays away."""
    texts = [f"{FILLER[at % 5]} ({at})" for at in range(200)]
    texts[100] = "The password of the safe is swordfish."
    for at in range(0, 200, 100):
        if at == 0:
            await begin(client, "t1", *texts[:100])
        else:
            await say(client, "t1", *texts[100:])
    await begin(client, "t2", "A swordfish is a fish.")
    await settle()
    asked = {"resourceId": "r1", "topK": 1}
    (only,) = (await recall(client, "password of the safe", **asked))["ranges"]
    assert [message["seq"] for message in only["messages"]] == [99, 100, 101, 102]
    assert only["hitIds"] == ["t1.101"]
    (narrow,) = (await recall(client, "password of the safe", before=1, after=1, **asked))["ranges"]
    assert [message["seq"] for message in narrow["messages"]] == [100, 101, 102]
    found = await recall(client, "swordfish", resourceId="r1", topK=2)
    assert sorted([one["thread"]["id"], *(m["seq"] for m in one["messages"])] for one in found["ranges"]) == [
        ["t1", 99, 100, 101, 102], ["t2", 1],
    ]  # fmt: skip
    for field in ("before", "after"):
        query = f'query ($n: Int!) {{ recall(input: {{resourceId: "r1", query: "x", {field}: $n}}) {{ scope }} }}'
        assert ((await client.error(query, n=-1))["field"], (await client.error(query, n=51))["limit"]) == (
            field, "max_around",
        )  # fmt: skip


async def test_ranges_that_touch_are_one(client: Client, settle: Settle) -> None:
    await begin(client, "t1", *FILLER, "One otter swam.", *FILLER[:2], "Another otter slept.", *FILLER)
    await settle()
    (one,) = (await recall(client, "otter", resourceId="r1", topK=2))["ranges"]
    assert [message["seq"] for message in one["messages"]] == [4, 5, 6, 7, 8, 9, 10]
    assert sorted(one["hitIds"]) == ["t1.6", "t1.9"]


async def test_an_old_thread_is_found_under_the_resource_and_not_under_the_thread(
    client: Client, settle: Settle
) -> None:
    """C54, R15, M-17."""
    await begin(client, "old")
    await say(client, "old", "My allergy is walnuts.", createdAt="2026-01-01T10:00:00Z")
    await begin(client, "now", *FILLER)
    await settle()
    found = await recall(client, "walnut allergy", threadId="now")
    assert hits(found)[0] == "old.1"
    assert (found["scope"], found["resourceId"]) == ("RESOURCE", "r1")
    first = found["ranges"][0]
    assert (first["isOtherThread"], first["thread"]["title"]) == (True, "My allergy is walnuts.")
    assert first["thread"]["lastMessageAt"].startswith("2026-01-01")
    within = await recall(client, "walnut allergy", threadId="now", scope="THREAD", topK=100)
    assert within["scope"] == "THREAD"
    assert {hit["message"]["threadId"] for hit in within["hits"]} == {"now"}
    assert not any(one["isOtherThread"] for one in within["ranges"])


async def test_what_the_caller_has_takes_no_ones_place(client: Client, settle: Settle) -> None:
    """M-20: excluded before the best are chosen, however many there are."""
    await begin(client, "old", "The order number is 4711.")
    await begin(client, "now", *(f"The order number is 4711, is it? ({at})" for at in range(100)))
    await say(client, "now", *(f"The order number is 4711, is it? ({at})" for at in range(100, 150)))
    await settle()
    own = [f"now.{at}" for at in range(1, 151)]
    found = await recall(client, "order number 4711", threadId="now", excludeIds=own)
    assert hits(found) == ["old.1"]
    assert [message["id"] for one in found["ranges"] for message in one["messages"]] == ["old.1"]
    query = 'query ($ids: [ID!]!) { recall(input: {resourceId: "r1", query: "x", excludeIds: $ids}) { scope } }'
    assert (await client.error(query, ids=[str(at) for at in range(501)]))["limit"] == "max_excluded"


async def test_a_message_saved_again_is_one_hit(client: Client, settle: Settle) -> None:
    """M-5, M-21, R35: a message has one vector, however often it is sent."""
    await begin(client, "t1", "Blue paint.", "Blue chairs.", "Blue doors.", *FILLER)
    for _ in range(3):
        again = [{"role": "USER", "text": "Blue paint.", "id": "t1.1"}]
        assert (await client.query(APPEND, id="t1", messages=again))["appendTurn"]["unchanged"] == ["t1.1"]
        await settle()
    assert sorted(hits(await recall(client, "blue", resourceId="r1"))) == ["t1.1", "t1.2", "t1.3"]


async def test_each_message_of_a_turn_of_five_steps_is_embedded_once(
    client: Client, settle: Settle, embedder: HashingEmbedder
) -> None:
    """R35: though each step sends again all that came before it, to the turn and then to the thread."""
    await begin(client, "t1", "Earlier.")
    await settle()
    began = embedder.texts
    await client.query(BEGIN, thread="t1", id="u1")
    sent = [{"role": "USER", "text": "Book a table.", "id": "ask"}]
    for step in range(5):
        sent.append({"role": "ASSISTANT", "text": f"Step {step} is done.", "id": f"s{step}"})
        staged = (await client.query(STAGE, id="u1", messages=sent))["stageMessages"]
        assert staged["turn"]["staged"] == len(sent)
        await settle()
        assert embedder.texts == began, "what is staged is in no index"
    await client.query('mutation { commitTurn(turnId: "u1") { state } }')
    await settle()
    assert embedder.texts - began == len(sent) == 6
    assert set((await client.query(APPEND, id="t1", messages=sent))["appendTurn"]["unchanged"]) == {"ask", *STEPS}
    await settle()
    assert embedder.texts - began == len(sent)
    assert hits(await recall(client, "book a table", resourceId="r1", topK=1)) == ["ask"]


async def test_threads_are_chosen_by_their_metadata(client: Client, settle: Settle) -> None:
    """M-9, R36: what is in a thread of another project takes no place either."""
    await begin(client, "a", "The deadline is Friday.", metadata={"project": "A"})
    await begin(client, "b", *(f"The deadline is Friday the {day}." for day in range(100)), metadata={"project": "B"})
    await settle()
    assert hits(await recall(client, "deadline Friday", resourceId="r1", metadata={"project": "A"})) == ["a.1"]
    assert hits(await recall(client, "deadline Friday", resourceId="r1", metadata={"project": "C"})) == []


async def test_recall_and_context_cost_the_same_trips_whatever_the_threads(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    """R17, M-13: 10 threads and 300; the trips are as many, and what is brought of others is bounded and labelled."""
    caller, told = principal(tenant), list[tuple[int, int, int]]()
    await begin(client, "now", "Good morning.")
    for first, last in ((0, 10), (10, 300)):
        for at in range(first, last, 10):
            made = range(at, at + 10)
            await asyncio.gather(*(create_thread(graph, caller, ThreadInput("r1", f"t{uid}")) for uid in made))
            texts = [(f"t{uid}", f"Note {uid} is about herons.") for uid in made]
            await asyncio.gather(*(append_turn(graph, caller, uid, [said(text)]) for uid, text in texts))
        if first == 0:
            await settle()
        await known(client)
        found = await recall(client, "herons", resourceId="r1", topK=50)
        assert len(found["hits"]) == min(last + 1, 50)
        bundle = await context(client, "now", message="What about herons?")
        assert 1 <= len(bundle["recalled"]) <= 3
        assert all(one["isOtherThread"] and one["label"].startswith("From another") for one in bundle["recalled"])
        assert len([one for excerpt in bundle["recalled"] for one in excerpt["messages"]]) <= 12
        told.append((found["roundTrips"], bundle["roundTrips"], bundle["embedCalls"]))
    assert told == [(3, 4, 1), (3, 4, 1)]


async def test_what_is_gone_is_passed_over(client: Client, settle: Settle) -> None:
    """R18, R21: a thread or messages that were deleted leave no gap among the hits."""
    await begin(client, "gone", "Lilac is lovely.")
    await begin(client, "t1", *(f"Lilac number {at} is out." for at in range(100)))
    await settle()
    await client.query('mutation { deleteThread(id: "gone") { id } }')
    dropped = [f"t1.{at}" for at in range(1, 101, 2)]
    await client.query("mutation ($ids: [ID!]!) { deleteMessages(ids: $ids) { ids } }", ids=dropped)
    found = await recall(client, "lilac", resourceId="r1", topK=50)
    assert set(hits(found)) == {f"t1.{at}" for at in range(2, 101, 2)}
    assert {message["id"] for one in found["ranges"] for message in one["messages"]}.isdisjoint(dropped)


async def test_text_is_found_before_there_is_a_vector(client: Client, settle: Settle) -> None:
    """C55, R38: at once by its words, and by its vector when the work is done."""
    await begin(client, "t1", *FILLER, "The code is XK-4711-Z.")
    (hit, *_) = (await recall(client, "XK-4711-Z", resourceId="r1"))["hits"]
    assert (hit["message"]["id"], hit["similarity"], hit["parts"]["text"]) == ("t1.6", None, 1.0)
    await settle()
    (hit, *_) = (await recall(client, "XK-4711-Z", resourceId="r1"))["hits"]
    assert hit["message"]["id"] == "t1.6"
    assert 0 < hit["similarity"] <= 1


async def test_threads_are_ranked_by_their_best_message(client: Client, settle: Settle) -> None:
    await begin(client, "t1", "Mango juice.", "Mango ice.", "Mango pie.")
    await begin(client, "t2", "Mango juice with ice is my favourite.")
    await begin(client, "t3", *FILLER)
    await settle()
    found = await recall(client, "favourite mango juice", resourceId="r1", groupBy="THREAD", topK=2)
    assert [hit["thread"]["id"] for hit in found["hits"]] == ["t2", "t1"]


@pytest.mark.parametrize("whole", [True, False])
async def test_what_was_deleted_takes_no_place(client: Client, settle: Settle, whole: bool) -> None:
    """B48: neither of its text nor of its vector."""
    await begin(client, "t1", "Blue.")
    await begin(client, "t2", "Red.")
    await settle()
    assert hits(await recall(client, "blue", resourceId="r1", topK=1)) == ["t1.1"]
    drop = 'deleteThread(id: "t1") { id }' if whole else 'deleteMessages(ids: ["t1.1"]) { ids }'
    await client.query(f"mutation {{ {drop} }}")
    assert hits(await recall(client, "blue", resourceId="r1", topK=1)) == ["t2.1"]
    assert hits(await recall(client, "blue", resourceId="r1", topK=9)) == ["t2.1"]


async def test_nothing_around_a_hit_is_nothing_and_not_all(client: Client, settle: Settle) -> None:
    """B75."""
    await begin(client, "t1", *(f"{FILLER[at % 5]} ({at})" for at in range(24)), "Otters swim.", *FILLER * 5)
    await settle()
    (alone,) = (await recall(client, "otters", resourceId="r1", topK=1, before=0, after=0))["ranges"]
    assert [message["seq"] for message in alone["messages"]] == [25]
    two = (await recall(client, "otters", resourceId="r1", topK=2, before=1, after=1))["ranges"]
    shown = [message["seq"] for one in two for message in one["messages"]]
    assert {24, 25, 26} <= set(shown)
    assert len(shown) <= 6


async def test_a_thread_in_which_nothing_was_said_recalls_others_and_changes_none(
    client: Client, settle: Settle
) -> None:
    """B77, B78: what is recalled stays in its thread, also when it is sent back by mistake."""
    await begin(client, "t1", "My kayak trip: I will paddle on the Soca.")
    await begin(client, "t2")
    await settle()
    question = "Where did I plan to paddle?"
    found = await recall(client, question, threadId="t2")
    (hit,) = found["hits"]
    assert (hit["message"]["id"], hit["message"]["threadId"]) == ("t1.1", "t1")
    assert [one["isOtherThread"] for one in found["ranges"]] == [True]
    missing = "query ($input: RecallInput!) { recall(input: $input) { scope } }"
    assert (await client.error(missing, input={"query": question, "threadId": "t3"}))["code"] == "NOT_FOUND"
    assert hits(await recall(client, question, resourceId="r1")) == ["t1.1"]
    context = [{"role": "USER", "text": hit["message"]["text"], "id": "t1.1"}]
    new = {"role": "USER", "text": question, "id": "q"}
    assert (await client.error(APPEND, id="t2", messages=[*context, new]))["code"] == "CONFLICT"
    assert (await client.query(APPEND, id="t2", messages=[new]))["appendTurn"]["ids"] == ["q"]
    for thread, uids in (("t1", ["t1.1"]), ("t2", ["q"])):
        query = "query ($id: ID!) { messages(threadId: $id) { nodes { id } } }"
        stored = (await client.query(query, id=thread))["messages"]["nodes"]
        assert [one["id"] for one in stored] == uids
