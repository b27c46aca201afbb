"""Threads that are too long to be moved in one transaction, and what is written or read meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from graphmem.access.principal import Principal
from graphmem.conversation import move_thread, steps
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.delete_messages import delete_messages
from graphmem.conversation.delete_thread import delete_thread
from graphmem.conversation.edit_message import edit_message
from graphmem.conversation.get import last_messages, messages_by_id, revisions, said_in, threads_by_id, turns_by_id
from graphmem.conversation.memory_state import Where as MemoryWhere
from graphmem.conversation.messages import Part
from graphmem.conversation.page import messages
from graphmem.conversation.recall import RecallInput, recall
from graphmem.conversation.recall_scope import Where
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.update_thread import ThreadPatch, update_thread
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.errors import Conflict, NotFound, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.jobs import jobs
from graphmem.ranking.lucene import facet_token, tenant_token
from graphmem.runtime import Runtime
from graphmem.values import MemoryScope, PartType, Tenant
from tests.conftest import Settle
from tests.conversation.between import Between, cut
from tests.conversation.support import check_log, found, log, said, thread
from tests.factories import principal
from tests.knowledge.support import Paused, done_or_blocked

BRING = "conversation/bring_messages"
TO_R2 = ThreadPatch(resource="r2")
TEXTS = [[f"A parrot said {turn}.", f"What did it say, {turn}?"] for turn in range(4)]
EDITED = (Part(PartType.TEXT, text="A parrot was silent."),)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three messages a time."""
    monkeypatch.setattr(steps, "MOST_A_STEP", 3)


async def long(graph: Graph, tenant: Tenant, settle: Settle) -> Principal:
    caller = await thread(graph, tenant)
    for at, texts in enumerate(TEXTS):
        await append_turn(graph, caller, "t1", [said(text, f"m{at}{n}") for n, text in enumerate(texts)], turn=f"u{at}")
    await edit_message(graph, caller, "m30", (Part(PartType.TEXT, text=TEXTS[3][0]), Part(PartType.TEXT, text="So.")))
    await settle()
    return caller


async def indexed(graph: Graph, tenant: Tenant, resource: str) -> int:
    """How many messages full text finds for a resource."""
    return len(
        await found(graph, f"+tenantToken:{tenant_token(tenant)}^0 +facets:{facet_token('resource', resource)}^0")
    )


async def recalled(graph: Graph, runtime: Runtime, tenant: Tenant, resource: str) -> set[str]:
    where = Where(resource=resource)
    wanted = RecallInput("What did the parrot say?", top_k=20, before=0, after=0, where=where)
    told = await recall(graph, runtime.embedding, principal(tenant), wanted)
    assert {hit.message.resource for hit in told.hits} <= {resource}
    return {hit.message.id for hit in told.hits}


IDS = [f"m{turn}{at}" for turn in range(4) for at in range(2)]


async def seen(graph: Graph, who: Principal) -> dict[str, set[str]]:
    """What a caller is shown of the thread, by each way to it."""
    try:
        page = {one.id for one in (await messages(graph, who, "t1", first=50)).items}
    except NotFound:
        page = set()
    named = (await messages_by_id(graph, who, IDS)).values()
    return {
        "threads": set(await threads_by_id(graph, who, ["t1"])),
        "turns": set(await turns_by_id(graph, who, ["u0", "u3"])),
        "said": {one.id for said in (await said_in(graph, who, ["u0", "u3"], 9)).values() for one in said},
        "page": page,
        "last": {one.id for one in (await last_messages(graph, who, ["t1"], 50)).get("t1", [])},
        "messages": {one.id for one in named if one.resource == who.resource},
        "revisions": set(await revisions(graph, who, ["m30"], 9)),
    }


@pytest.mark.parametrize("left", [0, 1])
async def test_a_move_that_breaks_off_shows_each_message_to_its_own_alone_and_goes_on(
    graph: Graph, tenant: Tenant, settle: Settle, runtime: Runtime, left: int
) -> None:
    caller = await long(graph, tenant, settle)
    old, new = principal(tenant, resource="r1"), principal(tenant, resource="r2")
    whole = await seen(graph, old)
    assert (whole["page"], whole["revisions"]) == (set(IDS), {"m30"})
    with pytest.raises(Unavailable):
        await update_thread(cut(graph, BRING, left), caller, "t1", TO_R2, idempotency_key="k")
    assert 0 < await indexed(graph, tenant, "r1") < len(IDS)
    assert not any((await seen(graph, old)).values())
    assert await seen(graph, new) == whole
    assert await recalled(graph, runtime, tenant, "r1") == set()
    assert set(IDS[: 3 * left + 3]) <= await recalled(graph, runtime, tenant, "r2")
    for who in (old, principal(tenant)):
        with pytest.raises(NotFound):
            await edit_message(graph, who, "m31", EDITED, resource="r1")
    await edit_message(graph, new, "m31", EDITED)
    await append_turn(graph, new, "t1", [said("A parrot again.", "late")])
    with pytest.raises(Conflict, match="still being moved"):
        await update_thread(graph, caller, "t1", ThreadPatch(resource="r3"))
    if left:
        (job,) = (await jobs(graph, tenant, kinds=[move_thread.BRING])).items
        for _ in range(2):
            await move_thread.bring_job(graph, job)
    else:
        assert (await update_thread(graph, caller, "t1", TO_R2, idempotency_key="k")).version == 2
    await settle()
    assert (await indexed(graph, tenant, "r1"), await indexed(graph, tenant, "r2")) == (0, len(IDS) + 1)
    assert await recalled(graph, runtime, tenant, "r2") == {*IDS, "late"}
    await update_thread(graph, caller, "t1", ThreadPatch(resource="r3"))
    assert await indexed(graph, tenant, "r3") == len(IDS) + 1


async def test_what_is_said_while_a_thread_is_moved_is_its_new_resources(
    graph: Graph, tenant: Tenant, settle: Settle, runtime: Runtime
) -> None:
    caller = await long(graph, tenant, settle)
    await begin_turn(graph, caller, "t1", turn="open")
    await stage_messages(graph, caller, "open", [said("A parrot meanwhile.", "staged")])
    late: list[str] = []

    async def said_meanwhile() -> None:
        if not late:
            assert {one.resource for one in (await said_in(graph, caller, ["open"], 9))["open"]} == {"r2"}
            await commit_turn(graph, principal(tenant, resource="r2"), "open")
        late.append(f"A parrot came {len(late)}.")
        await append_turn(graph, principal(tenant, resource="r2"), "t1", [said(late[-1])])

    await update_thread(Between(graph, BRING, said_meanwhile), caller, "t1", TO_R2)
    assert len(late) > 1
    rows = await log(graph, tenant)
    assert [row["seq"] for row in rows] == list(range(1, len(IDS) + len(late) + 2))
    assert (await indexed(graph, tenant, "r1"), await indexed(graph, tenant, "r2")) == (0, len(rows))
    await settle()
    assert await recalled(graph, runtime, tenant, "r2") == {row["uid"] for row in rows}


async def test_a_short_thread_is_moved_in_one_transaction(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("Hello.", "m1")])
    await update_thread(cut(graph, BRING, 0), caller, "t1", TO_R2)
    assert await indexed(graph, tenant, "r2") == 1
    assert (await jobs(graph, tenant, kinds=[move_thread.BRING])).items == ()


async def test_a_thread_that_is_deleted_while_it_is_moved_is_gone(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = await long(graph, tenant, settle)

    async def deleted() -> None:
        if await threads_by_id(graph, caller, ["t1"]):
            await delete_thread(graph, caller, "t1")

    await update_thread(Between(graph, BRING, deleted), caller, "t1", TO_R2)
    assert await indexed(graph, tenant, "r1") == await indexed(graph, tenant, "r2") == 0


FOR_R1: dict[str, Callable[[Graph, Principal], Coroutine[Any, Any, object]]] = {
    "append": lambda graph, who: append_turn(graph, who, "t1", [said("Late.")], resource="r1"),
    "begin": lambda graph, who: begin_turn(graph, who, "t1", resource="r1"),
    "commit": lambda graph, who: commit_turn(graph, who, "u1", resource="r1"),
    "edit": lambda graph, who: edit_message(graph, who, "m1", EDITED, resource="r1"),
    "delete": lambda graph, who: delete_messages(graph, who, ["m1"], resource="r1"),
    "delete thread": lambda graph, who: delete_thread(graph, who, "t1", resource="r1"),
    "rename": lambda graph, who: update_thread(graph, who, "t1", ThreadPatch(title="Mine"), resource="r1"),
    "remember": lambda graph, who: update_working_memory(
        graph, who, MemoryWhere(MemoryScope.THREAD, resource="r1", thread="t1"), MemoryUpdate(merge={"a": 1})
    ),
}


@pytest.mark.parametrize("write", FOR_R1)
async def test_who_waits_for_a_thread_that_moves_away_finds_none(graph: Graph, tenant: Tenant, write: str) -> None:
    who = await thread(graph, tenant)
    await append_turn(graph, who, "t1", [said("Hello.", "m1")])
    await begin_turn(graph, who, "t1", turn="u1")
    await stage_messages(graph, who, "u1", [said("Late.")])
    slow = Paused(graph, "conversation/move_thread")
    moving = asyncio.create_task(update_thread(slow, who, "t1", TO_R2))
    await slow.reached.wait()
    waiting = asyncio.create_task(FOR_R1[write](graph, who))
    await done_or_blocked(graph, waiting)
    slow.go.set()
    assert (await moving).resource == "r2"
    with pytest.raises(NotFound):
        await waiting
    await check_log(graph, tenant, "t1", [["Hello."]])
