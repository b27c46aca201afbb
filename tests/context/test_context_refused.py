"""Contexts that a caller does not get, and one with nothing in it."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.values import Scope, Tenant
from tests.client import Client
from tests.conftest import Connect
from tests.context.support import COMMIT, begin, ids, stage, talk, user
from tests.operations import CONTEXT, context


async def test_a_context_of_others_is_not_found(client: Client, connect_as: Connect) -> None:
    await talk(client, "t1", 1)
    await begin(client, "t2", resource="r2")
    await stage(client, "t2", "u2", user("Elsewhere."))
    strange = await connect_as(tenant=Tenant("somebody else"))
    bound = await connect_as(Scope.READ, resource="r2")
    for caller, given in (
        (client, {"threadId": "none"}),
        (client, {"threadId": "t1", "resourceId": "r2"}),
        (strange, {"threadId": "t1"}),
        (bound, {"threadId": "t1"}),
        (client, {"threadId": "t1", "turnId": "u2"}),
        (client, {"threadId": "t1", "turnId": "none"}),
    ):
        assert (await caller.error(CONTEXT, input={"message": "?", **given}))["code"] == "NOT_FOUND"
        assert (await caller.error(CONTEXT, input=given))["code"] == "NOT_FOUND"
    await client.query(COMMIT, id="u2")
    error = await client.error(CONTEXT, input={"threadId": "t2", "turnId": "u2"})
    assert (error["code"], error["state"]) == ("CONFLICT", "committed")


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"tokenizer": "gpt5"}, "tokenizer"),
        ({"tokenBudget": 0}, "tokenBudget"),
        ({"tokenBudget": -1}, "tokenBudget"),
        ({"message": " \n"}, "message"),
        ({"recall": {"before": -1}}, "recall.before"),
        ({"recall": {"after": -1}}, "recall.after"),
        ({"recall": {"threshold": 2}}, "recall.threshold"),
        ({"recall": {"roles": []}}, "recall.roles"),
        ({"recall": {"since": "2026-02-01T00:00:00Z", "until": "2026-01-01T00:00:00Z"}}, "recall.since"),
        ({"recall": {"lastSessions": 0}}, "recall.lastSessions"),
        ({"recall": {"scope": "THREAD", "metadata": {"project": "A"}}}, "recall.metadata"),
        ({"knowledge": {"minConfidence": 2}}, "knowledge.minConfidence"),
        ({"recency": {"lastMessages": -1}}, "recency.lastMessages"),
        ({"recency": {"lastMessages": 201}}, "recency.lastMessages"),
        ({"recency": {"maxTokens": -1}}, "recency.maxTokens"),
        ({"recency": {"lastMessages": 5, "step": 6}}, "recency.step"),
        ({"knowledge": {"limit": 0}}, "knowledge.limit"),
        ({"knowledge": {"tags": ["a", ""]}}, "knowledge.tags[1]"),
        ({"knowledge": {"topK": 0}}, "knowledge.topK"),
        ({"recall": {"topK": 0}}, "recall.topK"),
    ],
)
async def test_bad_input_names_its_field(client: Client, given: Any, field: str) -> None:
    await begin(client, "t1")
    error = await client.error(CONTEXT, input={"threadId": "t1", **given})
    assert error["code"] in ("INVALID_INPUT", "LIMIT_EXCEEDED")
    assert error["field"] == field
    assert str(error["message"]).startswith(field)


async def test_an_empty_thread_has_an_empty_context(client: Client) -> None:
    await begin(client, "t1")
    found = await context(client, "t1")
    assert (found["messages"], found["recalled"]) == ([], [])
    assert [one["code"] for one in found["warnings"]] == ["NO_QUERY"]
    assert ids(await context(client, "t1", message="Hello?")) == [None]
