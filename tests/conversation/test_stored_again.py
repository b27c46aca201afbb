"""A turn that is sent again: the same is stored once, and what is not the same is refused."""

from __future__ import annotations

import pytest

from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.memory_state import Where
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.update_working_memory import MemoryUpdate
from graphmem.conversation.with_turn import TurnMemory, WithTurn
from graphmem.conversation.working_memory import working_memory
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests.conversation.support import said, thread


async def test_a_turn_that_is_committed_again_with_other_memory_is_refused(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    plan, other = (TurnMemory(MemoryUpdate(merge={"plan": value})) for value in ("pro", "free"))
    for turn, memory in (("u1", [plan]), ("u2", [])):
        await begin_turn(graph, caller, "t1", turn=turn)
        await stage_messages(graph, caller, turn, [said(turn)])
        done = await commit_turn(graph, caller, turn, beside=WithTurn(memory=memory))
        assert await commit_turn(graph, caller, turn, beside=WithTurn(memory=memory)) == done
        assert await commit_turn(graph, caller, turn) == done
        with pytest.raises(Conflict, match="memory"):
            await commit_turn(graph, caller, turn, beside=WithTurn(memory=[other]))
    assert (await working_memory(graph, caller, Where(resource="r1"))).json == {"plan": "pro"}


async def test_messages_that_are_stored_take_no_memory_with_them(graph: Graph, tenant: Tenant) -> None:
    """It is told, and not lost in silence; what a turn made known may be told again."""
    caller = await thread(graph, tenant)
    plan = WithTurn(memory=[TurnMemory(MemoryUpdate(merge={"plan": "pro"}))])
    await append_turn(graph, caller, "t1", [said("one", "m1")])
    with pytest.raises(Conflict, match="without this memory"):
        await append_turn(graph, caller, "t1", [said("one", "m1")], beside=plan)
    both = [said("one", "m1"), said("two", "m2")]
    done = await append_turn(graph, caller, "t1", both, beside=plan)
    again = await append_turn(graph, caller, "t1", both, beside=plan)
    assert (again.turn, again.ids, again.unchanged) == (done.turn, done.ids, done.ids)
    other = WithTurn(memory=[TurnMemory(MemoryUpdate(merge={"plan": "free"}))])
    with pytest.raises(Conflict, match="without this memory"):
        await append_turn(graph, caller, "t1", both, beside=other)
    assert (await working_memory(graph, caller, Where(resource="r1"))).json == {"plan": "pro"}


async def test_a_turn_is_not_told_for_that_of_the_messages(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("one", "m1")], turn="u1")
    await append_turn(graph, caller, "t1", [said("two", "m2")], turn="u2")
    assert (await append_turn(graph, caller, "t1", [said("one", "m1")], turn="new")).turn == "u1"
    with pytest.raises(Conflict, match="other messages"):
        await append_turn(graph, caller, "t1", [said("one", "m1")], turn="u2")
