"""A short way through GraphQL's machinery for what most of an answer consists of: plain values of plain fields.

A search answers with some 500 of them, and the general way through a field (its path, its info, its resolver and
its wrappers, checks for awaitables) costs several times what reading an attribute does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from math import isfinite
from typing import Any
from weakref import WeakKeyDictionary

from cachetools import LRUCache
from graphql import (
    FieldNode,
    GraphQLBoolean,
    GraphQLFloat,
    GraphQLID,
    GraphQLList,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    GraphQLString,
    InlineFragmentNode,
    OperationDefinitionNode,
    get_nullable_type,
    is_leaf_type,
    is_list_type,
    is_non_null_type,
    is_object_type,
)
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.schema.schema_converter import GraphQLCoreConverter

Read = Callable[[Any], Any]
"""From an attribute's value to what is sent; fails where the value isn't plain or doesn't fit."""

_Reads = dict[tuple[object, ...], Read | None]
"""By an object's type and the ids of the nodes of one of its fields."""

_Plain = tuple[str, frozenset[type], Read]
"""Of a field: the attribute, the types of values that need no change, and what makes the others to what is sent."""

_PLAIN = frozenset([str, int, float, bool])
_AS_THEY_ARE: Mapping[object, frozenset[type]] = {
    GraphQLString: frozenset([str]),
    GraphQLID: frozenset([str]),
    GraphQLBoolean: frozenset([bool]),
}
_CACHED = 256
_OPERATIONS: WeakKeyDictionary[GraphQLSchema, LRUCache[int, tuple[OperationDefinitionNode, _Reads]]] = (
    WeakKeyDictionary()
)
"""By the id of the operation, which stands beside what was kept for it, so that no other gets its id."""


class _NotPlain(Exception):
    pass


class Executor(StrawberryGraphQLCoreExecutionContext):
    """Whatever is not plain, or goes wrong, is left to the general way, which reports it as it should be."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Documents are cached, and so is this with them. What a directive leaves out depends on the variables.
        operations = _OPERATIONS.setdefault(self.schema, LRUCache(_CACHED))
        kept = operations.get(id(self.operation))
        if kept is None:
            kept = self.operation, {}
            if not self._has_directives():
                operations[id(self.operation)] = kept
        self._reads = kept[1]

    def execute_field(
        self, parent_type: GraphQLObjectType, source: Any, field_details_list: Any, path: Any, position_context: Any
    ) -> Any:
        read = self._field(parent_type, field_details_list)
        if read is not None:
            try:
                return read(source)
            except Exception:  # noqa: S110 - the general way meets it again and tells its place
                pass
        return super().execute_field(parent_type, source, field_details_list, path, position_context)

    def _field(self, parent_type: GraphQLObjectType, details: Any) -> Read | None:
        """What reads a field of an object; None where a resolver of ours, or of an extension, has a part in it."""
        key = parent_type.name, *(id(detail.node) for detail in details)
        if key not in self._reads:
            plain = self._plain(parent_type, details)
            self._reads[key] = None if plain is None else _attribute(plain)
        return self._reads[key]

    def _has_directives(self) -> bool:
        """Whether one stands anywhere in the operation or in a fragment of its document."""
        waiting = [self.operation.selection_set, *(one.definition.selection_set for one in self.fragments.values())]
        while waiting:
            for node in waiting.pop().selections:
                if node.directives:
                    return True
                if isinstance(node, FieldNode | InlineFragmentNode) and node.selection_set:
                    waiting.append(node.selection_set)
        return False

    def _plain(self, parent_type: GraphQLObjectType, details: Any) -> _Plain | None:
        field = self.schema.get_field(parent_type, details[0].node.name.value)
        manager = self.middleware_manager
        if field is None or not getattr(field.resolve, "_is_default", False) or (manager and manager.middlewares):
            return None
        value = self._value(field.type, details)
        if value is None:
            return None
        name: str = field.extensions[GraphQLCoreConverter.DEFINITION_BACKREF].python_name
        return name, _unchanged(field.type), value

    def _value(self, shown: GraphQLOutputType, details: Any) -> Read | None:
        inner = get_nullable_type(shown)
        read: Read | None = None
        if inner is GraphQLFloat:
            read = _float
        elif is_leaf_type(inner):
            read = _leaf(inner.coerce_output_value)
        elif is_list_type(inner):
            read = self._list(inner, details)
        elif is_object_type(inner) and inner.is_type_of is None:
            read = self._object(inner, details)
        return read if read is None or is_non_null_type(shown) else _nullable(read)

    def _list(self, shown: GraphQLList[Any], details: Any) -> Read | None:
        item = self._value(shown.of_type, details)
        return None if item is None else _items(item)

    def _object(self, shown: GraphQLObjectType, details: Any) -> Read | None:
        grouped, deferred, *_ = self.collect_subfields(shown, details)
        fields = {name: self._plain(shown, each) for name, each in grouped.items()}
        if deferred or None in fields.values():
            return None
        reads = [(name, *plain) for name, plain in fields.items() if plain is not None]

        def read(source: Any) -> dict[str, Any]:
            found = {}
            for name, attribute, unchanged, value in reads:
                given = getattr(source, attribute)
                found[name] = given if type(given) in unchanged else value(given)
            return found

        return read


def _attribute(plain: _Plain) -> Read:
    name, _, value = plain
    return lambda source: value(getattr(source, name))


def _unchanged(shown: GraphQLOutputType) -> frozenset[type]:
    """The types of values that are sent as they are."""
    kinds = _AS_THEY_ARE.get(get_nullable_type(shown), frozenset())
    return kinds if is_non_null_type(shown) else kinds | {type(None)}


def _leaf(coerce: Read) -> Read:
    def read(value: Any) -> Any:
        if type(value) in _PLAIN or isinstance(value, Enum):
            return coerce(value)
        raise _NotPlain

    return read


_COERCED = _leaf(GraphQLFloat.coerce_output_value)


def _float(value: Any) -> Any:
    return value if type(value) is float and isfinite(value) else _COERCED(value)


def _items(item: Read) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not list:
            raise _NotPlain
        return [item(each) for each in value]

    return read


def _nullable(inner: Read) -> Read:
    return lambda value: None if value is None else inner(value)
