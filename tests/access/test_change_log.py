from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.access.changes import Call, Change, ChangeFilter, Outcome, changes, recorded
from graphmem.access.principal import Principal
from graphmem.errors import Forbidden, InvalidInput, LimitExceeded
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import Scope, Tenant, encode_cursor, utc_now


def principal(
    tenant: Tenant, *, resource: str | None = None, agent: str | None = None, key: str = "key 1"
) -> Principal:
    return Principal(tenant, key, "客戶 writer", frozenset({Scope.WRITE}), resource, agent)


async def note(
    graph: Graph, tenant: Tenant, action: str, outcome: Outcome[None] | None = None, **who: str | None
) -> None:
    async def work(tx: Transaction) -> Outcome[None]:
        return outcome or Outcome(None)

    await recorded(graph, Call(principal(tenant, **who), action, {}), work, lambda _: {}, lambda _: None)


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
    outcome = Outcome(None, ["b", "a"], {"a": "h1", "c": "h3"}, {"a": "h2", "d": "h4"})
    await note(graph, tenant, "remember", outcome, resource="red", agent="support")
    [change] = (await changes(graph, principal(tenant))).items
    assert change == Change(
        change.id, change.at, "remember", "key 1", "客戶 writer", "red", "support", ("b", "a", "c", "d"),
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


async def found(graph: Graph, tenant: Tenant, first: int = 50, **where: Any) -> list[str]:
    """Actions of the entries that a filter lets through, all pages of them."""
    actions: list[str] = []
    after: str | None = None
    while True:
        page = await changes(graph, principal(tenant), first, after, ChangeFilter(**where))
        actions += [change.action for change in page.items]
        if not page.has_next:
            return actions
        after = page.cursors[-1]


@pytest.mark.parametrize(
    "uid", ["n1", "N1 b", "guide/a.md#part-1", 'a "quoted\\" id', "\\", "and AND +not:this*", "汉字 🦊", "x" * 256]
)
async def test_who_touched_an_id_is_found_by_it_whole(graph: Graph, tenant: Tenant, uid: str) -> None:
    await note(graph, tenant, "first", Outcome(None, ["another", uid]))
    await note(graph, tenant, "second", Outcome(None, [f"{uid} and more", f"{uid[:-1]}_", f"{uid.swapcase()}s"]))
    await note(graph, tenant, "third", Outcome(None, [], {uid: "before"}, {}))
    await note(graph, Tenant(f"{tenant} 2"), "theirs", Outcome(None, [uid]))
    assert await found(graph, tenant, touched=uid) == ["third", "first"]
    assert await found(graph, tenant, 1, touched=uid) == ["third", "first"]
    assert await found(graph, tenant, touched=f"{uid[:-1]}~") == []


async def test_what_was_just_committed_is_found_by_its_ids(graph: Graph, tenant: Tenant) -> None:
    """The index is written behind the commit."""
    for call in range(8):
        ids = [f"n{call}-{at}" for at in range(500)]
        await note(graph, tenant, f"action {call}", Outcome(None, ids))
        assert await found(graph, tenant, touched=ids[-1]) == [f"action {call}"]


async def test_entries_are_found_by_action_and_key_and_time_together(graph: Graph, tenant: Tenant) -> None:
    for at in range(4):
        await note(graph, tenant, f"action {at % 2}", Outcome(None, [f"n{at // 2}"]), key=f"key {at}")
    every = (await changes(graph, principal(tenant))).items
    assert await found(graph, tenant, 1, action="action 1") == ["action 1"] * 2
    assert await found(graph, tenant, key_id="key 2") == ["action 0"]
    assert await found(graph, tenant, key_id="key 2", action="action 1") == []
    assert await found(graph, tenant, key_id="key 2", action="action 0") == ["action 0"]
    assert await found(graph, tenant, touched="n1") == ["action 1", "action 0"]
    assert await found(graph, tenant, touched="n1", action="action 1", key_id="key 3") == ["action 1"]
    assert await found(graph, tenant, touched="n1", key_id="key 1") == []
    newest = every[0].at
    before: list[tuple[dict[str, str], list[str]]] = [
        ({}, ["action 0", "action 1", "action 0"]), ({"touched": "n1"}, ["action 0"]),
        ({"action": "action 1"}, ["action 1"]), ({"key_id": "key 3"}, []),
    ]  # fmt: skip
    for chosen, actions in before:
        assert await found(graph, tenant, until=newest, **chosen) == actions
        assert await found(graph, tenant, since=newest, **chosen) == ["action 1"]
        assert await found(graph, tenant, since=newest, until=newest, **chosen) == []
    assert await found(graph, tenant, 1, since=every[2].at, until=every[0].at) == ["action 0", "action 1"]


@pytest.mark.parametrize(
    ("where", "field"),
    [
        ({"touched": " "}, "filter.touched"),
        ({"action": "x" * 257}, "filter.action"),
        ({"key_id": "\ud800"}, "filter.keyId"),
        ({"since": datetime(2026, 1, 1)}, "filter.since"),
        ({"until": datetime(2026, 1, 1)}, "filter.until"),
    ],
)
async def test_a_filter_that_is_none_is_refused_by_name(
    graph: Graph, tenant: Tenant, where: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await changes(graph, principal(tenant), where=ChangeFilter(**where))
    assert refused.value.field == field


READ = ["ProduceResults", "Projection", "Limit", "Filter", "NodeIndexSeek"]


@pytest.mark.parametrize(
    ("name", "chosen", "index"),
    [
        ("list_changes", {}, "tenant, createdAt, uid"),
        ("list_changes_action", {"action": "link"}, "tenant, action, createdAt, uid"),
        ("list_changes_key", {"keyId": "key 1", "action": None}, "tenant, keyId, createdAt, uid"),
    ],
)
async def test_the_log_is_read_from_an_index_without_sorting(
    graph: Graph, tenant: Tenant, name: str, chosen: dict[str, str | None], index: str
) -> None:
    since, at = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
    params = {"tenant": tenant, "since": since, "at": at, "uid": "", "limit": 5, **chosen}
    statement = graph.statement(f"access/{name}", params)
    result = await graph.driver.execute_query(
        graph.text(statement).replace("CYPHER 25", "CYPHER 25 EXPLAIN", 1),  # type: ignore[arg-type]
        statement.bound(params),
    )
    plan, operators, details = result.summary.plan, [], ""
    while plan:
        operators.append(plan["operatorType"].split("@")[0])
        details = plan["args"].get("Details", "")
        plan = next(iter(plan.get("children", [])), None)
    assert operators == READ
    assert f"({index})" in details
