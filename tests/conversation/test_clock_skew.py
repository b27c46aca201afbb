"""A message keeps the time that its caller gives it; what is derived from that never lies in the future."""

from __future__ import annotations

from datetime import UTC, datetime

from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.get import messages_by_id, threads_by_id
from graphmem.conversation.listing import ThreadFilter, ThreadOrder, threads
from graphmem.conversation.memory_state import Where as MemoryWhere
from graphmem.conversation.recall import RecallInput, recall
from graphmem.conversation.recall_scope import Where
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.conversation.working_memory import working_memory
from graphmem.graph.gateway import Graph
from graphmem.runtime import Runtime
from graphmem.values import Tenant, utc_now
from tests.conversation.support import said, thread

FAR = datetime(9998, 1, 1, tzinfo=UTC)
PAST = datetime(2024, 1, 1, tzinfo=UTC)


async def test_a_message_from_the_future_moves_neither_its_thread_nor_the_present(
    graph: Graph, runtime: Runtime, tenant: Tenant
) -> None:
    begun = utc_now()
    caller = await thread(graph, tenant)
    for uid in ("t2", "t3"):
        await thread(graph, tenant, uid)
    await append_turn(graph, caller, "t1", [said("The heron stands.", "m1", created_at=FAR)])
    turn = (await begin_turn(graph, caller, "t2")).id
    await stage_messages(graph, caller, turn, [said("The stork stands.", "m2", created_at=FAR)])
    await commit_turn(graph, caller, turn)
    await clone_thread(graph, caller, "t1", new="copy")
    found = await threads_by_id(graph, caller, ["t1", "t2", "copy"])
    assert all(begun <= one.last_message_at <= utc_now() for one in found.values())
    assert {one.created_at for one in (await messages_by_id(graph, caller, ["m1", "m2"])).values()} == {FAR}
    await append_turn(graph, caller, "t3", [said("Later.")])
    page = await threads(graph, caller, ThreadFilter("r1"), ThreadOrder.ACTIVE_DESC, 4, None)
    assert [one.id for one in page.items] == ["t3", "copy", "t2", "t1"]
    seen = await recall(graph, runtime.embedding, caller, RecallInput("heron", where=Where("r1")))
    assert begun <= seen.now <= utc_now()


async def test_old_messages_keep_their_time(graph: Graph, runtime: Runtime, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("The heron stands.", created_at=PAST)])
    assert (await threads_by_id(graph, caller, ["t1"]))["t1"].last_message_at == PAST
    assert (await recall(graph, runtime.embedding, caller, RecallInput("heron", where=Where("r1")))).now == PAST


async def test_what_rests_on_a_message_from_the_future_is_so_from_now_on(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    given = [said("On pro.", "m1", created_at=FAR), said("In Bern.", "m2", created_at=PAST)]
    await append_turn(graph, caller, "t1", given)
    where = MemoryWhere(resource="r1")
    for uid, patch in (("m1", {"plan": "pro"}), ("m2", {"city": "Bern"})):
        await update_working_memory(graph, caller, where, MemoryUpdate(merge=patch, source=uid))
    plan, city = (await working_memory(graph, caller, where)).fields
    assert plan.as_of <= utc_now()
    assert city.as_of == PAST
