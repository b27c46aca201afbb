"""JSON Schema as the form of working memory. Pure.

Values are checked field by field as they come, so that what is required may still be missing. An object that lists its
properties and says nothing of others takes no others. References stay inside the schema and lead to no circle.
A check ends after `SECONDS` whatever the schema; it holds up its thread for so long.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import regex
from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.validators import Draft202012Validator, extend, validator_for

from graphmem.conversation.field_names import join
from graphmem.conversation.fields import Values, nested, written
from graphmem.errors import InvalidInput

Schema = Mapping[str, Any]

MAX_STEPS = 5000
"""Subschemas that may be looked at for one value: references inside references multiply."""
SECONDS = 1.0
"""For all values of a call together."""
_PARTIAL = ("required", "minProperties", "dependentRequired")
_OPEN = ("additionalProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf", "if", "$ref")
_MAPS = ("properties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_ONES = ("items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames",
         "unevaluatedProperties", "unevaluatedItems")  # fmt: skip
_REFUSED = ("patternProperties", "$dynamicRef", "$recursiveRef")


def check(schema: Schema) -> None:
    """Raises InvalidInput saying what is wrong with a schema, and where."""
    if schema.get("type", "object") != "object" or not leaves_possible(schema):
        raise InvalidInput("schema must be of an object, with its properties", field="schema")
    kind: Any = validator_for(schema, default=Draft202012Validator)
    try:
        kind.check_schema(schema, format_checker=kind.FORMAT_CHECKER)
    except SchemaError as error:
        raise InvalidInput(f"schema, at {_place(error)}: {error.message[:300]}", field="schema") from None
    _steps(schema, schema, ())
    if not leaves(schema):
        raise InvalidInput("schema has no property; name those that are to be kept", field="schema")


def leaves_possible(schema: Schema) -> bool:
    return isinstance(schema.get("properties"), Mapping) or "$ref" in schema


def leaves(schema: Schema) -> list[str]:
    """The fields that a schema names, in its order; objects in lists are values."""
    return list(_leaves(schema, schema, ()))


def _leaves(schema: Schema, root: Schema, parts: tuple[str, ...]) -> Iterator[str]:
    found = _target(schema, root)
    properties = found.get("properties") if isinstance(found, Mapping) else None
    if not properties:
        if parts:
            yield join(parts)
        return
    for key, below in properties.items():
        yield from _leaves(below, root, (*parts, key))


def check_values(schema: Schema, before: Values, after: Values) -> None:
    """Raises InvalidInput naming the field at fault, faults that were there before don't count, or what takes too
    long."""
    until = time.monotonic() + SECONDS
    known = {_key(error) for error in _faults(schema, before, until)}
    new = [error for error in _faults(schema, after, until) if _key(error) not in known]
    if new:
        told = [f"{_place(error)}: {error.message[:200]}" for error in new]
        raise InvalidInput(f"it does not fit the schema: {told[0]}", field=_place(new[0]), problems=told[:10])


def misfits(schema: Schema, values: Values) -> list[str]:
    """The places of values that do not fit, each once. Raises InvalidInput naming what takes too long."""
    return list(dict.fromkeys(_place(error) for error in _faults(schema, values, time.monotonic() + SECONDS)))


def _faults(schema: Schema, values: Values, until: float) -> list[ValidationError]:
    base: Any = validator_for(schema, default=Draft202012Validator)
    own = {**base.VALIDATORS, "pattern": partial(_pattern, until), "uniqueItems": _unique}
    timed = {name: partial(_in_time, until, name, check) for name, check in own.items()}
    kind: Any = extend(base, timed)  # type: ignore[no-untyped-call]
    found = kind(_closed(schema)).iter_errors(nested(values))
    return sorted((error for error in found if not _is_partial(error)), key=lambda error: list(map(str, error.path)))


def _is_partial(error: ValidationError) -> bool:
    """Whether something is only still missing; inside a list's item nothing may be."""
    return error.validator in _PARTIAL and not any(isinstance(part, int) for part in error.absolute_path)


def _key(error: ValidationError) -> tuple[str, str, str]:
    return _place(error), str(error.validator), error.message


def _place(error: ValidationError | SchemaError) -> str:
    return ".".join(map(str, error.absolute_path)) or "its top"


def _in_time(
    until: float, name: str, check: Callable[..., Iterator[ValidationError] | None], *given: Any
) -> Iterator[ValidationError]:
    """What a keyword finds. Raises InvalidInput once the time is over."""
    if time.monotonic() >= until:
        raise _too_long(name, f"it takes too long to check so much against the schema; {name} is as far as it came")
    yield from check(*given) or ()


def _too_long(keyword: str, message: str, **details: str) -> InvalidInput:
    return InvalidInput(f"{message}; give a simpler schema, or less", field="schema", keyword=keyword, **details)


def _pattern(until: float, _: Any, pattern: str, value: object, __: Any) -> Iterator[ValidationError]:
    """A text against a pattern, which may be made to take for ever."""
    if not isinstance(value, str):
        return
    try:
        fits = regex.search(pattern, value, timeout=max(until - time.monotonic(), 0.001))
    except TimeoutError:
        message = f"{value[:50]!r} takes too long to match the pattern {pattern!r}"
        raise _too_long("pattern", message, pattern=pattern) from None
    if not fits:
        yield ValidationError(f"{value[:50]!r} does not match {pattern!r}")


def _unique(_: Any, wanted: bool, value: object, __: Any) -> Iterator[ValidationError]:
    """By what is written: to compare each with each takes long."""
    if wanted and isinstance(value, list) and len({written(_number(one)) for one in value}) < len(value):
        yield ValidationError(f"{str(value)[:50]} has an item twice")


def _number(value: object) -> object:
    """With numbers as JSON Schema compares them: 1.0 is 1."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, list):
        return [_number(one) for one in value]
    return {key: _number(one) for key, one in value.items()} if isinstance(value, dict) else value


def _closed(schema: Any) -> Any:
    """The schema with objects that take no properties but those they list."""
    if not isinstance(schema, Mapping):
        return schema
    found = {**schema, **{key: {name: _closed(one) for name, one in schema[key].items()} for key in _maps(schema)}}
    found |= {key: [_closed(one) for one in schema[key]] for key in _LISTS if isinstance(schema.get(key), list)}
    found |= {key: _closed(schema[key]) for key in _ONES if isinstance(schema.get(key), Mapping)}
    if schema.get("properties") and not any(key in schema for key in _OPEN):
        found["additionalProperties"] = False
    return found


def _maps(schema: Schema) -> list[str]:
    return [key for key in _MAPS if isinstance(schema.get(key), Mapping)]


def _steps(schema: Any, root: Schema, trail: tuple[str, ...]) -> int:
    """How many subschemas may be looked at. Raises InvalidInput for too many, a circle, or a reference elsewhere."""
    if not isinstance(schema, Mapping):
        return 1
    if refused := next((key for key in _REFUSED if key in schema), None):
        raise InvalidInput(f"schema uses {refused}, which is not supported; name the properties", field="schema")
    total = 1
    if "$ref" in schema:
        if schema["$ref"] in trail:
            raise InvalidInput(f"schema refers to itself by {schema['$ref']!r}; end it at some depth", field="schema")
        total += _steps(_target(schema, root), root, (*trail, schema["$ref"]))
    for below in _below(schema):
        total += _steps(below, root, trail)
    if total > MAX_STEPS:
        raise InvalidInput(f"schema leads to more than {MAX_STEPS} subschemas; make it smaller", field="schema")
    return total


def _below(schema: Schema) -> Iterator[Any]:
    for key in _maps(schema):
        if key not in ("$defs", "definitions"):
            yield from schema[key].values()
    for key in _LISTS:
        yield from schema.get(key, ()) if isinstance(schema.get(key), Sequence) else ()
    for key in _ONES:
        if key in schema:
            yield schema[key]


def _target(schema: Any, root: Schema) -> Any:
    """What a reference leads to; a schema without one is itself."""
    for _ in range(20):
        reference = schema.get("$ref") if isinstance(schema, Mapping) else None
        if reference is None:
            return schema
        schema = _pointed(reference, root)
    raise InvalidInput("schema refers on and on; refer to the schema itself", field="schema")


def _pointed(reference: str, root: Schema) -> Any:
    at: Any = root
    if not reference.startswith("#/"):
        raise InvalidInput(
            f"schema refers to {reference!r}; only references such as '#/$defs/x' are followed", field="schema"
        )
    for part in reference[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(at, Mapping) or key not in at:
            raise InvalidInput(f"schema refers to {reference!r}, which it does not have", field="schema")
        at = at[key]
    return at
