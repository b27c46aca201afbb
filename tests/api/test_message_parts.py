"""What a tool brings may be any JSON, and may say that the call failed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.client import Client
from tests.context.support import begin, call, user
from tests.operations import context

APPEND = """
mutation ($messages: [MessageInput!]!) {
  appendTurn(threadId: "t1", messages: $messages) {
    messages { parts { type toolCallId data text isError } } unchanged
  }
}
"""


def result(of: str, data: Any, **more: Any) -> dict[str, Any]:
    part = {"type": "TOOL_RESULT", "toolCallId": of, "data": data, **more}
    return {"role": "TOOL", "parts": [part], "id": f"result of {of}"}


@pytest.mark.parametrize("data", [[1, {"a": None}], [], {}, {"a": 1}, "found", "", 0, 2.5, True, False])
async def test_a_result_is_any_json(client: Client, data: Any) -> None:
    await begin(client, "t1", user("Look."), call("c1"))
    for unchanged in ([], ["result of c1"]):
        done = (await client.query(APPEND, messages=[result("c1", data)]))["appendTurn"]
        assert done["unchanged"] == unchanged
        (part,) = done["messages"][0]["parts"]
        assert part == {"type": "TOOL_RESULT", "toolCallId": "c1", "data": data, "text": None, "isError": False}


async def test_a_result_says_that_the_call_failed(client: Client) -> None:
    await begin(client, "t1", user("Look."), call("c1"))
    failed = result("c1", None, text="The host is down.", isError=True)
    done = (await client.query(APPEND, messages=[failed]))["appendTurn"]
    assert [one["isError"] for one in done["messages"][0]["parts"]] == [True]
    error = await client.error(APPEND, messages=[result("c1", None, text="The host is down.")])
    assert error["code"] == "CONFLICT"
    rendered = (await context(client, "t1", tiers=["RECENCY"]))["rendered"]
    assert '<tool_result id="c1" status="error">The host is down.</tool_result>' in rendered


@pytest.mark.parametrize(
    ("part", "field"),
    [
        ({"type": "TOOL_CALL", "toolCallId": "c", "toolName": "look_up", "data": [1]}, "data"),
        ({"type": "TEXT", "text": "x", "isError": True}, "isError"),
        ({"type": "DATA", "data": None}, "data"),
    ],
)
async def test_what_has_no_place_in_a_part_is_refused(client: Client, part: dict[str, Any], field: str) -> None:
    await begin(client, "t1")
    error = await client.error(APPEND, messages=[{"role": "ASSISTANT", "parts": [part]}])
    assert (error["code"], error["field"]) == ("INVALID_INPUT", f"messages[0].parts[0].{field}")
