"""What may be asked of recall, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.test_recall import begin
from tests.client import Client
from tests.conftest import Settle
from tests.operations import recall


@pytest.mark.parametrize("query", ["🦊", "who was that", "NOT AND (", "a" * 8000])
async def test_odd_questions_are_answered(client: Client, settle: Settle, query: str) -> None:
    await begin(client, "t1", "A fox 🦊 came by.", "Who was that?")
    await settle()
    assert (await recall(client, query, resourceId="r1"))["warnings"] == []


@pytest.mark.parametrize(
    ("asked", "code", "field"),
    [
        ({"query": " "}, "INVALID_INPUT", "query"),
        ({"query": "a" * 8001}, "LIMIT_EXCEEDED", "query"),
        ({"since": "2026-02-01T00:00:00Z", "until": "2026-01-01T00:00:00Z"}, "INVALID_INPUT", "since"),
        ({"lastSessions": 0}, "INVALID_INPUT", "lastSessions"),
        ({"lastSessions": 501}, "LIMIT_EXCEEDED", "lastSessions"),
        ({"lastSessions": 1, "scope": "THREAD", "threadId": "t1"}, "INVALID_INPUT", "lastSessions"),
        ({"scope": "THREAD"}, "INVALID_INPUT", "threadId"),
        ({"threshold": 1.5}, "INVALID_INPUT", "threshold"),
        ({"roles": []}, "INVALID_INPUT", "roles"),
        ({"vector": [1.0, 2.0]}, "INVALID_INPUT", "vector"),
        ({"excludeIds": [" "]}, "INVALID_INPUT", "excludeIds[0]"),
    ],
)
async def test_what_cannot_be_recalled_is_refused(client: Client, asked: dict[str, Any], code: str, field: str) -> None:
    error = await client.error(
        "query ($input: RecallInput!) { recall(input: $input) { scope } }",
        input={"query": "x", "resourceId": "r1", **asked},
    )
    assert (error["code"], error["field"]) == (code, field)
