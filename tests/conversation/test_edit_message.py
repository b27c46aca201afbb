from __future__ import annotations

import asyncio

import pytest

from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.delete_messages import delete_messages
from graphmem.conversation.edit_message import edit_message
from graphmem.conversation.get import messages_by_id, revisions, threads_by_id
from graphmem.conversation.messages import Part
from graphmem.errors import Conflict, InvalidInput, NotFound, VersionConflict
from graphmem.graph.gateway import Graph
from graphmem.ranking.lucene import tenant_token
from graphmem.values import PartType, Role, Tenant
from tests.conftest import Settle
from tests.conversation.support import call, found, log, parts, probing, result, said, thread, words
from tests.factories import principal


def text(words: str) -> tuple[Part, ...]:
    return (Part(PartType.TEXT, text=words),)


def asking(tenant: Tenant, word: str) -> str:
    return f"+tenantToken:{tenant_token(tenant)}^0 +(text:{word} context:{word})"


async def test_an_edit_keeps_what_was_said_before_and_is_found_by_its_new_words(
    graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    """C74."""
    caller = await thread(graph, tenant)
    said_first = [said("The heron stands.", "m0"), *[said(f"More {at}.", f"m{at}") for at in range(1, 7)]]
    await append_turn(graph, caller, "t1", said_first)
    await settle()
    done = await edit_message(graph, caller, "m0", text("The stork stands."), expected_version=1)
    assert (done.version, done.changed) == (2, True)
    assert await found(graph, asking(tenant, "heron")) == set()
    assert await found(graph, asking(tenant, "stork")) == {f"m{at}" for at in range(5)}
    await settle()
    rows = await probing(graph).read("probe/embedded", tenant=tenant, thread="t1")
    assert (rows[0]["embeddedText"], rows[0]["dimension"]) == ("user: The stork stands.", graph.dimension)
    (was,) = (await revisions(graph, caller, ["m0"], 9))["m0"]
    assert (was.version, was.content, was.parts) == (1, "The heron stands.", text("The heron stands."))
    assert was.recorded_from < was.recorded_to
    stored = (await messages_by_id(graph, caller, ["m0"]))["m0"]
    assert (stored.seq, stored.version, stored.content) == (1, 2, "The stork stands.")
    assert not (await edit_message(graph, caller, "m0", text("The stork stands."))).changed


async def test_earlier_versions_are_told_latest_first_and_so_many_of_each(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("a1", "a"), said("b1", "b")])
    for at in range(2, 6):
        for uid in ("a", "b"):
            await edit_message(graph, caller, uid, text(f"{uid}{at}"))
    found = await revisions(graph, caller, ["a", "b"], 2)
    assert {uid: [one.content for one in had] for uid, had in found.items()} == {"a": ["a4", "a3"], "b": ["b4", "b3"]}


async def test_edits_at_once_are_told_apart_by_version(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("one", "m0")])
    calls = [edit_message(graph, caller, "m0", text(f"by {n}"), expected_version=1) for n in range(4)]
    done = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(one, VersionConflict) for one in done) == 3
    assert len((await revisions(graph, caller, ["m0"], 9))["m0"]) == 1


async def test_edits_and_appends_at_once_leave_the_contexts_right(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("word0", "m0")])
    await asyncio.gather(
        *(append_turn(graph, caller, "t1", [said(f"later{at}")]) for at in range(4)),
        *(edit_message(graph, caller, "m0", text(f"word{at}")) for at in range(1, 5)),
    )
    rows = await log(graph, tenant)
    last = rows[0]["content"]
    assert [last in row["context"] for row in rows] == [True] * 5
    assert [row["context"].count("word") for row in rows] == [1] * 5


async def test_calls_and_results_stay_with_their_message(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [parts(call("c1"), uid="m0"), parts(result("c1"), uid="m1")])
    for given in (text("no call"), (call("c2"),), (call("c1"), call("c2")), (result("c1"),)):
        with pytest.raises(InvalidInput, match="tool calls or results"):
            await edit_message(graph, caller, "m0", given)
    await edit_message(graph, caller, "m0", (*text("Let me see."), call("c1")))
    with pytest.raises(InvalidInput, match=r"stays in 'm1'; delete both"):
        await delete_messages(graph, caller, ["m0"])
    assert (await delete_messages(graph, caller, ["m1", "m0"])).ids == ("m1", "m0")


async def test_words_that_are_deleted_are_nowhere_any_more(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = await thread(graph, tenant)
    secret = "My sesquipedalian password. " + "Word after word. " * 120
    messages = [said(secret, "m0"), *[said(f"More {at}.", f"m{at}") for at in range(1, 7)]]
    await append_turn(graph, caller, "t1", messages)
    await edit_message(graph, caller, "m0", text(f"{secret} Changed."))
    await settle()
    assert len(await words(graph, tenant, "sesquipedalian")) > 8
    done = await delete_messages(graph, caller, ["m0"])
    assert (done.ids, done.revisions) == (("m0",), 1)
    assert done.chunks > 1
    assert await words(graph, tenant, "sesquipedalian") == []
    assert await found(graph, asking(tenant, "sesquipedalian")) == set()
    rows = await probing(graph).read("probe/embedded", tenant=tenant, thread="t1")
    assert [row["dimension"] for row in rows] == [None, *[graph.dimension] * 6]
    stored = (await threads_by_id(graph, caller, ["t1"]))["t1"]
    assert (stored.title, stored.message_count, stored.last_seq) == ("More 1.", 6, 7)


async def test_a_deleted_message_stays_deleted(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("one", "m0"), said("two", "m1")])
    await delete_messages(graph, caller, ["m0"])
    assert (await delete_messages(graph, caller, ["m0", "m1", "m1"])).ids == ("m1",)
    await settle()
    with pytest.raises(Conflict, match="was deleted"):
        await edit_message(graph, caller, "m0", text("again"))
    with pytest.raises(Conflict, match="other content"):
        await append_turn(graph, caller, "t1", [said("one", "m0")])
    rows = await probing(graph).read("probe/embedded", tenant=tenant, thread="t1")
    assert [row["dimension"] for row in rows] == [None, None]


async def test_a_message_of_another_resource_or_tenant_is_not_there(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("one", "m0"), said("two", "m1", Role.ASSISTANT)])
    for who, resource in (
        (principal(tenant, resource="r2"), None), (principal(Tenant(f"{tenant} 2")), None), (caller, "r2"),
    ):  # fmt: skip
        with pytest.raises(NotFound):
            await edit_message(graph, who, "m0", text("mine"), resource=resource)
        with pytest.raises(NotFound):
            await delete_messages(graph, who, ["m0"], resource=resource)
        assert await messages_by_id(graph, who, ["m0"], resource) == {}
        assert await revisions(graph, who, ["m0"], 9, resource) == {}
    with pytest.raises(NotFound, match="'m9'"):
        await delete_messages(graph, caller, ["m1", "m9"])
    assert (await messages_by_id(graph, caller, ["m1"]))["m1"].content == "two"
