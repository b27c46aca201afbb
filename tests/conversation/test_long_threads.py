"""Threads that are too long to be copied or deleted in one transaction, and what is written or read meanwhile."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from graphmem.access.principal import Principal
from graphmem.conversation import clone_thread as cloning
from graphmem.conversation import delete_thread as deleting
from graphmem.conversation import steps
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.conversation.delete_messages import delete_messages
from graphmem.conversation.delete_thread import delete_thread
from graphmem.conversation.get import last_messages, threads_by_id, threads_of
from graphmem.conversation.memory_state import Where as MemoryWhere
from graphmem.conversation.notices import post_notice
from graphmem.conversation.recall import RecallInput, recall
from graphmem.conversation.recall_scope import Where
from graphmem.conversation.update_thread import ThreadPatch, update_thread
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.conversation.working_memory import working_memory
from graphmem.errors import Conflict, NotFound, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.jobs import jobs
from graphmem.runtime import Runtime
from graphmem.upkeep.erase import erase_resource
from graphmem.values import MemoryScope, Tenant
from tests.conftest import Settle
from tests.conversation.between import Between, cut
from tests.conversation.support import call, check_log, labels, log, parts, result, said, texts, thread

COPY, TURNS = "conversation/copy_messages", "conversation/erase_turns"
LONG = "Word after word. " * 120
SAID = [["A parrot.", LONG, "Two parrots."], ["Three.", "Four."], ["Five.", "Six."]]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two messages a time, in which turns end or not."""
    monkeypatch.setattr(steps, "MOST_A_STEP", 2)
    monkeypatch.setattr(steps, "TURNS_A_STEP", 1)


async def long(graph: Graph, tenant: Tenant, settle: Settle) -> Principal:
    caller = await thread(graph, tenant)
    for turn, lines in enumerate(SAID):
        messages = [said(text, f"m{turn}{at}") for at, text in enumerate(lines)]
        await append_turn(graph, caller, "t1", messages, turn=f"u{turn}")
    where = MemoryWhere(MemoryScope.THREAD, thread="t1")
    for name, source in (("count", "m11"), ("last", "m21")):
        await update_working_memory(graph, caller, where, MemoryUpdate(merge={name: 4}, source=source))
    await settle()
    return caller


async def hidden(graph: Graph, runtime: Runtime, caller: Principal, uid: str) -> None:
    """A thread is shown by nothing, and nothing is written to it."""
    assert await threads_by_id(graph, caller, [uid]) == {}
    assert uid not in {one.id for one in (await threads_of(graph, caller, ["r1"], 9)).get("r1", [])}
    assert await last_messages(graph, caller, [uid], 9) == {}
    wanted = RecallInput("parrots", top_k=20, where=Where(resource="r1"))
    told = await recall(graph, runtime.embedding, caller, wanted)
    assert uid not in {hit.message.thread for hit in told.hits}
    with pytest.raises(NotFound):
        await append_turn(graph, caller, uid, [said("Too early, or too late.")])
    with pytest.raises(Conflict, match="in use"):
        await create_thread(graph, caller, ThreadInput("r1", uid))


@pytest.mark.parametrize("left", [0, 1, 2])
async def test_a_copy_that_breaks_off_is_not_seen_until_it_is_whole(
    graph: Graph, tenant: Tenant, settle: Settle, runtime: Runtime, left: int
) -> None:
    caller = await long(graph, tenant, settle)
    with pytest.raises(Unavailable):
        await clone_thread(cut(graph, COPY, left), caller, "t1", new="t2", idempotency_key="k")
    await hidden(graph, runtime, caller, "t2")
    with pytest.raises(Conflict, match="'t2' is in use"):
        await clone_thread(graph, caller, "t1", new="t2")
    if left == 1:
        assert (await clone_thread(graph, caller, "t1", new="t2", idempotency_key="k")).messages == 7
    else:
        (job,) = (await jobs(graph, tenant, kinds=[cloning.COPY])).items
        for _ in range(2):
            await cloning.copy_job(graph, job)
    await check_log(graph, tenant, "t2", SAID)
    rows = await log(graph, tenant, "t2")
    assert [row["context"] for row in rows] == [row["context"] for row in await log(graph, tenant)]
    found = await working_memory(graph, caller, MemoryWhere(MemoryScope.THREAD, thread="t2"))
    assert {one.name: one.source for one in found.fields} == {"count": rows[4]["uid"], "last": rows[6]["uid"]}
    kinds = await labels(graph, tenant)
    assert (kinds["Message"], kinds["Turn"], kinds["MessageChunk"] % 2, kinds["ThreadCopy"]) == (14, 6, 0, 0)
    copied = (await threads_by_id(graph, caller, ["t1", "t2"]))["t2"]
    assert copied.title == "A parrot."


async def test_what_is_said_while_a_thread_is_copied_is_not_copied(
    graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    caller = await long(graph, tenant, settle)
    late: list[str] = []

    async def said_meanwhile() -> None:
        late.append(f"Late {len(late)}.")
        await append_turn(graph, caller, "t1", [said(late[-1])])
        if len(late) == 1:
            await delete_messages(graph, caller, ["m20"])

    done = await clone_thread(Between(graph, COPY, said_meanwhile), caller, "t1", new="t2")
    kept = [*SAID[0], *SAID[1], None, SAID[2][1]]
    assert (done.messages, len(late)) == (7, 4)
    assert await texts(graph, tenant) == [*kept, *late]
    assert await texts(graph, tenant, "t2") == kept
    assert (await threads_by_id(graph, caller, ["t2"]))["t2"].message_count == 6
    await append_turn(graph, caller, "t2", [said("Going on.")])
    await settle()


async def test_a_long_copy_ends_in_the_middle_of_a_turn(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("Look it up."), said("I do."), parts(call("c1")), said("Wait.")])
    await append_turn(graph, caller, "t1", [parts(result("c1"))])
    await clone_thread(graph, caller, "t1", new="t2", up_to_seq=3)
    await check_log(graph, tenant, "t2", [["Look it up.", "I do.", ""]])
    await append_turn(graph, caller, "t2", [parts(result("c1"))])
    assert (await labels(graph, tenant))["Turn"] == 4


LOSSES: dict[str, Callable[[Graph, Principal], Awaitable[object]]] = {
    "deleted": lambda graph, who: delete_thread(graph, who, "t1"),
    "moved": lambda graph, who: update_thread(graph, who, "t1", ThreadPatch(resource="r2")),
    "corrected": lambda graph, who: delete_messages(graph, who, ["m00"]),
}


@pytest.mark.parametrize("how", LOSSES)
async def test_of_a_thread_that_is_lost_while_it_is_copied_no_copy_is_left(
    graph: Graph, tenant: Tenant, settle: Settle, how: str
) -> None:
    caller = await long(graph, tenant, settle)

    lost_once: list[object] = []

    async def lost() -> None:
        if not lost_once:
            lost_once.append(await LOSSES[how](graph, caller))

    with pytest.raises(Conflict, match="deleted, moved or corrected meanwhile"):
        await clone_thread(Between(graph, COPY, lost), caller, "t1", new="t2", idempotency_key="k")
    kinds = await labels(graph, tenant)
    assert (kinds["ThreadCopy"], kinds["Erased"], kinds["Message"]) == (0, 0, 0 if how == "deleted" else 7)
    with pytest.raises(Conflict, match="nothing of its copy is left"):
        await clone_thread(graph, caller, "t1", new="t2", idempotency_key="k")
    await create_thread(graph, caller, ThreadInput("r1", "t2"))


async def test_a_resource_is_erased_while_its_thread_is_copied(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = await long(graph, tenant, settle)

    async def erased() -> None:
        await erase_resource(graph, caller, "r1")

    with pytest.raises(Conflict, match="nothing of its copy is left"):
        await clone_thread(Between(graph, COPY, erased), caller, "t1", new="t2")
    assert set(await labels(graph, tenant)) <= {"Job"}


@pytest.mark.parametrize("left", [0, 2])
async def test_a_deletion_that_breaks_off_shows_nothing_and_goes_on(
    graph: Graph, tenant: Tenant, settle: Settle, runtime: Runtime, left: int
) -> None:
    caller = await long(graph, tenant, settle)
    await post_notice(graph, caller, "Soon.", thread="t1")
    planned = await delete_thread(graph, caller, "t1", dry_run=True)
    assert (planned.turns, planned.messages, planned.fields, planned.notices) == (3, 7, 2, 1)
    with pytest.raises(Unavailable):
        await delete_thread(cut(graph, TURNS, left), caller, "t1", idempotency_key="k")
    await hidden(graph, runtime, caller, "t1")
    assert (await labels(graph, tenant))["Message"] > 0
    if left:
        assert await delete_thread(graph, caller, "t1", idempotency_key="k") == planned
    else:
        (job,) = (await jobs(graph, tenant, kinds=[deleting.EMPTY])).items
        for _ in range(2):
            await deleting.empty_job(graph, job)
    assert await labels(graph, tenant) == {"Resource": 1}
    await create_thread(graph, caller, ThreadInput("r1", "t1"))


async def test_a_resource_is_erased_with_a_thread_whose_deletion_broke_off(
    graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    caller = await long(graph, tenant, settle)
    with pytest.raises(Unavailable):
        await delete_thread(cut(graph, TURNS, 0), caller, "t1")
    await erase_resource(graph, caller, "r1")
    assert await labels(graph, tenant) == {}
