"""Counts the round trips to Neo4j that a call makes, with the time of each.

A trip is a statement that was sent, again when it was repeated. What opens and commits a write transaction is not
counted: two trips more for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Trip:
    statement: str
    ms: float
    rows: int


@dataclass(slots=True)
class Trips:
    """The trips made since counting began, in order."""

    made: list[Trip] = field(default_factory=list)

    @property
    def count(self) -> int:
        return len(self.made)

    @property
    def ms(self) -> float:
        return sum(trip.ms for trip in self.made)


_counting: ContextVar[tuple[Trips, ...]] = ContextVar("trips", default=())


@contextmanager
def count_trips() -> Iterator[Trips]:
    """Count what the current task, and tasks it starts, send; counters may be nested."""
    trips = Trips()
    token = _counting.set((*_counting.get(), trips))
    try:
        yield trips
    finally:
        _counting.reset(token)


def record(statement: str, ms: float, rows: int) -> None:
    for trips in _counting.get():
        trips.made.append(Trip(statement, ms, rows))
