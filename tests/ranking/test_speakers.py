"""Participants' names in questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.speakers import named, without_names

TWO = ["Caroline", "Melanie"]
FULL = ["Anna Maria Schmidt", "José Díaz", "Anna Berg", "user", "Will", "Bill"]


@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("What did Caroline research?", "Caroline"),
        ("What is CAROLINE'S identity?", "Caroline"),
        ("Where has Melanie’s family camped?", "Melanie"),
        ("What did Mel paint?", "Melanie"),
        ("What did Caroline recommend to Melanie?", "Caroline"),
        ("What book did Melanie read from Caroline's suggestion?", "Melanie"),
        ("What do Caroline and Melanie share?", None),
        ("Was it Caroline or Melanie?", None),
        ("Caroline, Melanie: who paints?", None),
        ("What was researched?", None),
        ("Which melody was played?", None),
        ("", None),
    ],
)
def test_the_participant_a_question_is_about(question: str, speaker: str | None) -> None:
    assert named(question, TWO) == speaker


@pytest.mark.parametrize(
    ("question", "speaker"),
    [
        ("What did Anna Maria Schmidt say?", "Anna Maria Schmidt"),
        ("What did Anna say?", None),
        ("What did Anna Berg's dog eat?", "Anna Berg"),
        ("what did jose cook", "José Díaz"),
        ("What did the user say?", None),
        ("What did Will say?", "Will"),
        ("what will rain bring", None),
        ("Will it rain?", None),
        ("We paid the bill. Who will tell?", None),
        ("who paid, bill", "Bill"),
        ("Did Bill pay?", "Bill"),
    ],
)
def test_names_are_whole_or_a_first_name_that_only_one_has_and_no_common_words(
    question: str, speaker: str | None
) -> None:
    assert named(question, FULL) == speaker


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What is Caroline's identity?", "What is identity?"),
        ("When did Melanie and Caroline meet?", "When did and meet?"),
        ("What did Mel see?", "What did see?"),
        ("What symbols matter to Caroline?", "What symbols matter to?"),
        ("Melanie?", "Melanie?"),
        ("Who paints?", "Who paints?"),
    ],
)
def test_names_are_left_out_of_what_is_embedded_unless_nothing_else_is_left(question: str, left: str) -> None:
    assert without_names(question, TWO) == left


def test_user_and_assistant_are_words_as_any_other() -> None:
    question = "What did the assistant tell the user?"
    assert without_names(question, ["user", "Assistant"]) == question


@given(st.text(max_size=40), st.lists(st.text(max_size=8), max_size=4))
def test_any_text_and_any_names_will_do(question: str, speakers: list[str]) -> None:
    assert named(question, speakers) in {None, *speakers}
    left = without_names(question, speakers)
    assert left.strip() or not question.strip()
