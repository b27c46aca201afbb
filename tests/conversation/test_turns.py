from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.commit_turn import commit_turn
from graphmem.conversation.get import messages_by_id, threads_by_id, turns_by_id
from graphmem.conversation.messages import MessageInput
from graphmem.conversation.notices import notices, post_notice
from graphmem.conversation.page import messages
from graphmem.conversation.reject_turn import reject_turn
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.with_turn import WithTurn
from graphmem.errors import Conflict, InvalidInput, LimitExceeded, NotFound
from graphmem.graph.gateway import Graph
from graphmem.ranking.lucene import tenant_token
from graphmem.values import Role, Tenant, TurnState
from tests.conftest import Settle
from tests.conversation.support import call, check_log, found, labels, log, parts, probing, result, said, texts, thread
from tests.factories import principal


async def test_what_is_staged_is_seen_only_when_it_is_committed(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    """C57, promise 2."""
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1")).id
    staged = await stage_messages(graph, caller, turn, [said("A heron.", "m1"), said("It stands.", "m2")])
    assert (staged.state, staged.ids) == (TurnState.OPEN, ("m1", "m2"))
    await settle()
    everything = f"+tenantToken:{tenant_token(tenant)}^0"
    assert (await messages(graph, caller, "t1")).items == ()
    assert await messages_by_id(graph, caller, ["m1", "m2"]) == {}
    assert await found(graph, everything) == set()
    stored = (await threads_by_id(graph, caller, ["t1"]))["t1"]
    assert (stored.last_seq, stored.title) == (0, None)
    done = await commit_turn(graph, caller, turn)
    assert (done.state, done.ids, done.first_seq, done.last_seq) == (TurnState.COMMITTED, ("m1", "m2"), 1, 2)
    await check_log(graph, tenant, "t1", [["A heron.", "It stands."]])
    assert await found(graph, everything) == {"m1", "m2"}
    stored = (await threads_by_id(graph, caller, ["t1"]))["t1"]
    assert (stored.last_seq, stored.title) == (2, "A heron.")
    await settle()
    rows = await probing(graph).read("probe/embedded", tenant=tenant, thread="t1")
    assert [row["embeddedText"] for row in rows] == ["user: A heron.", "user: It stands."]


async def test_committed_messages_are_what_appended_ones_are(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await thread(graph, tenant, "t2")
    given = [said("Where is it?", speaker="Ann"), said("Here.", role=Role.ASSISTANT), said("Thanks.", speaker="Ann")]
    for _ in range(2):
        await append_turn(graph, caller, "t1", given, agent="helper")
        turn = (await begin_turn(graph, caller, "t2", agent="helper")).id
        for message in given:
            await stage_messages(graph, caller, turn, [message])
        await commit_turn(graph, caller, turn)
    one, two = await log(graph, tenant, "t1"), await log(graph, tenant, "t2")
    assert [(row["seq"], row["content"], row["context"]) for row in one] == [
        (row["seq"], row["content"], row["context"]) for row in two
    ]
    stored = await threads_by_id(graph, caller, ["t1", "t2"])
    assert stored["t1"].speakers == stored["t2"].speakers == ("Ann",)
    assert stored["t1"].title == stored["t2"].title == "Where is it?"


async def test_a_rejected_turn_leaves_nothing_behind(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    """C58, R40, M-11, M-12."""
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1")).id
    before = await labels(graph, tenant)
    await stage_messages(graph, caller, turn, [said("Do it."), parts(call("c1"), result("c1"))])
    done = await reject_turn(graph, caller, turn, "the guard refused it")
    await settle()
    assert done.state is TurnState.REJECTED
    assert await labels(graph, tenant) == before
    assert (await threads_by_id(graph, caller, ["t1"]))["t1"].title is None
    assert (await turns_by_id(graph, caller, [turn]))[turn].reason == "the guard refused it"
    with pytest.raises(Conflict, match="is rejected") as refused:
        await commit_turn(graph, caller, turn)
    assert refused.value.details == {"state": "rejected"}
    with pytest.raises(Conflict, match="is rejected"):
        await stage_messages(graph, caller, turn, [said("Again.")])
    assert (await reject_turn(graph, caller, turn)).state is TurnState.REJECTED


async def test_only_the_accepted_attempt_of_at_most_three_is_stored(graph: Graph, tenant: Tenant) -> None:
    """C70."""
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1")).id
    for attempt in (1, 2):
        await stage_messages(graph, caller, turn, [said(f"attempt {attempt}", "m1")], attempt=attempt)
        done = await reject_turn(graph, caller, turn, retry=True)
        assert (done.state, done.attempt) == (TurnState.OPEN, attempt + 1)
    with pytest.raises(Conflict, match="is at attempt 3, not 2"):
        await stage_messages(graph, caller, turn, [said("late")], attempt=2)
    await stage_messages(graph, caller, turn, [said("attempt 3", "m1")])
    await commit_turn(graph, caller, turn)
    await check_log(graph, tenant, "t1", [["attempt 3"]])


async def test_the_third_rejection_ends_a_turn(graph: Graph, tenant: Tenant) -> None:
    """C70."""
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1")).id
    states = [(await reject_turn(graph, caller, turn, retry=True)).state for _ in range(3)]
    assert states == [TurnState.OPEN, TurnState.OPEN, TurnState.REJECTED]
    with pytest.raises(Conflict, match="is rejected"):
        await reject_turn(graph, caller, turn, retry=True)


async def test_a_commit_again_gives_the_same_answer(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1")).id
    await stage_messages(graph, caller, turn, [said("one"), said("two")])
    first, *more = await asyncio.gather(*(commit_turn(graph, caller, turn) for _ in range(4)))
    assert more == [first] * 3
    await append_turn(graph, caller, "t1", [said("three")])
    assert await commit_turn(graph, caller, turn) == first
    await check_log(graph, tenant, "t1", [["one", "two"], ["three"]])
    with pytest.raises(Conflict, match="is committed"):
        await reject_turn(graph, caller, turn)
    with pytest.raises(Conflict, match="is committed"):
        await stage_messages(graph, caller, turn, [said("more")])


async def test_two_turns_at_once_stay_two_groups(graph: Graph, tenant: Tenant) -> None:
    """M-18, R26."""
    caller = await thread(graph, tenant)
    one, two = [(await begin_turn(graph, caller, "t1")).id for _ in range(2)]
    for text in ("question", "answer"):
        for turn, name in ((one, "one"), (two, "two")):
            await stage_messages(graph, caller, turn, [said(f"{text} {name}")])
    await asyncio.gather(commit_turn(graph, caller, two), commit_turn(graph, caller, one))
    await check_log(graph, tenant, "t1", [["question one", "answer one"], ["question two", "answer two"]])


async def test_messages_are_staged_once_by_their_ids(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("old", "m0")])
    turn = (await begin_turn(graph, caller, "t1")).id
    for _ in range(2):
        await stage_messages(graph, caller, turn, [said("one", "m1"), said("two", "m2")])
    await stage_messages(graph, caller, turn, [said("two", "m2"), said("three", "m3")])
    for message in (said("other", "m1"), said("old", "m0"), said("old", turn)):
        with pytest.raises(Conflict, match=r"messages\[0\]\.id"):
            await stage_messages(graph, caller, turn, [message])
    await commit_turn(graph, caller, turn)
    await check_log(graph, tenant, "t1", [["old"], ["one", "two", "three"]])


async def test_a_turn_that_nobody_ends_expires(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1", ttl_seconds=600)).id
    await stage_messages(graph, caller, turn, [said("one")])
    before = await labels(graph, tenant)
    await probing(graph).run("probe/age_turn", tenant=tenant, uid=turn)
    assert (await turns_by_id(graph, caller, [turn]))[turn].state is TurnState.EXPIRED
    for verb in (
        commit_turn(graph, caller, turn),
        stage_messages(graph, caller, turn, [said("two")]),
        reject_turn(graph, caller, turn, retry=True),
    ):
        with pytest.raises(Conflict, match="is expired") as refused:
            await verb
        assert refused.value.details == {"state": "expired"}
    assert (await reject_turn(graph, caller, turn)).state is TurnState.EXPIRED
    await settle()
    stored = (await turns_by_id(graph, caller, [turn]))[turn]
    assert (stored.state, stored.staged, stored.expires_at) == (TurnState.EXPIRED, 0, None)
    assert await labels(graph, tenant) == before - Counter({"StagedMessage": 1})
    with pytest.raises(Conflict, match="is expired"):
        await commit_turn(graph, caller, turn)


async def test_staging_gives_a_turn_more_time(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1")).id
    ends = (await turns_by_id(graph, caller, [turn]))[turn].expires_at
    await stage_messages(graph, caller, turn, [said("one")])
    later = (await turns_by_id(graph, caller, [turn]))[turn].expires_at
    assert ends is not None
    assert later is not None
    assert later > ends


async def test_a_foreign_turn_is_not_there(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1", agent="helper")).id
    strangers = [
        (principal(Tenant(f"{tenant} 2")), None), (principal(tenant, resource="r2"), None), (caller, "r2"),
        (principal(tenant, agent="another"), None),
    ]  # fmt: skip
    for stranger, resource in strangers:
        for verb in (
            stage_messages(graph, stranger, turn, [said("mine")], resource=resource),
            commit_turn(graph, stranger, turn, resource=resource),
            reject_turn(graph, stranger, turn, resource=resource),
        ):
            with pytest.raises(NotFound, match="there is no turn"):
                await verb
        assert await turns_by_id(graph, stranger, [turn], resource) == {}
    assert (await turns_by_id(graph, caller, [turn]))[turn].state is TurnState.OPEN


async def test_a_turn_is_begun_once_by_its_id(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await thread(graph, tenant, "t2")
    first, *more = await asyncio.gather(*(begin_turn(graph, caller, "t1", turn="u1") for _ in range(4)))
    assert more == [first] * 3
    for uid, where in (("u1", "t2"), ("t2", "t1")):
        with pytest.raises(Conflict, match="in use elsewhere"):
            await begin_turn(graph, caller, where, turn=uid)
    with pytest.raises(NotFound):
        await begin_turn(graph, caller, "t3")
    for seconds in (0, -1, 8 * 24 * 3600):
        with pytest.raises(InvalidInput, match="ttlSeconds"):
            await begin_turn(graph, caller, "t1", ttl_seconds=seconds)


async def test_a_result_must_answer_a_call_of_its_turn_or_thread(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [parts(call("c0"))])
    turn = (await begin_turn(graph, caller, "t1")).id
    await stage_messages(graph, caller, turn, [parts(call("c1"))])
    await stage_messages(graph, caller, turn, [parts(result("c1")), parts(result("c0"))])
    for uid in ("c2", "c1"):
        with pytest.raises(InvalidInput, match=f"call '{uid}'"):
            await stage_messages(graph, caller, turn, [parts(result(uid))])
    await commit_turn(graph, caller, turn)
    with pytest.raises(InvalidInput, match="call 'c0'"):
        await append_turn(graph, caller, "t1", [parts(result("c0"))])


async def test_a_turn_holds_a_limited_number_of_messages(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    few = Graph(graph.driver, graph.settings.model_copy(update={"max_staged": 3}), graph.statements)
    turn = (await begin_turn(few, caller, "t1")).id
    await stage_messages(few, caller, turn, [said("one"), said("two")])
    with pytest.raises(LimitExceeded) as refused:
        await stage_messages(few, caller, turn, [said("three"), said("four")])
    assert refused.value.details["limit"] == "max_staged"


async def test_a_committed_turn_acknowledges_the_notices_that_its_context_carried(graph: Graph, tenant: Tenant) -> None:
    """M-1: what a thread is to be told is no message."""
    caller = await thread(graph, tenant)
    old = (await post_notice(graph, caller, "An old one.", thread="t1")).id
    turn = (await begin_turn(graph, caller, "t1")).id
    new = (await post_notice(graph, caller, "A new one.", thread="t1")).id
    await stage_messages(graph, caller, turn, [said("one")])
    await reject_turn(graph, caller, turn, retry=True)
    assert [one.id for one in await notices(graph, caller, thread="t1")] == [old, new]
    await commit_turn(graph, caller, turn, beside=WithTurn([new]))
    assert [one.id for one in await notices(graph, caller, thread="t1")] == [old]
    assert await texts(graph, tenant) == []


async def test_a_notice_that_no_context_carried_is_not_lost(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    uid = (await post_notice(graph, caller, "Look here.", thread="t1")).id
    turn = (await begin_turn(graph, caller, "t1")).id
    await stage_messages(graph, caller, turn, [said("one")])
    await commit_turn(graph, caller, turn)
    await append_turn(graph, caller, "t1", [said("two")])
    assert [one.id for one in await notices(graph, caller, thread="t1")] == [uid]


@pytest.mark.parametrize("message", [said(" "), parts(result("c9"))])
async def test_what_is_refused_stages_nothing(graph: Graph, tenant: Tenant, message: MessageInput) -> None:
    caller = await thread(graph, tenant)
    turn = (await begin_turn(graph, caller, "t1")).id
    with pytest.raises(InvalidInput):
        await stage_messages(graph, caller, turn, [said("fine"), message])
    assert (await turns_by_id(graph, caller, [turn]))[turn].staged == 0
