"""What a caller sees of failures, and what only the log does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from strawberry.asgi import GraphQL
from strawberry.extensions import SchemaExtension
from strawberry.types import ExecutionResult
from structlog.testing import capture_logs

from graphmem.errors import Forbidden
from tests.api.failing import SECRET, schema_with

SCHEMA = schema_with()


async def run(query: str, variables: dict[str, Any] | None = None, **context: Any) -> ExecutionResult:
    return await SCHEMA.execute(query, variables, context_value=context)


async def only_error(query: str, variables: dict[str, Any] | None = None) -> dict[str, Any]:
    result = await run(query, variables)
    assert result.errors is not None
    assert len(result.errors) == 1
    return dict(result.errors[0].formatted)


def assert_tells_nothing(text: str) -> None:
    assert not re.search(r"secret|MATCH|bolt:|neo4j|Traceback|\.py\b|line \d+, in|strawberry|graphql-core", text), text


async def test_an_expected_failure_keeps_message_code_field_details_and_path() -> None:
    assert await only_error("{ conflict }") == {
        "message": "The node is at version 4, not 3; read it again.",
        "locations": [{"line": 1, "column": 3}],
        "path": ["conflict"],
        "extensions": {"code": "VERSION_CONFLICT", "field": "expectedVersion", "version": 4},
    }


async def test_an_expected_failure_spoils_only_its_own_part_of_the_answer() -> None:
    result = await run("{ items { index title } }")
    assert result.data == {"items": [{"index": 0, "title": "t0"}, None, {"index": 2, "title": "t2"}]}
    assert result.errors is not None
    assert [(e.path, e.extensions) for e in result.errors] == [
        (["items", 1, "title"], {"code": "NOT_FOUND", "field": "id"})
    ]


async def test_the_cause_of_an_expected_failure_stays_inside() -> None:
    error = await only_error("{ caused }")
    assert error["extensions"] == {"code": "FORBIDDEN"}
    assert error["message"] == "The key may only read."


@pytest.mark.parametrize("query", ["{ bug }", "{ large }", "{ nothing }"])
async def test_a_bug_is_masked_and_logged_once_with_its_reference(query: str) -> None:
    with capture_logs() as logged:
        error = await only_error(query)
    reference = error["extensions"].pop("reference")
    assert error["extensions"] == {"code": "INTERNAL"}
    assert error["message"] == f"Internal error. Reference: {reference}"
    assert error["path"] == [query[2:-2]]
    assert [(line["event"], line["reference"], line["path"]) for line in logged] == [
        ("internal error", reference, error["path"])
    ]
    assert isinstance(logged[0]["exc_info"], Exception)
    assert_tells_nothing(json.dumps(error))


async def test_the_log_has_the_traceback_of_where_it_happened() -> None:
    with capture_logs() as logged:
        await run("{ bug }")
    trace = logged[0]["exc_info"].__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    assert trace.tb_frame.f_code.co_name == "bug"


async def test_one_failure_behind_many_fields_is_logged_once_under_one_reference() -> None:
    with capture_logs() as logged:
        result = await run("{ items { loaded } }", failure=RuntimeError(SECRET))
    assert result.errors is not None
    assert len(result.errors) == 3
    assert len({e.extensions["reference"] for e in result.errors if e.extensions}) == 1
    assert len(logged) == 1


async def test_different_failures_have_different_references() -> None:
    with capture_logs() as logged:
        result = await run("{ items { failed } }")
    assert result.errors is not None
    assert len({e.extensions["reference"] for e in result.errors if e.extensions}) == len(logged) == 3


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("{ double(number: 1", "GRAPHQL_PARSE_FAILED"),
        ("%", "GRAPHQL_PARSE_FAILED"),
        ("{ doubled }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ double }", "GRAPHQL_VALIDATION_FAILED"),
        ('{ double(number: "one") }', "GRAPHQL_VALIDATION_FAILED"),
        ("query($n: Int) { double(number: $n) }", "GRAPHQL_VALIDATION_FAILED"),
        ("query($n: Int!) { double(number: $m) unused: double(number: $n) }", "GRAPHQL_VALIDATION_FAILED"),
    ],
)
async def test_a_wrong_query_has_its_code_and_place(query: str, code: str) -> None:
    with capture_logs() as logged:
        error = await only_error(query)
    assert error["extensions"] == {"code": code}
    assert error["locations"]
    assert logged == []


@pytest.mark.parametrize("variables", [{}, {"n": None}, {"n": "one"}, {"n": 2**31}, {"n": 1.5}])
async def test_a_wrong_variable_is_invalid_input_and_named(variables: dict[str, Any]) -> None:
    error = await only_error("query($n: Int!) { double(number: $n) }", variables)
    assert error["extensions"] == {"code": "INVALID_INPUT", "field": "n"}
    assert "'$n'" in error["message"]


async def test_a_null_for_an_argument_that_takes_none_is_invalid_input() -> None:
    error = await only_error("query($n: Int = 1) { double(number: $n) }", {"n": None})
    assert error["extensions"] == {"code": "INVALID_INPUT", "field": "number"}
    assert "'number'" in error["message"]
    assert error["message"].endswith("not to be null.")


async def test_a_scalar_that_breaks_down_tells_nothing() -> None:
    for query, variables in (
        ('{ broken(value: "x") }', None),
        ("query($v: Broken!) { broken(value: $v) }", {"v": "x"}),
    ):
        with capture_logs() as logged:
            error = await only_error(query, variables)
        assert error["extensions"]["code"] == "INTERNAL"
        assert len(logged) == 1
        assert_tells_nothing(json.dumps(error))


@pytest.mark.parametrize(
    ("query", "variables"),
    [
        ("{ bugg }", None),
        ("{ double(numbr: 1, number: 1) }", None),
        ("{ __type(name: \"Item\") { name } ... on Itm { index } }", None),
        ("query($n: Itn) { double(number: $n) }", None),
        ("query($them: [Wanted!]!) { wanted(all: $them) }", {"them": [{"index": 1, "indx": 2}]}),
    ],
)  # fmt: skip
async def test_names_are_suggested_only_where_the_schema_may_be_read(
    query: str, variables: dict[str, Any] | None
) -> None:
    told = await run(query, variables)
    assert told.errors is not None
    assert any("Did you mean" in error.message for error in told.errors)
    silent = await schema_with(introspection=False).execute(query, variables)
    assert silent.errors is not None
    assert not any("Did you mean" in error.message for error in silent.errors)


async def test_an_error_remembered_by_the_cache_is_told_the_same_way_again() -> None:
    first, second = await only_error("{ bugg }"), await only_error("{ bugg }")
    assert first == second


class Faulty(SchemaExtension):
    def on_execute(self) -> Iterator[None]:
        raise RuntimeError(SECRET)
        yield


class Refusing(SchemaExtension):
    def on_execute(self) -> Iterator[None]:
        raise Forbidden("The key may only read.")
        yield


async def test_an_extension_that_fails_is_masked_too() -> None:
    with capture_logs() as logged:
        result = await schema_with(Faulty).execute("{ items { index } }")
    assert result.errors is not None
    assert result.errors[0].extensions is not None
    assert result.errors[0].extensions["code"] == "INTERNAL"
    assert len(logged) == 1
    assert_tells_nothing(result.errors[0].message)


async def test_an_extension_may_refuse() -> None:
    result = await schema_with(Refusing).execute("{ items { index } }")
    assert result.errors is not None
    assert [(e.message, e.extensions) for e in result.errors] == [("The key may only read.", {"code": "FORBIDDEN"})]


async def stream(query: str, variables: dict[str, Any] | None = None) -> list[Any]:
    return [result async for result in await SCHEMA.stream(query, variables)]


async def test_a_subscription_that_breaks_is_masked_after_what_it_sent() -> None:
    with capture_logs() as logged:
        *sent, last = await stream("subscription { numbers(upto: 2) }")
    assert [result.data for result in sent] == [{"numbers": 0}, {"numbers": 1}]
    assert [error.extensions["code"] for error in last.errors] == ["INTERNAL"]
    assert len(logged) == 1
    assert_tells_nothing(last.errors[0].message)


async def test_a_field_that_fails_in_a_subscription_has_its_code() -> None:
    first, second = await stream("subscription { items { title } }")
    assert [error.extensions["code"] for error in first.errors] == ["NOT_FOUND"]
    assert second.data == {"items": {"title": "t2"}}


@pytest.mark.parametrize(
    ("query", "variables", "told"),
    [
        ("subscription { numbers(upto: 1", None, {"code": "GRAPHQL_PARSE_FAILED"}),
        ("subscription { numberz }", None, {"code": "GRAPHQL_VALIDATION_FAILED"}),
        ("subscription($n: Int!) { numbers(upto: $n) }", {"n": "x"}, {"code": "INVALID_INPUT", "field": "n"}),
        ("fragment F on Query { bug }", None, {"code": "GRAPHQL_VALIDATION_FAILED"}),
    ],
)
async def test_a_wrong_subscription_is_answered_with_its_code(
    query: str, variables: dict[str, Any] | None, told: dict[str, str]
) -> None:
    (result,) = await stream(query, variables)
    assert [error.extensions for error in result.errors] == [told]


@pytest.mark.parametrize(
    "body",
    [
        {"query": "{ bug items { failed loaded } large nothing }"},
        {"query": "{ broken(value: \"x\") }"},
        {"query": "{ nope }"},
        {"query": "{ nope"},
        {"query": "{ bug }", "operationName": "Nope"},
        {"query": "query($n: Int!) { double(number: $n) }", "variables": {"n": []}},
        {},
    ],
)  # fmt: skip
async def test_nothing_inside_reaches_the_wire(body: dict[str, Any]) -> None:
    """B128"""
    app = Starlette(routes=[Mount("/", GraphQL[Any, Any](SCHEMA))])
    transport = httpx.ASGITransport(app)
    with capture_logs():
        async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
            answer = await client.post("/", json=body)
    assert answer.status_code in {200, 400}
    assert_tells_nothing(answer.text + str(answer.headers))
