"""Names of fields of working memory, such as `work.stage`, and which field a name means. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from graphmem import checks
from graphmem.errors import InvalidInput
from graphmem.values import fold, is_blank

T = TypeVar("T")
Parts = tuple[str, ...]
MAX_PARTS = 8


def split(name: str) -> Parts:
    """The parts of a name. Raises InvalidInput.

    >>> split(r"St\\. Gallen.office")
    ('St. Gallen', 'office')
    """
    checks.text(name, checks.MAX_ID, "field", limit="max_id")
    if len(name.splitlines()) > 1:
        raise InvalidInput(f"{name!r} names no field: it has several lines", field="field")
    parts, part, escaped = [], "", False
    for sign in name:
        if not escaped and sign in "\\.":
            if sign == ".":
                parts.append(part)
                part = ""
            escaped = sign == "\\"
            continue
        part, escaped = part + sign, False
    parts = [one.strip() for one in [*parts, part]]
    if escaped or any(is_blank(one) for one in parts) or len(parts) > MAX_PARTS:
        raise InvalidInput(
            f"{name!r} names no field: give 1 to {MAX_PARTS} parts with dots between; write a dot in a part as \\.",
            field="field",
        )
    return tuple(parts)


def join(parts: Iterable[str]) -> str:
    """The name that `split` takes apart so."""
    return ".".join(part.strip().replace("\\", "\\\\").replace(".", "\\.") for part in parts)


def same(name: str) -> Parts:
    """Equal for names that differ in case, accents and white space alone."""
    return tuple(" ".join(fold(part).split()) for part in split(name))


def above(name: str, names: Collection[str]) -> str | None:
    """The nearest to the top of the names that this one stands below."""
    parts = split(name)
    return next((over for at in range(1, len(parts)) if (over := join(parts[:at])) in names), None)


def below(name: str, names: Iterable[str]) -> list[str]:
    """Those of the names that stand below this one."""
    return [one for one in names if one.startswith(f"{name}.")]


class Names:
    """The fields that there are, and those that the template or schema has: `leaves`."""

    def __init__(self, leaves: Sequence[str], stored: Iterable[str]) -> None:
        self._exact = set[str]()
        self._alike = dict[Parts, str]()
        self._over = dict[Parts, Parts]()
        for name in (*leaves, *stored):
            self.learn(name)
        last: dict[str, list[str]] = {}
        for name in leaves:
            last.setdefault(same(name)[-1], []).append(name)
        self._last = {key: names[0] for key, names in last.items() if len(names) == 1}

    def learn(self, name: str) -> None:
        """There is this field too; of names that are alike, the one that was there first stays the one that is met."""
        if name in self._exact:
            return
        self._exact.add(name)
        key, parts = same(name), split(name)
        self._alike.setdefault(key, name)
        for at in range(1, len(key)):
            self._over.setdefault(key[:at], parts[:at])

    def of(self, given: str) -> str:
        """The field that is meant: in other letter case too, and by its last part alone where only one ends so. One
        that is new is named as those beside it are."""
        if given in self._exact:
            return given
        key = same(given)
        if key in self._alike:
            return self._alike[key]
        if len(key) == 1 and key[0] in self._last:
            return self._last[key[0]]
        parts = split(given)
        at = next((at for at in range(len(key), 0, -1) if key[:at] in self._over), 0)
        return join([*self._over.get(key[:at], ()), *parts[at:]])


def meant(given: Iterable[tuple[str, T]], names: Names) -> dict[str, T]:
    """What is said of fields, by the names that they have. Raises InvalidInput where two names mean one field."""
    found, said = dict[str, T](), dict[str, str]()
    for name, value in given:
        field = names.of(name)
        names.learn(field)
        if field in found:
            raise InvalidInput(
                f"{said[field]!r} and {name!r} are the same field, {field}; give one of them", field=name
            )
        found[field], said[field] = value, name
    return found
