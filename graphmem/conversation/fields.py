"""Fields of working memory: JSON values, and what operations make of them. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import orjson

from graphmem import checks
from graphmem.conversation.field_names import Names, Parts, above, below, join, meant, split
from graphmem.errors import InvalidInput, LimitExceeded
from graphmem.values import fold, is_blank, refuse_control

Values = Mapping[str, object]
"""The fields that are set, by name."""

MAX_FIELDS = 500
MAX_VALUE_BYTES = 32_768
MAX_MEMORY_BYTES = 262_144
"""Of all values together: each read counts the tokens of all."""


class MemoryOpKind(StrEnum):
    SET = "set"
    UNSET = "unset"
    APPEND = "append"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class MemoryOp:
    """What to do to a field.

    SET gives it a value; an object's members become fields below it, and those not given stay. UNSET takes it and all
    below it away. APPEND adds to a list what it does not have yet, REMOVE takes items off it; a list is each of its
    items.
    `expected_version`: the field's; 0: it has never been set.
    """

    op: MemoryOpKind
    field: str
    value: object = None
    expected_version: int | None = None
    source: str | None = None
    as_of: datetime | None = None
    verify_elsewhere: bool | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    """`after`: all that is set then; `by`: which operation each field met last; `hints`: those that were given what
    the template says about them, which is no value."""

    after: dict[str, object]
    by: dict[str, MemoryOp]
    hints: tuple[str, ...]


def written(value: object) -> str:
    """A value as it is stored and compared: 1 is neither 1.0 nor true."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()


def clean(value: object, name: str) -> object:
    """A value that can be stored: no null, nothing blank, no NaN, not too large. Members with null in lists go.

    Raises InvalidInput, LimitExceeded.
    """
    found = _clean(value, name)
    size = len(written(found))
    if size > MAX_VALUE_BYTES:
        raise LimitExceeded(
            f"{name} has {size} bytes; at most {MAX_VALUE_BYTES}, so keep what is needed in every turn",
            field=name, limit="max_value_bytes", value=MAX_VALUE_BYTES, actual=size,
        )  # fmt: skip
    return found


def _clean(value: object, name: str) -> object:
    if value is None:
        raise InvalidInput(f"{name}: null is no value; to take the field away, unset it", field=name)
    if isinstance(value, str):
        if is_blank(value):
            raise InvalidInput(f"{name} is blank; to take the field away, unset it", field=name)
        checks.text(value, MAX_VALUE_BYTES, name, limit="max_value_bytes")
        return value
    if isinstance(value, Mapping):
        return {key: _clean(one, f"{name}.{key}") for key, one in value.items() if one is not None}
    if isinstance(value, Sequence):
        return [_clean(one, f"{name}[{at}]") for at, one in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidInput(f"{name} holds NaN or Infinity, which JSON does not know", field=name)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**63:
        raise InvalidInput(f"{name} has a whole number of more than 64 bits", field=name)
    return value


def flat(value: object, parts: Parts = ()) -> Iterator[tuple[str, object]]:
    """The fields in a JSON object, whose members' members are fields too; null stays null."""
    if isinstance(value, Mapping):
        for key, one in value.items():
            yield from flat(one, (*parts, key))
    else:
        name = join(parts)
        split(name)
        yield name, value


def nested(values: Values) -> dict[str, object]:
    """The JSON object that `flat` takes apart so; a field below one with a value stands at the top, by all its name."""
    found: dict[str, object] = {}
    for name, value in values.items():
        *over, last = [name] if above(name, values) is not None else split(name)
        at = found
        for part in over:
            at = at.setdefault(part, {})  # type: ignore[assignment]
        at[last] = value
    return found


def merge_ops(patch: Mapping[str, object], names: Names) -> list[MemoryOp]:
    """The operations of a JSON merge patch (RFC 7396): what is left out stays, null unsets, a list is replaced.

    Raises InvalidInput where it has a field twice.
    """
    return [
        MemoryOp(MemoryOpKind.UNSET, name) if value is None else MemoryOp(MemoryOpKind.SET, name, value)
        for name, value in meant(flat(patch), names).items()
    ]


def apply(had: Values, ops: Sequence[MemoryOp], names: Names, hints: Mapping[str, str]) -> Applied:
    """What is set after the operations, one after the other. `hints`: what a template says of its fields.

    Raises InvalidInput, LimitExceeded naming the operation.
    """
    after, by, ignored = dict(had), dict[str, MemoryOp](), list[str]()
    for op in (one for given in ops for one in _spread(given, names)):
        name = names.of(op.field)
        if op.op is MemoryOpKind.UNSET:
            _refuse_value(op)
            for gone in [name, *below(name, after)]:
                after.pop(gone, None)
                by[gone] = op
            continue
        if op.op is MemoryOpKind.SET and is_hint(op.value, hints.get(name, "")):
            ignored.append(name)
            continue
        value = _value(op, name, after)
        if value is not None:
            if name not in had:
                refuse_control(name, "field")
            _check_place(name, after)
            after[name] = value
            names.learn(name)
        by[name] = op
    _check_size(had, after)
    return Applied(after, by, tuple(ignored))


def _check_size(had: Values, after: Values) -> None:
    """Raises LimitExceeded for too much, unless it is less than before."""
    sizes = [(len(values), sum(len(written(value)) for value in values.values())) for values in (had, after)]
    limits = (("max_fields", MAX_FIELDS, "fields"), ("max_memory_bytes", MAX_MEMORY_BYTES, "bytes"))
    for (limit, most, what), before, now in zip(limits, *sizes, strict=True):
        if now > most and now > before:
            raise LimitExceeded(
                f"working memory would have {now} {what}; at most {most}, so keep what every turn needs",
                field="ops", limit=limit, value=most, actual=now,
            )  # fmt: skip


def is_hint(value: object, hint: str) -> bool:
    """Whether a value is what the template says about the field, however it is spaced or bracketed."""
    return isinstance(value, str) and _bare(hint) != "" and _bare(value) == _bare(hint)


def _bare(text: str) -> str:
    return "".join(sign for sign in fold(text) if sign.isalnum())


def _spread(op: MemoryOp, names: Names) -> Iterator[MemoryOp]:
    """The operations on the members of an object that is set; else the operation itself."""
    if op.op is not MemoryOpKind.SET or not isinstance(op.value, Mapping):
        yield op
        return
    if not op.value:
        raise InvalidInput(
            f"{op.field}: an object without members sets nothing; to take it away, unset it", field=op.field
        )
    if op.expected_version is not None:
        raise InvalidInput(f"{op.field}: an object is several fields, each with a version of its own", field=op.field)
    for name, value in meant(flat(op.value, split(op.field)), names).items():
        yield MemoryOp(op.op, name, value, None, op.source, op.as_of, op.verify_elsewhere)


def _refuse_value(op: MemoryOp) -> None:
    if op.value is not None:
        raise InvalidInput(f"{op.field}: unset takes no value; to take items off a list, remove them", field=op.field)


def _value(op: MemoryOp, name: str, after: Values) -> object:
    """The field's value after an operation; None: it stays unset."""
    if op.op is MemoryOpKind.SET:
        return clean(op.value, name)
    items = clean(op.value if isinstance(op.value, list | tuple) else [op.value], name)
    assert isinstance(items, list)
    had = after.get(name)
    if had is not None and not isinstance(had, list):
        raise InvalidInput(f"{name} is not a list, so that nothing can be added to it or removed; set it", field=name)
    if op.op is MemoryOpKind.APPEND:
        known, added = {written(one) for one in had or ()}, list(had or ())
        for one in items:
            if (key := written(one)) not in known:
                known.add(key)
                added.append(one)
        return clean(added, name)
    gone = {written(one) for one in items}
    return None if had is None else [one for one in had if written(one) not in gone]


def _check_place(name: str, after: Values) -> None:
    """Raises InvalidInput where a field would have a value and fields below it."""
    if (over := above(name, after)) is not None:
        raise InvalidInput(f"{name}: {over} has a value and can't have fields below it; unset it first", field=name)
    if under := below(name, after):
        raise InvalidInput(
            f"{name} has fields below it ({', '.join(under[:5])}); unset it first, or set those", field=name
        )
