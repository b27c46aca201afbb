"""One hash for equal inputs."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime, time
from functools import cache

import orjson

from graphmem.errors import InvalidInput

_OPTIONS = (
    orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
)


def canonical_hash(value: object) -> str:
    """SHA-256, in hex, of the value as JSON: keys sorted, instants in UTC, sets in order.

    Raises:
        InvalidInput: half of a surrogate pair, a whole number of more than 64 bits, or more than 254 levels.
    """
    return hashlib.sha256(_dumped(value)).hexdigest()


def _dumped(value: object) -> bytes:
    try:
        return orjson.dumps(value, default=_plain, option=_OPTIONS)
    except orjson.JSONEncodeError as error:
        if error.__cause__ is not None:
            raise
        raise InvalidInput(f"the input cannot be written as JSON: {error}") from error


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(part.name for part in dataclasses.fields(kind))


def _plain(value: object) -> object:
    kind = type(value)
    if dataclasses.is_dataclass(kind):
        return {name: getattr(value, name) for name in _fields(kind)}
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone(UTC).isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, AbstractSet):
        return sorted(value, key=_dumped)
    raise TypeError(f"{type(value).__name__} has no place in the input of a call")
