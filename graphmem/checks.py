"""Refuses values that must not be stored, naming the field; what every room asks of its input."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Sized
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypeVar

import orjson

from graphmem.errors import InvalidInput, LimitExceeded, VersionConflict
from graphmem.values import is_blank, refuse_control

T = TypeVar("T")

MAX_ID = 256
MAX_TITLE = 500
MAX_LABELS = 100
MAX_METADATA_BYTES = 32_768


@contextmanager
def part(name: str) -> Iterator[None]:
    """What is refused inside stands in this part of the call: `topK` is told as `recall.topK`."""
    try:
        yield
    except InvalidInput as error:
        if error.field is None:
            raise
        field = f"{name}.{error.field}"
        raise type(error)(error.message.replace(error.field, field, 1), field=field, **error.details) from None


def count(given: int, most: int, limit: str, field: str) -> None:
    if given > most:
        raise LimitExceeded(
            f"{field}: {given} entries; at most {most} in one call, so send them in parts",
            field=field, limit=limit, value=most, actual=given,
        )  # fmt: skip


def some(given: Sized, what: str, field: str) -> None:
    """Raises InvalidInput where a call is given nothing to do. `what`: one of those that it takes."""
    if not given:
        raise InvalidInput(f"{field} is empty; give at least one {what}", field=field)


def change(patch: T, nothing: T) -> None:
    """Raises InvalidInput where a patch changes `nothing`."""
    if patch == nothing:
        raise InvalidInput("patch is empty; give at least one property to change", field="patch")


def whole(value: float, least: int, most: int, limit: str, field: str) -> None:
    """A number within its range, both ends included. `limit`: the name of the upper one."""
    if least <= value <= most:
        return
    message = f"{field} must be from {least:,} to {most:,}, not {value:,}"
    if value > most:
        raise LimitExceeded(f"{message} ({limit})", field=field, limit=limit, value=most, actual=value)
    raise InvalidInput(message, field=field)


def within(size: int, most: int, limit: str, field: str) -> None:
    """`size`: characters."""
    if size > most:
        raise LimitExceeded(
            f"{field} has {size} characters; at most {most} ({limit}), so shorten it or split it",
            field=field, limit=limit, value=most, actual=size,
        )  # fmt: skip


def text(value: str, most: int, field: str, *, limit: str = "max_text", blank: bool = False) -> None:
    """A text that can be stored as it is: not blank, not over-long, and valid Unicode."""
    if not blank and is_blank(value):
        raise InvalidInput(f"{field} is blank; give at least one visible character", field=field)
    within(len(value), most, limit, field)
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{field} has half a surrogate pair at character {error.start}", field=field) from None


def identifier(value: str, field: str, *, new: bool = False) -> None:
    """`new`: it may come to be stored; an id that is only looked for may be an old one with control characters."""
    text(value, MAX_ID, field, limit="max_id")
    if new:
        refuse_control(value, field)


def labels(values: Sequence[str] | None, field: str, *, new: bool = False) -> None:
    """`new`: as for ids."""
    if values is None:
        return
    count(len(values), MAX_LABELS, "max_labels", field)
    for position, value in enumerate(values):
        text(value, MAX_ID, f"{field}[{position}]", limit="max_label")
        if new:
            refuse_control(value, f"{field}[{position}]")


def fraction(value: float | None, field: str) -> None:
    if value is not None and not (math.isfinite(value) and 0 <= value <= 1):
        raise InvalidInput(f"{field} must be a number from 0 to 1, not {value}", field=field)


def zoned(value: datetime | None, field: str) -> None:
    if value is not None and value.tzinfo is None:
        raise InvalidInput(f"{field} needs a time zone", field=field)


def interval(start: datetime | None, end: datetime | None, at: str) -> None:
    zoned(start, f"{at}.validFrom")
    zoned(end, f"{at}.validTo")
    if start is not None and end is not None and end <= start:
        raise InvalidInput(f"{at}.validTo must be later than validFrom", field=f"{at}.validTo")


def stretch(start: datetime | None, end: datetime | None, first: str, last: str) -> None:
    """A half-open stretch of time, which may be empty but not upside down; `first` and `last` are its fields."""
    zoned(start, first)
    zoned(end, last)
    if start is not None and end is not None and end < start:
        raise InvalidInput(f"{last} must not be before {first}", field=last)


def metadata(value: Any, field: str) -> None:
    if value is None:
        return
    if not isinstance(value, dict):
        raise InvalidInput(f"{field} must be an object", field=field)
    json_value(value, field)


def json_value(value: object, field: str) -> None:
    try:
        size = len(orjson.dumps(value))
    except (orjson.JSONEncodeError, UnicodeEncodeError):
        raise InvalidInput(f"{field} must consist of plain JSON values", field=field) from None
    if size > MAX_METADATA_BYTES:
        raise LimitExceeded(
            f"{field} has {size} bytes; at most {MAX_METADATA_BYTES}",
            field=field, limit="max_metadata_bytes", value=MAX_METADATA_BYTES, actual=size,
        )  # fmt: skip


def version(uid: str, expected: int | None, current: int, **details: str) -> None:
    """Raises VersionConflict with the current version where another one is `expected`."""
    if expected is not None and expected != current:
        raise VersionConflict(
            f"{uid!r} is at version {current}, not {expected}; read it again and decide",
            field="expectedVersion", currentVersion=current, **details,
        )  # fmt: skip
