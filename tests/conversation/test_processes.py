from __future__ import annotations

import pytest

from graphmem.access.changes import changes
from graphmem.access.principal import Principal
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.get import turns_by_id
from graphmem.conversation.memory_state import Where
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.vectors import EMBED
from graphmem.conversation.working_memory import WorkingMemory, working_memory
from graphmem.graph.gateway import Graph
from graphmem.values import MemoryScope, Tenant, TurnState
from tests.conversation.process import STATEMENTS, store
from tests.conversation.storm import process, storm
from tests.conversation.support import check_log, log, queued, said, texts, thread
from tests.factories import principal


@pytest.mark.timeout(400)
async def test_processes_that_write_to_one_thread_lose_nothing_and_keep_turns_apart(
    graph: Graph, tenant: Tenant
) -> None:
    """R26, M-18."""
    await storm(graph, tenant, processes=4, turns=25)
    rows = await log(graph, tenant)
    assert sorted(await queued(graph, tenant, EMBED)) == sorted(row["uid"] for row in rows)


@pytest.mark.timeout(400)
async def test_a_process_killed_between_two_statements_leaves_a_turn_whole_or_not_at_all(
    graph: Graph, tenant: Tenant
) -> None:
    """Also with working memory, of which nothing is there without the turn, and with a key, which is free again."""
    caller = principal(tenant)
    calls = [(call, at) for call, count in STATEMENTS.items() for at in range(count)]
    for call, at in calls:
        await thread(graph, tenant, f"{call} {at}")
        if call.startswith("commit"):
            await begin_turn(graph, caller, f"{call} {at}", turn=f"turn {call} {at}")
            await stage_messages(graph, caller, f"turn {call} {at}", [said("one"), said("two")])
    noted = [change.id for change in (await changes(graph, caller, 200)).items]
    async with process(graph.settings, "hang", tenant) as victim:
        assert victim.stdout is not None
        assert await victim.stdout.readline() == b"stuck\n"
        victim.kill()
        await victim.wait()
    for call, at in calls:
        uid = f"{call} {at}"
        assert await texts(graph, tenant, uid) == []
        assert (await known(graph, caller, uid)).version == 0
        if call.startswith("commit"):
            assert (await turns_by_id(graph, caller, [f"turn {uid}"]))[f"turn {uid}"].state is TurnState.OPEN
        # Waits until the server has noticed.
        done = await store(graph, caller, call, at)
        if call != "append":
            assert await store(graph, caller, call, at) == done
        await check_log(graph, tenant, uid, [["one", "two"]])
        assert (await known(graph, caller, uid)).json == ({"plan": "pro"} if call == "commit with memory" else {})
    since = [change for change in (await changes(graph, caller, 200)).items if change.id not in noted]
    assert len([change for change in since if change.touched]) == len(calls)
    assert len(await queued(graph, tenant, EMBED)) == 2 * len(calls)


async def known(graph: Graph, caller: Principal, uid: str) -> WorkingMemory:
    return await working_memory(graph, caller, Where(MemoryScope.THREAD, thread=uid))
