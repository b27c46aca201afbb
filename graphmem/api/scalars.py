"""The API's own scalars. Hand `SCALARS` to the schema: `StrawberryConfig(scalar_map=SCALARS)`."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType
from typing import Final, NewType, NoReturn

import orjson
import strawberry
from graphql import GraphQLError, Undefined, ValueNode, value_from_ast_untyped
from strawberry.types.scalar import ScalarDefinition

from graphmem.errors import InvalidInput

JSON = NewType("JSON", dict[str, object])
"""A metadata object."""

JSONValue = NewType("JSONValue", object)
"""Any JSON but null."""

Long = NewType("Long", int)
"""A whole number of up to 64 bits (`Int` has 32)."""

MAX_JSON_DEPTH: Final = 8
MAX_JSON_BYTES: Final = 32 * 1024
MAX_EXACT: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps exact."""
MAX_LONG: Final = 2**63 - 1

_DATE_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?([Zz]|[+-]\d\d:\d\d)?", re.ASCII
)
_DATE_TIME_FORM = "write a time as RFC 3339 has it, for example 2024-05-01T10:00:00Z"


def _refuse(message: str) -> NoReturn:
    raise GraphQLError(message, extensions=InvalidInput(message).extensions)


def _shown(value: object) -> str:
    """The value for a message, short enough to read."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _in_query(parse: Callable[[object], object]) -> Callable[[ValueNode, dict[str, object] | None], object]:
    """The parser for values written in the query itself; what it refuses is located there.

    Validation comes before the variables: one inside an object counts as null until then.
    """

    def parse_literal(node: ValueNode, variables: dict[str, object] | None = None) -> object:
        try:
            return parse(_defined(value_from_ast_untyped(node, variables)))
        except GraphQLError as error:
            raise GraphQLError(error.message, nodes=node, extensions=error.extensions) from None

    return parse_literal


def _defined(value: object) -> object:
    if isinstance(value, dict):
        return {name: _defined(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_defined(item) for item in value]
    return None if value is Undefined else value


def parse_date_time(value: object) -> datetime:
    if not isinstance(value, str):
        _refuse(f"{_shown(value)} is not a string; {_DATE_TIME_FORM}.")
    found = _DATE_TIME.fullmatch(value)
    if found is None:
        _refuse(f"{_shown(value)} is not a date with time; {_DATE_TIME_FORM}.")
    year, month, day, hour, minute = (int(part) for part in found.groups()[:5])
    fraction = found[7] or ""
    if fraction[6:].strip("0"):
        _refuse(f"{_shown(value)} is finer than a microsecond; give at most six digits after the point.")
    try:
        time = datetime(
            year, month, day, hour, minute, int(found[6] or 0), int(fraction[:6].ljust(6, "0")), _offset(found[8])
        )
        return time.astimezone(UTC)
    except (ValueError, OverflowError):
        _refuse(f"{_shown(value)} is no time of the calendar in the years 1 to 9999; {_DATE_TIME_FORM}.")


def _offset(text: str | None) -> timezone:
    if text is None or text in "Zz":
        return UTC
    hours, minutes = int(text[1:3]), int(text[4:6])
    if minutes > 59:
        raise ValueError(text)
    return timezone((-1 if text[0] == "-" else 1) * timedelta(hours=hours, minutes=minutes))


def write_date_time(value: datetime) -> str:
    utc = value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return utc.isoformat().removesuffix("+00:00") + "Z"


def parse_json(value: object) -> JSON:
    if not isinstance(value, dict):
        _refuse(f"{_shown(value)} is not an object; give metadata as name and value pairs.")
    _check_size(value)
    return JSON(value)


def parse_json_value(value: object) -> JSONValue:
    _check_size(value)
    return JSONValue(value)


def _check_size(value: object) -> None:
    _check_json(value, 1)
    try:
        size = len(orjson.dumps(value))
    except TypeError:  # a lone surrogate or a number of more than 64 bits
        _refuse("The object can't be stored: use Unicode text, and numbers of up to 64 bits.")
    if size > MAX_JSON_BYTES:
        _refuse(f"The object is {size:,} bytes of JSON; at most {MAX_JSON_BYTES:,} are stored.")


def _check_json(value: object, depth: int) -> None:
    if isinstance(value, dict | list):
        if depth > MAX_JSON_DEPTH:
            _refuse(f"The object is nested more than {MAX_JSON_DEPTH} levels deep.")
        for item in value.values() if isinstance(value, dict) else value:
            _check_json(item, depth + 1)
    elif isinstance(value, float) and not math.isfinite(value):
        _refuse("The object holds NaN or Infinity, which JSON does not know.")
    elif not isinstance(value, str | int | float | None):
        _refuse(f"The object holds {_shown(value)}, which is no JSON; give text, numbers, true, false or null.")


def parse_long(value: object) -> Long:
    digits = isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,19}", value)
    whole = isinstance(value, float) and value.is_integer() and abs(value) <= MAX_EXACT
    if isinstance(value, str | float) and (digits or whole):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or not -MAX_LONG - 1 <= value <= MAX_LONG:
        _refuse(f"{_shown(value)} is not a whole number of up to 64 bits, or a string of its digits.")
    return Long(value)


def write_long(value: int) -> int | str:
    return value if abs(value) <= MAX_EXACT else str(value)


SCALARS: Final[Mapping[object, ScalarDefinition]] = MappingProxyType(
    {
        datetime: strawberry.scalar(
            name="DateTime",
            description=(
                "A time as RFC 3339 has it, such as 2024-05-01T10:00:00Z, to the microsecond. Given without an offset "
                "it is taken as UTC. Always answered in UTC, with Z."
            ),
            serialize=write_date_time,
            parse_value=parse_date_time,
            parse_literal=_in_query(parse_date_time),
        ),
        JSON: strawberry.scalar(
            name="JSON",
            description=(
                f"A JSON object, at most {MAX_JSON_DEPTH} levels deep and {MAX_JSON_BYTES // 1024} KB long, "
                "without NaN and Infinity."
            ),
            serialize=lambda value: value,
            parse_value=parse_json,
            parse_literal=_in_query(parse_json),
        ),
        JSONValue: strawberry.scalar(
            name="JSONValue",
            description=(
                f"A JSON value: text, number, true, false, list or object, at most {MAX_JSON_DEPTH} levels deep and "
                f"{MAX_JSON_BYTES // 1024} KB long, without NaN and Infinity."
            ),
            serialize=lambda value: value,
            parse_value=parse_json_value,
            parse_literal=_in_query(parse_json_value),
        ),
        Long: strawberry.scalar(
            name="Long",
            description=(
                "A whole number of up to 64 bits. A number in JSON up to 2^53 - 1 either way, beyond that a string of "
                "its digits, since many JSON readers would round it. Both forms are accepted."
            ),
            serialize=write_long,
            parse_value=parse_long,
            parse_literal=_in_query(parse_long),
        ),
    }
)
