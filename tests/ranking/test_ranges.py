"""Ranges of messages around hits."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.ranges import Range, ranges
from graphmem.ranking.recall import Recalled, Row


def hit(thread: str, seq: int) -> Recalled:
    row = Row(f"{thread}{seq}", thread, seq, None, False, 9, False, datetime(2023, 5, 8, tzinfo=UTC))
    return Recalled(row, 0.0, 0.0, 0.0, 0.0, False)


def told(found: list[Range]) -> list[tuple[str, int, int, list[int]]]:
    return [(one.thread, one.first, one.last, [hit.row.seq for hit in one.hits]) for one in found]


@pytest.mark.parametrize(
    ("seqs", "before", "after", "expected"),
    [
        ([10], 2, 1, [("t", 8, 11, [10])]),
        ([1], 3, 0, [("t", 0, 1, [1])]),
        # 10 + 1 and 15 − 2 leave 12 between them; 14 − 2 touches 11.
        ([10, 15], 2, 1, [("t", 8, 11, [10]), ("t", 13, 16, [15])]),
        ([14, 10], 2, 1, [("t", 8, 15, [14, 10])]),
        ([10, 11], 0, 0, [("t", 10, 11, [10, 11])]),
        ([10, 12], 0, 0, [("t", 10, 10, [10]), ("t", 12, 12, [12])]),
    ],
)
def test_ranges_of_a_thread_that_touch_are_one(
    seqs: list[int], before: int, after: int, expected: list[tuple[str, int, int, list[int]]]
) -> None:
    assert told(ranges([hit("t", seq) for seq in seqs], before, after)) == expected


def test_ranges_never_cross_threads_and_stand_in_the_order_of_their_best_hits() -> None:
    found = ranges([hit("t", 30), hit("u", 10), hit("t", 10), hit("u", 11)], 1, 1)
    assert told(found) == [("t", 29, 31, [30]), ("u", 9, 12, [10, 11]), ("t", 9, 11, [10])]


@given(
    st.lists(st.tuples(st.sampled_from("tu"), st.integers(0, 40)), max_size=15, unique=True),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_every_hit_stands_in_one_range_with_its_neighbours(
    places: list[tuple[str, int]], before: int, after: int
) -> None:
    found = ranges([hit(*place) for place in places], before, after)
    assert sorted((one.thread, hit.row.seq) for one in found for hit in one.hits) == sorted(places)
    shown = [(one.thread, seq) for one in found for seq in range(one.first, one.last + 1)]
    assert len(shown) == len(set(shown))
    asked = {(t, n) for t, seq in places for n in range(max(seq - before, 0), seq + after + 1)}
    assert set(shown) == asked
