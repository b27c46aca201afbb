from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.delete_messages import delete_messages
from graphmem.conversation.page import MessageFilter, MessagePage, messages
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.gateway import Graph
from graphmem.values import Role, Tenant
from tests.conversation.support import said, thread
from tests.factories import principal


async def filled(graph: Graph, tenant: Tenant, count: int) -> Any:
    caller = await thread(graph, tenant)
    for at in range(0, count, 10):
        await append_turn(graph, caller, "t1", [said(f"m{n}", f"m{n}") for n in range(at, min(at + 10, count))])
    return caller


def names(page: MessagePage) -> list[str]:
    return [one.id for one in page.items]


async def test_the_newest_come_first_to_hand_and_in_order(graph: Graph, tenant: Tenant) -> None:
    """C44, R27, B37."""
    caller = await filled(graph, tenant, 60)
    page = await messages(graph, caller, "t1", last=20)
    assert names(page) == [f"m{at}" for at in range(40, 60)]
    assert (page.has_previous, page.has_next) == (True, False)
    assert names(await messages(graph, caller, "t1")) == names(page)
    assert names(await messages(graph, caller, "t1", first=3)) == ["m0", "m1", "m2"]


@pytest.mark.parametrize("forward", [True, False])
async def test_pages_neither_skip_nor_repeat_while_messages_arrive(graph: Graph, tenant: Tenant, forward: bool) -> None:
    """R28."""
    caller = await filled(graph, tenant, 23)
    seen: list[str] = []
    place = None
    for turn in range(3):
        page = await messages(
            graph, caller, "t1", **({"first": 9, "after": place} if forward else {"last": 9, "before": place})
        )
        seen = [*seen, *names(page)] if forward else [*names(page), *seen]
        place = page.cursors[-1 if forward else 0]
        await append_turn(graph, caller, "t1", [said("new", f"new {turn}")])
    whole = [f"m{at}" for at in range(23)]
    assert seen == ([*whole, "new 0", "new 1"] if forward else whole)


async def walk(graph: Graph, caller: Any, size: int, forward: bool) -> list[list[str]]:
    """The pages in the order of the thread, each of which but the last says that there are more."""
    pages: list[list[str]] = []
    place = None
    while True:
        asked: dict[str, Any] = {"first": size, "after": place} if forward else {"last": size, "before": place}
        page = await messages(graph, caller, "t1", **asked)
        pages = [*pages, names(page)] if forward else [names(page), *pages]
        if not (page.has_next if forward else page.has_previous):
            return pages
        place = page.cursors[-1 if forward else 0]


@pytest.mark.parametrize("forward", [True, False])
async def test_messages_of_one_moment_keep_the_order_in_which_they_came(
    graph: Graph, tenant: Tenant, forward: bool
) -> None:
    """B36."""
    caller = await thread(graph, tenant)
    moment = datetime(2026, 3, 2, 12, tzinfo=UTC)
    await append_turn(graph, caller, "t1", [said("x", uid, created_at=moment) for uid in "fbdaec"])
    await append_turn(graph, caller, "t1", [said("x", uid) for uid in "lhjgki"])
    for _ in range(5):
        assert await walk(graph, caller, 2, forward) == [list(pair) for pair in ("fb", "da", "ec", "lh", "jg", "ki")]


@pytest.mark.parametrize("forward", [True, False])
async def test_before_is_earlier_whichever_way_a_thread_is_read(graph: Graph, tenant: Tenant, forward: bool) -> None:
    """B42."""
    caller = await filled(graph, tenant, 46)
    pages = await walk(graph, caller, 10, forward)
    assert [uid for page in pages for uid in page] == [f"m{at}" for at in range(46)]
    assert [len(page) for page in pages] == ([10, 10, 10, 10, 6] if forward else [6, 10, 10, 10, 10])


async def test_a_page_goes_on_before_a_message_that_was_deleted(graph: Graph, tenant: Tenant) -> None:
    """B43."""
    caller = await filled(graph, tenant, 40)
    seen: list[str] = []
    place = None
    for turn in range(4):
        page = await messages(graph, caller, "t1", last=10, before=place)
        seen, place = [*names(page), *seen], page.cursors[0]
        assert page.has_previous == (turn < 3)
        await append_turn(graph, caller, "t1", [said("new", f"new {turn}")])
        await delete_messages(graph, caller, [seen[0], seen[5]])
    assert seen == [f"m{at}" for at in range(40)]


async def test_a_window_around_a_message(graph: Graph, tenant: Tenant) -> None:
    caller = await filled(graph, tenant, 30)
    page = await messages(graph, caller, "t1", around="m15", last=2, first=1)
    assert (names(page), page.has_previous, page.has_next) == (["m13", "m14", "m15", "m16"], True, True)
    page = await messages(graph, caller, "t1", around="m1")
    assert (names(page), page.has_previous) == ([f"m{at}" for at in range(12)], False)
    assert names(await messages(graph, caller, "t1", around="m29", first=0, last=0)) == ["m29"]


async def test_a_deleted_message_keeps_its_place(graph: Graph, tenant: Tenant) -> None:
    caller = await filled(graph, tenant, 3)
    await delete_messages(graph, caller, ["m1"])
    page = await messages(graph, caller, "t1")
    assert [(one.seq, one.content, one.deleted_at is None) for one in page.items] == [
        (1, "m0", True), (2, "", False), (3, "m2", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [{"first": 1, "last": 1}, {"first": 1, "before": "x"}, {"last": 1, "after": "x"}, {"after": "x"},
     {"before": "WyJzZXEiLCItMSJd"}, {"around": "m0", "after": "x"}],
)  # fmt: skip
async def test_arguments_that_do_not_go_together_are_refused(
    graph: Graph, tenant: Tenant, arguments: dict[str, Any]
) -> None:
    caller = await filled(graph, tenant, 1)
    with pytest.raises(InvalidInput):
        await messages(graph, caller, "t1", **arguments)


async def test_what_is_not_there_is_not_found(graph: Graph, tenant: Tenant) -> None:
    """C56."""
    caller = await filled(graph, tenant, 1)
    await thread(graph, tenant, "t2")
    await append_turn(graph, caller, "t2", [said("x", "elsewhere")])
    for who, arguments in (
        (caller, {"resource": "r2"}),
        (principal(tenant, resource="r2"), {}),
        (principal(Tenant(f"{tenant} 2")), {}),
        (caller, {"around": "elsewhere"}),
        (caller, {"around": "nothing"}),
    ):
        with pytest.raises(NotFound):
            await messages(graph, who, "t1", **arguments)


async def test_a_filter_passes_over_all_other_messages(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    day = datetime(2026, 3, 1, tzinfo=UTC)
    given = [
        said(f"m{at}", f"m{at}", Role.USER if at % 3 == 0 else Role.ASSISTANT, created_at=day + timedelta(days=at))
        for at in range(20)
    ]
    await append_turn(graph, caller, "t1", given)
    asked = MessageFilter([Role.USER])
    page = await messages(graph, caller, "t1", first=3, wanted=asked)
    assert (names(page), page.has_next) == (["m0", "m3", "m6"], True)
    page = await messages(graph, caller, "t1", first=9, after=page.cursors[-1], wanted=asked)
    assert (names(page), page.has_next) == (["m9", "m12", "m15", "m18"], False)
    early = MessageFilter(since=day + timedelta(days=2), until=day + timedelta(days=5))
    assert names(await messages(graph, caller, "t1", wanted=early)) == ["m2", "m3", "m4"]
    page = await messages(graph, caller, "t1", around="m10", first=1, last=1, wanted=asked)
    assert (names(page), page.has_previous, page.has_next) == (["m9", "m10", "m12"], True, True)
    both = MessageFilter([Role.TOOL, Role.USER], since=day + timedelta(days=16))
    assert names(await messages(graph, caller, "t1", last=5, wanted=both)) == ["m18"]
    with pytest.raises(InvalidInput, match=r"filter\.since"):
        await messages(graph, caller, "t1", wanted=MessageFilter(since=datetime(2026, 3, 1)))
