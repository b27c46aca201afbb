"""Calls of tools and their results, across messages, turns and stages."""

from __future__ import annotations

import asyncio

import pytest

from graphmem.conversation import delete_messages as module
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.delete_messages import delete_messages
from graphmem.conversation.get import turns_by_id
from graphmem.conversation.reject_turn import reject_turn
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.validate import calls, waiting
from graphmem.errors import Conflict, InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.values import Tenant, TurnState
from tests.conversation.support import call, log, parts, result, said, thread


async def test_of_two_turns_with_the_result_of_one_call_one_is_committed(graph: Graph, tenant: Tenant) -> None:
    who = await thread(graph, tenant)
    await append_turn(graph, who, "t1", [parts(call("c1"))])
    for turn in ("u1", "u2"):
        await begin_turn(graph, who, "t1", turn=turn)
        await stage_messages(graph, who, turn, [parts(result("c1")), said(turn)])
    done = await asyncio.gather(*(commit_turn(graph, who, turn) for turn in ("u1", "u2")), return_exceptions=True)
    (refused,) = [one for one in done if isinstance(one, BaseException)]
    assert isinstance(refused, Conflict)
    assert refused.details["toolCallIds"] == ["c1"]
    assert len(await log(graph, tenant)) == 3
    turns = await turns_by_id(graph, who, ["u1", "u2"])
    (left,) = [uid for uid, turn in turns.items() if turn.state is TurnState.OPEN]
    await reject_turn(graph, who, left, retry=True)
    await stage_messages(graph, who, left, [said("Without it.")])
    await commit_turn(graph, who, left)


@pytest.mark.parametrize("how", ["append", "delete"])
async def test_a_staged_result_whose_call_waits_no_more_is_not_committed(
    graph: Graph, tenant: Tenant, how: str
) -> None:
    who = await thread(graph, tenant)
    await append_turn(graph, who, "t1", [parts(call("c1"), uid="m1")])
    await begin_turn(graph, who, "t1", turn="u1")
    await stage_messages(graph, who, "u1", [parts(result("c1"))])
    if how == "append":
        await append_turn(graph, who, "t1", [parts(result("c1"))])
    else:
        await delete_messages(graph, who, ["m1"])
    before = len(await log(graph, tenant))
    with pytest.raises(Conflict, match="'c1'"):
        await commit_turn(graph, who, "u1")
    assert len(await log(graph, tenant)) == before


@pytest.mark.parametrize("staged", [True, False])
async def test_ids_that_begin_anew_in_every_step_are_told_apart(graph: Graph, tenant: Tenant, staged: bool) -> None:
    """And the thread can be copied, goes on, and so does its copy."""
    who = await thread(graph, tenant)
    steps = [[parts(call("call_0"), uid="m1"), parts(result("call_0"), uid="m2")], [parts(call("call_0"), uid="m3")]]
    if staged:
        turn = (await begin_turn(graph, who, "t1")).id
        for step in steps:
            await stage_messages(graph, who, turn, step)
        with pytest.raises(InvalidInput, match="stands twice"):
            await stage_messages(graph, who, turn, [parts(call("call_0"))])
        await commit_turn(graph, who, turn)
    else:
        await append_turn(graph, who, "t1", [one for step in steps for one in step])
    await clone_thread(graph, who, "t1", new="t2")
    for uid in ("t1", "t2"):
        await append_turn(graph, who, uid, [parts(result("call_0"))])
        with pytest.raises(InvalidInput, match="'call_0'"):
            await append_turn(graph, who, uid, [parts(result("call_0"))])
    await delete_messages(graph, who, ["m1", "m2"])
    with pytest.raises(InvalidInput, match="both"):
        await delete_messages(graph, who, ["m3"])


async def test_a_call_that_was_given_up_leaves_its_id_to_the_next(graph: Graph, tenant: Tenant) -> None:
    """A turn was interrupted; the next one counts from 0 again."""
    who = await thread(graph, tenant)
    await append_turn(graph, who, "t1", [parts(call("call_0"), uid="m1")])
    await append_turn(graph, who, "t1", [said("Again."), parts(call("call_0"), uid="m2")])
    await delete_messages(graph, who, ["m1"])
    await append_turn(graph, who, "t1", [parts(result("call_0"))])
    with pytest.raises(InvalidInput, match="'call_0'"):
        await append_turn(graph, who, "t1", [parts(result("call_0"))])


@pytest.mark.parametrize("uid", ['a"b', "a\\b", "{}", "é 🦊", "a, b"])
async def test_a_call_of_any_id_is_not_deleted_without_its_result(graph: Graph, tenant: Tenant, uid: str) -> None:
    who = await thread(graph, tenant)
    await append_turn(graph, who, "t1", [parts(call(uid), uid="m1"), said("wait"), parts(result(uid), uid="m2")])
    with pytest.raises(InvalidInput, match="both"):
        await delete_messages(graph, who, ["m1"])
    assert (await delete_messages(graph, who, ["m1", "m2"])).ids == ("m1", "m2")


async def test_what_comes_behind_a_deleted_call_is_read_no_further_than_its_next(
    graph: Graph, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 2)
    who = await thread(graph, tenant)
    for at in range(6):
        step = [parts(call("call_0"), uid=f"c{at}"), parts(result("call_0"), uid=f"s{at}")]
        await append_turn(graph, who, "t1", step)
    for ids, reads in ((["c0", "s0"], 2), (["c1", "c3", "s1", "s3"], 4), (["c5", "s5"], 2)):
        with count_trips() as counted:
            await delete_messages(graph, who, ids)
        assert [trip.statement for trip in counted.made].count("conversation/results_after") == reads
    with pytest.raises(InvalidInput, match="'s2'"):
        await delete_messages(graph, who, ["c2", "c4", "s4"])
    await append_turn(graph, who, "t1", [parts(call("call_0"), uid="c6")])
    await delete_messages(graph, who, ["c6"])
    with pytest.raises(InvalidInput, match="'call_0'"):
        await append_turn(graph, who, "t1", [parts(result("call_0"))])


def test_a_turn_in_parts_comes_to_the_same_as_whole() -> None:
    given = [result("old"), call("a"), call("b"), result("a"), call("a"), result("b")]
    for at in range(len(given)):
        assert calls(given[at:], *calls(given[:at])) == calls(given) == (["a"], ["old"])
    assert waiting(given) == ["a"]
    for odd in ([call("a"), call("a")], [result("a"), result("a")]):
        for at in range(2):
            with pytest.raises(InvalidInput):
                calls(odd[at:], *calls(odd[:at]))
