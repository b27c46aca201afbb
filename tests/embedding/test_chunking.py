from __future__ import annotations

import re
from itertools import pairwise

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from graphmem.embedding.chunking import split
from graphmem.embedding.contract import Span
from graphmem.errors import InvalidInput

TEXTS = st.text(st.sampled_from("ab .!?\n\t,-é\u0301\u200d👩🇳🇴。字"), max_size=300) | st.text(max_size=120)


def words(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(r"\w+|[^\w\s]", text)]


def characters(text: str) -> list[tuple[int, int]]:
    return [(at, at + 1) for at in range(len(text))]


def pieces(text: str, spans: list[Span]) -> list[str]:
    return [text[span.start : span.end] for span in spans]


@given(TEXTS, st.integers(1, 40), st.integers(0, 39))
@example("??。??\u0301", 2, 1)
def test_spans_hold_every_character_and_no_more_tokens_than_allowed(text: str, size: int, overlap: int) -> None:
    tokens = words(text)
    spans = split(text, tokens, size, min(overlap, size - 1))
    assert spans[0].start == 0
    assert spans[-1].end == len(text)
    for last, following in pairwise(spans):
        assert last.start < following.start <= last.end < following.end
    for span in spans:
        assert sum(span.start <= start < span.end for start, _ in tokens) <= size


@given(TEXTS, st.integers(24, 40))
def test_graphemes_stay_whole(text: str, size: int) -> None:
    boundaries = {0, *(found.end() for found in regex.finditer(r"\X", text))}
    longest = max((len(found.group()) for found in regex.finditer(r"\X", text)), default=0)
    cuts = {span.end for span in split(text, characters(text), size, 0)}
    assert longest > size or cuts <= boundaries


def test_a_surrogate_pair_in_two_code_points_stays_whole() -> None:
    text = "\ud83d\ude00" * 20
    assert all(span.end % 2 == 0 for span in split(text, characters(text), 5, 0))


def test_a_span_ends_with_the_last_paragraph_of_its_second_half() -> None:
    text = "One two. Three four.\n\nFive six. Seven eight nine ten eleven."
    assert pieces(text, split(text, words(text), 10, 0))[0] == "One two. Three four.\n\n"


def test_without_a_paragraph_it_ends_with_a_sentence() -> None:
    text = "One two three four. Five six seven eight nine ten. Eleven twelve."
    assert pieces(text, split(text, words(text), 8, 0)) == [
        "One two three four. ",
        "Five six seven eight nine ten. ",
        "Eleven twelve.",
    ]


def test_a_paragraph_that_ends_too_early_does_not_make_a_tiny_span() -> None:
    text = "Title\n\n" + "word " * 30
    assert len(words(pieces(text, split(text, words(text), 20, 0))[0])) == 20


def test_without_a_sentence_it_ends_with_a_word() -> None:
    text = "alpha beta gamma delta " * 10
    assert all(piece.endswith(" ") for piece in pieces(text, split(text, words(text), 7, 0)))


def test_sentences_without_spaces_are_found() -> None:
    text = "今日は雨です。" * 10
    assert all(piece.endswith("。") for piece in pieces(text, split(text, characters(text), 16, 0)))


def test_the_overlap_begins_at_a_sentence_where_one_is_near() -> None:
    text = "One two three four five. Six seven. Eight nine ten eleven twelve. Thirteen."
    first, second, *_ = pieces(text, split(text, words(text), 10, 4))
    assert first.endswith("Six seven. ")
    assert second.startswith("Six seven. Eight")


def test_the_overlap_is_at_most_as_long_as_asked() -> None:
    text = "word " * 200
    spans = split(text, words(text), 50, 10)
    assert [len(words(text[b.start : a.end])) for a, b in pairwise(spans)] == [10] * 4


@pytest.mark.parametrize(("size", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_impossible_sizes_are_refused(size: int, overlap: int) -> None:
    with pytest.raises(InvalidInput, match="overlap"):
        split("text", [(0, 4)], size, overlap)
