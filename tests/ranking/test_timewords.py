"""Time words as intervals. Saturday, 11 November 2023, 15:36 is now."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.sessions import Sessions
from graphmem.ranking.timewords import Interval, window

NOW = datetime(2023, 11, 11, 15, 36, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def at(text: str) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What happened on 3 June, 2023?", "2023-06-03", "2023-06-04"),
        ("on the 3rd of June 2022", "2022-06-03", "2022-06-04"),
        ("on October 13, 2023", "2023-10-13", "2023-10-14"),
        ("on December 1,2022", "2022-12-01", "2022-12-02"),
        ("on Aug 15th", "2023-08-15", "2023-08-16"),
        ("on December 1", "2022-12-01", "2022-12-02"),
        ("on 29 February", "2020-02-29", "2020-03-01"),
        ("at 2023-05-03", "2023-05-03", "2023-05-04"),
        ("am 3.5.2023", "2023-05-03", "2023-05-04"),
        ("on 25/3/2023", "2023-03-25", "2023-03-26"),
        ("on 3/25/2023", "2023-03-25", "2023-03-26"),
        ("In May 2022, who came?", "2022-05-01", "2022-06-01"),
        ("in may", "", ""),
        ("in May", "2023-05-01", "2023-06-01"),
        ("in june", "2023-06-01", "2023-07-01"),
        ("in December", "2022-12-01", "2023-01-01"),
        ("in November", "2023-11-01", "2023-12-01"),
        ("last November", "2022-11-01", "2022-12-01"),
        ("the second week of November", "2023-11-08", "2023-11-15"),
        ("the last week of October 2023", "2023-10-25", "2023-11-01"),
        ("the beginning of November 2022", "2022-11-01", "2022-11-11"),
        ("in late June 2022", "2022-06-21", "2022-07-01"),
        ("the first half of September 2022", "2022-09-01", "2022-09-16"),
        ("which games in 2022", "2022-01-01", "2023-01-01"),
        ("in summer 2021", "2021-06-01", "2021-09-01"),
        ("last summer", "2023-06-01", "2023-09-01"),
        ("last fall", "2022-09-01", "2022-12-01"),
        ("this fall", "2023-09-01", "2023-12-01"),
        ("last winter", "2022-12-01", "2023-03-01"),
    ],
)
def test_dates(question: str, start: str, end: str) -> None:
    assert window(question, NOW) == (Interval(at(start), at(end)) if start else None)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("earlier today", "2023-11-11", "2023-11-12"),
        ("this morning", "2023-11-11", "2023-11-11T12:00"),
        ("What did I say yesterday?", "2023-11-10", "2023-11-11"),
        ("the day before yesterday", "2023-11-09", "2023-11-10"),
        ("last night", "2023-11-10T18:00", "2023-11-11T06:00"),
        ("on Monday", "2023-11-06", "2023-11-07"),
        ("on Saturday", "2023-11-11", "2023-11-12"),
        ("last Saturday", "2023-11-04", "2023-11-05"),
        ("What did we say Tuesday?", "2023-11-07", "2023-11-08"),
        ("last week", "2023-10-30", "2023-11-06"),
        ("this week", "2023-11-06", "2023-11-13"),
        ("last weekend", "2023-11-04", "2023-11-06"),
        ("this weekend", "2023-11-11", "2023-11-13"),
        ("last month", "2023-10-01", "2023-11-01"),
        ("last year", "2022-01-01", "2023-01-01"),
        ("three days ago", "2023-11-08", "2023-11-09"),
        ("two weeks ago", "2023-10-25T03:36", "2023-11-01T03:36"),
        ("a couple of months ago", "2023-08-27T15:36", "2023-09-26T15:36"),
        ("4 years ago", "2019-05-12T15:36", "2020-05-12T15:36"),
        ("5 minutes ago", "2023-11-11T15:30", "2023-11-11T15:32"),
    ],
)
def test_words_that_are_seen_from_now(question: str, start: str, end: str) -> None:
    assert window(question, NOW) == Interval(at(start), at(end))


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("in the last three days", "2023-11-08T15:36"),
        ("over the past month", "2023-10-11T15:36"),
        ("the past few weeks", "2023-10-21T15:36"),
        ("in the last hour", "2023-11-11T14:36"),
    ],
)
def test_stretches_that_end_now_hold_what_is_said_now(question: str, start: str) -> None:
    found = window(question, NOW)
    assert found == Interval(at(start), NOW + MICROSECOND)
    assert isinstance(found, Interval)
    assert found.holds(NOW)


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("between August 11 and August 15 2023", "2023-08-11", "2023-08-16"),
        ("between December 30 and January 2, 2023", "2022-12-30", "2023-01-03"),
        ("between March and May", "2023-03-01", "2023-06-01"),
        ("between October and February", "2022-10-01", "2023-03-01"),
        ("from the 3rd of June to 5 June", "2023-06-03", "2023-06-06"),
        ("May 3 - May 5", "2023-05-03", "2023-05-06"),
        ("from 2021 to 2022", "2021-01-01", "2023-01-01"),
        ("from yesterday until today", "2023-11-10", "2023-11-12"),
        ("since May 3", "2023-05-03", ""),
        ("since last Friday", "2023-11-10", ""),
        ("after March 2023", "2023-04-01", ""),
        ("before the 3rd of June", "", "2023-06-03"),
        ("by July 10, 2022", "", "2022-07-11"),
        ("until yesterday", "", "2023-11-11"),
        ("the week before August 3, 2023", "2023-07-27", "2023-08-04"),
        ("two weeks before August 11, 2023", "2023-07-28", "2023-08-12"),
        ("the Sunday before October 25, 2022", "2022-10-18", "2022-10-26"),
        ("in the two days after 11 August", "2023-08-11", "2023-08-14"),
    ],
)
def test_stretches_between_before_and_after(question: str, start: str, end: str) -> None:
    assert window(question, NOW) == Interval(at(start), at(end))


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("What did she finish last Friday on 23 January, 2022?", "2022-01-23", "2022-01-24"),
        ("the issue last week,as mentioned on November 6, 2023", "2023-11-06", "2023-11-07"),
        ("the plans of 2022 made on 3 May 2021", "2021-05-03", "2021-05-04"),
        ("3 May 2021 and 5 May 2021", "2021-05-03", "2021-05-04"),
    ],
)
def test_the_most_telling_of_several_times_counts(question: str, start: str, end: str) -> None:
    assert window(question, NOW) == Interval(at(start), at(end))


@pytest.mark.parametrize(
    "question",
    [
        "May I ask what the second march on Rome was?", "what did April say about the sun", "Will she march in?",
        "How many people fit in 2 cars?", "on 5/3/2023", "June 31, 2023", "room 2019 key", "in the 2010s",
        "since Mondays are free", "next week", "last season", "an august day", "version 1.2.2023.4",
        "the last day of school", "In April's view", "go second at the fall fair", "9999999 days ago",
        "at 2023-13-45", "", "0 day",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_time_is_none(question: str) -> None:
    assert window(question, NOW) is None


def test_counted_sessions_come_before_times() -> None:
    assert window("What did we say on Monday, in the third session?", NOW) == Sessions(3, 3)


def test_days_are_those_of_the_time_zone_of_now() -> None:
    tokyo = timezone(timedelta(hours=9))
    found = window("today", datetime(2023, 11, 12, 0, 36, tzinfo=tokyo))
    assert found == Interval(datetime(2023, 11, 11, 15, tzinfo=UTC), datetime(2023, 11, 12, 15, tzinfo=UTC))


def test_an_interval_holds_its_start_and_not_its_end_and_the_week_after_follows() -> None:
    may = Interval(at("2023-05-01"), at("2023-06-01"))
    days = [at(day) for day in ("2023-04-30", "2023-05-01", "2023-06-01", "2023-06-07T23:59", "2023-06-08")]
    assert [may.holds(day) for day in days if day] == [False, True, False, False, False]
    assert [may.just_before(day) for day in days if day] == [False, False, True, True, False]
    assert Interval(None, None).holds(NOW)
    assert not Interval(NOW, None).just_before(NOW)


WORDS = (
    "on in since between and the last first week of May June 3 31 29 February 2023 2000 1999 ago two 999 years days "
    "before after weekend night Monday today yesterday - / . , summer early session"
)
PIECES = st.lists(st.sampled_from(WORDS.split()))


@given(PIECES, st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))
def test_any_words_at_any_time_give_a_stretch_with_a_start_before_its_end_or_none(
    pieces: list[str], now: datetime
) -> None:
    found = window(" ".join(pieces), now)
    if isinstance(found, Interval) and found.start and found.end:
        assert found.start < found.end


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    window(text, NOW)


def test_the_week_after_the_last_days_there_are_is_no_error() -> None:
    end = datetime(9999, 12, 31, tzinfo=UTC)
    assert Interval(None, end).just_before(end)
