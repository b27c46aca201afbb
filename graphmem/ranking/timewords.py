"""When a question says it was: its time words as an interval or as a range of sessions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final, TypeAlias

from graphmem.ranking.sessions import AMOUNT, Sessions, amount, sessions
from graphmem.ranking.timespans import UNIT, WEEK, WEEKDAY, Span, back, spans, through

MAX_READ: Final = 2_000
"""Characters of a question in which time words are looked for."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From `start` up to, without, `end`; None is open."""

    start: datetime | None
    end: datetime | None

    def holds(self, instant: datetime) -> bool:
        return (self.start is None or self.start <= instant) and (self.end is None or instant < self.end)

    def just_before(self, instant: datetime) -> bool:
        """Whether it ended in the week up to the instant: what happened is often told a little later."""
        return self.end is not None and self.end <= instant and instant - self.end < WEEK


Window: TypeAlias = Interval | Sessions


def window(question: str, now: datetime) -> Window | None:
    """The time that the question speaks of; None when it names none.

    Relative words are seen from `now`, whose time zone is that of the days: the caller's time, or that of the newest
    message. A date without a year is the last such one that has begun.

    >>> window("What did she do in May?", datetime(2023, 11, 11))
    Interval(start=datetime.datetime(2023, 5, 1, 0, 0), end=datetime.datetime(2023, 6, 1, 0, 0))
    """
    text = question[:MAX_READ]
    counted = sessions(text)
    if counted:
        return counted
    found = spans(text, now)
    return _between(text, found) or _meant(text, found)


_JOINED: Final = re.compile(r"\s*(?:and|to|until|till|through|[-–])\s*(?:the\s+)?\Z", re.IGNORECASE)
_BETWEEN: Final = re.compile(r"\b(?:between|from)\s+(?:the\s+)?\Z", re.IGNORECASE)


def _between(text: str, found: Sequence[Span]) -> Interval | None:
    """`between A and B`, `from A to B`, `A to B`."""
    for one, other in pairwise(found):
        joint = text[one.end : other.start]
        opens = _BETWEEN.search(text[: one.start])
        if not _JOINED.match(joint) or (joint.strip().lower().startswith("and") and not opens):
            continue
        start, end = one.stretch[0], other.stretch[1]
        if start >= end or (one.dated and other.dated):
            # The first may lack the year that the second has: it is the last such one before that.
            again = spans(text[: one.end], through(other.stretch[0]))
            start = again[-1].stretch[0] if again else start
        if start < end:
            return Interval(start, end)
    return None


_OPEN: Final = re.compile(r"\b(?P<word>since|after|before|until|till|up to|prior to|by)\s+(?:the\s+)?\Z", re.IGNORECASE)
_OFF: Final = re.compile(
    rf"\b(?:the|last|{AMOUNT}) (?:{UNIT}s?|{WEEKDAY}) (?P<side>before|prior to|after|following)\s*(?:the\s+)?\Z",
    re.IGNORECASE,
)


def _meant(text: str, found: Sequence[Span]) -> Interval | None:
    """The shortest date, or else the first of the relative words, with what stands before it."""
    dated = sorted((span for span in found if span.dated), key=lambda span: span.stretch[1] - span.stretch[0])
    span = next(iter([*dated, *found]), None)
    if span is None:
        return None
    start, end = span.stretch
    before = text[: span.start]
    off = _OFF.search(before)
    if off:
        count, unit = amount(off["amount"] or "one"), (off["unit"] or "week").lower()
        if off["side"].lower() in ("before", "prior to"):
            return Interval(back(start, count, unit), end)
        return Interval(start, back(end, -count, unit))
    word = _OPEN.search(before)
    if not word:
        return Interval(start, end)
    match word["word"].lower():
        case "since":
            return Interval(start, None)
        case "after":
            return Interval(end, None)
        case "before" | "prior to":
            return Interval(None, start)
        case _:
            return Interval(None, end)
