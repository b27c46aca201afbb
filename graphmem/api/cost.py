"""What a GraphQL operation may cost at most, worked out before it runs.

A field costs 1, times the sizes of the lists it stands in. A list's size is what the arguments of the field that
leads to it ask for: the largest of `first`, `last`, `topK` and `limit`, times `maxDepth` where the field expands,
times the neighbours (`before`, `after`) where it recalls. Arguments count wherever they stand: on the field or in an
input object, as a literal, a variable or the schema's default. A mutation costs 1 more for each item of its lists,
and what it returns is as long as the longest of them. `@skip` and `@include` are not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLArgument,
    GraphQLError,
    GraphQLInputField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    ObjectValueNode,
    SelectionSetNode,
    Undefined,
    ValueNode,
    VariableNode,
    get_named_type,
    get_nullable_type,
    get_operation_ast,
    is_leaf_type,
    is_list_type,
    value_from_ast_untyped,
)
from graphql.language import ListValueNode

from graphmem.config import Settings
from graphmem.errors import LimitExceeded

PAGE: Final = 20
"""Taken for a page whose size neither the caller nor the schema gives."""

UNSIZED: Final = 10
"""Taken for a list of objects that no argument bounds, such as a thread's speakers."""

_ROWS: Final = {"first": "max_page", "last": "max_page", "topK": "max_top_k", "limit": "max_hits"}
_AROUND: Final = ("before", "after")
_NESTING: Final = 3

Inputs = Mapping[str, GraphQLArgument] | Mapping[str, GraphQLInputField]


@dataclass(slots=True)
class Asked:
    """What a field's arguments ask for: rows of a list, levels and neighbours of each, items handed in."""

    paged: bool = False
    rows: int | None = None
    levels: int = 1
    around: int = 0
    items: int = 0
    longest: int | None = None

    def size(self) -> int | None:
        rows = self.longest if self.rows is None else self.rows
        if rows is None:
            rows = PAGE if self.paged else None
        return None if rows is None else max(rows, 1) * self.levels * (1 + self.around)


@dataclass(slots=True)
class Step:
    """One field of the query: what is known about it before the variables are."""

    node: FieldNode
    inputs: Inputs
    listed: bool
    batch: bool
    below: Selection | None
    asked: Asked | None = None


@dataclass(slots=True)
class Selection:
    """Leaves are only counted; fields have arguments or something below; spreads are shared."""

    leaves: int = 0
    steps: list[Step] = field(default_factory=list)
    spreads: list[Selection] = field(default_factory=list)


class Plan:
    """One operation of a valid document. Made once, asked for each request; `cost` takes microseconds."""

    def __init__(self, schema: GraphQLSchema, document: DocumentNode, name: str | None, settings: Settings) -> None:
        self._schema = schema
        self._settings = settings
        self._fragments = {d.name.value: d for d in document.definitions if isinstance(d, FragmentDefinitionNode)}
        self._compiled: dict[str, Selection] = {}
        operation = get_operation_ast(document, name)
        assert operation is not None  # Strawberry has found it by the same name
        self._defaults = {
            definition.variable.name.value: value_from_ast_untyped(definition.default_value)
            for definition in operation.variable_definitions or ()
            if definition.default_value is not None
        }
        self._root = self._selection(operation.selection_set, schema.get_root_type(operation.operation))

    def cost(self, variables: Mapping[str, object] | None) -> int:
        """Raises a GraphQLError (LIMIT_EXCEEDED) when a single argument is over its own limit."""
        return self._weigh(self._root, None, {**self._defaults, **(variables or {})}, {})

    def _selection(self, node: SelectionSetNode, parent: GraphQLNamedType | None) -> Selection:
        found = Selection()
        self._collect(node, parent, found)
        return found

    def _collect(self, node: SelectionSetNode, parent: GraphQLNamedType | None, found: Selection) -> None:
        for selection in node.selections:
            if isinstance(selection, FieldNode):
                if not selection.name.value.startswith("__"):
                    self._collect_field(selection, parent, found)
            elif isinstance(selection, InlineFragmentNode):
                condition = selection.type_condition
                inner = self._schema.get_type(condition.name.value) if condition else parent
                self._collect(selection.selection_set, inner, found)
            elif isinstance(selection, FragmentSpreadNode):
                found.spreads.append(self._fragment(selection.name.value))

    def _collect_field(self, node: FieldNode, parent: GraphQLNamedType | None, found: Selection) -> None:
        if not isinstance(parent, GraphQLObjectType | GraphQLInterfaceType) or node.name.value not in parent.fields:
            found.leaves += 1
            return
        definition = parent.fields[node.name.value]
        named = get_named_type(definition.type)
        if not definition.args and (node.selection_set is None or is_leaf_type(named)):
            found.leaves += 1
            return
        below = self._selection(node.selection_set, named) if node.selection_set else None
        listed = is_list_type(get_nullable_type(definition.type))
        step = Step(node, definition.args, listed, parent is self._schema.mutation_type, below)
        if not any(_has_variable(argument.value) for argument in node.arguments or ()):
            step.asked = self._asked(step, {})
        found.steps.append(step)

    def _fragment(self, name: str) -> Selection:
        if name not in self._compiled:
            self._compiled[name] = found = Selection()  # before its own spreads, so that a cycle ends here
            definition = self._fragments[name]
            self._collect(definition.selection_set, self._schema.get_type(definition.type_condition.name.value), found)
        return self._compiled[name]

    def _weigh(
        self,
        selection: Selection,
        pending: int | None,
        variables: dict[str, object],
        known: dict[tuple[int, int | None], int],
    ) -> int:
        """The cost of a selection that stands once; `pending` is the size of a list that is still to come below."""
        key = (id(selection), pending)
        if key in known:
            return known[key]
        known[key] = 0
        total = selection.leaves
        for step in selection.steps:
            asked = step.asked or self._asked(step, variables)
            size = asked.size()
            total += 1 + (asked.items if step.batch else 0)
            if step.below is None:
                continue
            if step.listed:
                total += (size or pending or UNSIZED) * self._weigh(step.below, None, variables, known)
            else:
                total += self._weigh(step.below, size or pending, variables, known)
        for spread in selection.spreads:
            total += self._weigh(spread, pending, variables, known)
        known[key] = total
        return total

    def _asked(self, step: Step, variables: dict[str, object]) -> Asked:
        given = {a.name.value: value_from_ast_untyped(a.value, variables) for a in step.node.arguments or ()}
        asked = Asked()
        self._read(step, step.inputs, given, asked, ())
        return asked

    def _read(
        self, step: Step, inputs: Inputs, given: Mapping[str, object], asked: Asked, path: tuple[str, ...]
    ) -> None:
        for name, definition in inputs.items():
            value = given.get(name, Undefined)
            if value is Undefined:
                value = definition.default_value
            if name in _ROWS:
                asked.paged = True
                rows = self._within(step, _whole(value), _ROWS[name], (*path, name))
                asked.rows = asked.rows if rows is None else max(rows, asked.rows or 0)
            elif name == "maxDepth":
                asked.levels = max(self._within(step, _whole(value), "max_depth", (*path, name)) or 1, 1)
            elif name in _AROUND and (around := _whole(value)):
                asked.around += max(around, 0)
            elif isinstance(value, list | tuple):
                asked.items += len(value)
                if step.batch or name == "ids":
                    asked.longest = max(len(value), asked.longest or 0)
            elif isinstance(value, Mapping) and len(path) < _NESTING:
                named = get_named_type(definition.type)
                if isinstance(named, GraphQLInputObjectType):
                    self._read(step, named.fields, value, asked, (*path, name))

    def _within(self, step: Step, asked: int | None, limit: str, path: tuple[str, ...]) -> int | None:
        allowed = getattr(self._settings, limit)
        if asked is None or asked <= allowed:
            return asked
        message = f"`{path[-1]}` of `{step.node.name.value}` is {asked:,}; at most {allowed:,} is allowed ({limit})."
        advice = " Ask for less, and for the rest with the next page." if limit == "max_page" else " Ask for less."
        refused = LimitExceeded(message + advice, field=".".join(path), limit=limit, value=allowed, actual=asked)
        raise GraphQLError(refused.message, nodes=step.node, extensions=refused.extensions)


def _whole(value: object) -> int | None:
    """The value as GraphQL's Int takes it, or None where it would refuse it."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _has_variable(value: ValueNode) -> bool:
    if isinstance(value, ListValueNode):
        return any(_has_variable(item) for item in value.values)
    if isinstance(value, ObjectValueNode):
        return any(_has_variable(item.value) for item in value.fields)
    return isinstance(value, VariableNode)
