from __future__ import annotations

import base64
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.errors import InvalidInput
from graphmem.values import checked_name, decode_cursor, encode_cursor, fold, is_blank

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(st.lists(TEXT, max_size=4))
def test_a_cursor_gives_back_its_parts_and_fits_into_an_address(parts: list[str]) -> None:
    cursor = encode_cursor(*parts)
    assert decode_cursor(cursor, len(parts), "after") == tuple(parts)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", cursor)


@given(st.one_of(st.text(max_size=40), st.text("ABCabc012_-=", max_size=40)))
def test_any_other_text_is_refused_as_a_cursor(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        decode_cursor(text, 2, "after")
    assert refused.value.field == "after"


@pytest.mark.parametrize("body", [b"[1, 2]", b'["a"]', b'["a", "b", "c"]', b'{"a": "b"}', b'"ab"', b'["a", "\\ud800"]'])
def test_a_cursor_of_another_list_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidInput, match="before is not a cursor"):
        decode_cursor(base64.urlsafe_b64encode(body).decode(), 2, "before")


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "blank"), (" \u200b\n", "blank"), ("x" * 11, "has 11 characters; give at most 10"), ("a\udc00", "surrogate")],
)
def test_a_name_is_visible_short_and_text(text: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why) as refused:
        checked_name(text, "title", 10)
    assert refused.value.field == "title"


@pytest.mark.parametrize("text", ["x" * 10, "客戶 №1", "👩‍🚀", " padded "])
def test_a_good_name_stays_as_it_is(text: str) -> None:
    assert checked_name(text, "title", 10) == text


@pytest.mark.parametrize(
    "text", ["", " \t\r\n", "\u00a0", "\u3000", "\u200b", "\ufeff\u2060", "\x00\x1b", "\u2028\u2029"]
)
def test_a_text_without_a_visible_sign_is_blank(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", ["a", " a ", ".", "\U0001f98a", "\U0001fae8", "\ue000", "\u0301"])
def test_a_sign_that_may_be_seen_is_not_blank(text: str) -> None:
    """Of these U+1FAE8 is younger than the tables of Python 3.11, and U+E000 of private use."""
    assert not is_blank(text)


def test_texts_that_differ_in_case_accents_composition_or_apostrophe_are_folded_alike() -> None:
    assert fold("O’Brien’s CAFÉ") == fold("o'brien's cafe\u0301")
    assert fold("Straße") == "strasse"
