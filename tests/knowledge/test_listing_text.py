"""Lists of the nodes that have the words of a text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from graphmem.access.view import View
from graphmem.errors import GraphmemError
from graphmem.graph.gateway import Graph
from graphmem.knowledge.listing import Filter, Order, knowledge_nodes
from graphmem.knowledge.remember import remember
from graphmem.knowledge.retract import retract
from graphmem.knowledge.update import Patch, update
from graphmem.values import KnowledgeType, Status, Tenant, utc_now
from tests.factories import node, principal

DAY = timedelta(days=1)
START = datetime(2024, 1, 1, tzinfo=UTC)


async def listed(
    graph: Graph,
    view: View,
    text: str,
    wanted: Filter | None = None,
    order: Order = Order.CREATED_ASC,
    first: int = 100,
) -> list[str]:
    """Ids of all pages."""
    found: list[str] = []
    after = None
    while True:
        page = await knowledge_nodes(graph, view, wanted or Filter(), order, first, after, text)
        found += [one.id for one in page.items]
        if not page.has_next:
            return found
        after = page.cursors[-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("refund", ["a", "b", "c"]), ("REFUNDS", ["a", "b", "c"]), ("refunds paid", ["a"]),
        ("no refund", ["a", "b", "c"]),
        ("refund café", ["b"]), ("Cafe", ["b"]), ("money back", ["a"]), ("billing/refund", ["c"]), ("paid nowhere", []),
        ("config.py", ["d"]), ("the who", ["e"]), ("not the", ["e"]), ("tag", []), ("!?", []), ("OR", ["f"]),
        ("a*", []),
    ],
)  # fmt: skip
async def test_every_word_stands_in_title_aliases_or_content(
    graph: Graph, tenant: Tenant, text: str, expected: list[str]
) -> None:
    given = [
        node("a", "Refunds", "They are paid.", aliases=["Money back"], created_at=START),
        node("b", "Café", "No refund", created_at=START + DAY),
        node("c", "Folders", "billing/refund", created_at=START + 2 * DAY),
        node("d", "Settings", "stand in config.py", created_at=START + 3 * DAY),
        node("e", "Not the who", "of what", tags=["tag"], created_at=START + 4 * DAY),
        node("f", "One or other", "another A", created_at=START + 5 * DAY),
    ]
    await remember(graph, principal(tenant), given)
    await remember(graph, principal(Tenant(f"{tenant} other")), given)
    assert await listed(graph, View(tenant), text) == expected


async def test_pages_follow_the_order_and_are_filtered_now_and_then(graph: Graph, tenant: Tenant) -> None:
    """Three nodes share each instant of creation; some were changed since the moment asked about."""
    who, random = principal(tenant), Random(1)
    given = [
        node(f"n{at:02}", content="tea" if at % 5 else "milk", created_at=START + DAY * (at // 3),
             type=KnowledgeType.FACT if at % 2 else KnowledgeType.CONCEPT)
        for at in range(30)
    ]  # fmt: skip
    for part in (given[:10], given[10:20], given[20:]):
        await remember(graph, who, part)
    then = utc_now()
    tea = [one.id or "" for one in given if one.content == "tea"]
    changed = random.sample(tea, 8)
    for uid in changed[:4]:
        await update(graph, who, uid, Patch(content="milk"))
    for uid in changed[4:]:
        await retract(graph, who, uid)
    await remember(graph, who, [node("new", content="tea", created_at=START)])
    now = sorted({*tea, "new"} - set(changed))
    for at, expected in ((None, now), (then, tea)):
        view = View(tenant).at(at, None)
        for order in Order:
            whole = await listed(graph, view, "tea", order=order)
            assert sorted(whole) == expected
            every = await every_node(graph, view, order)
            assert whole == [uid for uid in every if uid in expected]
            for first in (1, 4):
                assert await listed(graph, view, "tea", order=order, first=first) == whole
        half = Filter(types=[KnowledgeType.FACT], created_from=START + DAY, created_to=START + 5 * DAY)
        facts = {one.id for one in given[3:15] if one.type is KnowledgeType.FACT}
        assert await listed(graph, view, "tea", half) == sorted(facts & set(expected))
    assert sorted(await listed(graph, View(tenant), "tea", Filter(statuses=[Status.RETRACTED]))) == sorted(changed[4:])


async def every_node(graph: Graph, view: View, order: Order) -> list[str]:
    return [one.id for one in (await knowledge_nodes(graph, view, Filter(), order, 100, None)).items]


async def test_nothing_is_skipped_or_repeated_while_nodes_are_added(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node(f"n{at}", content="tea", created_at=START + DAY * at) for at in range(9)])
    seen: list[str] = []
    after = None
    for turn in range(3):
        page = await knowledge_nodes(graph, View(tenant), Filter(), Order.CREATED_DESC, 3, after, "tea")
        seen += [one.id for one in page.items if one.id.startswith("n")]
        after = page.cursors[-1]
        times = (START + DAY * 20, START + DAY * 8)
        given = [node(f"x{turn}{at}", content="tea", created_at=time) for at, time in enumerate(times)]
        await remember(graph, who, given)
    assert seen == [f"n{at}" for at in range(8, -1, -1)]


async def test_only_what_the_view_holds_is_listed(graph: Graph, tenant: Tenant) -> None:
    given = [node("shared", content="tea"), node("one", content="tea", resource="r1"), node("two", resource="r2")]
    await remember(graph, principal(tenant), given)
    assert await listed(graph, View(tenant), "tea") == ["shared"]
    assert set(await listed(graph, View(tenant, ("r1",)), "tea")) == {"shared", "one"}


@pytest.mark.parametrize("text", ["", " ", "x" * 1001, "\ud800"])
async def test_a_text_that_says_nothing_or_too_much_is_refused(graph: Graph, tenant: Tenant, text: str) -> None:
    with pytest.raises(GraphmemError, match=r"filter\.text") as refused:
        await listed(graph, View(tenant), text)
    assert refused.value.code in ("INVALID_INPUT", "LIMIT_EXCEEDED")


async def test_an_interval_that_stands_upside_down_is_refused(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(GraphmemError, match=r"filter\.createdTo must not be before filter\.createdFrom"):
        await listed(graph, View(tenant), "tea", Filter(created_from=START + DAY, created_to=START))
