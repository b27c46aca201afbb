"""A title that nobody gave says what a message says: no more, and no longer."""

from __future__ import annotations

import pytest

from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.delete_messages import delete_messages
from graphmem.conversation.edit_message import edit_message
from graphmem.conversation.get import threads_by_id
from graphmem.conversation.messages import Part
from graphmem.conversation.reject_turn import reject_turn
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.update_thread import ThreadPatch, update_thread
from graphmem.graph.gateway import Graph
from graphmem.values import PartType, Role, Tenant
from tests.conversation.support import log, said, thread, words
from tests.factories import principal

SECRET = "My card is 4711."


def text(words: str) -> tuple[Part, ...]:
    return (Part(PartType.TEXT, text=words),)


async def title(graph: Graph, tenant: Tenant, uid: str = "t1") -> str | None:
    return (await threads_by_id(graph, principal(tenant), [uid]))[uid].title


@pytest.mark.parametrize("by_turn", [False, True])
async def test_a_title_goes_with_the_words_that_it_was_taken_from(graph: Graph, tenant: Tenant, by_turn: bool) -> None:
    caller = await thread(graph, tenant)
    given = [said("Hello.", role=Role.ASSISTANT), said(SECRET, "m1")]
    if by_turn:
        turn = (await begin_turn(graph, caller, "t1")).id
        await stage_messages(graph, caller, turn, given)
        await commit_turn(graph, caller, turn)
    else:
        await append_turn(graph, caller, "t1", given)
    assert await title(graph, tenant) == SECRET
    await edit_message(graph, caller, "m1", text("I have a card. It is new."))
    assert await title(graph, tenant) == "I have a card."
    await delete_messages(graph, caller, ["m1"])
    assert await title(graph, tenant) is None
    assert await words(graph, tenant, "4711") == []
    await append_turn(graph, caller, "t1", [said("Where is my bill?")])
    assert await title(graph, tenant) == "Where is my bill?"


async def test_the_next_user_message_gives_the_title_instead(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    shown = Part(PartType.FILE, uri="https://files.example/1", caption="A card.")
    later = [said("Yes?", role=Role.ASSISTANT), said("Where is it?", "m2"), said("Here.", "m3")]
    await append_turn(graph, caller, "t1", [said(SECRET, "m1"), *later])
    await delete_messages(graph, caller, ["m3"])
    assert await title(graph, tenant) == SECRET
    await edit_message(graph, caller, "m1", [shown])
    assert await title(graph, tenant) == "Where is it?"
    await delete_messages(graph, caller, ["m1"])
    assert await title(graph, tenant) == "Where is it?"
    await delete_messages(graph, caller, ["m2"])
    assert await title(graph, tenant) is None


async def test_a_title_that_was_given_stays_whatever_becomes_of_the_messages(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("A bill.", "m1"), said("Another.", "m2")])
    await update_thread(graph, caller, "t1", ThreadPatch(title="A bill."))
    await edit_message(graph, caller, "m1", text("Nothing."))
    await delete_messages(graph, caller, ["m1"])
    assert await title(graph, tenant) == "A bill."
    await update_thread(graph, caller, "t1", ThreadPatch(unpin=True))
    assert await title(graph, tenant) == "Another."
    await delete_messages(graph, caller, ["m2"])
    assert await title(graph, tenant) is None


async def test_a_copy_has_its_title_from_its_own_messages(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("Hello.", role=Role.ASSISTANT), said(SECRET, "m1"), said("And?")])
    await clone_thread(graph, caller, "t1", new="t2")
    await clone_thread(graph, caller, "t1", new="t3", up_to_seq=1)
    assert [await title(graph, tenant, uid) for uid in ("t2", "t3")] == [SECRET, None]
    await delete_messages(graph, caller, ["m1"])
    assert [await title(graph, tenant, uid) for uid in ("t1", "t2")] == ["And?", SECRET]
    copied = [row["uid"] for row in await log(graph, tenant, "t2")]
    await edit_message(graph, caller, copied[1], text("A card."))
    assert await title(graph, tenant, "t2") == "A card."
    await delete_messages(graph, caller, [copied[1]])
    assert await title(graph, tenant, "t2") == "And?"


async def test_a_thread_that_moved_still_knows_where_its_title_is_from(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said(SECRET, "m1")])
    await update_thread(graph, caller, "t1", ThreadPatch(resource="r2"))
    await delete_messages(graph, caller, ["m1"])
    assert await title(graph, tenant) is None


async def test_a_turn_takes_its_title_from_the_attempt_that_was_committed(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1")).id
    await stage_messages(graph, caller, turn, [said("Nonsense.", "m1")])
    await reject_turn(graph, caller, turn, retry=True)
    await stage_messages(graph, caller, turn, [said(SECRET, "m2")])
    await stage_messages(graph, caller, turn, [said("More.", "m3")])
    await commit_turn(graph, caller, turn)
    assert await title(graph, tenant) == SECRET
    await delete_messages(graph, caller, ["m2"])
    assert await title(graph, tenant) == "More."
