"""Fields of working memory, their operations and names; nothing here needs the database."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.conversation.document import json_values, rewrite_ops
from graphmem.conversation.field_names import Names, join, same, split
from graphmem.conversation.fields import MAX_FIELDS, MemoryOp, MemoryOpKind, apply, flat, merge_ops, nested
from graphmem.errors import InvalidInput, LimitExceeded

SET, UNSET, APPEND, REMOVE = MemoryOpKind

PART = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=8
).filter(lambda text: text.strip() == text and any(sign.isalnum() for sign in text))


def after(had: dict[str, Any], *ops: MemoryOp, leaves: tuple[str, ...] = ()) -> dict[str, Any]:
    return apply(had, ops, Names(leaves, had), {}).after


def merged(had: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    return nested(after(had, *merge_ops(patch, Names([], had))))


@given(st.lists(PART, min_size=1, max_size=5))
def test_a_name_is_joined_as_it_is_split(parts: list[str]) -> None:
    assert split(join(parts)) == tuple(parts)


@pytest.mark.parametrize("name", ["", " ", ".", "a.", ".a", "a..b", "a\\", "a\nb", "a" * 300, ".".join("abcdefghi")])
def test_what_names_no_field_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        split(name)


def test_a_field_is_met_in_other_case_and_by_its_last_part_where_one_ends_so() -> None:
    names = Names(["Identity.Name", "Identity.E-mail", "Work.E-mail"], ["about.city"])
    assert [names.of(given) for given in ("identity.name", "NAME", "About.City", "E-mail", "city", "new. Thing ")] == [
        "Identity.Name", "Identity.Name", "about.city", "E-mail", "city", "new.Thing",
    ]  # fmt: skip
    assert same("É  x.Y") == ("e x", "y")


def test_a_new_field_is_named_as_those_beside_it() -> None:
    names = Names(["Work.E-mail"], ["About.Home.City"])
    assert [names.of(given) for given in ("work.Phone", "ABOUT.home.street", "about", "home.x")] == [
        "Work.Phone", "About.Home.street", "About", "home.x",
    ]  # fmt: skip
    assert after({"About.City": 1, "b": 2}, MemoryOp(UNSET, "about")) == {"b": 2}


def test_a_field_is_one_in_a_call_too_however_it_is_written() -> None:
    assert after({}, MemoryOp(SET, "Zed", 1), MemoryOp(SET, "zed", 2)) == {"Zed": 2}
    assert after({}, MemoryOp(APPEND, "A.x", 1), MemoryOp(APPEND, "a.X", 2)) == {"A.x": [1, 2]}
    twice: list[dict[str, Any]] = [{"Size": 1, "size": 2}, {"a": {"b": 1, "B ": 2}}, {"Size": None, "size": 2}]
    for patch in twice:
        with pytest.raises(InvalidInput, match="same field"):
            merged({}, patch)
    for document in twice[:2]:
        with pytest.raises(InvalidInput, match="same field"):
            rewritten({}, document)
        with pytest.raises(InvalidInput, match="same field"):
            after({}, MemoryOp(SET, "all", document))
    with pytest.raises(InvalidInput, match="same field"):
        after({}, *merge_ops({"stage": 1, "work": {"stage": 2}}, Names(["work.stage"], [])))


@pytest.mark.parametrize("sign", ["\0", "\x1b", "\t", "\x7f"])
def test_a_new_name_has_no_control_character(sign: str) -> None:
    for name, value in ((f"a{sign}b", 1), ("a", {f"b{sign}c": 1})):
        with pytest.raises(InvalidInput, match="control character"):
            after({}, MemoryOp(SET, name, value))
    old = f"a{sign}b"
    assert after({old: 1, "c": 2}, MemoryOp(SET, old, 3), MemoryOp(UNSET, old)) == {"c": 2}


def test_an_object_is_fields_and_a_list_is_one() -> None:
    value = {"about": {"name": "N", "x.y": 1}, "people": [{"name": "M"}], "empty": {}}
    assert list(flat(value)) == [("about.name", "N"), ("about.x\\.y", 1), ("people", [{"name": "M"}])]
    assert nested(dict(flat(value))) == {"about": {"name": "N", "x.y": 1}, "people": [{"name": "M"}]}


def test_values_of_which_one_stands_above_another_are_all_told() -> None:
    for names in (["a", "a.b", "a.b.c", "d.e"], ["a.b.c", "a.b", "d.e", "a"]):
        found = nested(dict.fromkeys(names, 1))
        assert found == {"a": 1, "a.b": 1, "a.b.c": 1, "d": {"e": 1}}


def test_set_adds_and_leaves_the_rest() -> None:
    had = {"a": 1, "about.name": "N"}
    assert after(had, MemoryOp(SET, "b", 2)) == {"a": 1, "about.name": "N", "b": 2}
    assert after(had, MemoryOp(SET, "about", {"city": "C"})) == {"a": 1, "about.name": "N", "about.city": "C"}
    assert after(had, MemoryOp(UNSET, "about")) == {"a": 1}
    assert after(had, MemoryOp(UNSET, "nothing")) == had


def test_items_are_added_once_and_taken_off() -> None:
    had = {"tags": ["a", {"x": 1}]}
    assert after(had, MemoryOp(APPEND, "tags", ["b", "a", "b"])) == {"tags": ["a", {"x": 1}, "b"]}
    assert after(had, MemoryOp(APPEND, "tags", {"x": 1}), MemoryOp(APPEND, "new", 1)) == {**had, "new": [1]}
    assert after({"tags": [1, True, 1.0]}, MemoryOp(REMOVE, "tags", 1)) == {"tags": [True, 1.0]}
    assert after(had, MemoryOp(REMOVE, "tags", ["a", {"x": 1}, "z"])) == {"tags": []}
    assert after(had, MemoryOp(REMOVE, "none", "a")) == had


def test_lists_are_replaced_by_a_merge_patch() -> None:
    """B95."""
    now: dict[str, Any] = {"tags": ["a", "b"]}
    for patch in (["c"], ["a", "b", "c"], *([["a", "b", "c"]] * 5), []):
        now = merged(now, {"tags": patch})
        assert now == {"tags": patch}
    assert merged(now, {"tags": None}) == {}


def test_null_unsets_in_a_merge_patch_whatever_there_was() -> None:
    """B92."""
    patch = {"role": None, "name": "N", "addr": {"zip": None, "city": "X"}}
    first = merged({}, patch)
    assert first == {"name": "N", "addr": {"city": "X"}}
    assert patch == {"role": None, "name": "N", "addr": {"zip": None, "city": "X"}}
    second = merged(dict(flat(first)), {"addr": None})
    assert second == {"name": "N"}
    assert merged(dict(flat(second)), {"a": {"b": {"c": None}}}) == {"name": "N"}
    assert merged({}, {"people": [{"name": "M", "zip": None}]}) == {"people": [{"name": "M"}]}


def test_an_empty_patch_changes_nothing() -> None:
    """B93."""
    assert merged({"a": 1}, {}) == {"a": 1}


@pytest.mark.parametrize(
    ("op", "said"),
    [
        (MemoryOp(SET, "a"), "null is no value"),
        (MemoryOp(SET, "a", {"b": None}), "null is no value"),
        (MemoryOp(SET, "new", [None]), "null is no value"),
        (MemoryOp(SET, "a", " "), "blank"),
        (MemoryOp(SET, "a", {}), "without members"),
        (MemoryOp(SET, "a", {"b": 1}, expected_version=1), "several fields"),
        (MemoryOp(SET, "a.b", 1), "a has a value"),
        (MemoryOp(SET, "c", 1), "c has fields below it"),
        (MemoryOp(SET, "a", float("nan")), "NaN"),
        (MemoryOp(SET, "a", 2**70), "64 bits"),
        (MemoryOp(SET, "a", "x" * 40_000), "bytes|characters"),
        (MemoryOp(UNSET, "a", 1), "takes no value"),
        (MemoryOp(APPEND, "a", 1), "not a list"),
        (MemoryOp(REMOVE, "a", 1), "not a list"),
        (MemoryOp(APPEND, "new"), "null is no value"),
    ],
)
def test_what_would_not_be_a_value_is_refused(op: MemoryOp, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        after({"a": 1, "c.d": 2}, op)


def test_there_is_an_end_to_fields() -> None:
    had = {f"f{at}": at for at in range(MAX_FIELDS)}
    with pytest.raises(LimitExceeded, match=str(MAX_FIELDS)):
        after(had, MemoryOp(SET, "more", 1))
    assert len(after(had, MemoryOp(UNSET, "f0"), MemoryOp(SET, "more", 1))) == MAX_FIELDS
    long = {f"f{at}": "x" * 32_000 for at in range(8)}
    with pytest.raises(LimitExceeded, match="bytes"):
        after(long, MemoryOp(SET, "more", "y" * 32_000))


def rewritten(had: dict[str, Any], document: dict[str, Any], *, allow_drop: bool = False) -> dict[str, Any]:
    names = Names([], had)
    return after(had, *rewrite_ops(had, json_values(document, names, {}), names, allow_drop))


def test_a_document_that_would_lose_fields_is_refused_by_name() -> None:
    had = {"about.name": "N", "tags": ["a"], "x": 1}
    for document in ({}, {"x": 1}, {"about": {"name": None}, "tags": [], "x": ""}):
        with pytest.raises(InvalidInput, match=r"about\.name"):
            rewritten(had, document)
    assert rewritten(had, {"about": {"name": "N"}, "tags": ["b"], "x": 1, "y": 2}) == {**had, "tags": ["b"], "y": 2}
    assert rewritten(had, {"x": 1}, allow_drop=True) == {"x": 1}
