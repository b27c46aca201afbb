"""Instants go over the wire as the driver itself would send them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from neo4j._codec.hydration.v2 import HydrationHandler

from graphmem.graph.gateway import Graph
from graphmem.graph.instants import at_microsecond, on_the_wire
from graphmem.values import FOREVER
from tests.graph.probing import probing

_DRIVER = HydrationHandler().new_hydration_scope().dehydration_hooks


@given(st.datetimes(timezones=st.just(UTC)))
def test_an_instant_is_what_the_driver_would_make_of_it(instant: datetime) -> None:
    assert on_the_wire(instant) == _DRIVER.exact_types[datetime](instant)


def test_instants_are_found_at_any_depth_and_nothing_else_is_changed() -> None:
    elsewhere = datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=2)))
    instant, kept = datetime(2026, 1, 2, tzinfo=UTC), [1, 0.5, "a", None, True, datetime(2026, 1, 2), elsewhere]
    given: dict[str, Any] = {"rows": [{"at": instant, "more": (instant, *kept)}], "kept": kept}
    wire = on_the_wire(instant)
    assert on_the_wire(given) == {"rows": [{"at": wire, "more": [wire, *kept]}], "kept": kept}
    assert given["rows"][0]["at"] is instant


async def test_instants_come_back_as_they_were_given(graph: Graph) -> None:
    instants = [FOREVER, datetime.min.replace(tzinfo=UTC), datetime(1969, 12, 31, 23, 59, 59, 999_999, UTC)]
    elsewhere = datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=2)))
    (row,) = await probing(graph).read("probe/instants", values=[*instants, elsewhere])
    assert row["values"] == [*instants, elsewhere.astimezone(UTC)]
    assert all(value.tzinfo is UTC for value in row["values"])
    assert [at_microsecond(number) for number in row["numbers"]] == row["values"]
