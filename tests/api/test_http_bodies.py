"""What may be sent to the endpoint."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace

import httpx
import pytest
from starlette.types import Message

from graphmem.app import create_app
from graphmem.runtime import Runtime
from graphmem.values import Tenant
from tests.api.serving import ME, bearer, only_error, service


async def pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 1024 + 1):
        yield b" " * 1024


async def test_a_body_that_is_too_large_is_refused_whether_or_not_it_says_so(runtime: Runtime, key: str) -> None:
    headers = bearer(key) | {"Content-Type": "application/json"}
    async with service(runtime, max_body_bytes=10_000) as http:
        declared = await http.post("/graphql", content=b" " * 10_001, headers=headers)
        chunked = await http.post("/graphql", content=pieces(20_000), headers=headers)
        for answer in (declared, chunked):
            assert answer.status_code == 413
            assert only_error(answer) == {
                "message": "the request has more than 10,000 bytes (max_body_bytes); send it in parts",
                "code": "LIMIT_EXCEEDED", "limit": "max_body_bytes", "value": 10_000,
            }  # fmt: skip
        fits = json.dumps({"query": ME}).ljust(10_000).encode()
        assert (await http.post("/graphql", content=fits, headers=headers)).json()["data"]


@pytest.mark.parametrize(("sent", "taken"), [(30, 30), (1_000_000, 41)])
async def test_what_is_too_large_is_read_on_for_a_while_so_that_its_sender_reads_why(
    runtime: Runtime, key: str, sent: int, taken: int
) -> None:
    left, answers = sent, list[Message]()

    async def receive() -> Message:
        nonlocal left
        left -= 1
        return {"type": "http.request", "body": b" " * 1000, "more_body": left > 0}

    async def send(message: Message) -> None:
        answers.append(message)

    settings = runtime.services.settings.model_copy(update={"max_body_bytes": 10_000})
    services = replace(runtime.services, settings=settings)
    scope = {
        "type": "http", "method": "POST", "path": "/graphql", "query_string": b"", "state": {"services": services},
        "headers": [(b"authorization", f"Bearer {key}".encode()), (b"content-length", b"%d" % (sent * 1000))],
    }  # fmt: skip
    await create_app(settings, services=services)(scope, receive, send)
    assert answers[0]["status"] == 413
    assert sent - left in (taken, taken - 1)


async def test_a_body_without_a_good_key_is_not_read(runtime: Runtime) -> None:
    async def unread() -> AsyncIterator[bytes]:
        raise AssertionError("the body was read")
        yield b""

    async def receive() -> Message:
        raise AssertionError("the body was read")

    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    app = create_app(runtime.services.settings, services=runtime.services)
    scope = {
        "type": "http", "method": "POST", "path": "/graphql", "headers": [(b"authorization", b"Bearer x")],
        "query_string": b"", "state": {"services": runtime.services},
    }  # fmt: skip
    await app(scope, receive, send)
    assert sent[0]["status"] == 401


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "the request's JSON can't be read: Input is a zero-length, empty document"),
        (b"{", "the request's JSON can't be read: unexpected end of data: line 1 column 2 (char 1)"),
        (b"\xff", "the request's JSON can't be read: str is not valid UTF-8"),
        (b'{"query": NaN}', "the request's JSON can't be read: unexpected character, expected a JSON value: line 1"),
        (b'{"query": "a"\n "b"}', "unexpected character, expected ',' or '}': line 2 column 2 (char 15)"),
        (b"[" * 100_000, "the request's JSON can't be read: depth limit exceeded"),
        (b"null", "No GraphQL query found in the request"),
        (b"{}", "No GraphQL query found in the request"),
        (b"5", "a request, and its variables and extensions, must be JSON objects"),
        (b'"query"', "a request, and its variables and extensions, must be JSON objects"),
        (b'{"query": 5}', "The GraphQL operation's `query` must be a string or null, if provided."),
        (b'{"query": "{me{name}}", "variables": []}', "`variables` must be an object"),
        (b'{"query": "{me{name}}", "extensions": 1}', "`extensions` must be an object"),
        (b'{"query": "{me{name}}", "operationName": ["x"]}', "`operationName` must be a string"),
        (b'{"query": "{me{name}}", "operationName": "absent"}', "operation"),
        (b'[{"query": "{me{name}}"}]', "Batching is not enabled"),
        (b"[]", "Batching is not enabled"),
    ],
)
async def test_a_body_that_is_no_request_is_refused_in_json(
    http: httpx.AsyncClient, key: str, body: bytes, message: str
) -> None:
    answer = await http.post("/graphql", content=body, headers=bearer(key) | {"Content-Type": "application/json"})
    assert answer.status_code == 400
    error = only_error(answer)
    assert error["code"] == "INVALID_INPUT"
    assert message in error["message"]


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/graphql", ""])
async def test_a_body_of_a_kind_that_a_page_may_send_unasked_is_refused(
    http: httpx.AsyncClient, key: str, kind: str
) -> None:
    body = json.dumps({"query": ME}).encode()
    answer = await http.post("/graphql", content=body, headers=bearer(key) | {"Content-Type": kind})
    assert (answer.status_code, only_error(answer)["message"]) == (
        400,
        "Unsupported content type; send JSON as application/json",
    )


async def test_get_answers_queries(http: httpx.AsyncClient, key: str, tenant: Tenant) -> None:
    query = "query Who($x: Boolean!) { me { tenant @include(if: $x) } }"
    params = {"query": query, "variables": '{"x": true}', "operationName": "Who"}
    answer = await http.get("/graphql", params=params, headers=bearer(key))
    assert answer.json() == {"data": {"me": {"tenant": tenant}}}


@pytest.mark.parametrize(
    "params",
    [
        {"query": 'mutation { remember(nodes: [{title: "a", content: "b"}]) { ids } }'},
        {"query": ME, "variables": "{"},
        {"query": ME, "variables": "5"},
        {"query": ""},
        {},
    ],
)
async def test_get_does_not_change_anything_nor_take_nonsense(
    http: httpx.AsyncClient, key: str, params: dict[str, str]
) -> None:
    answer = await http.get("/graphql", params=params, headers=bearer(key) | {"Accept": "text/html,*/*"})
    assert (answer.status_code, only_error(answer)["code"]) == (400, "INVALID_INPUT")
