"""The filters of searches and lists as callers give them."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.values import utc_now
from tests.client import Client
from tests.conftest import Settle
from tests.factories import ids, note
from tests.operations import LIST, REMEMBER, SEARCH

VERB = "mutation ($id: ID!) {{ {verb}(id: $id) {{ status }} }}"
SUPERSEDE = "mutation ($old: ID!, $new: ID!) { supersede(old: $old, new: $new) { status } }"
FLAG = "mutation ($one: ID!, $other: ID!) { flagConflict(one: $one, other: $other) { created { from } } }"
RESOLVE = "mutation ($keep: ID!, $drop: ID!) { resolveConflict(keep: $keep, drop: $drop) { status } }"
CONFLICTS = """query ($asOf: DateTime, $first: Int! = 10, $after: String) {
  conflicts(asOf: $asOf, first: $first, after: $after) {
    nodes { first { id title status } second { id title status } } pageInfo { hasNextPage endCursor } } }"""
DAYS = [f"2024-01-0{day}T00:00:00Z" for day in range(1, 6)]


@pytest.fixture
async def teas(client: Client, settle: Settle) -> Client:
    """A node of each status, made a day after one another."""
    names = ("draft", "active", "superseded", "retracted", "archived")
    nodes = [note(name, f"Tea {at}", "brew it", createdAt=DAYS[at]) for at, name in enumerate(names)]
    nodes[0]["status"] = "DRAFT"
    await client.query(REMEMBER, nodes=nodes)
    await settle()
    await client.query(SUPERSEDE, old="superseded", new="active")
    await client.query(VERB.format(verb="retract"), id="retracted")
    await client.query(VERB.format(verb="archive"), id="archived")
    return client


async def found(client: Client, **more: Any) -> list[str]:
    return sorted(ids((await client.query(SEARCH, input={"query": "brew", "maxDepth": 0, **more}))["search"]["hits"]))


@pytest.mark.parametrize("mode", ["HYBRID", "VECTOR", "TEXT"])
async def test_statuses_and_dates_choose_what_is_found(teas: Client, mode: str) -> None:
    async def of(**more: Any) -> list[str]:
        return await found(teas, mode=mode, **more)

    assert await of() == ["active"]
    assert await of(statuses=["DRAFT", "RETRACTED"]) == ["draft", "retracted"]
    assert await of(statuses=["SUPERSEDED", "ARCHIVED"]) == ["archived", "superseded"]
    assert await of(statuses=["DRAFT"], includeSuperseded=True) == ["draft", "superseded"]
    assert await of(includeSuperseded=True) == ["active", "superseded"]
    assert await of(statuses=[]) == []
    every = ["DRAFT", "ACTIVE", "SUPERSEDED", "RETRACTED", "ARCHIVED"]
    assert await of(statuses=every, createdFrom=DAYS[1], createdTo=DAYS[3]) == ["active", "superseded"]
    assert await of(statuses=every, createdFrom="2024-01-04T01:00:00+01:00") == ["archived", "retracted"]
    assert await of(statuses=every[:2], createdTo=DAYS[1]) == ["draft"]
    assert await of(statuses=every, asOf="2024-01-01T00:00:00Z") == []
    assert await of(statuses=["ARCHIVED"], asOf=utc_now().isoformat(), createdFrom=DAYS[0]) == ["archived"]


async def test_a_stretch_of_time_that_stands_upside_down_is_refused(client: Client) -> None:
    stretch = {"createdFrom": DAYS[1], "createdTo": DAYS[0]}
    error = await client.error(SEARCH, input={"query": "brew", **stretch})
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "createdTo")
    error = await client.error(LIST, filter=stretch)
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "filter.createdTo")


async def test_a_list_is_filtered_by_text(teas: Client) -> None:
    async def listed(**wanted: Any) -> list[str]:
        return ids((await teas.query(LIST, filter=wanted))["knowledgeNodes"]["nodes"])

    assert await listed(text="brewing tea") == ["active"]
    assert await listed(text="tea", statuses=["DRAFT", "ACTIVE", "ARCHIVED"]) == ["archived", "active", "draft"]
    assert await listed(text="tea 2", statuses=["SUPERSEDED", "ARCHIVED"]) == ["superseded"]
    assert await listed(text="coffee") == []
    error = await teas.error(LIST, filter={"text": " "})
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "filter.text")


async def test_contradictions_are_told_as_they_were_open(client: Client) -> None:
    await client.query(REMEMBER, nodes=[note(uid, f"Title {uid}") for uid in "abcd"])
    moments = [utc_now().isoformat()]
    for one, other in ("ab", "bc", "cd"):
        await client.query(FLAG, one=one, other=other)
        moments.append(utc_now().isoformat())
    await client.query(RESOLVE, keep="a", drop="b")
    await client.query(VERB.format(verb="retract"), id="d")
    await client.query('mutation { updateKnowledge(id: "c", patch: {title: "New"}) { version } }')

    async def told(at: str | None, **more: Any) -> list[str]:
        nodes = (await client.query(CONFLICTS, asOf=at, **more))["conflicts"]["nodes"]
        return [f"{pair['first']['id']}{pair['second']['id']}" for pair in nodes]

    assert [await told(at) for at in moments] == [[], ["ab"], ["ab", "bc"], ["ab", "bc", "cd"]]
    assert await told(None) == await told(utc_now().isoformat()) == []
    page = (await client.query(CONFLICTS, asOf=moments[3], first=2))["conflicts"]
    assert page["nodes"][1] == {
        "first": {"id": "b", "title": "Title b", "status": "ACTIVE"},
        "second": {"id": "c", "title": "Title c", "status": "ACTIVE"},
    }
    assert await told(moments[3], after=page["pageInfo"]["endCursor"]) == ["cd"]
    assert (await client.error(CONFLICTS, asOf="9000-01-01T00:00:00Z"))["field"] == "asOf"


async def test_a_filter_by_more_tags_than_a_node_can_have_is_refused(client: Client) -> None:
    many = ["t"] * 101
    for document, variables, field in (
        (SEARCH, {"input": {"query": "x", "tags": many}}, "tags"),
        (LIST, {"filter": {"tags": many}}, "filter.tags"),
    ):
        error = await client.error(document, **variables)
        assert (error["code"], error["field"], error["limit"]) == ("LIMIT_EXCEEDED", field, "max_labels")
