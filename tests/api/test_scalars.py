"""DateTime, JSON and Long, as callers meet them: through a schema."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import strawberry
from hypothesis import given
from hypothesis import strategies as st
from strawberry.schema.config import StrawberryConfig

from graphmem.api import errors, limits
from graphmem.api.scalars import (
    JSON,
    MAX_EXACT,
    SCALARS,
    Long,
    parse_date_time,
    parse_long,
    write_date_time,
    write_long,
)
from graphmem.config import Settings


@strawberry.input
class Span:
    since: datetime


@strawberry.type
class Query:
    @strawberry.field
    def time(self, at: datetime) -> datetime:
        return at

    @strawberry.field
    def times(self, span: Span) -> datetime:
        return span.since

    @strawberry.field
    def tokyo(self) -> datetime:
        return datetime(2024, 5, 1, 19, 0, tzinfo=timezone(timedelta(hours=9)))

    @strawberry.field
    def bag(self, data: JSON) -> JSON:
        return data

    @strawberry.field
    def count(self, n: Long) -> Long:
        return n


SETTINGS = Settings()
SCHEMA = errors.Schema(
    Query,
    config=StrawberryConfig(scalar_map=SCALARS),
    extensions=[errors.extension(SETTINGS), *limits.extensions(SETTINGS)],
)


async def answer(query: str, **variables: Any) -> Any:
    result = await SCHEMA.execute(query, variables)
    assert result.errors is None, result.errors
    assert result.data is not None
    return next(iter(result.data.values()))


async def refusal(query: str, **variables: Any) -> str:
    """The message of the one error, which has to be the caller's fault."""
    result = await SCHEMA.execute(query, variables)
    assert result.errors is not None
    assert [(error.extensions or {})["code"] for error in result.errors] == ["INVALID_INPUT"]
    return result.errors[0].message


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
        ("2024-05-01T12:00:00+02:00", "2024-05-01T10:00:00Z"),
        ("2024-05-01t04:30:00-05:30", "2024-05-01T10:00:00Z"),
        ("2024-05-01T10:00:00", "2024-05-01T10:00:00Z"),
        ("2024-05-01T10:00", "2024-05-01T10:00:00Z"),
        ("2024-05-01 10:00:00.5z", "2024-05-01T10:00:00.500000Z"),
        ("2024-05-01T10:00:00.123456000Z", "2024-05-01T10:00:00.123456Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ],
)
async def test_a_time_is_read_and_answered_in_utc(given: str, seen: str) -> None:
    assert await answer("query($at: DateTime!) { time(at: $at) }", at=given) == seen
    assert await answer(f'{{ time(at: "{given}") }}') == seen


async def test_another_offset_is_answered_in_utc_too() -> None:
    assert await answer("{ tokyo }") == "2024-05-01T10:00:00Z"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("123", "not a date with time"),
        ("2024-13-40", "not a date with time"),
        ("2024-05-01", "not a date with time"),
        ("2024-13-40T00:00:00Z", "no time of the calendar"),
        ("2024-02-30T00:00:00Z", "no time of the calendar"),
        ("0000-00-00", "not a date with time"),
        ("0000-01-01T00:00:00Z", "no time of the calendar"),
        ("10000-01-01T00:00:00Z", "not a date with time"),
        ("0001-01-01T00:00:00+01:00", "no time of the calendar"),
        ("9999-12-31T23:59:59-01:00", "no time of the calendar"),
        ("2024-05-01T24:00:00Z", "no time of the calendar"),
        ("2024-05-01T10:00:60Z", "no time of the calendar"),
        ("2024-05-01T10:00:00+25:00", "no time of the calendar"),
        ("2024-05-01T10:00:00+01:75", "no time of the calendar"),
        ("2024-05-01T10:00:00.123456789Z", "finer than a microsecond"),
        ("2024-05-01T10:00:00Z\n", "not a date with time"),
        ("２０２４-05-01T10:00:00Z", "not a date with time"),
        ("", "not a date with time"),
        (1672250526945, "not a string"),
        (1.5, "not a string"),
        (True, "not a string"),
        (["2024-05-01T10:00:00Z"], "not a string"),
    ],
)
async def test_no_time_is_refused_and_the_variable_named(given: object, told: str) -> None:
    """B126"""
    message = await refusal("query($at: DateTime!) { time(at: $at) }", at=given)
    assert message.startswith("Variable '$at' has invalid value: ")
    assert told in message
    assert "microsecond" in message or "2024-05-01T10:00:00Z" in message


async def test_a_time_inside_an_input_object_is_named_by_its_path() -> None:
    message = await refusal("query($span: Span!) { times(span: $span) }", span={"since": "soon"})
    assert message.startswith("Variable '$span' has invalid value at .since: 'soon' is not a date with time")


@pytest.mark.parametrize("literal", ["123", '"2024-13-40T00:00:00Z"', "true", "SOON", "{a: 1}"])
async def test_a_literal_that_is_no_time_is_refused(literal: str) -> None:
    assert "RFC 3339" in await refusal(f"{{ time(at: {literal}) }}")


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_time_survives_a_round_trip(time: datetime) -> None:
    assert parse_date_time(write_date_time(time)) == time


@pytest.mark.parametrize("value", [{}, {"a": 1, "b": [1.5, None, True, "x"], "c": {"d": {"é": "ü"}}}])
async def test_an_object_comes_back_as_it_was(value: dict[str, object]) -> None:
    assert await answer("query($d: JSON!) { bag(data: $d) }", d=value) == value


async def test_an_object_can_stand_in_the_query() -> None:
    query = 'query($n: Long!) { bag(data: {a: 1, b: "x", c: [true, null], d: {e: 1.5}, n: $n}) }'
    assert await answer(query, n=7) == {"a": 1, "b": "x", "c": [True, None], "d": {"e": 1.5}, "n": 7}


async def test_an_object_in_the_query_holds_only_json() -> None:
    query = "query($at: DateTime!) { bag(data: {at: $at}) }"
    assert "which is no JSON" in await refusal(query, at="2024-05-01T10:00:00Z")


async def test_what_a_query_itself_says_wrong_is_located_in_it() -> None:
    result = await SCHEMA.execute('{ ok: tokyo time(at: "soon") }')
    assert result.errors is not None
    assert [(place.line, place.column) for place in result.errors[0].locations or ()] == [(1, 22)]


def nested(levels: int) -> dict[str, object]:
    return {"a": nested(levels - 1)} if levels > 1 else {}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([1], "not an object"),
        ("text", "not an object"),
        (1, "not an object"),
        (True, "not an object"),
        ({"a": float("nan")}, "NaN"),
        ({"a": [{"b": float("inf")}]}, "NaN"),
        (nested(9), "more than 8 levels"),
        ({"a": [[[[[[[[1]]]]]]]]}, "more than 8 levels"),
        ({"a": "x" * 32_768}, "32,776 bytes of JSON; at most 32,768"),
        ({"a": "é" * 16_384}, "at most 32,768"),
        ({"a": 2**64}, "64 bits"),
        ({"a": "\ud800"}, "Unicode"),
    ],
)
async def test_what_is_no_metadata_is_refused(value: object, told: str) -> None:
    assert told in await refusal("query($d: JSON!) { bag(data: $d) }", d=value)


async def test_metadata_of_just_the_limit_is_taken() -> None:
    for value in (nested(8), {"a": "x" * (32_768 - 8)}):
        assert await answer("query($d: JSON!) { bag(data: $d) }", d=value) == value


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        (1672250526945, 1672250526945),
        (3_000_000_000, 3_000_000_000),
        (0, 0),
        (-5.0, -5),
        (MAX_EXACT, MAX_EXACT),
        (9007199254740993, "9007199254740993"),
        ("9007199254740993", "9007199254740993"),
        (-(2**63), str(-(2**63))),
        (str(2**63 - 1), str(2**63 - 1)),
    ],
)
async def test_a_long_keeps_every_digit(given: object, seen: object) -> None:
    """B127"""
    assert json.dumps(await answer("query($n: Long!) { count(n: $n) }", n=given)) == json.dumps(seen)
    assert await answer(f"{{ count(n: {json.dumps(given).removesuffix('.0')}) }}") == seen


@pytest.mark.parametrize(
    "given", [2**63, str(2**63), -(2**63) - 1, 1.5, 1e300, "1.0", "", " 1", "1" * 5000, True, [], {}]
)
async def test_what_is_no_long_is_refused(given: object) -> None:
    assert "not a whole number of up to 64 bits" in await refusal("query($n: Long!) { count(n: $n) }", n=given)


@given(st.integers(-(2**63), 2**63 - 1))
def test_every_long_survives_a_round_trip_through_a_reader_that_rounds(number: int) -> None:
    written = json.dumps(write_long(number))
    assert parse_long(json.loads(written, parse_int=float)) == number


def test_the_schema_says_what_the_scalars_take() -> None:
    text = SCHEMA.as_str()
    assert "scalar DateTime" in text
    assert "taken as UTC" in text
    assert "8 levels deep and 32 KB" in text
    assert "2^53" in text
