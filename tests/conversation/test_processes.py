from __future__ import annotations

import pytest

from graphmem.access.changes import changes
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.get import turns_by_id
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.vectors import EMBED
from graphmem.graph.gateway import Graph
from graphmem.values import Tenant, TurnState
from tests.conversation.process import STATEMENTS
from tests.conversation.storm import process, storm
from tests.conversation.support import check_log, log, queued, said, texts, thread
from tests.factories import principal


@pytest.mark.timeout(400)
async def test_processes_that_write_to_one_thread_lose_nothing_and_keep_turns_apart(
    graph: Graph, tenant: Tenant
) -> None:
    """R26, M-18."""
    await storm(graph, tenant, processes=4, turns=100)
    rows = await log(graph, tenant)
    assert sorted(await queued(graph, tenant, EMBED)) == sorted(row["uid"] for row in rows)


@pytest.mark.timeout(400)
async def test_a_process_killed_between_two_statements_leaves_a_turn_whole_or_not_at_all(
    graph: Graph, tenant: Tenant
) -> None:
    caller = principal(tenant)
    for at in range(STATEMENTS["append"]):
        await thread(graph, tenant, f"append {at}")
    for at in range(STATEMENTS["commit"]):
        await thread(graph, tenant, f"commit {at}")
        await begin_turn(graph, caller, f"commit {at}", turn=f"turn {at}")
        await stage_messages(graph, caller, f"turn {at}", [said("one"), said("two")])
    noted = [change.id for change in (await changes(graph, caller)).items]
    async with process(graph.settings, "hang", tenant) as victim:
        assert victim.stdout is not None
        assert await victim.stdout.readline() == b"stuck\n"
        victim.kill()
        await victim.wait()
    for at in range(STATEMENTS["append"]):
        # Waits until the server has noticed.
        await append_turn(graph, caller, f"append {at}", [said("three")])
        await check_log(graph, tenant, f"append {at}", [["three"]])
    for at in range(STATEMENTS["commit"]):
        assert (await turns_by_id(graph, caller, [f"turn {at}"]))[f"turn {at}"].state is TurnState.OPEN
        assert await texts(graph, tenant, f"commit {at}") == []
        await commit_turn(graph, caller, f"turn {at}")
        await check_log(graph, tenant, f"commit {at}", [["one", "two"]])
    since = (await changes(graph, caller)).items
    assert len([change for change in since if change.id not in noted]) == sum(STATEMENTS.values())
    assert len(await queued(graph, tenant, EMBED)) == STATEMENTS["append"] + 2 * STATEMENTS["commit"]
