"""What is kept of a message."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.ranking.message import Features, context, features

AT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)


def test_a_message_has_its_date_in_words_its_speaker_and_its_captions() -> None:
    assert features("Ann", "I saw  a fox\nyesterday.", ["a red fox", "snow"], AT) == Features(
        text="8 May 2023 Ann: I saw a fox yesterday. a red fox snow",
        embedded="Ann: I saw a fox yesterday. a red fox snow",
        is_question=False,
        words=9,
        has_time_word=True,
    )


def test_without_a_speaker_there_is_no_colon_and_without_content_no_blank() -> None:
    found = features(None, "", [], AT)
    assert (found.text, found.embedded, found.words) == ("8 May 2023", "", 0)
    assert features("Ann", "", ["a fox"], AT).embedded == "Ann: a fox"


@pytest.mark.parametrize(
    ("content", "asks"), [("Why?", True), ("Why? \n", True), ("Why? I see.", False), ("Why", False), ("为什么？", True)]
)
def test_a_question_ends_in_a_question_mark(content: str, asks: bool) -> None:
    assert features("Ann", content, [], AT).is_question is asks


@pytest.mark.parametrize("content", ["LAST week", "on Tuesday", "two years", "in 1987", "just now", "since May"])
def test_time_words_are_seen(content: str) -> None:
    assert features("Ann", content, [], AT).has_time_word


@pytest.mark.parametrize("content", ["lasting justice", "Mondays", "in 1812", "fallen", "12019", ""])
def test_parts_of_words_and_numbers_are_no_time_words(content: str) -> None:
    assert not features("Ann", content, ["last week"], AT).has_time_word


def test_a_context_is_the_text_behind_the_last_four_before_it() -> None:
    assert context("f", ["a", "b", "c", "d", "e"]) == "b\nc\nd\ne\nf"
    assert context("a", []) == "a"
