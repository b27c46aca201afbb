from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from graphmem.access.changes import changes
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.get import messages_by_id, resources_by_id, threads_by_id
from graphmem.conversation.messages import MessageInput, Part
from graphmem.conversation.page import messages
from graphmem.conversation.stage_messages import stage_messages
from graphmem.errors import Conflict, IdempotencyConflict, InvalidInput, LimitExceeded, NotFound
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.knowledge.remember import remember
from graphmem.ranking.lucene import tenant_token
from graphmem.ranking.message import context, features
from graphmem.values import PartType, Role, Tenant
from tests import factories
from tests.conversation.support import call, check_log, found, labels, log, parts, result, said, texts, thread, words
from tests.factories import principal

OCTOBER = datetime(2023, 10, 5, 12, tzinfo=UTC)


async def test_a_turn_takes_the_next_places_and_is_found_by_text_at_once(graph: Graph, tenant: Tenant) -> None:
    """R22."""
    caller = await thread(graph, tenant)
    for at in range(3):
        messages = [said(f"question {at}"), said(f"answer {at}", role=Role.ASSISTANT)]
        done = await append_turn(graph, caller, "t1", messages)
        assert (done.first_seq, done.last_seq) == (2 * at + 1, 2 * at + 2)
    await check_log(graph, tenant, "t1", [[f"question {at}", f"answer {at}"] for at in range(3)])
    assert await found(graph, f"+tenantToken:{tenant_token(tenant)}^0 +text:answer") == {
        row["uid"] for row in await log(graph, tenant) if "answer" in row["content"]
    }


async def test_a_message_keeps_the_context_of_the_four_before_it_across_turns(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    spoken = [f"Sentence {at} was said." for at in range(7)]
    for chunk in (spoken[:1], spoken[1:6], spoken[6:]):
        await append_turn(graph, caller, "t1", [said(text, speaker="Ann", created_at=OCTOBER) for text in chunk])
    said_before = [features("ann", text.casefold(), [], OCTOBER).text for text in spoken]
    expected = [context(text, said_before[:at]) for at, text in enumerate(said_before)]
    assert [row["context"] for row in await log(graph, tenant)] == expected


async def test_the_same_messages_again_are_stored_once(graph: Graph, tenant: Tenant) -> None:
    """R9."""
    caller = await thread(graph, tenant)
    first = await append_turn(graph, caller, "t1", [said("one", "m1"), said("two", "m2")])
    before = await labels(graph, tenant)
    again = await append_turn(graph, caller, "t1", [said("one", "m1"), said("two", "m2")])
    assert (again.turn, again.first_seq, again.last_seq, again.unchanged) == (first.turn, 1, 2, ("m1", "m2"))
    assert await labels(graph, tenant) == before
    whole = await append_turn(graph, caller, "t1", [said("one", "m1"), said("two", "m2"), said("three", "m3")])
    assert (whole.first_seq, whole.last_seq, whole.unchanged) == (3, 3, ("m1", "m2"))
    await check_log(graph, tenant, "t1", [["one", "two"], ["three"]])


async def test_a_conversation_that_is_sent_whole_each_time_does_not_grow(graph: Graph, tenant: Tenant) -> None:
    """B34."""
    caller = await thread(graph, tenant)
    sent: list[MessageInput] = []
    times: list[datetime] = []
    for turn in range(5):
        sent.append(said(f"question {turn}", f"q{turn}"))
        await append_turn(graph, caller, "t1", sent)
        reply = said(f"answer {turn}", role=Role.ASSISTANT)
        (uid,) = (await append_turn(graph, caller, "t1", [reply])).ids
        sent.append(said(f"answer {turn}", uid, Role.ASSISTANT))
        times = [one.created_at for one in (await messages(graph, caller, "t1")).items]
    before = await labels(graph, tenant)
    again = await append_turn(graph, caller, "t1", sent[:-1])
    assert again.unchanged == tuple(one.id for one in sent[:-1])
    assert await labels(graph, tenant) == before
    stored = (await messages(graph, caller, "t1")).items
    assert [one.id for one in stored] == [one.id for one in sent]
    assert [one.created_at for one in stored] == times


async def test_a_turn_that_the_caller_named_is_stored_once_even_without_message_ids(
    graph: Graph, tenant: Tenant
) -> None:
    caller = await thread(graph, tenant)
    messages = [said("one"), said("two")]
    first = await append_turn(graph, caller, "t1", messages, turn="u1")
    assert (await append_turn(graph, caller, "t1", messages, turn="u1")).ids == first.ids
    await check_log(graph, tenant, "t1", [["one", "two"]])
    for other in ([said("one"), said("other")], [*messages, said("three")]):
        with pytest.raises(Conflict):
            await append_turn(graph, caller, "t1", other, turn="u1")
    await check_log(graph, tenant, "t1", [["one", "two"]])


@pytest.mark.parametrize("where", ["other thread", "other content", "a note", "a turn", "staged elsewhere"])
async def test_an_id_in_use_elsewhere_is_refused_and_nothing_moves(graph: Graph, tenant: Tenant, where: str) -> None:
    """M-6."""
    caller = await thread(graph, tenant)
    await thread(graph, tenant, "t2", "r2")
    uid, text = "m1", "mine"
    await append_turn(graph, caller, "t2" if where == "other thread" else "t1", [said("mine", "m1")], turn="u1")
    if where == "other content":
        text = "changed"
    elif where == "a note":
        uid = "note"
        await remember(graph, caller, [factories.node("note")], [])
    elif where == "a turn":
        uid = "u1"
    elif where == "staged elsewhere":
        uid = "m2"
        await begin_turn(graph, caller, "t2", turn="u2")
        await stage_messages(graph, caller, "u2", [said("mine", "m2")])
    before = await labels(graph, tenant)
    with pytest.raises(Conflict, match=rf"messages\[1\]\.id '{uid}'"):
        await append_turn(graph, caller, "t1", [said("new", "new"), said(text, uid)])
    assert await labels(graph, tenant) == before
    assert (await messages_by_id(graph, caller, ["m1"]))["m1"].thread == ("t2" if where == "other thread" else "t1")


async def test_an_open_turn_is_not_appended_to(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await begin_turn(graph, caller, "t1", turn="u1")
    with pytest.raises(Conflict, match="stageMessages") as refused:
        await append_turn(graph, caller, "t1", [said("one")], turn="u1")
    assert refused.value.details == {"state": "open"}
    assert await texts(graph, tenant) == []


async def test_a_thread_of_another_resource_or_tenant_is_not_there(graph: Graph, tenant: Tenant) -> None:
    """C56."""
    await thread(graph, tenant, "t1", "r1")
    bound = principal(tenant, resource="r2")
    for caller, resource in ((bound, None), (principal(tenant), "r2"), (principal(Tenant(f"{tenant} 2")), None)):
        with pytest.raises(NotFound, match="no thread 't1'"):
            await append_turn(graph, caller, "t1", [said("mine")], resource=resource)
    assert await texts(graph, tenant) == []


async def test_a_key_repeats_the_answer_and_refuses_other_content(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    calls = [append_turn(graph, caller, "t1", [said("one")], idempotency_key="k") for _ in range(3)]
    assert len(set(await asyncio.gather(*calls))) == 1
    with pytest.raises(IdempotencyConflict):
        await append_turn(graph, caller, "t1", [said("two")], idempotency_key="k")
    writers = [append_turn(graph, caller, "t1", [said(f"by {n}")], idempotency_key="other") for n in range(2)]
    done = await asyncio.gather(*writers, return_exceptions=True)
    assert sorted(type(one).__name__ for one in done) == ["Appended", "IdempotencyConflict"]
    assert len(await texts(graph, tenant)) == 2


async def test_a_dry_run_leaves_nothing(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    before = await labels(graph, tenant)
    done = await append_turn(graph, caller, "t1", [said("one", "m1")], dry_run=True)
    assert (done.first_seq, done.ids) == (1, ("m1",))
    assert await labels(graph, tenant) == before
    assert (await threads_by_id(graph, caller, ["t1"]))["t1"].last_seq == 0


async def test_the_first_user_message_gives_the_title_unless_one_was_given(graph: Graph, tenant: Tenant) -> None:
    """C69."""
    caller = await thread(graph, tenant)
    await thread(graph, tenant, "t2", title="Mine")
    long = "My webhook to the billing service stopped on Monday evening after the upgrade. What now?"
    for uid in ("t1", "t2"):
        await append_turn(graph, caller, uid, [said("Hello.", role=Role.ASSISTANT), said(long), said("Later.")])
        await append_turn(graph, caller, uid, [said("Another question.")])
    stored = await threads_by_id(graph, caller, ["t1", "t2"])
    assert stored["t1"].title == "My webhook to the billing service stopped on Monday…"
    assert stored["t2"].title == "Mine"


async def test_speakers_are_those_who_spoke(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant, speakers=["Ann"])
    await append_turn(graph, caller, "t1", [said("a", speaker="Ann"), said("b", speaker="Bob"), said("c")])
    await append_turn(graph, caller, "t1", [said("d", speaker="Bob"), said("e", speaker="Cat")])
    assert (await threads_by_id(graph, caller, ["t1"]))["t1"].speakers == ("Ann", "Bob", "Cat")
    assert (await resources_by_id(graph, caller, ["r1"]))["r1"].speakers == ("Bob", "Cat")


async def test_order_is_the_order_of_arrival_whatever_the_clocks_say(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    times = [OCTOBER, OCTOBER - timedelta(days=900), datetime(9998, 1, 1, tzinfo=UTC), OCTOBER]
    for at, time in enumerate(times):
        await append_turn(graph, caller, "t1", [said(f"message {at}", created_at=time)])
    assert await texts(graph, tenant) == [f"message {at}" for at in range(4)]


async def test_parts_are_kept_whole(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    given = (
        Part(PartType.REASONING, text="They may mean the fox."),
        Part(PartType.TEXT, text="Here it is."),
        call("c1"),
        result("c1"),
        Part(PartType.FILE, uri="https://files.example/fox", media_type="image/png", name="fox", caption="A red fox."),
        Part(PartType.DATA, data={"deep": {"er": [1, 2.5, None, "x"]}}, name="numbers"),
    )
    await append_turn(graph, caller, "t1", [parts(*given, uid="m1")])
    stored = (await messages_by_id(graph, caller, ["m1"]))["m1"]
    assert stored.parts == given
    assert stored.content == "Here it is.\nA red fox."
    assert stored.tokens > 10


async def test_ten_steps_with_tools_are_one_turn(graph: Graph, tenant: Tenant) -> None:
    """C71."""
    caller = await thread(graph, tenant)
    steps = [
        parts(call(f"c{at}")) if way else parts(result(f"c{at}"), role=Role.TOOL) for at in range(10) for way in (1, 0)
    ]
    done = await append_turn(graph, caller, "t1", [said("Do it."), *steps, said("Done.", role=Role.ASSISTANT)])
    assert (done.first_seq, done.last_seq) == (1, 22)
    assert len({row["turn"] for row in await log(graph, tenant)}) == 1
    stored = (await messages(graph, caller, "t1", last=30)).items
    assert [one.parts for one in stored[1:-1]] == [step.parts for step in steps]
    assert [one.role for one in stored[1:-1]] == [Role.ASSISTANT, Role.TOOL] * 10
    assert [stored[0].content, stored[-1].content] == ["Do it.", "Done."]


async def test_a_result_answers_a_call_of_an_earlier_turn_once(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [parts(call("c1"))])
    await append_turn(graph, caller, "t1", [parts(result("c1"), role=Role.TOOL)])
    for given in ([parts(result("c1"))], [parts(result("c2"))], [parts(call("c3"), result("c3"), result("c3"))]):
        with pytest.raises(InvalidInput):
            await append_turn(graph, caller, "t1", given)
    assert len(await log(graph, tenant)) == 2


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (MessageInput(Role.USER, ()), "messages[1].parts"),
        (said(" \u200b"), "messages[1].parts"),
        (parts(Part(PartType.TEXT)), "messages[1].parts[0].text"),
        (parts(Part(PartType.TOOL_CALL, call_id="c")), "messages[1].parts[0].toolName"),
        (parts(Part(PartType.TOOL_RESULT, text="x")), "messages[1].parts[0].toolCallId"),
        (parts(Part(PartType.FILE, caption="x")), "messages[1].parts[0].uri"),
        (parts(Part(PartType.DATA)), "messages[1].parts[0].data"),
        (parts(Part(PartType.TEXT, text="x", uri="y")), "messages[1].parts[0].uri"),
        (said("x", "first"), "messages[1].id"),
        (said("x", ""), "messages[1].id"),
        (said("\ud83d"), "messages[1].parts[0].text"),
        (said("x", created_at=datetime(2026, 1, 1)), "messages[1].createdAt"),
        (said("x", speaker=" "), "messages[1].speaker"),
    ],
)
async def test_what_must_not_be_stored_is_refused_by_name(
    graph: Graph, tenant: Tenant, message: MessageInput, field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await append_turn(graph, principal(tenant), "t1", [said("fine", "first"), message])
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("messages", "limit"),
    [([], None), ([said("x")] * 101, "max_messages"), ([said("x" * 200_001)], "max_text"),
     ([parts(*[Part(PartType.TEXT, text="x" * 60_000)] * 4)], "max_text")],
)  # fmt: skip
async def test_too_little_and_too_much_is_refused(
    graph: Graph, tenant: Tenant, messages: list[MessageInput], limit: str | None
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await append_turn(graph, principal(tenant), "t1", messages)
    assert refused.value.details.get("limit") == limit
    assert isinstance(refused.value, LimitExceeded) == (limit is not None)


async def test_a_text_may_be_as_long_as_the_limit_says(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    most = graph.settings.max_text
    done = await append_turn(graph, caller, "t1", [said("x" * most), parts(Part(PartType.TEXT, text="y" * most))])
    assert len(done.ids) == 2


async def test_a_turn_is_stored_in_two_statements(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    with count_trips() as counted:
        await append_turn(graph, caller, "t1", [said("one"), said("two")])
    assert [trip.statement for trip in counted.made] == ["conversation/append_turn", "access/note_change"]


async def test_the_log_keeps_ids_and_hashes_and_no_words(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("A sesquipedalian word.", "m1")])
    change = (await changes(graph, caller)).items[0]
    assert change.action == "appendTurn"
    assert set(change.after) == {"m1"}
    assert {label for label, _ in await words(graph, tenant, "sesquipedalian")} == {"Message", "Thread"}
