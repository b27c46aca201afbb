"""Threads copied, moved and taken away with all that is in them."""

from __future__ import annotations

import asyncio

import pytest

from graphmem.access.principal import Principal
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.conversation.define_working_memory import define_working_memory
from graphmem.conversation.delete_thread import delete_thread
from graphmem.conversation.edit_message import edit_message
from graphmem.conversation.get import messages_by_id, related_threads, resources_by_id, threads_by_id
from graphmem.conversation.link_threads import link_threads
from graphmem.conversation.memory_state import Where
from graphmem.conversation.messages import Part
from graphmem.conversation.notices import post_notice
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.update_thread import ThreadPatch, update_thread
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.conversation.working_memory import working_memory
from graphmem.conversation.working_memory_history import working_memory_history
from graphmem.errors import Conflict, Forbidden, InvalidInput, NotFound
from graphmem.graph.gateway import Graph
from graphmem.ranking.lucene import facet_token, tenant_token
from graphmem.values import MemoryScope, PartType, Tenant
from tests.conftest import Settle
from tests.conversation.support import call, check_log, found, labels, log, parts, probing, result, said, thread, words
from tests.factories import principal

LONG = "Word after word. " * 120


async def filled(graph: Graph, tenant: Tenant, settle: Settle, uid: str = "t1", resource: str = "r1") -> Principal:
    """A thread that has one of everything."""
    caller = await thread(graph, tenant, uid, resource)
    first = [
        said(f"A sesquipedalian question of {uid}.", f"{uid} m0", speaker=f"Ann of {uid}"),
        said(LONG, f"{uid} m1"),
    ]
    await append_turn(graph, caller, uid, first)
    await append_turn(graph, caller, uid, [parts(call("c1"), uid=f"{uid} m2"), said("Wait.", f"{uid} m3")])
    edited = (Part(PartType.TEXT, text=f"The sesquipedalian question of {uid}."),)
    await edit_message(graph, caller, f"{uid} m0", edited)
    turn = (await begin_turn(graph, caller, uid)).id
    await stage_messages(graph, caller, turn, [said("A sesquipedalian draft.")])
    await post_notice(graph, caller, "A sesquipedalian notice.", thread=uid)
    await remembered(graph, caller, Where(MemoryScope.THREAD, thread=uid), f"{uid} m0")
    await settle()
    return caller


async def remembered(graph: Graph, caller: Principal, where: Where, source: str) -> None:
    """Working memory with earlier states of form and fields."""
    for form in ("- Note: (sesquipedalian)\n", "- Note:\n- More: (sesquipedalian)\n"):
        await define_working_memory(graph, caller, where, markdown=form)
    for at in range(2):
        patch = {"Note": f"sesquipedalian {at}", "gone": "sesquipedalian" if at == 0 else None}
        await update_working_memory(graph, caller, where, MemoryUpdate(merge=patch, source=source))


async def near(graph: Graph, tenant: Tenant) -> set[tuple[str, str]]:
    """Messages and pieces in the vector index, with their resources."""
    assert graph.dimension is not None
    vector = [1.0] + [0.0] * (graph.dimension - 1)
    rows = await probing(graph).read("probe/near", tenant=tenant, vector=vector)
    return {(row["uid"], row["resource"]) for row in rows}


async def test_a_copy_has_ids_and_a_life_of_its_own(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = await filled(graph, tenant, settle)
    before = await near(graph, tenant)
    done = await clone_thread(graph, caller, "t1", new="t2")
    assert (done.id, done.source, done.messages) == ("t2", "t1", 4)
    one, two = await log(graph, tenant, "t1"), await log(graph, tenant, "t2")
    assert [(row["seq"], row["content"], row["context"], row["before"]) for row in one] == [
        (row["seq"], row["content"], row["context"], row["before"]) for row in two
    ]
    assert not {row["uid"] for row in one} & {row["uid"] for row in two}
    assert len(await near(graph, tenant)) == 2 * len(before)
    about = [facet_token("thread", uid) for uid in ("t1", "t2")]
    everything = f"+tenantToken:{tenant_token(tenant)}^0"
    for token, rows in zip(about, (one, two), strict=True):
        assert await found(graph, f"{everything} +facets:{token}^0") == {row["uid"] for row in rows}
    await append_turn(graph, caller, "t2", [parts(result("c1"))])
    await append_turn(graph, caller, "t1", [parts(result("c1"))])
    assert len(await log(graph, tenant, "t2")) == 5
    await delete_thread(graph, caller, "t1")
    assert len(await log(graph, tenant, "t2")) == 5


async def test_a_copy_up_to_a_place(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    for at in range(3):
        await append_turn(graph, caller, "t1", [said(f"question {at}"), said(f"answer {at}")])
    done = await clone_thread(graph, caller, "t1", up_to_seq=3)
    await check_log(graph, tenant, done.id, [["question 0", "answer 0"], ["question 1"]])
    await append_turn(graph, caller, done.id, [said("another answer")])
    empty = await clone_thread(graph, caller, "t1", up_to_seq=0)
    await check_log(graph, tenant, empty.id, [])
    with pytest.raises(Conflict, match="'t1' is in use"):
        await clone_thread(graph, caller, "t1", new="t1")
    with pytest.raises(InvalidInput, match="upToSeq"):
        await clone_thread(graph, caller, "t1", up_to_seq=-1)
    with pytest.raises(NotFound):
        await clone_thread(graph, principal(tenant, resource="r2"), "t1")


async def test_a_thread_moves_with_all_that_was_said_in_it(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = await filled(graph, tenant, settle)
    await thread(graph, tenant, "t2")
    await link_threads(graph, caller, "t1", "t2")
    done = await update_thread(graph, caller, "t1", ThreadPatch(resource="r2"))
    assert (done.resource, done.version) == ("r2", 2)
    assert {resource for _, resource in await near(graph, tenant)} == {"r2"}
    everything = f"+tenantToken:{tenant_token(tenant)}^0"
    assert await found(graph, f"{everything} +facets:{facet_token('resource', 'r1')}^0") == set()
    assert len(await found(graph, f"{everything} +facets:{facet_token('resource', 'r2')}^0")) == 4
    assert await related_threads(graph, caller, ["t1"]) == {}
    assert set(await threads_by_id(graph, principal(tenant, resource="r2"), ["t1"])) == {"t1"}
    assert await messages_by_id(graph, principal(tenant, resource="r1"), ["t1 m0"]) == {}
    await append_turn(graph, caller, "t1", [said("Here.", "new")])
    assert (await messages_by_id(graph, caller, ["new"]))["new"].resource == "r2"
    with pytest.raises(Forbidden):
        await update_thread(graph, principal(tenant, resource="r2"), "t1", ThreadPatch(resource="r1"))
    with pytest.raises(Conflict, match="not a resource"):
        await update_thread(graph, caller, "t1", ThreadPatch(resource="t2"))
    assert (await threads_by_id(graph, caller, ["t1"]))["t1"].resource == "r2"


async def test_nothing_of_a_deleted_thread_is_left(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    """R20, R18, B49."""
    caller = await thread(graph, tenant, "t0")
    before = await labels(graph, tenant)
    await filled(graph, tenant, settle)
    done = await delete_thread(graph, caller, "t1")
    assert (done.turns, done.messages, done.revisions, done.notices) == (3, 5, 1, 1)
    assert (done.fields, done.fields_kept) == (2, 0)
    assert done.chunks > 1
    assert await labels(graph, tenant) == before
    assert await words(graph, tenant, "sesquipedalian") == []
    assert await near(graph, tenant) == set()
    assert (await resources_by_id(graph, caller, ["r1"]))["r1"].speakers == ()
    with pytest.raises(NotFound):
        await delete_thread(graph, caller, "t1")
    await create_thread(graph, caller, ThreadInput("r2", "t1"))


async def test_a_thread_is_deleted_while_it_is_written_to(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    stored = asyncio.Event()

    async def write(at: int) -> None:
        await append_turn(graph, caller, "t1", [said(f"turn {at}")])
        stored.set()

    async def delete() -> None:
        await stored.wait()
        await delete_thread(graph, caller, "t1")

    done = await asyncio.gather(delete(), *map(write, range(12)), return_exceptions=True)
    assert {type(one) for one in done} == {type(None), NotFound}
    assert await labels(graph, tenant) == {"Resource": 1}


async def test_a_thread_of_another_resource_is_not_deleted(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    for who, resource in ((principal(tenant, resource="r2"), None), (caller, "r2")):
        with pytest.raises(NotFound):
            await delete_thread(graph, who, "t1", resource=resource)
    assert set(await threads_by_id(graph, caller, ["t1"])) == {"t1"}


async def test_what_is_copied_before_its_vectors_are_made_gets_them_too(
    graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("In Bern.", "m1"), said(LONG, "m2")])
    await clone_thread(graph, caller, "t1", new="t2")
    await settle()
    one, two = await near(graph, tenant), {row["uid"] for row in await log(graph, tenant, "t2")}
    assert {"m1", "m2"} | two <= {uid for uid, _ in one}


async def memory_of(graph: Graph, caller: Principal, uid: str) -> dict[str, object]:
    return (await working_memory(graph, caller, Where(MemoryScope.THREAD, thread=uid))).json


async def test_a_copy_has_the_working_memory_of_its_thread(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("In Bern.", "m1"), said("On pro.", "m2")])
    where = Where(MemoryScope.THREAD, thread="t1")
    await define_working_memory(graph, caller, where, markdown="- City:\n- Plan:")
    for source, patch in (
        ("m1", {"City": "Bern"}),
        ("m2", {"Plan": "pro"}),
        (None, {"x": 1, "y": 2}),
        (None, {"y": None}),
    ):
        await update_working_memory(graph, caller, where, MemoryUpdate(merge=patch, source=source))
    await clone_thread(graph, caller, "t1", new="t2")
    copy = await working_memory(graph, caller, Where(MemoryScope.THREAD, thread="t2"))
    assert (copy.version, copy.markdown) == (1, "- City: Bern\n- Plan: pro\n\n## Other\n- x: 1")
    copied = [row["uid"] for row in await log(graph, tenant, "t2")]
    assert [field.source for field in copy.fields] == [*copied, None]
    await clone_thread(graph, caller, "t1", new="t3", up_to_seq=1)
    assert await memory_of(graph, caller, "t3") == {"City": "Bern", "x": 1}
    await update_working_memory(
        graph, caller, Where(MemoryScope.THREAD, thread="t2"), MemoryUpdate(merge={"City": "Basel"})
    )
    assert await memory_of(graph, caller, "t1") == {"City": "Bern", "Plan": "pro", "x": 1}
    history = await working_memory_history(graph, caller, Where(MemoryScope.THREAD, thread="t2"), "City", 9, None)
    assert [(state.value, state.action) for state in history.items] == [
        ("Basel", "updateWorkingMemory"), ("Bern", "cloneThread"),
    ]  # fmt: skip


async def test_working_memory_moves_with_its_thread_and_a_resource_keeps_its_own(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("In Bern.", "m1")])
    for scope in MemoryScope:
        update = MemoryUpdate(merge={"city": "Bern"}, source="m1")
        await update_working_memory(graph, caller, Where(scope, thread="t1"), update)
    await update_thread(graph, caller, "t1", ThreadPatch(resource="r2"))
    assert await memory_of(graph, principal(tenant, resource="r2"), "t1") == {"city": "Bern"}
    moved = (await working_memory(graph, caller, Where(MemoryScope.THREAD, thread="t1"))).fields[0]
    stayed = await working_memory(graph, caller, Where(resource="r1"))
    assert (moved.source_gone, stayed.fields[0].source_gone) == (False, True)
    assert [warning.code for warning in stayed.warnings] == ["SOURCE_GONE"]
    assert (await working_memory(graph, caller, Where(resource="r2"))).fields == ()
    with pytest.raises(NotFound):
        await memory_of(graph, principal(tenant, resource="r1"), "t1")


async def test_what_a_resource_is_known_for_outlives_the_thread_and_says_so(graph: Graph, tenant: Tenant) -> None:
    """B49."""
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("In Bern.", "m1")])
    where = Where(resource="r1")
    await update_working_memory(graph, caller, where, MemoryUpdate(merge={"city": "Bern", "zip": 3}, source="m1"))
    await update_working_memory(graph, caller, where, MemoryUpdate(merge={"zip": 4}))
    done = await delete_thread(graph, caller, "t1")
    assert (done.fields, done.fields_kept) == (0, 1)
    found = await working_memory(graph, caller, where)
    assert [(one.name, one.source, one.source_gone) for one in found.fields] == [
        ("city", "m1", True), ("zip", None, False),
    ]  # fmt: skip
    await update_working_memory(graph, caller, where, MemoryUpdate(merge={"city": "Basel"}))
    assert (await working_memory(graph, caller, where)).warnings == ()


async def test_speakers_move_with_their_thread(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await thread(graph, tenant, "t2")
    await append_turn(graph, caller, "t1", [said("Hello.", speaker="Ann"), said("Yes?", speaker="Bob")])
    await append_turn(graph, caller, "t2", [said("Hello.", speaker="Bob")])
    await thread(graph, tenant, "t3", "r2", speakers=["Cid"])
    await append_turn(graph, caller, "t3", [said("Hello.", speaker="Bob")])
    await update_thread(graph, caller, "t1", ThreadPatch(resource="r2"))
    found = await resources_by_id(graph, caller, ["r1", "r2"])
    assert found["r1"].speakers == ("Bob",)
    assert sorted(found["r2"].speakers) == ["Ann", "Bob"]
