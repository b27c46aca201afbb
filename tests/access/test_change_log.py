from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.access.changes import Call, Change, Outcome, changes, recorded
from graphmem.access.principal import Principal
from graphmem.errors import Forbidden, InvalidInput, LimitExceeded
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import Scope, Tenant, encode_cursor, utc_now


def principal(tenant: Tenant, *, resource: str | None = None, agent: str | None = None) -> Principal:
    return Principal(tenant, "key 1", "客戶 writer", frozenset({Scope.WRITE}), resource, agent)


async def note(graph: Graph, tenant: Tenant, action: str, outcome: Outcome[None] | None = None) -> None:
    async def work(tx: Transaction) -> Outcome[None]:
        return outcome or Outcome(None)

    await recorded(graph, Call(principal(tenant), action, {}), work, lambda _: {}, lambda _: None)


async def pages(graph: Graph, tenant: Tenant, first: int) -> list[list[str]]:
    found: list[list[str]] = []
    after: str | None = None
    while True:
        page = await changes(graph, principal(tenant), first, after)
        found.append([change.action for change in page.items])
        if not page.has_next:
            return found
        after = page.cursors[-1]


async def test_an_entry_tells_who_did_what_when_to_which_ids(graph: Graph, tenant: Tenant) -> None:
    began = utc_now() - timedelta(minutes=1)
    await note(graph, tenant, "remember", Outcome(None, ["b", "a"], {"a": "h1", "c": "h3"}, {"a": "h2", "d": "h4"}))
    [change] = (await changes(graph, principal(tenant))).items
    assert change == Change(
        change.id, change.at, "remember", "key 1", "客戶 writer", ("b", "a", "c", "d"),
        {"a": "h1", "c": "h3"}, {"a": "h2", "d": "h4"},
    )  # fmt: skip
    assert began < change.at < utc_now() + timedelta(minutes=1)


@pytest.mark.parametrize(("first", "sizes"), [(1, [1] * 7), (3, [3, 3, 1]), (7, [7]), (8, [7])])
async def test_pages_have_every_entry_once_newest_first(
    graph: Graph, tenant: Tenant, first: int, sizes: list[int]
) -> None:
    for at in range(7):
        await note(graph, tenant, f"action {at}")
    found = await pages(graph, tenant, first)
    assert [len(page) for page in found] == sizes
    assert [action for page in found for action in page] == [f"action {at}" for at in reversed(range(7))]


async def test_new_entries_do_not_move_a_page(graph: Graph, tenant: Tenant) -> None:
    for at in range(4):
        await note(graph, tenant, f"action {at}")
    page = await changes(graph, principal(tenant), 2)
    await note(graph, tenant, "newer")
    rest = await changes(graph, principal(tenant), 2, page.cursors[-1])
    assert [change.action for change in rest.items] == ["action 1", "action 0"]
    again = await changes(graph, principal(tenant), 2, page.cursors[0])
    assert [change.action for change in again.items] == ["action 2", "action 1"]


async def test_entries_of_the_same_instant_are_told_apart(graph: Graph, tenant: Tenant) -> None:
    for at in range(5):
        await note(graph, tenant, f"action {at}")
    every = (await changes(graph, principal(tenant))).items
    middle = sorted(every, key=lambda change: change.id)[2]
    page = await changes(graph, principal(tenant), 5, encode_cursor(middle.at.isoformat(), middle.id + "0"))
    assert page.items[0] == middle


async def test_a_log_without_entries_is_an_empty_page(graph: Graph, tenant: Tenant) -> None:
    page = await changes(graph, principal(tenant))
    assert (page.items, page.cursors, page.has_next) == ((), (), False)


async def test_another_tenants_entries_are_not_seen_even_with_its_cursor(graph: Graph, tenant: Tenant) -> None:
    other = Tenant(f"{tenant} 2")
    await note(graph, tenant, "mine")
    await note(graph, other, "theirs")
    theirs = await changes(graph, principal(other))
    await note(graph, other, "theirs too")
    page = await changes(graph, principal(tenant), 10, theirs.cursors[0])
    assert [change.action for change in page.items] == ["mine"]


async def test_a_key_that_is_bound_to_a_resource_does_not_see_the_log(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(Forbidden, match="whole tenant"):
        await changes(graph, principal(tenant, resource="customer 1"))
    assert (await changes(graph, principal(tenant, agent="support"))).items == ()


async def test_a_key_without_a_scope_does_not_see_the_log(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(Forbidden, match="scope read"):
        await changes(graph, Principal(tenant, "key 1", "none", frozenset()))


@pytest.mark.parametrize(("first", "kind"), [(0, InvalidInput), (-1, InvalidInput), (201, LimitExceeded)])
async def test_a_page_has_a_size_in_bounds(graph: Graph, tenant: Tenant, first: int, kind: type[InvalidInput]) -> None:
    with pytest.raises(kind) as refused:
        await changes(graph, principal(tenant), first)
    assert (type(refused.value), refused.value.field) == (kind, "first")


@pytest.mark.parametrize(
    "after",
    [
        "",
        "nonsense",
        encode_cursor("2026-01-01T00:00:00+00:00"),
        encode_cursor("yesterday", "id"),
        encode_cursor("2026-01-01T00:00:00", "id"),
        encode_cursor("9999-12-31T23:59:59+00:00", "a", "b"),
    ],
)
async def test_a_cursor_of_another_list_is_refused(graph: Graph, tenant: Tenant, after: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        await changes(graph, principal(tenant), 5, after)
    assert refused.value.field == "after"


async def test_the_log_is_read_from_its_index_without_sorting(graph: Graph, tenant: Tenant) -> None:
    statement = graph.statement("access/list_changes", {"tenant": tenant, "at": None, "uid": "", "limit": 5})
    result = await graph.driver.execute_query(
        graph.text(statement).replace("CYPHER 25", "CYPHER 25 EXPLAIN", 1),  # type: ignore[arg-type]
        {"tenant": tenant, "at": datetime(2026, 1, 1, tzinfo=UTC), "uid": "", "limit": 5},
    )
    plan, operators = result.summary.plan, []
    while plan:
        operators.append(plan["operatorType"].split("@")[0])
        plan = next(iter(plan.get("children", [])), None)
    assert operators == ["ProduceResults", "Projection", "Limit", "Filter", "NodeIndexSeek"]
