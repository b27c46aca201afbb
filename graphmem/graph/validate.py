"""Checks what is stored against the declarations in `models`.

It costs 0.1 ms a node, a tenth of what storing one costs, so bulk writes, whose values are worked out by code that the
tests check here, go without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from neomodel.exceptions import DeflateError
from neomodel.properties import Property

from graphmem.errors import InvalidInput
from graphmem.graph.models import EDGES, NODES

VECTOR = re.compile(r"embedding_\d+")
"""The vector of each generation; which ones there are, `IndexState` says."""


@cache
def declared(name: str) -> Mapping[str, Property[Any]]:
    """The properties of a label or edge type, by the names they have in the graph."""
    model: Any = {**NODES, **EDGES}[name]
    properties = model.defined_properties(aliases=False, rels=False)
    return {found.get_db_property_name(key): found for key, found in properties.items()}


def validate(name: str, properties: Mapping[str, Any]) -> None:
    """Check what is to be stored, or was read, against the declaration of its label or edge type.

    Raises:
        InvalidInput: a property is not declared, is missing, or is not of its kind; `field` is its name.
    """
    for key in properties.keys() - declared(name).keys():
        if not VECTOR.fullmatch(key):
            raise InvalidInput(f"{name} has no property {key}", field=key)
    for key, declaration in declared(name).items():
        value = properties.get(key)
        if value is not None:
            _check(name, key, declaration, value)
        elif declaration.required:
            raise InvalidInput(f"{name} needs the property {key}", field=key)


def _check(name: str, key: str, declaration: Property[Any], value: Any) -> None:
    """neomodel turns a value into what it would store, however odd; here it must be that already."""
    try:
        stored = declaration.deflate(value)
    except DeflateError as error:
        raise InvalidInput(f"{name}.{key} cannot be {value!r}: {error.msg}", field=key) from error
    if isinstance(value, datetime):
        fits = value.tzinfo is not None
    else:
        fits = isinstance(value, type(stored)) and stored == value
    if not fits:
        raise InvalidInput(f"{name}.{key} cannot be {value!r}", field=key)
