"""Inputs that are built at once hold plain values only, and are what the general way makes of the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING
from typing import Any

import pytest
import strawberry
from graphql import (
    GraphQLInputObjectType,
    GraphQLSchema,
    get_named_type,
    is_input_object_type,
    is_non_null_type,
    parse,
    value_from_ast,
)
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.arguments import convert_argument
from strawberry.types.base import StrawberryMaybe, StrawberryObjectDefinition

from graphmem.api.schema import make_schema
from graphmem.config import Settings

SCHEMA = make_schema(Settings())
CORE: GraphQLSchema = SCHEMA._schema


def flat_inputs() -> Iterator[tuple[GraphQLInputObjectType, StrawberryObjectDefinition]]:
    for kind in CORE.type_map.values():
        definition = kind.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
        if isinstance(kind, GraphQLInputObjectType) and getattr(definition, "from_input", None):
            yield kind, definition


def test_inputs_built_at_once_have_no_inputs_inside() -> None:
    found = dict(flat_inputs())
    assert {"SearchInput", "KnowledgeInput", "RecallInput"} <= {kind.name for kind in found}
    for kind in found:
        inside = [name for name, field in kind.fields.items() if is_input_object_type(get_named_type(field.type))]
        assert not inside, kind.name
        definition = kind.extensions[GraphQLCoreConverter.DEFINITION_BACKREF]
        for field in definition.fields:
            has_default = field.default is not MISSING or field.default_factory is not MISSING
            assert has_default or is_non_null_type(kind.fields[SCHEMA.config.name_converter.from_field(field)].type)
            assert not isinstance(field.type, StrawberryMaybe)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("SearchInput", '{query: "a", types: [CONCEPT], validAt: "2026-01-02T00:00:00Z", metadata: {a: [1]}}'),
        ("SearchInput", "{}"),
        ("RecallInput", "{topK: 4, roles: [TOOL]}"),
        ("ThreadPatchInput", "{title: null}"),
        ("ThreadPatchInput", '{topic: "t"}'),
        ("ContextRecencyInput", "{}"),
    ],
)
def test_they_are_what_the_general_way_makes(name: str, text: str) -> None:
    kind, definition = next(one for one in flat_inputs() if one[0].name == name)
    at_once = made(kind, definition, text)
    build, definition.from_input = definition.from_input, None
    try:
        assert at_once == made(kind, definition, text)
    finally:
        definition.from_input = build


def made(kind: GraphQLInputObjectType, definition: StrawberryObjectDefinition, text: str) -> Any:
    (operation,) = parse(f"{{ f(a: {text}) }}").definitions
    value = value_from_ast(operation.selection_set.selections[0].arguments[0].value, kind)  # type: ignore[union-attr, attr-defined]
    assert value is not strawberry.UNSET
    return convert_argument(value, definition.origin, SCHEMA.schema_converter.scalar_registry, SCHEMA.config)
