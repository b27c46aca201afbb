"""Shared by the tests of contexts: threads with things said in them."""

from __future__ import annotations

from typing import Any

from graphmem.graph.gateway import Graph
from graphmem.ranking import tokens
from tests.client import Client

CREATE = """
mutation ($resource: ID!, $id: ID!, $title: String, $metadata: JSON) {
  createThread(resourceId: $resource, id: $id, title: $title, metadata: $metadata) { id }
}
"""
APPEND = """
mutation ($id: ID!, $messages: [MessageInput!]!, $agent: String) {
  appendTurn(threadId: $id, messages: $messages, agent: $agent) { ids lastSeq }
}
"""
BEGIN = "mutation ($thread: ID!, $id: ID) { beginTurn(threadId: $thread, id: $id) { id } }"
STAGE = "mutation ($id: ID!, $messages: [MessageInput!]!) { stageMessages(turnId: $id, messages: $messages) { ids } }"
COMMIT = "mutation ($id: ID!, $notices: [ID!]) { commitTurn(turnId: $id, noticeIds: $notices) { state } }"
NOTICE = "mutation ($thread: ID!, $text: String!) { postNotice(threadId: $thread, text: $text) { id } }"

Said = dict[str, Any]


class Wrapped(Graph):
    """Another graph, for a test to come between."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph.driver, graph.settings, graph.statements)
        self.generation, self.dimension = graph.generation, graph.dimension


def user(text: str, uid: str | None = None, **more: Any) -> Said:
    return {"role": "USER", "text": text, "id": uid, **more}


def assistant(text: str, uid: str | None = None, **more: Any) -> Said:
    return {"role": "ASSISTANT", "text": text, "id": uid, **more}


def call(*calls: str, uid: str | None = None) -> Said:
    made = [{"type": "TOOL_CALL", "toolCallId": one, "toolName": "look_up", "data": {"of": one}} for one in calls]
    return {"role": "ASSISTANT", "parts": made, "id": uid}


def result(of: str, text: str = "found", uid: str | None = None) -> Said:
    return {"role": "TOOL", "parts": [{"type": "TOOL_RESULT", "toolCallId": of, "text": text}], "id": uid}


async def begin(
    client: Client, thread: str, *said: Said, resource: str = "r1", title: str | None = None, metadata: Any = None
) -> None:
    await client.query(CREATE, resource=resource, id=thread, title=title, metadata=metadata)
    if said:
        await say(client, thread, *said)


async def say(client: Client, thread: str, *said: Said, agent: str | None = None) -> None:
    await client.query(APPEND, id=thread, messages=list(said), agent=agent)


async def stage(client: Client, thread: str, turn: str, *said: Said) -> None:
    await client.query(BEGIN, thread=thread, id=turn)
    await client.query(STAGE, id=turn, messages=list(said))


async def talk(client: Client, thread: str, turns: int, **more: Any) -> None:
    """`turns` of a question and an answer, with the ids q1, a1, q2 …."""
    await client.query(CREATE, resource=more.get("resource", "r1"), id=thread)
    said = [
        one
        for at in range(1, turns + 1)
        for one in (user(f"Question {at}?", f"{thread}.q{at}"), assistant(f"Answer {at}.", f"{thread}.a{at}"))
    ]
    for at in range(0, len(said), 100):
        await say(client, thread, *said[at : at + 100])


def ids(found: Any) -> list[str | None]:
    return [message["id"] for message in found["messages"]]


def recalled(found: Any) -> list[str]:
    return [message["id"] for one in found["recalled"] for message in one["messages"]]


def hits(found: Any) -> set[str]:
    """The ids of messages that a context recalled, without those around them."""
    return {uid for one in found["recalled"] for uid in one["hitIds"]}


def spent(found: Any, tier: str) -> int:
    return int(next(one["tokens"] for one in found["tiers"] if one["tier"] == tier))


async def counted(text: str, encoding: str = tokens.ENCODING) -> int:
    await tokens.load(encoding)
    return tokens.count(text, encoding)
