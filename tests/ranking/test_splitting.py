import random

import pytest

from graphmem.ranking.splitting import pieces

TEN = "one two three four five six seven eight nine ten."


def texts(text: str, most: int) -> list[str]:
    return [text[piece.start : piece.end] for piece in pieces(text, most)]


def test_each_heading_begins_a_piece() -> None:
    text = f"Intro.\n\n# First\n\n{TEN}\n\n## Second #\n{TEN}\n"
    found = pieces(text, 300)
    assert [piece.title for piece in found] == [None, "First", "Second"]
    assert texts(text, 300) == ["Intro.\n\n", f"# First\n\n{TEN}\n\n", f"## Second #\n{TEN}\n"]


def test_a_heading_stays_with_what_comes_after_it() -> None:
    text = f"# Top\n\n## Below\n\n{TEN}\n"
    assert texts(text, 300) == [text]


def test_paragraphs_go_together_while_they_fit() -> None:
    text = "\n\n".join([TEN] * 5)
    assert [len(part.split()) for part in texts(text, 25)] == [20, 20, 10]


def test_a_paragraph_that_is_too_long_is_cut_after_sentences_and_a_sentence_between_words() -> None:
    assert texts(f"{TEN} {TEN} {TEN}", 20) == [f"{TEN} {TEN} ", TEN]
    assert [len(part.split()) for part in texts("word " * 65, 20)] == [20, 20, 20, 5]


def test_what_stands_in_a_fence_is_no_heading_and_no_border() -> None:
    text = "```\n# not a heading\n\ncode\n```\n\nEnd.\n"
    assert [piece.title for piece in pieces(text, 6)] == [None, None]


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "# "])
def test_hardly_any_text_is_at_most_one_piece(text: str) -> None:
    assert len(pieces(text, 300)) <= 1


def test_pieces_make_up_the_text_and_none_is_too_long() -> None:
    chance = random.Random(7)
    parts = ["# Title\n", "\n", "\n\n", "word ", "A sentence ends. ", "```\n", "line\n", "語。", "## Two\r\n", "\t"]
    for _ in range(300):
        text = "".join(chance.choices(parts, k=chance.randrange(1, 80)))
        found = pieces(text, 7)
        assert "".join(text[piece.start : piece.end] for piece in found) == text
        assert all(len(text[piece.start : piece.end].split()) <= 7 for piece in found)
        assert [piece.words for piece in found] >= [len(text[p.start : p.end].split()) for p in found]
