from __future__ import annotations

from datetime import timedelta

import pytest

from graphmem.conversation.notices import acknowledge_notices, notices, post_notice
from graphmem.conversation.page import messages
from graphmem.errors import Forbidden, InvalidInput, NotFound
from graphmem.graph.gateway import Graph
from graphmem.values import Tenant, utc_now
from tests.conversation.support import thread
from tests.factories import principal


async def test_a_notice_is_told_until_it_is_acknowledged(graph: Graph, tenant: Tenant) -> None:
    """M-1."""
    caller = await thread(graph, tenant)
    late = utc_now() + timedelta(hours=1)
    one = (await post_notice(graph, caller, "New terms.", thread="t1", source="legal", expires_at=late)).id
    two = (await post_notice(graph, caller, "Speak plainly.", agent="helper")).id
    told = await notices(graph, caller, thread="t1", agent="helper")
    assert [(note.id, note.text, note.source, note.expires_at) for note in told] == [
        (one, "New terms.", "legal", late), (two, "Speak plainly.", None, None),
    ]  # fmt: skip
    assert [note.id for note in await notices(graph, caller, thread="t1")] == [one]
    assert (await messages(graph, caller, "t1")).items == ()
    with pytest.raises(NotFound, match="'nothing'"):
        await acknowledge_notices(graph, caller, [one, "nothing"])
    assert (await acknowledge_notices(graph, caller, [one, one])).ids == (one,)
    assert (await acknowledge_notices(graph, caller, [one])).ids == ()
    assert [note.id for note in await notices(graph, caller, thread="t1", agent="helper")] == [two]


async def test_an_agent_that_is_named_like_a_thread_is_told_its_own(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    one = (await post_notice(graph, caller, "For the thread.", thread="t1")).id
    two = (await post_notice(graph, caller, "For the agent.", agent="t1")).id
    assert [note.id for note in await notices(graph, caller, thread="t1")] == [one]
    assert [note.id for note in await notices(graph, caller, agent="t1")] == [two]
    assert [note.id for note in await notices(graph, caller, thread="t1", agent="t1")] == [one, two]


async def test_a_notice_is_not_told_after_its_time(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    soon = utc_now() + timedelta(milliseconds=300)
    await post_notice(graph, caller, "Soon over.", thread="t1", expires_at=soon)
    while utc_now() < soon + timedelta(milliseconds=50):
        await notices(graph, caller, thread="t1")
    assert await notices(graph, caller, thread="t1") == []


async def test_who_may_tell_whom(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    uid = (await post_notice(graph, caller, "Mine.", thread="t1")).id
    stranger = principal(tenant, resource="r2")
    with pytest.raises(NotFound):
        await post_notice(graph, stranger, "Theirs.", thread="t1")
    with pytest.raises(NotFound):
        await acknowledge_notices(graph, stranger, [uid])
    assert await notices(graph, stranger, thread="t1") == []
    with pytest.raises(Forbidden):
        await post_notice(graph, stranger, "For all.", agent="helper")
    with pytest.raises(Forbidden):
        await notices(graph, principal(tenant, agent="helper"), agent="other")
    for whom in ({}, {"thread": "t1", "agent": "helper"}, {"thread": "t1", "expires_at": utc_now()}):
        with pytest.raises(InvalidInput):
            await post_notice(graph, caller, "Whose?", **whom)  # type: ignore[arg-type]


async def test_what_a_bound_key_is_told_it_may_acknowledge(graph: Graph, tenant: Tenant) -> None:
    """What an agent is told is of no resource: a key of a resource hears it only as that agent, and leaves none."""
    caller = await thread(graph, tenant)
    uid = (await post_notice(graph, caller, "Speak plainly.", agent="helper")).id
    customers = principal(tenant, resource="r1")
    with pytest.raises(Forbidden):
        await notices(graph, customers, agent="helper")
    with pytest.raises(NotFound):
        await acknowledge_notices(graph, customers, [uid])
    with pytest.raises(NotFound):
        await acknowledge_notices(graph, principal(tenant, resource="r1", agent="other"), [uid])
    helper = principal(tenant, resource="r1", agent="helper")
    assert [note.id for note in await notices(graph, helper, thread="t1")] == [uid]
    assert (await acknowledge_notices(graph, helper, [uid])).ids == (uid,)
    assert await notices(graph, helper) == []


async def test_an_id_that_is_none_is_refused_by_its_place(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    for call, field in (
        (acknowledge_notices(graph, caller, ["fine", " "]), "ids[1]"),
        (post_notice(graph, caller, "Hear this.", thread="x" * 300), "threadId"),
        (notices(graph, caller, thread=""), "threadId"),
    ):
        with pytest.raises(InvalidInput) as refused:
            await call
        assert refused.value.field == field
