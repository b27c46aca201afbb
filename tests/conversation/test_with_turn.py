"""What is done in the transaction that stores a turn."""

from __future__ import annotations

import pytest

from graphmem.access.principal import Principal
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.get import turns_by_id
from graphmem.conversation.memory_state import Where
from graphmem.conversation.notices import notices, post_notice
from graphmem.conversation.update_working_memory import MemoryUpdate
from graphmem.conversation.with_turn import TurnMemory, WithTurn
from graphmem.conversation.working_memory import working_memory
from graphmem.errors import LimitExceeded, NotFound, VersionConflict
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.values import MemoryScope, Tenant, TurnState
from tests.conversation.support import said, texts, thread
from tests.factories import principal


async def told(graph: Graph, caller: Principal, uid: str = "t1", agent: str | None = None) -> list[str]:
    return [one.text for one in await notices(graph, caller, thread=uid, agent=agent)]


def plan(value: str, source: str | None = None, version: int | None = None) -> TurnMemory:
    return TurnMemory(MemoryUpdate(merge={"plan": value}, source=source), expected_version=version)


async def test_an_appended_turn_brings_what_it_makes_known_and_acknowledges_what_it_was_told(
    graph: Graph, tenant: Tenant
) -> None:
    caller = await thread(graph, tenant)
    one, _ = [(await post_notice(graph, caller, text, thread="t1")).id for text in ("New terms.", "Not shown.")]
    own = TurnMemory(MemoryUpdate(merge={"step": 1}), MemoryScope.THREAD)
    beside = WithTurn([one], [plan("pro", "m1"), own])
    for _ in range(2):
        await append_turn(graph, caller, "t1", [said("We are on pro.", "m1")], beside=beside)
        assert await told(graph, caller) == ["Not shown."]
        memory = await working_memory(graph, caller, Where(resource="r1"))
        assert (memory.version, memory.json, memory.fields[0].source) == (1, {"plan": "pro"}, "m1")
        assert (await working_memory(graph, caller, Where(MemoryScope.THREAD, thread="t1"))).json == {"step": 1}
    await append_turn(graph, caller, "t1", [said("We are on pro.", "m1"), said("Or not.", "m2")], beside=beside)
    assert (await working_memory(graph, caller, Where(resource="r1"))).json == {"plan": "pro"}


async def test_nothing_is_stored_of_a_turn_whose_memory_or_notices_are_refused(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await thread(graph, tenant, "t2")
    one, other = [(await post_notice(graph, caller, "Look.", thread=uid)).id for uid in ("t1", "t2")]
    turn = (await begin_turn(graph, caller, "t1")).id
    for beside, error in (
        (WithTurn([one], [plan("pro", version=7)]), VersionConflict),
        (WithTurn([one, other], [plan("pro")]), NotFound),
        (WithTurn([one, "nothing"], [plan("pro")]), NotFound),
        (WithTurn(["n"] * 101), LimitExceeded),
    ):
        with pytest.raises(error):
            await append_turn(graph, caller, "t1", [said("one")], beside=beside)
        with pytest.raises(error):
            await commit_turn(graph, caller, turn, beside=beside)
    assert await texts(graph, tenant) == []
    assert (await told(graph, caller), await told(graph, caller, "t2")) == (["Look."], ["Look."])
    assert (await working_memory(graph, caller, Where(resource="r1"))).version == 0
    assert (await turns_by_id(graph, caller, [turn]))[turn].state is TurnState.OPEN


async def test_a_turn_acknowledges_the_notices_of_its_agent(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)

    async def posted(agent: str) -> str:
        return (await post_notice(graph, caller, f"For {agent}.", agent=agent)).id

    one = await posted("helper")
    bound = principal(tenant, resource="r1")
    with pytest.raises(NotFound):
        await append_turn(graph, bound, "t1", [said("one")], agent="other", beside=WithTurn([one]))
    with pytest.raises(NotFound):
        await append_turn(graph, principal(tenant, agent="other"), "t1", [said("one")], beside=WithTurn([one]))
    assert await told(graph, caller, agent="helper") == ["For helper."]
    with pytest.raises(NotFound):
        await append_turn(graph, bound, "t1", [said("one")], agent="helper", beside=WithTurn([one]))
    assert await told(graph, caller, agent="helper") == ["For helper."]
    await append_turn(graph, caller, "t1", [said("one")], agent="helper", beside=WithTurn([one]))
    assert await told(graph, caller, agent="helper") == []
    two = await posted("helper")
    turn = (await begin_turn(graph, principal(tenant, agent="helper"), "t1")).id
    await commit_turn(graph, principal(tenant, agent="helper"), turn, beside=WithTurn([two]))
    three = await posted("helper")
    turn = (await begin_turn(graph, caller, "t1")).id
    await commit_turn(graph, caller, turn, beside=WithTurn([three]))
    assert await told(graph, caller, agent="helper") == []


async def test_notices_cost_one_statement_more(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    ids = [(await post_notice(graph, caller, "Look.", thread="t1")).id for _ in range(3)]
    with count_trips() as counted:
        await append_turn(graph, caller, "t1", [said("one")], beside=WithTurn(ids))
    assert [trip.statement for trip in counted.made] == [
        "conversation/append_turn", "conversation/acknowledge_with_turn", "access/note_change",
    ]  # fmt: skip
