"""Sessions that are counted."""

from __future__ import annotations

import pytest

from graphmem.ranking.sessions import Sessions, sessions


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What did we discuss in the third session?", 3, 3),
        ("our very first chat", 1, 1),
        ("in the 12th session", 12, 12),
        ("session 4", 4, 4),
        ("sessions 2 to 4", 2, 4),
        ("Sessions 2-4", 2, 4),
        ("sessions 2 and 3", 2, 3),
        ("two sessions ago", -2, -2),
        ("a session ago", -1, -1),
        ("a couple of conversations ago", -2, -2),
        ("in our last conversation", -1, -1),
        ("the previous session", -1, -1),
        ("the session before last", -2, -2),
        ("during the last 3 sessions", -3, -1),
        ("the first two conversations", 1, 2),
    ],
)
def test_sessions_are_counted_from_the_oldest_or_the_newest(text: str, first: int, last: int) -> None:
    assert sessions(text) == Sessions(first, last)


@pytest.mark.parametrize(
    "text",
    [
        "the first conversation about cats", "her last conversation with Bob", "session 0", "sessions 5 to 2",
        "first thing", "the second time", "in the last 0 sessions", "session 3.5", "obsession 4", "",
    ],
)  # fmt: skip
def test_other_counts_are_no_sessions(text: str) -> None:
    assert sessions(text) is None


@pytest.mark.parametrize(
    ("meant", "places"),
    [
        (Sessions(1, 1), [0]),
        (Sessions(2, 9), [1, 2, 3, 4]),
        (Sessions(6, 6), []),
        (Sessions(-1, -1), [4]),
        (Sessions(-3, -1), [2, 3, 4]),
        (Sessions(-9, -4), [0, 1]),
        (Sessions(-6, -6), []),
    ],
)
def test_places_among_five_sessions(meant: Sessions, places: list[int]) -> None:
    assert list(meant.of(5)) == places
    assert list(meant.of(0)) == []
