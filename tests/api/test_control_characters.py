"""Ids in which a control character stands: refused where one may come to be stored, and still found where one is."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests import operations
from tests.api.test_bad_input import nothing_changed
from tests.api.test_conversation import APPEND, CREATE, user
from tests.client import Client
from tests.conftest import Settle
from tests.factories import arrow, ids, note
from tests.operations import knowledge, link, remember, search, unlink, update
from tests.upkeep.support import plant

MARKS = ["\n", "\t", "\x00", "\x1b", "\x7f", "\x9b", "\u2028", "\u2029"]
OLD = "old\n\x1b[31mid"
BEGIN = 'mutation ($id: ID, $agent: String) { beginTurn(threadId: "t", id: $id, agent: $agent) { id } }'
CLONE = 'mutation ($new: ID) { cloneThread(id: "t", newId: $new) { id } }'
NOTICE = 'mutation ($agent: String, $source: String) { postNotice(text: "x", agent: $agent, source: $source) { id } }'
MEMORY = "mutation ($id: ID) { updateWorkingMemory(resourceId: $id, merge: {a: 1}) { changed } }"
RESOURCE = 'mutation ($id: ID) { updateResource(id: $id, name: "x") { id } }'
MOVE = 'mutation ($to: ID) { updateThread(id: "t", patch: {resourceId: $to}) { id } }'
INGEST = """
mutation ($path: String!, $resource: ID) {
  ingestDocument(path: $path, text: "x", resourceId: $resource) { documentId }
}
"""
KEY = """
mutation ($name: String!, $resource: ID, $agent: String) {
  createApiKey(name: $name, scopes: [READ], resourceId: $resource, agent: $agent) { key }
}
"""
DELETE = "mutation ($id: ID!) { deleteKnowledge(id: $id) { id } }"


def calls(bad: str) -> list[tuple[str, dict[str, Any], str]]:
    """Documents and variables, and the field that is at fault."""
    told = [user("x")]
    called = {"role": "ASSISTANT", "parts": [{"type": "TOOL_CALL", "toolCallId": bad, "toolName": "look"}]}
    return [
        (operations.REMEMBER, {"nodes": [note("a"), note(bad)]}, "nodes[1].id"),
        (operations.REMEMBER, {"nodes": [note("a", resourceId=bad)]}, "nodes[0].resourceId"),
        (operations.REMEMBER, {"nodes": [note("a", tags=["x", bad])]}, "nodes[0].tags[1]"),
        (operations.REMEMBER, {"nodes": [note("a", connections=[bad])]}, "nodes[0].connections[0]"),
        (operations.REMEMBER, {"nodes": [note("a")], "resourceId": bad}, "resource"),
        (operations.REMEMBER, {"nodes": [note("a")], "key": bad}, "idempotencyKey"),
        (operations.LINK, {"edges": [arrow(bad, "RELATED_TO", "b")]}, "edges[0].from"),
        (operations.LINK, {"edges": [arrow("a", "RELATED_TO", bad)]}, "edges[0].to"),
        (CREATE, {"resourceId": bad}, "resource"),
        (CREATE, {"resourceId": "r", "id": bad}, "id"),
        (APPEND, {"threadId": "t", "messages": told, "turnId": bad}, "turnId"),
        (APPEND, {"threadId": "t", "messages": [user("x", id=bad)]}, "messages[0].id"),
        (APPEND, {"threadId": "t", "messages": [user("x", speaker=bad)]}, "messages[0].speaker"),
        (APPEND, {"threadId": "t", "messages": [called]}, "messages[0].parts[0].toolCallId"),
        (BEGIN, {"id": bad}, "id"),
        (BEGIN, {"agent": bad}, "agent"),
        (CLONE, {"new": bad}, "newId"),
        (NOTICE, {"agent": bad}, "agent"),
        (NOTICE, {"agent": "a", "source": bad}, "source"),
        (MEMORY, {"id": bad}, "resource"),
        (RESOURCE, {"id": bad}, "resource"),
        (MOVE, {"to": bad}, "resource"),
        (INGEST, {"path": f"{bad}.md"}, "path"),
        (INGEST, {"path": f"{bad}.csv"}, "path"),
        (INGEST, {"path": "a.md", "resource": bad}, "resource"),
        (KEY, {"name": bad}, "name"),
        (KEY, {"name": "x", "resource": bad}, "resource"),
        (KEY, {"name": "x", "agent": bad}, "agent"),
    ]  # fmt: skip


@pytest.mark.parametrize("mark", MARKS)
async def test_an_id_with_a_control_character_is_refused_and_named(
    client: Client, graph: Graph, tenant: Tenant, mark: str
) -> None:
    for document, variables, field in calls(f"a{mark}b"):
        error = await client.error(document, **variables)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
        assert f"has the control character {mark!r} at position 1; leave it out" in error["message"]
    assert await nothing_changed(graph, tenant)


async def test_an_id_that_has_one_from_before_is_still_read_changed_and_deleted(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    await remember(client, [note("old", "Tide tables"), note("b")])
    await link(client, [arrow("old", "DEPENDS_ON", "b")])
    await settle()
    await plant(graph, "set", tenant, "old", properties={"uid": OLD})
    assert (await knowledge(client, OLD))["title"] == "Tide tables"
    assert ids((await search(client, "tide tables", topK=1))["hits"]) == [OLD, "b"]
    assert (await update(client, OLD, {"content": "Other"}))["version"] == 2
    edge = {"from": OLD, "to": "b", "type": "DEPENDS_ON"}
    assert (await unlink(client, [edge]))["closed"] == [edge]
    await client.query(DELETE, id=OLD)
    assert await knowledge(client, OLD) is None


async def test_a_resource_that_has_one_from_before_is_still_asked_for(client: Client) -> None:
    assert (await search(client, "tide", resourceId=OLD))["hits"] == []
