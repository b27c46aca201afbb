"""Times as words that full text filters on: its index holds words alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_HOUR = timedelta(hours=1)
_FIRST, _LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
"""At a distance from the first and the last instant that there is, so that time zones have room."""


def moment_tokens(instant: datetime) -> list[str]:
    """An hour, which many have in common, and the instant itself.

    >>> moment_tokens(datetime(2023, 5, 8, 14, 30, tzinfo=UTC))
    ['h2023050814', 's20230508143000000000']
    """
    return [_hour(instant), _instant(instant)]


def between_clause(since: datetime, until: datetime) -> str:
    """The clause for what was from `since` up to, without, `until`; it scores nothing.

    Whole hours are looked for as such: there are 8,760 words a year to go through, whoever's they are, and instants
    only in the broken hours at the ends.

    >>> between_clause(datetime(2023, 5, 8, 14, 30, tzinfo=UTC), datetime(2023, 5, 8, 17, tzinfo=UTC))
    '+facets:([s20230508143000000000 TO s20230508150000000000} [h2023050815 TO h2023050817})^0'
    """
    since, until = _utc(since), _utc(until)
    first, last = _floor(since + _HOUR - timedelta(microseconds=1)), _floor(until)
    if first >= last:
        return f"+facets:([{_instant(since)} TO {_instant(until)}}})^0"
    ranges = [f"[{_hour(first)} TO {_hour(last)}}}"]
    if since < first:
        ranges.insert(0, f"[{_instant(since)} TO {_instant(first)}}}")
    if last < until:
        ranges.append(f"[{_instant(last)} TO {_instant(until)}}}")
    return f"+facets:({' '.join(ranges)})^0"


def _utc(instant: datetime) -> datetime:
    return min(max(instant, _FIRST), _LAST).astimezone(UTC)


def _floor(instant: datetime) -> datetime:
    return instant.replace(minute=0, second=0, microsecond=0)


def _digits(instant: datetime) -> str:
    return "".join(filter(str.isdigit, _utc(instant).isoformat(timespec="microseconds")[:26]))


def _hour(instant: datetime) -> str:
    return f"h{_digits(instant)[:10]}"


def _instant(instant: datetime) -> str:
    return f"s{_digits(instant)}"
