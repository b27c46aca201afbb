"""Counting tokens piece by piece."""

from __future__ import annotations

import pytest
from bpe_openai import get_encoding
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking import tokens

SIGNS = st.sampled_from(
    [">\n<", ">\n\n<", ">\r\n<", "> \n<", ">\n <", ">", "<", "\n", "/", " ", "'s", "ab", "12", "é", "漢", "🙂"]
)
TEXTS = st.lists(SIGNS | st.text(max_size=4), max_size=12).map("".join)


@pytest.mark.parametrize("encoding", tokens.ENCODINGS)
@given(text=TEXTS)
def test_a_text_has_as_many_tokens_as_its_pieces(encoding: str, text: str) -> None:
    expected = len(get_encoding(encoding).encode_ordinary(text))
    assert tokens.count(text, encoding) == expected
    assert tokens.count(text, encoding) == expected, "and as many when it was counted before"


def test_an_encoding_has_counts_of_its_own() -> None:
    text = "Überweisungsbestätigung für 漢字"
    counted = {name: len(get_encoding(name).encode_ordinary(text)) for name in tokens.ENCODINGS}
    assert len(set(counted.values())) == 2
    for _ in range(2):
        assert {name: tokens.count(text, name) for name in tokens.ENCODINGS} == counted


def test_no_text_is_kept() -> None:
    tokens.count("a secret that will have to be forgotten>\n<")
    assert all(len(key) == 16 for key in tokens._counted)
