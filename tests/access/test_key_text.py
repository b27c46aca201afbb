from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.access.key_text import KeyText, first_key_id, new_key_text, parse_key_text


def test_a_key_is_read_as_it_was_made() -> None:
    made = new_key_text()
    assert parse_key_text(made.text) == made
    assert re.fullmatch(r"gm_[a-z2-7]{16}_[A-Za-z0-9]{51}", made.text)


def test_keys_differ_in_id_and_secret() -> None:
    made = [new_key_text() for _ in range(1000)]
    assert len({key.id for key in made}) == len({key.secret for key in made}) == 1000


def test_the_secret_has_256_bits() -> None:
    assert 62 ** len(new_key_text().secret) > 2**256


@given(at=st.integers(0, 70), other=st.sampled_from("aZ0_-é\n "))
def test_a_key_with_any_one_character_changed_is_none(at: int, other: str) -> None:
    text = KeyText("a" * 16, "Abc1" * 10 + "xyz").text
    changed = text[:at] + other + text[at + 1 :]
    assert (parse_key_text(changed) is None) == (changed != text)


@given(st.text(max_size=80))
def test_other_text_is_no_key(text: str) -> None:
    assert parse_key_text(text) is None
    assert parse_key_text(f"gm_{text}") is None


@pytest.mark.parametrize("extra", ["\n", " ", "x", "\x00"])
def test_a_key_with_something_behind_it_is_none(extra: str) -> None:
    assert parse_key_text(new_key_text().text + extra) is None


def test_a_key_is_not_shown_when_printed() -> None:
    made = new_key_text()
    assert made.secret not in repr(made)
    assert made.secret not in made.hash


def test_the_first_key_of_a_tenant_has_always_the_same_id_but_not_the_same_secret() -> None:
    ids = {first_key_id("acme"), first_key_id("acme"), first_key_id("ACME"), first_key_id("客")}
    assert len(ids) == 3
    one, two = new_key_text(first_key_id("acme")), new_key_text(first_key_id("acme"))
    assert one.id == two.id
    assert one.secret != two.secret
    assert parse_key_text(one.text) == one
