"""What a question is turned into."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.question import Asked, full_text, prepare
from graphmem.ranking.timewords import Interval

NOW = datetime(2023, 11, 11, 15, 36, tzinfo=UTC)


def test_all_of_a_question() -> None:
    assert prepare("When did Ann say in May that Bob's dog bit her?", ["Ann", "Bob"], NOW) == Asked(
        dense="When did say in May that dog bit her?",
        named="Ann",
        when=True,
        talk=True,
        window=Interval(datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 1, tzinfo=UTC)),
    )


@pytest.mark.parametrize(
    "question",
    ["When was it?", " how long ago?", "What year was it?", "In which month?", "Since when?", "On what date was it?"],
)
def test_questions_for_a_time(question: str) -> None:
    assert prepare(question, [], NOW).when


@pytest.mark.parametrize("question", ["Whenever?", "How many?", "I wonder when", "What did we do that year?", "month"])
def test_questions_for_something_else(question: str) -> None:
    assert not prepare(question, [], NOW).when


@pytest.mark.parametrize(
    ("question", "talk"),
    [("What did she SAY?", True), ("our discussion", True), ("What was told?", True), ("a task saved", False)],
)
def test_words_of_talking(question: str, talk: bool) -> None:
    assert prepare(question, [], NOW).talk is talk


def test_the_full_text_clause_has_words_other_forms_and_pairs_at_their_weights() -> None:
    group = 'children bought red fox child^0.5 buy^0.5 "children bought"^0.25 "red fox"^0.25'
    assert full_text("What have children bought for the red-fox?") == (
        f"+(text:({group})^1 context:({group})^0.5 tenantToken:none)"
    )


def test_other_forms_that_stand_in_the_question_keep_their_full_weight() -> None:
    assert full_text("go went") == (
        '+(text:(go went gone^0.5 "go went"^0.25)^1 context:(go went gone^0.5 "go went"^0.25)^0.5 tenantToken:none)'
    )


@pytest.mark.parametrize("question", ["", "the", "to be or not to be", "?!"])
def test_nothing_to_look_for_gives_no_clause(question: str) -> None:
    assert full_text(question) is None


@given(st.text())
def test_any_text_can_be_asked(question: str) -> None:
    prepare(question, ["Ann"], NOW)
    found = full_text(question)
    assert found is None or found.startswith("+(text:(")


def test_a_clause_stays_below_what_lucene_takes() -> None:
    found = full_text(" ".join(["go", "see", "bear", *(f"word{n}" for n in range(5_000))]))
    assert found is not None
    assert len(found.split()) < 1_024
