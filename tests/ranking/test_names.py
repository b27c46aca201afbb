"""Titles and aliases as they are found in texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.names import MAX_WORDS, MIN_CHARACTERS, Name, Run, mentioned, name, names, runs, words


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("New York", "new york"), ("  New \n York ", "new york"), ("NEW-YORK", "new york"), ("Café", "cafe"),
        ("Cafe\u0301", "cafe"), ("CAFÉ", "cafe"), ("Straße", "strasse"), ("Mercury (planet)", "mercury"),
        ("Mercury [1]", "mercury"), ("(planet)", "planet"), ("The Who Sell Out", "the who sell out"),
        ("Ελλάδα", "ελλαδα"), ("Москва", "москва"), ("user_id", "user_id"),
    ],
)  # fmt: skip
def test_a_name_is_the_folded_words_of_a_title(title: str, key: str) -> None:
    assert name(title) == Name(key, " ".join(key.split(" ")[:2]))


@pytest.mark.parametrize(
    "title",
    ["", " ", "\u200b", "!?", "🦊", "API", "a b", "the", "This", "What", "it is not", "who was that", "word " * 13],
)
def test_some_titles_are_no_names(title: str) -> None:
    assert name(title) is None


def test_the_shortest_and_the_longest_name() -> None:
    assert name("x" * MIN_CHARACTERS) is not None
    assert name(" ".join(["word"] * MAX_WORDS)) is not None


def test_names_are_distinct_and_in_order() -> None:
    assert [one.key for one in names(["York", "Café", "cafe", "York (city)", "it"])] == ["cafe", "york"]


def test_a_word_keeps_the_marks_inside_it_as_the_text_index_does() -> None:
    """Else a name would be found in a text or not according to which of them came first."""
    assert words("Node.js, config.py and O'Brien's user_id: 3,000") == [
        "node.js", "config.py", "and", "o'brien", "user_id", "3,000",
    ]  # fmt: skip
    assert name("Node.js") == Name("node.js", "node.js")
    assert mentioned("We like Node.js.", {"node.js"}) == {"node.js"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("New York is large.", {"new york"}),
        ("The New York Times says", {"new york times"}),
        ("New York and the New York Times", {"new york", "new york times"}),
        ("new-york", {"new york"}),
        ("New. York", {"new york"}),
        ("NEW YORKER", set()),
        ("Newyork", set()),
        ("York New York", {"york", "new york"}),
        ("times york", {"york"}),
        ("New New York Times York", {"new york times", "york"}),
        ("New York Times Square", {"new york times"}),
        ("", set()),
    ],
)
def test_at_each_place_the_longest_name_is_found(text: str, expected: set[str]) -> None:
    assert mentioned(text, {"york", "new york", "new york times", "times square"}) == expected


def test_a_name_is_found_however_it_is_written() -> None:
    for text in ("Café de Flore", "cafe\u0301 DE flore", "(CAFÉ de Flore)", "le café  de\nflore?"):
        assert mentioned(text, {"cafe de flore"}) == {"cafe de flore"}


def test_runs_are_all_that_could_be_a_name() -> None:
    assert runs("To New York", 10) == [
        Run("to new", 0, 2), Run("to new york", 0, 3), Run("new york", 1, 3), Run("york", 2, 3),
    ]  # fmt: skip
    assert runs("a b c", 10) == [Run("a b c", 0, 3)]
    assert [run.key for run in runs("york york york", 2)] == ["york", "york york", "york"]
    assert max(run.end - run.start for run in runs("word " * 30, 30)) == MAX_WORDS


@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_a_name_is_found_in_a_text_that_has_it_between_blanks(before: str, title: str, after: str) -> None:
    found = name(title)
    if found is not None and "(" not in title and "[" not in title:
        assert mentioned(f"{before} . {title} . {after}", {found.key}) <= {found.key}
        assert mentioned(f" . {title} . ", {found.key}) == {found.key}
