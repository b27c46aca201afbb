"""Cutting blocks into notes of at most 300 words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ingest.split import MAX_CHARACTERS, MAX_WORDS, Block, count_words, parts
from graphmem.knowledge import state


def prose(text: str, start: int = 0) -> Block:
    return Block(start, text, text, prose=True)


def words(count: int, name: str = "w") -> str:
    return " ".join(f"{name}{n}" for n in range(count))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        (" \n\t ", 0),
        ("one two\nthree", 3),
        ("中文字", 3),
        ("カナ and 漢", 4),
        ("한국어 단어", 2),
        ("a\u00a0b", 2),
        ("😀 😀", 2),
    ],
)
def test_words_are_runs_without_space_or_single_characters_of_unspaced_scripts(text: str, count: int) -> None:
    assert count_words(text) == count


def test_a_part_may_be_as_long_as_a_note_may() -> None:
    assert MAX_WORDS == state.MAX_WORDS


def test_blocks_stay_together_up_to_the_limit() -> None:
    blocks = [prose(words(150, "a") + "\n\n"), prose(words(150, "b") + "\n\n", 2), prose("c\n", 4)]
    found = parts(blocks)
    assert [(part.words, part.start, part.end) for part in found] == [(300, 0, 2), (1, 4, 4)]
    assert found[0].text == f"{words(150, 'a')}\n\n{words(150, 'b')}"


def test_a_block_is_not_cut_to_fill_the_note_before_it() -> None:
    found = parts([prose("short\n\n"), prose(words(300) + "\n", 2)])
    assert [part.words for part in found] == [1, 300]


def test_long_prose_is_cut_after_a_sentence() -> None:
    text = f"{words(200, 'a')}.\n{words(99, 'b')}! {words(50, 'c')}."
    first, second = parts([prose(text)])
    assert first.text.endswith("b98!")
    assert second.text.startswith("c0 ")
    assert (first.start, first.end, second.start, second.end) == (0, 1, 1, 1)


def test_a_long_list_is_cut_between_items() -> None:
    items = [f"- {words(110, f'i{n}x')}\n  {words(60, f'j{n}x')}\n" for n in range(3)]
    offsets = (0, len(items[0]), len(items[0]) + len(items[1]))
    text = "".join(items)
    found = parts([Block(7, text, text, cuts=offsets)])
    assert [part.text for part in found] == [item.rstrip() for item in items]
    assert [(part.start, part.end) for part in found] == [(7, 8), (9, 10), (11, 12)]


def test_every_part_of_a_cut_block_has_its_head_and_tail() -> None:
    body = "".join(f"{words(10, f'l{n}x')}\n" for n in range(40))
    found = parts([Block(3, f"```py\n{body}```\n\n", body, head="```py\n", tail="```"), prose("after\n", 46)])
    assert all(part.text.startswith("```py\nl") for part in found)
    assert found[0].text.endswith("\n```")
    assert found[1].text.endswith("x9\n```\n\nafter")
    assert "".join(part.text.removeprefix("```py\n").split("```")[0] for part in found) == body


def test_a_head_that_would_fill_the_parts_is_not_repeated() -> None:
    head, body = f"|{words(200, 'h')}|\n|-|\n", f"|{words(200, 'b')}|\n"
    found = parts([Block(0, head + body, body, head=head)])
    assert [part.text for part in found] == [head.rstrip(), body.rstrip()]


def test_a_word_without_end_is_cut_between_characters() -> None:
    found = parts([prose("x" * (2 * MAX_CHARACTERS + 1))])
    assert [len(part.text) for part in found] == [MAX_CHARACTERS, MAX_CHARACTERS, 1]


def test_blank_pieces_make_no_part() -> None:
    assert parts([prose("\n" * 50_000), prose(" \u200b\n")]) == []
    assert [part.text for part in parts([prose("a" + "\n" * 50_000 + "b")])] == ["a", "b"]


TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            [" ", "\n", "\n\n", ". ", "。", "字" * 40, "- item\n", "x" * 5_000, "|a|b|\n", "\u00a0", "\u2028"]
        ),
        st.integers(1, 120).map(words),
    ),
    max_size=25,
).map("".join)


@given(st.lists(st.tuples(TEXTS, st.booleans()), max_size=5))
def test_nothing_is_lost_and_no_part_is_over_a_limit(texts: list[tuple[str, bool]]) -> None:
    blocks = [Block(0, text + "\n\n", text + "\n\n", prose=flag) for text, flag in texts]
    found = parts(blocks)
    assert "".join("".join(part.text for part in found).split()) == "".join("".join(text for text, _ in texts).split())
    assert all(0 < part.words <= MAX_WORDS and part.words == count_words(part.text) for part in found)
    assert all(len(part.text) <= MAX_CHARACTERS for part in found)
    assert found == parts(blocks)
