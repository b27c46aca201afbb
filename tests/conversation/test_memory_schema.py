"""JSON Schema as the form of working memory."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import regex

from graphmem.conversation.define_working_memory import define_working_memory
from graphmem.conversation.memory_schema import check, check_values, leaves, misfits
from graphmem.conversation.memory_state import Where
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests.factories import principal

PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "minLength": 2},
        "about": {"$ref": "#/$defs/about"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
        "people": {"type": "array", "items": {"type": "object", "properties": {"id": {}}, "required": ["id"]}},
        "free": {"type": "object"},
    },
    "required": ["name", "about"],
    "$defs": {"about": {"type": "object", "properties": {"city": {"enum": ["Bern", "Basel"]}}, "required": ["city"]}},
}


def doubling(levels: int) -> dict[str, Any]:
    """A schema in which each level is looked at twice for the one above."""
    made = {f"d{at}": {"allOf": [{"$ref": f"#/$defs/d{at + 1}"}] * 2} for at in range(levels)}
    return {"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {**made, f"d{levels}": {"type": "string"}}}


def test_fields_come_in_the_order_of_the_schema() -> None:
    check(PERSON)
    assert leaves(PERSON) == ["name", "about.city", "tags", "people", "free"]


@pytest.mark.parametrize(
    ("values", "at"),
    [
        ({"name": "A"}, "name"),
        ({"name": 7}, "name"),
        ({"about.city": "Rome"}, "about.city"),
        ({"tags": ["a", 1]}, "tags.1"),
        ({"tags": ["a", "b", "c"]}, "tags"),
        ({"people": [{}]}, "people.0"),
        ({"colour": "red"}, "its top"),
        ({"about.colour": "red"}, "about"),
        ({"about": "text"}, "about"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_place(values: dict[str, Any], at: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_values(PERSON, {}, values)
    assert refused.value.field == at


def test_what_is_required_may_still_be_missing() -> None:
    """R8."""
    check_values(PERSON, {}, {})
    check_values(PERSON, {}, {"tags": [], "free.any": 1, "people": [{"id": 1}]})
    check_values({**PERSON, "additionalProperties": True}, {}, {"colour": "red"})


def test_a_fault_that_was_there_before_is_not_held_against_another_field() -> None:
    check_values(PERSON, {"name": 7}, {"name": 7, "tags": ["a"]})
    assert misfits(PERSON, {"name": 7, "tags": [1], "about.city": "Bern"}) == ["name", "tags.0"]
    with pytest.raises(InvalidInput):
        check_values(PERSON, {"name": 7}, {"name": 8})


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({}, "of an object"),
        ({"type": "array"}, "of an object"),
        ({"type": "object", "properties": {}}, "no property"),
        ({"type": "object", "properties": {"a": {"type": "strnig"}}}, "properties.a.type"),
        ({"properties": {"a": {"pattern": "("}}}, "properties.a.pattern"),
        ({"properties": {"a": {"$ref": "https://example.com/a.json"}}}, "followed"),
        ({"properties": {"a": {"$ref": "#/$defs/b"}}}, "does not have"),
        ({"properties": {"a": {"$ref": "#"}}}, "followed"),
        ({"properties": {"a": {"$ref": "#/properties/a"}}}, "itself|on and on"),
        ({"properties": {"a": {"items": {"$ref": "#/properties/a"}}}}, "itself"),
        ({"properties": {"a": {}}, "patternProperties": {"x": {}}}, "patternProperties"),
        (doubling(20), "subschemas"),
    ],
)
def test_a_schema_that_says_nothing_or_too_much_is_refused(schema: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidInput, match=said) as refused:
        check(schema)
    assert refused.value.field == "schema"


ENDLESS = "^(a|aa)+$"


def test_a_pattern_that_takes_for_ever_is_given_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each of the texts it is held against."""
    schema = {"properties": {"a": {"type": "array", "items": {"type": "string", "pattern": ENDLESS}}}}
    tried: list[str] = []

    def search(pattern: str, value: str, **more: Any) -> Any:
        tried.append(value)
        return found(pattern, value, **more)

    found = regex.search
    monkeypatch.setattr(regex, "search", search)
    check(schema)
    check_values(schema, {}, {"a": ["aaa"]})
    with pytest.raises(InvalidInput, match="does not match"):
        check_values(schema, {}, {"a": ["b"]})
    tried.clear()
    with pytest.raises(InvalidInput, match="takes too long to match the pattern") as refused:
        check_values(schema, {}, {"a": ["a" * 60 + "!"] * 500})
    assert refused.value.details["pattern"] == ENDLESS
    with pytest.raises(InvalidInput, match="takes too long"):
        misfits(schema, {"a": ["a" * 60 + "!"] * 500})
    assert len(tried) == 2


def test_a_schema_that_takes_long_without_a_pattern_is_given_up() -> None:
    schema = {"properties": {"a": {"type": "array", "items": {"allOf": [{"type": "integer"}] * 1000}}}}
    check(schema)
    with pytest.raises(InvalidInput, match="takes too long"):
        check_values(schema, {}, {"a": list(range(5000))})


def test_items_are_unique_by_what_they_say() -> None:
    schema = {"properties": {"a": {"type": "array", "uniqueItems": True}}}
    many = [{"n": at} for at in range(3000)]
    for unique in ([1, "1", True, None, [1], {"a": 1}], many):
        check_values(schema, {}, {"a": unique})
    for twice in ([1, 1.0], [{"a": [1], "b": 2}, {"b": 2.0, "a": [1.0]}], [*many, {"n": 7}]):
        with pytest.raises(InvalidInput, match="twice"):
            check_values(schema, {}, {"a": twice})


async def test_values_are_checked_off_the_event_loop(
    graph: Graph, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others wait for that."""
    threads: set[int] = set()

    def search(pattern: str, value: str, **more: Any) -> Any:
        threads.add(threading.get_ident())
        return found(pattern, value, **more)

    found = regex.search
    monkeypatch.setattr(regex, "search", search)
    who, where = principal(tenant), Where(resource="r1")
    schema = {"properties": {"a": {"type": "string", "pattern": "^a+$"}}}
    await define_working_memory(graph, who, where, schema=schema)
    await update_working_memory(graph, who, where, MemoryUpdate(merge={"a": "aa"}))
    await define_working_memory(graph, who, where, schema={**schema, "title": "A"})
    assert threads
    assert threading.get_ident() not in threads
