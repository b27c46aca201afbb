"""The endpoint itself: credentials, methods, the log."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import httpx
import pytest
from starlette.types import Message
from structlog.testing import capture_logs

from graphmem.access.keyring import Keyring
from graphmem.access.keys import create_key, revoke_key
from graphmem.app import create_app
from graphmem.graph.gateway import Graph
from graphmem.runtime import Runtime
from graphmem.values import Scope, Tenant
from tests.api.serving import ME, bearer, only_error
from tests.asgi import started
from tests.client import Client
from tests.conftest import Connect
from tests.factories import arrow, note, principal
from tests.operations import remember


async def test_a_missing_garbled_or_unknown_key_is_refused(http: httpx.AsyncClient, key: str) -> None:
    changed = key[:-1] + ("a" if key[-1] != "a" else "b")
    for header in ({}, *({"Authorization": value} for value in (
        "", "Bearer", "Bearer ", "Bearer x", f"Basic {key}", key, f"Bearer {changed}", f"Bearer {key} {key}",
        "Bearer gm_" + "é" * 50, f"Bearer {key}x", "Bearer " + "g" * 10_000,
    ))):  # fmt: skip
        raw = {name: value.encode() for name, value in header.items()}
        answer = await http.post("/graphql", json={"query": ME}, headers=raw)
        assert answer.status_code == 401, header
        assert only_error(answer)["code"] == "UNAUTHENTICATED"
        assert answer.headers["www-authenticate"] == "Bearer"
        assert key not in answer.text


async def test_a_key_works_whatever_the_case_of_its_scheme(http: httpx.AsyncClient, key: str, tenant: Tenant) -> None:
    answer = await http.post("/graphql", json={"query": ME}, headers={"Authorization": f"bEARER   {key}"})
    assert answer.json()["data"]["me"]["tenant"] == tenant


async def test_a_revoked_key_is_refused(
    http: httpx.AsyncClient, graph: Graph, runtime: Runtime, tenant: Tenant
) -> None:
    made = await create_key(graph, tenant, name="test", scopes=[Scope.READ])
    assert (await http.post("/graphql", json={"query": ME}, headers=bearer(made.key))).status_code == 200
    await revoke_key(graph, principal(tenant), made.api_key.id)
    await runtime.services.keyring.forget(made.api_key.id)
    answer = await http.post("/graphql", json={"query": ME}, headers=bearer(made.key))
    assert (answer.status_code, only_error(answer)["code"]) == (401, "UNAUTHENTICATED")


async def test_over_graphql_a_key_is_made_listed_and_revoked(client: Client, http: httpx.AsyncClient) -> None:
    made = await client.query('mutation { createApiKey(name: "one", scopes: [READ]) { key apiKey { id scopes } } }')
    found = made["createApiKey"]
    assert found["apiKey"]["scopes"] == ["READ"]
    reader = Client(http, found["key"])
    assert (await reader.query("{ me { scopes } }"))["me"] == {"scopes": ["READ"]}
    uid = found["apiKey"]["id"]
    await client.query("mutation ($id: ID!) { revokeApiKey(id: $id) { revokedAt } }", id=uid)
    assert (await reader.post("{ me { scopes } }")).status_code == 401
    listed = {key["id"]: key for key in (await client.query("{ apiKeys { id name revokedAt } }"))["apiKeys"]}
    assert listed[uid]["revokedAt"]


async def test_over_graphql_a_repeated_call_is_told_which_key_it_made_and_not_the_key(client: Client) -> None:
    make = """mutation ($dryRun: Boolean! = false) {
      createApiKey(name: "one", scopes: [READ], idempotencyKey: "once", dryRun: $dryRun) {
        key apiKey { id } warnings { code ids }
      }
    }"""
    assert (await client.query(make, dryRun=True))["createApiKey"]["key"] is None
    made = (await client.query(make))["createApiKey"]
    uid = made["apiKey"]["id"]
    assert (made["key"].startswith(f"gm_{uid}_"), made["warnings"]) == (True, [])
    again = (await client.query(make))["createApiKey"]
    told = [{"code": "KEY_NOT_SHOWN_AGAIN", "ids": [uid]}]
    assert again == {"key": None, "apiKey": {"id": uid}, "warnings": told}
    revoke = """mutation ($id: ID!, $dryRun: Boolean! = false) {
      revokeApiKey(id: $id, idempotencyKey: "twice", dryRun: $dryRun) { revokedAt } }"""
    assert (await client.query(revoke, id=uid, dryRun=True))["revokeApiKey"]["revokedAt"] is not None
    first = await client.query(revoke, id=uid)
    assert await client.query(revoke, id=uid) == first
    touching = "query ($id: ID!) { changes(filter: {touched: $id}) { nodes { action } } }"
    log = (await client.query(touching, id=uid))["changes"]["nodes"]
    assert [change["action"] for change in log] == ["revokeApiKey", "createApiKey"]


async def test_a_note_was_touched_by_what_opened_an_edge_of_it(client: Client) -> None:
    await remember(client, [note("a"), note("b"), note("c")])
    await remember(client, [], [arrow("a", "RELATED_TO", "b")])
    await remember(client, [], [arrow("a", "RELATED_TO", "b")])  # which changes nothing
    await client.query('mutation { supersede(old: "b", new: "c") { version } }')
    log = (await client.query("{ changes(first: 3) { nodes { action touched } } }"))["changes"]["nodes"]
    assert [(change["action"], sorted(change["touched"])) for change in log] == [
        ("supersede", ["b", "c"]), ("remember", []), ("remember", ["a", "b"]),
    ]  # fmt: skip


async def test_over_graphql_who_changed_a_note_is_one_query(client: Client, graph: Graph, tenant: Tenant) -> None:
    helper = Client(
        client.http, (await create_key(graph, tenant, name="helper", scopes=[Scope.WRITE], agent="support")).key
    )
    me = (await client.query("{ me { keyId } }"))["me"]["keyId"]
    await remember(client, [note("a"), note("b")])
    for _ in range(2):  # the second changes nothing, and so does not touch it
        await helper.query('mutation { updateKnowledge(id: "a", patch: {content: "Other words."}) { version } }')
    await client.query('mutation { retract(id: "b") { version } }')
    query = """query ($filter: ChangeFilter!) { changes(filter: $filter) {
      nodes { action keyName agent resourceId touched hashes { id before after } } } }"""
    first, last = reversed((await client.query(query, filter={"touched": "a"}))["changes"]["nodes"])
    assert (first["action"], first["keyName"], first["agent"], first["resourceId"]) == ("remember", "test", None, None)
    assert (last["action"], last["keyName"], last["agent"]) == ("updateKnowledge", "helper", "support")
    hashes = {one["id"]: (one["before"], one["after"]) for one in first["hashes"]}
    assert hashes.keys() == {"a", "b"}
    assert hashes["a"][0] is None
    [changed] = last["hashes"]
    assert (changed["id"], changed["before"]) == ("a", hashes["a"][1])
    assert changed["after"] not in (None, changed["before"])
    [retracted] = (await client.query(query, filter={"action": "retract", "keyId": me}))["changes"]["nodes"]
    assert (retracted["touched"], retracted["hashes"]) == (["b"], [])
    for filter in ({"since": "2090-01-01T00:00:00Z"}, {"until": "2020-01-01T00:00:00Z"}):
        assert (await client.query(query, filter=filter))["changes"]["nodes"] == []
    assert (await client.error(query, filter={"touched": ""}))["field"] == "filter.touched"


@pytest.mark.parametrize(
    "query",
    [
        'mutation { remember(nodes: [{title: "a", content: "b"}]) { ids } }',
        '{ audit(name: "dangling_links") { id } }',
        "{ apiKeys { id } }",
        "{ jobs { nodes { id } } }",
        'mutation { createApiKey(name: "more", scopes: [READ]) { key } }',
        'mutation { revokeApiKey(id: "x") { id } }',
    ],
)
async def test_a_key_without_the_scope_is_forbidden(connect_as: Connect, query: str) -> None:
    reader = await connect_as(Scope.READ)
    error = await reader.error(query)
    assert error["code"] == "FORBIDDEN"
    assert "this key has read" in error["message"]


async def test_a_bound_admin_sees_nothing_of_the_whole_tenant(connect_as: Connect) -> None:
    bound, admin = await connect_as(Scope.ADMIN, resource="ann"), await connect_as()
    for query in (
        '{ audit(name: "dangling_links") { id } }',
        "{ jobs { nodes { id } } }",
        "{ changes { nodes { id } } }",
    ):
        assert (await bound.error(query))["code"] == "FORBIDDEN"
    assert len((await admin.query("{ apiKeys { id } }"))["apiKeys"]) == 2
    assert [key["resourceId"] for key in (await bound.query("{ apiKeys { resourceId } }"))["apiKeys"]] == ["ann"]


@pytest.mark.parametrize("method", ["PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])
async def test_other_methods_are_refused(http: httpx.AsyncClient, key: str, method: str) -> None:
    answer = await http.request(method, "/graphql", headers=bearer(key))
    assert answer.status_code == 405


async def test_a_websocket_is_refused(runtime: Runtime) -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    app = create_app(runtime.services.settings, services=runtime.services)
    scope = {
        "type": "websocket", "path": "/graphql", "headers": [], "query_string": b"", "subprotocols": [
            "graphql-transport-ws"
        ], "state": {"services": runtime.services},
    }  # fmt: skip
    await app(scope, receive, send)
    assert [message["type"] for message in sent] == ["websocket.close"]


async def test_a_caller_that_hangs_up_is_noted_and_not_taken_for_a_bug(runtime: Runtime, key: str) -> None:
    messages: list[Message] = [
        {"type": "http.request", "body": b'{"qu', "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> Message:
        return messages.pop(0)

    async def send(message: Message) -> None:
        pass

    app = create_app(runtime.services.settings, services=runtime.services)
    scope = {
        "type": "http", "method": "POST", "path": "/graphql", "query_string": b"",
        "headers": [(b"authorization", f"Bearer {key}".encode()), (b"content-type", b"application/json")],
        "state": {"services": runtime.services},
    }  # fmt: skip
    with capture_logs() as logs:
        await app(scope, receive, send)
    assert [(line["event"], line["log_level"], line["status"]) for line in logs] == [("request", "info", 499)]


SECRET = "the cat knows the safe's number"


async def test_each_request_is_one_line_in_the_log_without_a_text_or_key(
    client: Client, key: str, http: httpx.AsyncClient, tenant: Tenant
) -> None:
    await remember(client, [note("a", SECRET, SECRET)])
    with capture_logs() as logs:
        query = "query Find($q: String!) { search(input: {query: $q}) { hits { node { title } } } }"
        answer = await client.post(query, {"q": SECRET})
        await http.post("/graphql", json={"query": ME}, headers=bearer("gm_nonsense"))
        await http.post("/graphql", content=b"{", headers=bearer(key) | {"Content-Type": "application/json"})
        await client.post("{ nonsense }")
    assert SECRET in answer.text
    lines = [line for line in logs if line["event"] == "request"]
    assert [line["status"] for line in lines] == [200, 401, 400, 200]
    found = lines[0]
    assert (found["request_id"], found["operation"]) == (answer.headers["x-request-id"], "Find")
    assert (found["tenant"], found["method"], found["log_level"]) == (tenant, "POST", "info")
    assert found["key"] == (await client.query("{ me { keyId } }"))["me"]["keyId"]
    assert found["trips"] == len(found["statements"]) >= 1
    assert found["ms"] >= found["database_ms"] > 0
    assert all(re.fullmatch(r"\w+/\w+", name) and ms > 0 for name, ms in found["statements"])
    assert (lines[1]["tenant"], lines[1]["key"], lines[1]["operation"]) == (None, None, None)
    assert len({line["request_id"] for line in lines}) == 4
    written = json.dumps(logs, default=str)
    secret = client.headers["Authorization"].removeprefix("Bearer ")
    assert [word for word in (SECRET, "nonsense", secret, key) if word in written] == []


async def test_an_operations_name_does_not_fill_the_log(client: Client) -> None:
    with capture_logs() as logs:
        await client.query(f"query {'x' * 50_000} {{ me {{ tenant }} }}")
    assert [len(line["operation"]) for line in logs if line["event"] == "request"] == [100]


class BrokenKeyring(Keyring):
    async def authenticate(self, authorization: str | None) -> Any:
        raise RuntimeError(f"{SECRET} in /srv/app.py")


async def test_a_bug_before_the_query_is_masked_and_logged_under_a_reference(runtime: Runtime) -> None:
    settings = runtime.services.settings
    broken = replace(runtime.services, keyring=BrokenKeyring(runtime.graph, settings))
    async with started(create_app(settings, services=broken)) as http:
        with capture_logs() as logs:
            answer = await http.post("/graphql", json={"query": ME})
    assert answer.status_code == 500
    reference = answer.headers["x-request-id"]
    assert only_error(answer) == {
        "message": f"Internal error. Reference: {reference}", "code": "INTERNAL", "reference": reference
    }  # fmt: skip
    bug, line = logs
    assert (bug["log_level"], bug["reference"], bug["exc_info"]) == ("error", reference, True)
    assert (line["event"], line["status"]) == ("request", 500)
