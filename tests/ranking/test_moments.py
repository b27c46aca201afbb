from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.moments import between_clause, moment_tokens

TIMES = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 28), timezones=st.just(UTC))


def ranges(clause: str) -> list[tuple[str, str]]:
    inner = clause.removeprefix("+facets:(").removesuffix(")^0")
    return [tuple(one.removeprefix("[").split(" TO ")) for one in inner.split("} ") for one in [one.rstrip("}")]]  # type: ignore[misc]


@given(TIMES, st.timedeltas(timedelta(microseconds=1), timedelta(days=3)), st.floats(-0.5, 1.5))
def test_a_clause_holds_the_instants_of_its_stretch_and_no_others(
    since: datetime, length: timedelta, share: float
) -> None:
    """As Lucene compares words: by their characters."""
    until, instant = since + length, since + length * share
    tokens = moment_tokens(instant)
    held = any(start <= token < end for start, end in ranges(between_clause(since, until)) for token in tokens)
    assert held == (since <= instant < until)


def test_an_instant_is_one_word_whatever_its_time_zone() -> None:
    east = datetime(2023, 5, 8, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    assert moment_tokens(east) == moment_tokens(datetime(2023, 5, 7, 23, 30, tzinfo=UTC))
    assert moment_tokens(datetime(33, 5, 7, 23, 30, tzinfo=UTC))[0] == "h0033050723"


def test_the_ends_of_time_have_room_for_time_zones() -> None:
    east, west = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
    for instant in (datetime.min.replace(tzinfo=east), datetime.max.replace(tzinfo=west)):
        assert len(moment_tokens(instant)) == 2
    assert between_clause(datetime.min.replace(tzinfo=east), datetime.max.replace(tzinfo=west)) == (
        "+facets:([h0001010200 TO h9999123000})^0"
    )
