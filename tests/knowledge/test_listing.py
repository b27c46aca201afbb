from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.knowledge.listing import Filter, Order, knowledge_nodes
from graphmem.knowledge.remember import remember
from graphmem.knowledge.update import Patch, update
from graphmem.values import Band, KnowledgeType, Source, Status, Tenant, encode_cursor
from tests.factories import node, principal
from tests.knowledge.support import set_status

DAY = timedelta(days=1)
START = datetime(2024, 1, 1, tzinfo=UTC)


async def every(
    graph: Graph, tenant: Tenant, order: Order = Order.CREATED_DESC, first: int = 100, wanted: Filter | None = None
) -> list[str]:
    """Ids of all pages."""
    found: list[str] = []
    after = None
    while True:
        page = await knowledge_nodes(graph, View(tenant), wanted or Filter(), order, first, after)
        found += [one.id for one in page.items]
        if not page.has_next:
            return found
        after = page.cursors[-1]


@pytest.mark.parametrize("first", [1, 2, 3, 10, 11])
async def test_pages_put_together_are_the_list(graph: Graph, tenant: Tenant, first: int) -> None:
    """Three nodes share each instant, so that places within it count."""
    given = [node(f"n{at}", created_at=START + DAY * (at // 3)) for at in range(10)]
    await remember(graph, principal(tenant), given)
    ascending = [f"n{at}" for at in range(10)]
    assert await every(graph, tenant, Order.CREATED_ASC, first) == ascending
    assert await every(graph, tenant, Order.CREATED_DESC, first) == ascending[::-1]
    assert sorted(await every(graph, tenant, Order.UPDATED_ASC, first)) == ascending
    assert (
        await every(graph, tenant, Order.UPDATED_DESC, first)
        == (await every(graph, tenant, Order.UPDATED_ASC, first))[::-1]
    )


@pytest.mark.parametrize("order", [Order.CREATED_DESC, Order.CREATED_ASC])
async def test_nothing_is_skipped_or_repeated_while_nodes_are_added(graph: Graph, tenant: Tenant, order: Order) -> None:
    who = principal(tenant)
    await remember(graph, who, [node(f"n{at}", created_at=START + DAY * at) for at in range(9)])
    seen: list[str] = []
    after = None
    for turn in range(3):
        page = await knowledge_nodes(graph, View(tenant), Filter(), order, 3, after)
        seen += [one.id for one in page.items]
        after = page.cursors[-1]
        # Before, between and behind what was seen, and at the very same instant.
        times = [START - DAY, START + DAY * 4, START + DAY * 20]
        await remember(graph, who, [node(f"new{turn}{at}", created_at=time) for at, time in enumerate(times)])
    assert len(seen) == len(set(seen))
    old = sorted(uid for uid in seen if uid.startswith("n") and not uid.startswith("new"))
    later = await knowledge_nodes(graph, View(tenant), Filter(), order, 100, after)
    assert sorted({*old, *(one.id for one in later.items if not one.id.startswith("new"))}) == [
        f"n{at}" for at in range(9)
    ]


async def test_the_order_of_change_follows_changes(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    for uid in "abc":
        await remember(graph, who, [node(uid)])
    await update(graph, who, "a", Patch(content="New"))
    await update(graph, who, "b", Patch(title="Title of b"))
    assert await every(graph, tenant, Order.UPDATED_DESC) == ["a", "c", "b"]
    assert await every(graph, tenant, Order.CREATED_ASC) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Filter(types=[KnowledgeType.FACT]), {"fact"}),
        (Filter(types=[KnowledgeType.FACT, KnowledgeType.DECISION]), {"fact", "sure"}),
        (Filter(sources=[Source.INFERRED]), {"fact"}),
        (Filter(band=Band.HIGH), {"fact"}),
        (Filter(band=Band.VERIFIED), {"sure"}),
        (Filter(min_confidence=0.5), {"fact", "sure", "plain"}),
        (Filter(min_confidence=0.50001), {"fact", "sure"}),
        (Filter(tags=["x"]), {"fact", "sure"}),
        (Filter(tags=["x", "y"]), {"sure"}),
        (Filter(tags=["X"]), set()),
        (Filter(tags=["x y"]), set()),
        (Filter(metadata={"n": 1}), {"fact"}),
        (Filter(metadata={"n": 1.0}), {"fact"}),
        (Filter(metadata={"n": "1"}), {"sure"}),
        (Filter(metadata={"n": True}), {"plain"}),
        (Filter(metadata={"n": "true"}), set()),
        (Filter(metadata={"o": {"b": 2, "a": 1}}), {"sure"}),
        (Filter(metadata={"n": "1", "o": {"a": 1}}), set()),
        (Filter(metadata={}), {"fact", "sure", "plain"}),
        (Filter(created_from=START + DAY), {"sure", "plain"}),
        (Filter(created_to=START + DAY), {"fact"}),
        (Filter(created_from=START + DAY, created_to=START + DAY), set()),
        (Filter(statuses=[Status.DRAFT]), {"draft"}),
        (Filter(statuses=[Status.SUPERSEDED, Status.DRAFT]), {"draft", "old"}),
        (Filter(statuses=[]), set()),
        (Filter(types=[KnowledgeType.FACT], tags=["y"]), set()),
    ],
)
async def test_a_filter_lets_through_what_has_all_it_names(
    graph: Graph, tenant: Tenant, wanted: Filter, expected: set[str]
) -> None:
    given: list[Any] = [
        node("fact", type=KnowledgeType.FACT, source=Source.INFERRED, confidence=0.8, tags=["x"], metadata={"n": 1},
             created_at=START),
        node("sure", type=KnowledgeType.DECISION, tags=["x", "y"], metadata={"n": "1", "o": {"a": 1, "b": 2}},
             created_at=START + DAY),
        node("plain", confidence=0.5, metadata={"n": True}, created_at=START + 2 * DAY),
        node("draft", status=Status.DRAFT),
        node("old"),
    ]  # fmt: skip
    await remember(graph, principal(tenant), given)
    await set_status(graph, tenant, "old", "superseded")
    assert set(await every(graph, tenant, wanted=wanted)) == expected


@pytest.mark.parametrize(
    "cursor",
    [
        "", "x", "☃", "YQ", "'; MATCH", encode_cursor("created_desc"), encode_cursor("created_desc", "noon", "a"),
        encode_cursor("created_desc", "2024-01-01T00:00:00", "a"), encode_cursor("created_asc", START.isoformat(), "a"),
        encode_cursor("updated_desc", START.isoformat(), "a"),
    ],
)  # fmt: skip
async def test_a_cursor_of_something_else_is_refused(graph: Graph, tenant: Tenant, cursor: str) -> None:
    await remember(graph, principal(tenant), [node("a")])
    with pytest.raises(InvalidInput, match="cursor of this list") as refused:
        await knowledge_nodes(graph, View(tenant), Filter(), Order.CREATED_DESC, 10, cursor)
    assert refused.value.field == "after"


async def test_a_cursor_made_for_an_order_serves_only_that_one(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a"), node("b")])
    for order in Order:
        page = await knowledge_nodes(graph, View(tenant), Filter(), order, 1, None)
        for other in Order:
            if other is order:
                assert len((await knowledge_nodes(graph, View(tenant), Filter(), other, 1, page.cursors[0])).items) == 1
            else:
                with pytest.raises(InvalidInput):
                    await knowledge_nodes(graph, View(tenant), Filter(), other, 1, page.cursors[0])


async def test_a_confidence_out_of_range_is_refused(graph: Graph, tenant: Tenant) -> None:
    for value in (1.2, -1.0, float("nan")):
        with pytest.raises(InvalidInput, match="minConfidence"):
            await knowledge_nodes(graph, View(tenant), Filter(min_confidence=value), Order.CREATED_DESC, 1, None)


async def test_only_what_the_view_holds_is_listed(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("shared"), node("one", resource="r1"), node("two", resource="r2")])
    await remember(graph, principal(Tenant(f"{tenant} other")), [node("theirs")])
    assert await every(graph, tenant) == ["shared"]
    page = await knowledge_nodes(graph, View(tenant, ("r1",)), Filter(), Order.CREATED_ASC, 10, None)
    assert {one.id for one in page.items} == {"shared", "one"}
