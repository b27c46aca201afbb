from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.access.canonical import canonical_hash
from graphmem.errors import InvalidInput
from graphmem.values import EdgeType, Scope

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abcé", max_size=3), inner, max_size=4),
    max_leaves=12,
)


@dataclass(frozen=True, slots=True)
class Node:
    title: str
    tags: tuple[str, ...] = ()
    at: datetime | None = None


def reversed_keys(value: object) -> object:
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [reversed_keys(item) for item in value]
    return value


@given(JSON)
def test_the_order_of_keys_does_not_matter(value: object) -> None:
    assert canonical_hash(value) == canonical_hash(reversed_keys(value))


@given(JSON, JSON)
def test_other_values_have_other_hashes(one: object, two: object) -> None:
    assert (canonical_hash(one) == canonical_hash(two)) == (repr(reversed_sorted(one)) == repr(reversed_sorted(two)))


def reversed_sorted(value: object) -> object:
    if isinstance(value, dict):
        return {key: reversed_sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [reversed_sorted(item) for item in value]
    return value


@pytest.mark.parametrize(
    ("one", "same"),
    [
        (NOON, NOON.astimezone(timezone(timedelta(hours=5)))),
        ([1, 2], (1, 2)),
        ({"a": 1}, MappingProxyType({"a": 1})),
        ({Scope.READ, Scope.WRITE}, frozenset({Scope.WRITE, Scope.READ})),
        ({EdgeType.MENTIONS: 1.0}, {"MENTIONS": 1.0}),
        (Node("t", ("a",), NOON), {"at": NOON, "tags": ["a"], "title": "t"}),
    ],
)
def test_what_means_the_same_has_the_same_hash(one: object, same: object) -> None:
    assert canonical_hash({"input": one}) == canonical_hash({"input": same})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1, 2], [2, 1]),
        ("1", 1),
        (None, ""),
        (None, {}),
        ("é", "e\u0301"),
        (NOON, NOON + timedelta(microseconds=1)),
        (NOON, NOON.replace(tzinfo=None)),
        (date(2026, 3, 1), date(2026, 3, 2)),
        (Node("t"), Node("t", ("a",))),
    ],
)
def test_what_means_another_thing_has_another_hash(one: object, other: object) -> None:
    assert canonical_hash(one) != canonical_hash(other)


def nested(levels: int) -> list[object]:
    value: list[object] = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("value", ["\ud800", {"\udfff": 1}, 2**64, nested(300)], ids=["text", "key", "number", "depth"])
def test_input_that_cannot_be_json_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="cannot be written as JSON"):
        canonical_hash({"metadata": value})


def test_an_object_of_another_kind_is_a_bug_and_not_the_callers_fault() -> None:
    value: Mapping[str, object] = {"a": object()}
    with pytest.raises(TypeError) as bug:
        canonical_hash(value)
    assert not isinstance(bug.value, InvalidInput)
