"""The score of messages, with figures worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.question import Asked
from graphmem.ranking.recall import Recalled, Row, rank, threads
from graphmem.ranking.sessions import Sessions
from graphmem.ranking.timewords import Interval

NOON = datetime(2023, 5, 8, 12, tzinfo=UTC)
ASKED = Asked(dense="")
PLAIN = 14
"""Words whose factor is 1."""


def row(id: str, seq: int, cosine: float | None = None, lexical: float | None = None, thread: str = "t") -> Row:
    return Row(id, thread, seq, "Ann", False, PLAIN, False, NOON, cosine, lexical)


def scores(found: list[Recalled]) -> dict[str, float]:
    return {one.row.id: one.score for one in found}


def test_own_score_is_half_of_each_list_scaled_by_its_least_and_greatest() -> None:
    rows = [row("a", 10, 0.8, 6.0), row("b", 20, 0.6, 2.0), row("c", 30, 0.4), row("d", 40, 0.7, 4.0)]
    found = rank(rows, ASKED)
    # a: 0.5 · 1 + 0.5 · 1; b: 0.5 · 0.5 + 0.5 · 0; c: 0; d: 0.5 · 0.75 + 0.5 · 0.5.
    assert [one.row.id for one in found] == ["a", "d", "b", "c"]
    assert scores(found) == pytest.approx({"a": 1.0, "b": 0.25, "c": 0.0, "d": 0.625})
    assert (found[1].vector, found[1].text, found[1].lift) == pytest.approx((0.75, 0.5, 0.0))


def test_the_one_text_hit_counts_in_full() -> None:
    found = rank([row("a", 10, 0.8), row("b", 20, 0.6, 3.0), row("c", 30, 0.4)], ASKED)
    # b: 0.5 · 0.5 + 0.5 · 1.
    assert scores(found) == pytest.approx({"a": 0.5, "b": 0.75, "c": 0.0})


@pytest.mark.parametrize("field", ["cosine", "lexical"])
def test_where_one_list_is_empty_the_other_has_the_whole_weight(field: str) -> None:
    rows = [
        row(id, seq)._replace(**{field: score}) for id, seq, score in (("a", 10, 0.9), ("b", 20, 0.5), ("c", 30, 0.1))
    ]
    assert scores(rank(rows, ASKED)) == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.0})


def test_a_message_is_lifted_by_the_best_of_its_neighbours() -> None:
    # Own scores: best 1, low 0; those at 11 and 9 are beside the best, 8 and 12 two away, 13 three.
    rows = [row("best", 10, 0.9), row("low", 50, 0.1), *(row(str(seq), seq) for seq in (8, 9, 11, 12, 13))]
    assert scores(rank(rows, ASKED)) == pytest.approx(
        {"best": 1.0, "low": 0.0, "9": 0.3, "11": 0.3, "8": 0.2, "12": 0.2, "13": 0.0}
    )


def test_the_answer_to_a_question_is_lifted_more_and_the_question_scores_less() -> None:
    rows = [row("q", 10, 0.9)._replace(is_question=True), row("answer", 11, 0.1)]
    found = rank(rows, ASKED)
    # The question's own 1 × 0.85; the answer's own 0 + 0.45 · 1.
    assert scores(found) == pytest.approx({"q": 0.85, "answer": 0.45})
    assert found[1].lift == pytest.approx(0.45)


def test_the_lift_is_the_largest_share_and_no_sum() -> None:
    rows = [row("a", 9, 0.9), row("b", 10, 0.1), row("c", 11, 0.9)]
    # b: 0 + max(0.3, 0.3); a and c: 1 + 0.2 · 1, from two away.
    assert scores(rank(rows, ASKED)) == pytest.approx({"a": 1.2, "b": 0.3, "c": 1.2})


def test_nothing_is_lifted_from_another_thread() -> None:
    rows = [row("a", 10, 0.9), row("b", 11, 0.1, thread="u")]
    assert scores(rank(rows, ASKED)) == pytest.approx({"a": 1.0, "b": 0.0})


def test_messages_of_the_named_participant_get_a_quarter_more() -> None:
    rows = [row("a", 10, 0.9), row("b", 20, 0.8)._replace(speaker="Bob"), row("c", 30, 0.1)]
    # b: 0.875 + 0.25.
    found = rank(rows, Asked(dense="", named="Bob"))
    assert scores(found) == pytest.approx({"b": 1.125, "a": 1.0, "c": 0.0})


def test_longer_messages_score_higher_up_to_a_hundred_words() -> None:
    rows = [
        row(str(words), seq, 0.5)._replace(words=words) for seq, words in ((10, 2), (20, 29), (30, 100), (40, 5_000))
    ]
    found = scores(rank(rows, ASKED))
    # 1 + 0.15 · ln((words + 1) / 15): ln(1 / 5), ln 2, ln(101 / 15).
    assert found["2"] == pytest.approx(0.758584, abs=1e-6)
    assert found["29"] == pytest.approx(1.103972, abs=1e-6)
    assert found["100"] == found["5000"] == pytest.approx(1.286061, abs=1e-6)


def test_a_message_without_words_still_has_a_score() -> None:
    # 1 + 0.15 · ln(1 / 15)
    assert scores(rank([row("a", 1, 0.5)._replace(words=0)], ASKED))["a"] == pytest.approx(0.593792, abs=1e-6)


def test_time_words_count_only_where_a_time_is_asked_for() -> None:
    rows = [row("timed", 10, 0.5)._replace(has_time_word=True), row("plain", 20, 0.5)]
    assert scores(rank(rows, Asked(dense="", when=True))) == pytest.approx({"timed": 1.15, "plain": 1.0})
    assert scores(rank(rows, ASKED)) == pytest.approx({"timed": 1.0, "plain": 1.0})


MAY = Interval(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC))
DATED = [
    row("april", 10, 0.9)._replace(created_at=datetime(2023, 4, 30, tzinfo=UTC)),
    row("may", 20, 0.5)._replace(created_at=datetime(2023, 5, 1, tzinfo=UTC)),
    row("early june", 30, 0.5)._replace(created_at=datetime(2023, 6, 7, tzinfo=UTC)),
    row("late june", 40, 0.1)._replace(created_at=datetime(2023, 6, 8, tzinfo=UTC)),
]


def test_messages_of_the_time_and_of_the_week_after_count_more() -> None:
    found = rank(DATED, Asked(dense="", window=MAY))
    # Own: 1, 0.5, 0.5, 0; × 1, 1.4, 1.2, 1.
    assert scores(found) == pytest.approx({"april": 1.0, "may": 0.7, "early june": 0.6, "late june": 0.0})
    assert [one.row.id for one in found if one.in_window] == ["may"]


def test_what_was_said_at_a_time_stands_before_all_else() -> None:
    found = rank(DATED, Asked(dense="", talk=True, window=MAY))
    assert [one.row.id for one in found] == ["may", "april", "early june", "late june"]


def test_counted_sessions_are_a_window_too() -> None:
    rows = [row("a", 1, 0.9, thread="t1"), row("b", 1, 0.5, thread="t2"), row("c", 1, 0.1, thread="t3")]
    asked = Asked(dense="", window=Sessions(-2, -2))
    assert scores(rank(rows, asked, sessions=["t1", "t2", "t3"])) == pytest.approx({"a": 1.0, "b": 0.7, "c": 0.0})
    assert scores(rank(rows, asked, sessions=[])) == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.0})


def test_excluded_messages_are_left_out_but_still_lift() -> None:
    rows = [row("a", 10, 0.9), row("b", 11, 0.1)]
    assert scores(rank(rows, ASKED, exclude=["a"])) == pytest.approx({"b": 0.3})


def test_a_thread_is_scored_by_its_best_message() -> None:
    rows = [
        row("a", 1, 0.5, thread="t1"),
        row("b", 9, 0.9, thread="t2"),
        row("c", 20, 0.8, thread="t1"),
        row("d", 30, 0.1),
    ]
    found = threads(rank(rows, ASKED))
    assert [(one.thread, one.best.row.id) for one in found] == [("t2", "b"), ("t1", "c"), ("t", "d")]
    assert found[1].score == pytest.approx(0.875)


def test_no_rows_give_no_messages() -> None:
    assert rank([], ASKED) == []


ROWS = st.lists(
    st.builds(
        Row,
        id=st.uuids().map(str),
        thread=st.sampled_from("tu"),
        seq=st.integers(0, 12),
        speaker=st.sampled_from(["Ann", "Bob", None]),
        is_question=st.booleans(),
        words=st.integers(0, 500),
        has_time_word=st.booleans(),
        created_at=st.integers(-40, 40).map(lambda days: NOON + timedelta(days=days)),
        cosine=st.none() | st.floats(-1, 1),
        lexical=st.none() | st.floats(0, 50),
    ),
    max_size=12,
    unique_by=lambda row: (row.thread, row.seq),
)
ASKINGS = st.builds(
    Asked,
    dense=st.just(""),
    named=st.sampled_from(["Ann", None]),
    when=st.booleans(),
    talk=st.booleans(),
    window=st.sampled_from([None, MAY, Sessions(1, 1)]),
)


@given(ROWS, ASKINGS)
def test_every_row_has_a_finite_score_of_at_least_zero_whatever_the_order_of_rows(
    rows: list[Row], asked: Asked
) -> None:
    found = rank(rows, asked, sessions=["t", "u"])
    assert {one.row.id for one in found} == {one.id for one in rows}
    assert all(0 <= one.score < 10 for one in found)
    assert rank(rows[::-1], asked, sessions=["t", "u"]) == found
