"""Calls that are given nothing to do, and null where it would take nothing away."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests import operations
from tests.api.test_bad_input import nothing_changed
from tests.api.test_conversation import CREATE
from tests.client import Client
from tests.factories import note
from tests.operations import knowledge, remember, update

THREAD = 'mutation ($patch: ThreadPatchInput!) { updateThread(id: "t", patch: $patch) { version } }'
RESOURCE = """
mutation ($metadata: JSON, $speakers: [String!]) {
  updateResource(id: "r", metadata: $metadata, speakers: $speakers) { version }
}
"""
DELETE = "mutation { deleteMessages(ids: []) { ids } }"
ACKNOWLEDGE = "mutation { acknowledgeNotices(ids: []) { ids } }"
VALUES = {
    "title": "Tides", "content": "Text", "type": "FACT", "aliases": ["Sea"], "source": "DOCS", "confidence": 0.5,
    "tags": ["x"], "metadata": {"a": 1}, "status": "ACTIVE", "validFrom": "2020-01-01T00:00:00Z",
    "validTo": "2030-01-01T00:00:00Z",
}  # fmt: skip


@pytest.mark.parametrize(
    ("document", "variables", "field", "told"),
    [
        (operations.REMEMBER, {}, "nodes", "give nodes or edges"),
        (operations.REMEMBER, {"nodes": [], "edges": []}, "nodes", "give nodes or edges"),
        (operations.LINK, {"edges": []}, "edges", "give at least one edge"),
        (operations.UNLINK, {"edges": []}, "edges", "give at least one edge"),
        (operations.UPDATE, {"id": "a", "patch": {}}, "patch", "give at least one property"),
        (THREAD, {"patch": {}}, "patch", "give at least one property"),
        (DELETE, {}, "ids", "give at least one message"),
        (ACKNOWLEDGE, {}, "ids", "give at least one notice"),
    ],
)
async def test_a_call_that_is_given_nothing_to_do_is_refused(
    client: Client, graph: Graph, tenant: Tenant, document: str, variables: dict[str, Any], field: str, told: str
) -> None:
    error = await client.error(document, **variables)
    assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert told in error["message"]
    assert await nothing_changed(graph, tenant)


async def test_null_for_a_property_of_a_node_is_refused_and_named(client: Client) -> None:
    await remember(client, [note("a", **{name: value for name, value in VALUES.items() if name != "status"})])
    for name in VALUES:
        error = await client.error(operations.UPDATE, id="a", patch={"content": "Other", name: None})
        assert (error["code"], error["field"]) == ("INVALID_INPUT", f"patch.{name}")
        assert f"patch.{name} can't be null; leave it out to keep what is there" in error["message"]
    stored = await knowledge(client, "a")
    assert stored["version"] == 1
    error = await client.error(operations.UPDATE, id="a", patch={"validTo": None})
    assert "give 9999-12-31T00:00:00Z to take away what is there" in error["message"]
    done = await update(client, "a", {"validTo": "9999-12-31T00:00:00Z", "tags": [], "aliases": [], "metadata": {}})
    assert done["changed"] == ["aliases", "metadata", "tags", "validTo"]
    stored = await knowledge(client, "a")
    assert (stored["validTo"], stored["tags"], stored["aliases"], stored["metadata"]) == (None, [], [], {})


async def test_null_for_a_property_of_a_thread_or_resource_is_refused_where_it_takes_nothing_away(
    client: Client,
) -> None:
    await client.query(CREATE, resourceId="r", id="t", title="Title", topic="Topic")
    for name in ("contextType", "metadata", "speakers", "resourceId"):
        error = await client.error(THREAD, patch={name: None})
        assert (error["code"], error["field"]) == ("INVALID_INPUT", f"patch.{name}")
    for name in ("metadata", "speakers"):
        error = await client.error(RESOURCE, **{name: None})
        assert (error["code"], error["field"]) == ("INVALID_INPUT", name)
    assert (await client.query(THREAD, patch={"topic": None, "title": None}))["updateThread"]["version"] == 2
    assert (await client.query(RESOURCE))["updateResource"]["version"] == 1
