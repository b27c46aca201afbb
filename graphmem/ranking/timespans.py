"""Time words in a text, and the stretch of time that each covers.

A small grammar finds the words; dateutil does the arithmetic of the calendar. The parsers that were tried (dateparser,
parsedatetime, timefhuman) give an instant where a stretch is meant (`in May 2022` is one day), and find
dates in `we`, `may I` and `about the sun`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from dateutil.relativedelta import relativedelta

from graphmem.ranking.sessions import AMOUNT, amount

Stretch: TypeAlias = tuple[datetime, datetime]
"""From the first up to, without, the second."""


DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(weeks=1)

UNIT: Final = r"(?P<unit>minute|hour|day|night|weekend|week|fortnight|month|year)"

_MONTHS: Final = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_WEEKDAYS: Final = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
WEEKDAY: Final = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})"
_SEASONS: Final = {"spring": 3, "summer": 6, "fall": 9, "autumn": 9, "winter": 12}
"""The month they begin with, north of the equator."""

_HALVES: Final = {
    "minute": timedelta(minutes=1), "hour": timedelta(minutes=30), "month": timedelta(days=15),
    "year": timedelta(days=183),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Span:
    """Time words at `start` to `end` of a text. `dated` ones name a date; others, such as `last week`, are relative."""

    start: int
    end: int
    stretch: Stretch
    dated: bool


def spans(text: str, now: datetime) -> list[Span]:
    """The time words in order, none inside another. Dates without a year are the last such ones that have begun."""
    found: list[Span] = []
    for pattern, finder, dated in _PATTERNS:
        for match in pattern.finditer(text):
            start, end = match.span("at" if "at" in pattern.groupindex else 0)
            if any(start < other.end and other.start < end for other in found):
                continue
            try:
                stretch = finder(match, now)
            except (ValueError, OverflowError):  # no such day, or before the first year
                stretch = None
            if stretch:
                found.append(Span(start, end, stretch, dated))
    return sorted(found, key=lambda span: span.start)


def back(instant: datetime, count: int, unit: str) -> datetime:
    """`count` units before the instant. Raises ValueError or OverflowError before the first year."""
    if unit in ("weekend", "fortnight"):
        unit, count = "week", count * (2 if unit == "fortnight" else 1)
    seconds = {"minute": 60, "hour": 3_600, "day": 86_400, "night": 86_400, "week": 604_800}.get(unit)
    if seconds:
        return instant - timedelta(seconds=seconds * count)
    before: datetime = instant - (relativedelta(months=count) if unit == "month" else relativedelta(years=count))
    return before


def through(instant: datetime) -> datetime:
    """The end of a stretch that has the instant in it."""
    return instant + timedelta(microseconds=1)


def _group(found: re.Match[str], name: str) -> str:
    return (found.groupdict().get(name) or "").lower()


def _midnight(instant: datetime) -> datetime:
    return instant.replace(hour=0, minute=0, second=0, microsecond=0)


def _day(now: datetime, year: int, month: int, day: int) -> Stretch:
    start = _midnight(now).replace(year=year, month=month, day=day)
    return start, start + DAY


def _months(now: datetime, year: int, month: int, count: int = 1) -> Stretch:
    start = _midnight(now).replace(year=year, month=month, day=1)
    return start, start + relativedelta(months=count)


def _numeric(found: re.Match[str], now: datetime) -> Stretch | None:
    """5/3/2023 can be read in two ways, and is not read."""
    one, other = int(found["one"]), int(found["other"])
    if one > 12 or found["sign"] == "." or one == other:
        return _day(now, int(found["year"]), other, one)
    return _day(now, int(found["year"]), one, other) if other > 12 else None


def _iso(found: re.Match[str], now: datetime) -> Stretch:
    return _day(now, int(found["year"]), int(found["month"]), int(found["day"]))


def _month_number(found: re.Match[str]) -> int:
    return _MONTHS.index(_group(found, "month")[:3]) + 1


def _month_day(found: re.Match[str], now: datetime) -> Stretch:
    month, day, year = _month_number(found), int(found["day"]), _group(found, "year")
    if year:
        return _day(now, int(year), month, day)
    if (month, day) == (2, 29):
        return _day(now, next(y for y in range(now.year, 0, -1) if y % 4 == 0 and y % 100), month, day)
    this = _day(now, now.year, month, day)
    return this if this[0] <= now else _day(now, now.year - 1, month, day)


def _month(found: re.Match[str], now: datetime) -> Stretch:
    month, year = _month_number(found), _group(found, "year")
    this = _months(now, int(year) if year else now.year, month)
    if not year:
        over = this[1] <= now
        if this[0] > now or (_group(found, "which") == "last" and not over):
            this = _months(now, now.year - 1, month)
    return _part(_group(found, "part"), *this)


def _part(part: str, start: datetime, end: datetime) -> Stretch:
    """The part of a month, season or year that stands before its name."""
    nth, _, unit = part.partition(" ")
    if unit == "week":
        weeks = {"first": 0, "second": 1, "third": 2, "fourth": 3}
        return (end - WEEK, end) if nth == "last" else (start + weeks[nth] * WEEK, start + (weeks[nth] + 1) * WEEK)
    if unit == "half":
        middle = start + (end - start) / 2
        return (start, middle) if nth == "first" else (middle, end)
    third = (end - start) / 3
    at = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}.get(nth)
    return (start, end) if at is None else (start + at * third, start + (at + 1) * third)


def _year(found: re.Match[str], now: datetime) -> Stretch:
    return _part(_group(found, "part"), *_months(now, int(found["year"]), 1, 12))


def _season(found: re.Match[str], now: datetime) -> Stretch:
    month, year = _SEASONS[_group(found, "season")], _group(found, "year")
    if year:
        return _part(_group(found, "part"), *_months(now, int(year), month, 3))
    ago = [_months(now, now.year - years, month, 3) for years in range(3)]
    last = _group(found, "which") == "last"
    return next(one for one in ago if one[0] <= now and not (last and now < one[1]))


def _near_day(found: re.Match[str], now: datetime) -> Stretch:
    words, today = found[0].lower(), _midnight(now)
    if words == "last night":
        return today - timedelta(hours=6), today + timedelta(hours=6)
    if words == "this morning":
        return today, today + timedelta(hours=12)
    start = today - (2 if "before" in words else 1 if "yesterday" in words else 0) * DAY
    return start, start + DAY


def _weekday(found: re.Match[str], now: datetime) -> Stretch:
    today = _midnight(now)
    days = (today.weekday() - _WEEKDAYS.index(_group(found, "weekday"))) % 7
    start = today - (days or 7 if _group(found, "which") == "last" else days) * DAY
    return start, start + DAY


def _ago(found: re.Match[str], now: datetime) -> Stretch:
    """`N units ago`: that day; for other units half of one to either side, as people round."""
    unit = _group(found, "unit")
    middle = back(now, amount(found["amount"]), unit)
    if unit in ("day", "night"):
        return _midnight(middle), _midnight(middle) + DAY
    half = _HALVES.get(unit, timedelta(days=3.5))
    return middle - half, min(middle + half, through(now))


def _last_units(found: re.Match[str], now: datetime) -> Stretch:
    """`the last N units`, `the past week`: up to now."""
    return back(now, amount(_group(found, "amount") or "one"), _group(found, "unit")), through(now)


def _calendar_unit(found: re.Match[str], now: datetime) -> Stretch:
    """`last week`, `this month`: by the calendar, weeks from Monday."""
    unit, today, last = _group(found, "unit"), _midnight(now), _group(found, "which") != "this"
    monday = today - today.weekday() * DAY
    if unit == "weekend":
        begun = today.weekday() >= 5
        saturday = monday + 5 * DAY - (WEEK if last or not begun else timedelta())
        return saturday, saturday + 2 * DAY
    if unit == "week":
        return (monday - WEEK, monday) if last else (monday, monday + WEEK)
    if unit == "month":
        start = today.replace(day=1) - relativedelta(months=int(last))
        return start, start + relativedelta(months=1)
    return _months(now, now.year - int(last), 1, 12)


_MONTH = (
    r"(?P<month>(?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?)"
)
_FULL_MONTH = (
    r"(?P<month>(?-i:[A-Z])(?:(?<=J)anuary|(?<=F)ebruary|(?<=M)arch|(?<=A)pril|(?<=M)ay|(?<=J)une|(?<=J)uly|(?<=A)ugust"
    r"|(?<=S)eptember|(?<=O)ctober|(?<=N)ovember|(?<=D)ecember)"
    r"|january|february|june|july|september|october|november|december)\b(?!['’]s)"
)
"""Alone, `march`, `may` and `august` are most often something else."""
_YEAR = r"(?P<year>(?:19|20)\d\d)(?![\d-])"
_NTH_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?\b"
_PART = (
    r"(?:(?:the )?(?P<part>(?:first|second|third|fourth|last) week|(?:first|second) half|beginning|start|middle|end"
    r"|early|mid|late)(?: of | in |[ -])(?:the )?)"
)
_SEASON = r"(?P<season>spring|summer|fall|autumn|winter)"
_IN = r"(?:in|during|since|until|till|through|throughout|before|after|between|and|from|to)"

_PATTERNS: Final = tuple(
    (re.compile(rf"(?<![\w./-]){pattern}", re.IGNORECASE), finder, dated)
    for pattern, finder, dated in (
        (r"(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)-(?P<day>\d\d)(?!\d)", _iso, True),
        (r"(?P<one>\d\d?)(?P<sign>[./])(?P<other>\d\d?)(?P=sign)(?P<year>(?:19|20)\d\d)\b(?!\.?\d)", _numeric, True),
        (rf"(?:the )?{_NTH_DAY} (?:of )?{_MONTH}(?:,? ?{_YEAR})?", _month_day, True),
        (rf"{_MONTH} (?:the )?{_NTH_DAY}(?!:)(?:,? ?{_YEAR})?", _month_day, True),
        (rf"{_PART}?{_MONTH},? (?:of )?{_YEAR}", _month, True),
        (rf"{_PART}{_FULL_MONTH}", _month, True),
        (rf"(?P<which>last|this|past) {_FULL_MONTH}", _month, True),
        (rf"{_IN} (?P<at>{_FULL_MONTH})", _month, True),
        (rf"{_PART}?{_SEASON},? (?:of )?{_YEAR}", _season, True),
        (rf"(?P<which>last|this|past) {_SEASON}\b", _season, False),
        (r"the day before yesterday\b|yesterday\b|today\b|tonight\b|this morning\b|last night\b", _near_day, False),
        (rf"(?P<which>last|this|past) {WEEKDAY}\b", _weekday, False),
        (rf"(?:on|{_IN}) (?P<at>{WEEKDAY})\b", _weekday, False),
        (rf"{WEEKDAY}(?=\W*$)", _weekday, False),
        (rf"(?:(?:about|around|over|almost) )?{AMOUNT} {UNIT}s? ago\b", _ago, False),
        (rf"(?:last|past|previous|recent) {AMOUNT} {UNIT}s\b", _last_units, False),
        (r"(?:the )?past (?P<unit>hour|day|week|month|year)\b", _last_units, False),
        (r"(?:the )?last (?P<unit>minute|hour|day)\b(?! of\b)", _last_units, False),
        (r"(?P<which>last|previous|this) (?P<unit>weekend|week|month|year)\b(?!['’]s)", _calendar_unit, False),
        (rf"(?:{_IN}|of|for|by|year) (?P<at>{_PART}?{_YEAR})", _year, True),
        (rf"{_PART}{_YEAR}", _year, True),
    )
)  # fmt: skip
