"""Instants on their way to Neo4j and back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

# Not public: the driver is held below its next minor release (pyproject.toml), and a test compares what both make.
from neo4j._codec.packstream import Structure

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_CHANGED: Final = frozenset({datetime, dict, list, tuple})


def on_the_wire(value: Any) -> Any:
    """A parameter with all instants in UTC, at any depth, in the form that goes over the wire.

    The driver makes the same of a `datetime` in 70 µs (a `DateTime` of its own, changes of zone, a subtraction); this
    takes 1, and a call of 1,000 nodes has several thousand. It is Bolt's structure `I`: seconds, nanoseconds, offset.
    """
    kind = type(value)
    if kind is datetime:
        return _instant(value) if value.tzinfo is UTC else value
    if kind is dict:
        return {key: on_the_wire(item) if type(item) in _CHANGED else item for key, item in value.items()}
    if kind is list or kind is tuple:
        # Most lists are of words or numbers, and long.
        return value if _CHANGED.isdisjoint(map(type, value)) else [on_the_wire(item) for item in value]
    return value


@lru_cache(maxsize=1024)
def _instant(value: datetime) -> Structure:
    since = value - _EPOCH
    return Structure(b"I", since.days * 86_400 + since.seconds, since.microseconds * 1_000, 0)


def at_microsecond(since_epoch: int) -> datetime:
    """The instant that a statement gives as `epochMillis * 1000 + microsecond % 1000`."""
    return _EPOCH + timedelta(microseconds=since_epoch)
