from __future__ import annotations

import pytest

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
