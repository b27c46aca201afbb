"""A whole working memory as somebody wrote it down anew, in Markdown or JSON, read as values. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

from graphmem import checks
from graphmem.conversation.field_names import Names, below, join, meant
from graphmem.conversation.fields import MemoryOp, MemoryOpKind, Values, flat, is_hint, written
from graphmem.conversation.template import BULLET, HEADING, Label, Template, indent_of, label_of, plain, shown
from graphmem.errors import InvalidInput
from graphmem.values import fold, is_blank

MAX_DOCUMENT = 100_000


def rewrite_ops(had: Values, after: Iterable[tuple[str, object]], names: Names, allow_drop: bool) -> list[MemoryOp]:
    """What makes `had` the document `after`.

    Raises InvalidInput naming the fields that the document no longer has, unless they may be dropped, or one that it
    has twice.
    """
    given = meant(after, names)
    dropped = [name for name in had if name not in given]
    if dropped and not allow_drop:
        raise InvalidInput(
            f"the document leaves out what is set: {', '.join(dropped)}; write it again, or give allowDrop",
            field="allowDrop", dropped=dropped,
        )  # fmt: skip
    gone = [MemoryOp(MemoryOpKind.UNSET, name) for name in dropped]
    changed = [
        (name, value) for name, value in given.items() if name not in had or written(had[name]) != written(value)
    ]
    return [*gone, *(MemoryOp(MemoryOpKind.SET, name, value) for name, value in changed)]


def json_values(document: Mapping[str, object], names: Names, hints: Mapping[str, str]) -> list[tuple[str, object]]:
    """What a JSON document says; null, blank texts and hints say nothing."""
    return [
        (name, value)
        for name, value in flat(document)
        if value is not None
        and not (isinstance(value, str) and is_blank(value))
        and not is_hint(value, hints.get(names.of(name), ""))
    ]


@dataclass
class _Open:
    """A field that is being read: what stands behind its label, and on the lines below."""

    name: str
    indent: int
    texts: list[str] = field(default_factory=list)
    items: list[str] = field(default_factory=list)


class _Reader:
    def __init__(self, template: Template | None, had: Values, names: Names) -> None:
        self.hints = template.hints if template else {}
        self.prose = {line.strip() for line in template.lines} if template else set[str]()
        self.title = template.title if template else None
        self.other = fold(template.other) if template else None
        self.had, self.names = had, names
        self.known = {*self.hints, *had}
        self.path: list[tuple[int, str]] = []
        self.groups: list[tuple[int, str]] = []
        self.label = ""
        self.open: _Open | None = None
        self.found: dict[str, object] = {}

    def read(self, text: str) -> dict[str, object]:
        for line in text.replace("\r\n", "\n").split("\n"):
            if heading := HEADING.fullmatch(line):
                self._heading(len(heading[1]), plain(heading[2]))
            elif line.strip():
                self._line(line)
        self._close()
        return self.found

    def _heading(self, level: int, text: str) -> None:
        self._close()
        self.groups = []
        self.path = [one for one in self.path if one[0] < level]
        if self.title is not None and not self.path and fold(text) == fold(plain(self.title)):
            return
        if fold(text) == self.other:
            self.path = []
            return
        self.path.append((level, text))
        name = self._name([])
        if not below(name, self.known):
            self.open = _Open(name, -1)

    def _line(self, line: str) -> None:
        mark, indent = label_of(line), indent_of(line)
        if mark is not None and self._begins(mark):
            return
        bullet = BULLET.fullmatch(line)
        said = (bullet[2] or "" if bullet else line).strip()
        if not said or (line.strip() in self.prose and (self.open is None or self.open.name not in self.known)):
            return
        one = self.open
        if one is not None and (indent > one.indent or (bullet and indent == one.indent and not one.texts)):
            (one.items if bullet else one.texts).append(said)
            return
        raise InvalidInput(
            f"the document has a line that belongs to no field: {line.strip()[:80]!r}; give it a label, as `- Name:`",
            field="markdown",
        )

    def _begins(self, mark: Label) -> bool:
        """Whether a line with a label is a field's; below a field that is known, it is an item of that."""
        groups = [one for one in self.groups if one[0] < mark.indent]
        above = self.open
        if above is not None and mark.indent > above.indent:
            if above.name in self.known or above.texts or above.items:
                return False
            if above.indent >= 0:
                groups.append((above.indent, self.label))
        name = next(
            (one for one in (self._name(groups, label) for label in (mark.whole, mark.label)) if one in self.known),
            self._name(groups, mark.label),
        )
        if name not in self.known and not mark.is_bullet:
            return False
        if above is None or mark.indent <= above.indent or above.name in self.known:
            self._close()
        self.groups, self.label = groups, mark.label
        self.open = _Open(name, mark.indent, [mark.rest] if mark.rest else [])
        return True

    def _name(self, groups: Sequence[tuple[int, str]], *label: str) -> str:
        """The field of a label; one at the top is a whole name, as `render` writes it, dots and all."""
        above = [*(text for _, text in self.path), *(text for _, text in groups)]
        if not above and (label[0] in self.known or ". " not in label[0]):
            return self.names.of(label[0])
        return self.names.of(join([*above, *label]))

    def _close(self) -> None:
        one, self.open = self.open, None
        if one is None or not (one.items or one.texts):
            return
        if one.items and one.texts:
            raise InvalidInput(f"{one.name} has both a text and a list; give it one of them", field="markdown")
        text, hint = "\n".join(one.items or one.texts), self.hints.get(one.name, "")
        if is_hint(text, hint) or (hint and any(is_hint(text, part) for part in hint.splitlines())):
            return
        if one.name in self.found:
            raise InvalidInput(f"the document has {one.name} twice", field="markdown")
        self.found[one.name] = self._value(one)

    def _value(self, one: _Open) -> object:
        had = self.had.get(one.name)
        if one.items:
            before = had if isinstance(had, list) else []
            known = {shown(item): item for item in before}
            same = [at < len(before) and shown(before[at]) == item for at, item in enumerate(one.items)]
            return [
                before[at] if same[at] else known[item] if item in known else _decoded(item, None)
                for at, item in enumerate(one.items)
            ]
        text = "\n".join(one.texts)
        if had is not None and shown(had) == text:
            return had
        value = _decoded(text, had)
        return [value] if isinstance(had, list) and not isinstance(value, list) else value


def markdown_values(text: str, template: Template | None, had: Values, names: Names) -> dict[str, object]:
    """What a Markdown document says, as `render` would write it; a field that only has its hint says nothing.

    Raises InvalidInput for a blank one, and for a line that belongs to no field.
    """
    checks.text(text, MAX_DOCUMENT, "markdown", limit="max_document")
    return _Reader(template, had, names).read(text)


def _decoded(text: str, had: object) -> object:
    """JSON where it was written as JSON, or where a number or truth value was; else the text."""
    if text[:1] in '"[{' or isinstance(had, bool | int | float):
        try:
            value: object = orjson.loads(text)
        except orjson.JSONDecodeError:
            return text
        if text[:1] in '"[{' or isinstance(value, bool | int | float):
            return value
    return text
