"""Templates of working memory: Markdown whose headings and labels are kept, and what is written behind them. Pure.

A line such as `- Name:` is a field; what follows the colon, or stands in brackets at its end, is a hint. A heading
without such lines below it is a field itself. Headings are the parts of a field's name; one at the top that stands over
all the rest is the title and no part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count

import orjson

from graphmem import checks
from graphmem.conversation.field_names import Parts, join, same
from graphmem.errors import InvalidInput
from graphmem.values import fold

MAX_TEMPLATE = 20_000
MAX_SLOTS = 200
HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
LABEL = re.compile(
    r"(\s*)((?:[-*+]|\d+[.)])\s+)?((?:\*\*|__)?)"
    r"((?:[^\s:*_]|:(?=\S))(?:[^:]|:(?=\S)){0,255}?)((?:\*\*|__)?:(?:\*\*|__)?)(?:\s+(.*))?"
)
QUOTED = re.compile(r'(\s*)([-*+]\s+)("(?:[^"\\]|\\.)*"):(?:\s+(.*))?')
BULLET = re.compile(r"(\s*)(?:[-*+]|\d+[.)])(?:\s+(.*))?")
_BRACKETS = re.compile(r"\s*([(\[][^()\[\]]*[)\]])\s*$")
_SIGNS = '"[{'


@dataclass(frozen=True, slots=True)
class Slot:
    """A field of a template, on the lines from `start` to before `end`. `lead`: what stands before its value; a
    section, whose value stands below its heading, has none."""

    name: str
    start: int
    end: int
    lead: str
    hint: str
    is_section: bool


@dataclass(frozen=True, slots=True)
class Template:
    lines: tuple[str, ...]
    title: str | None
    slots: tuple[Slot, ...]
    other: str
    """The heading of the fields that it does not have."""

    @property
    def names(self) -> list[str]:
        return [slot.name for slot in self.slots]

    @property
    def hints(self) -> dict[str, str]:
        return {slot.name: slot.hint for slot in self.slots}


@dataclass(frozen=True, slots=True)
class Heading:
    line: int
    level: int
    text: str


@lru_cache(maxsize=256)
def parse(text: str) -> Template:
    """Raises InvalidInput for a template without fields, or with two of one name."""
    checks.text(text, MAX_TEMPLATE, "template", limit="max_template")
    lines = tuple(text.replace("\r\n", "\n").strip("\n").split("\n"))
    headings = [Heading(at, len(found[1]), found[2]) for at, found in _headings(lines)]
    title = title_of(headings)
    slots = [slot for part in _sections(lines, headings, title) for slot in part]
    if not slots:
        raise InvalidInput("template has no field; give it lines such as `- Name:`, or headings", field="template")
    checks.count(len(slots), MAX_SLOTS, "max_template_fields", "template")
    seen: dict[Parts, str] = {}
    for slot in slots:
        if (key := same(slot.name)) in seen:
            raise InvalidInput(f"template has the field {slot.name!r} twice; rename one", field="template")
        seen[key] = slot.name
    for key, name in seen.items():
        if any(key[:at] in seen for at in range(1, len(key))):
            raise InvalidInput(f"template has {name!r} below a field; make that a heading", field="template")
    return Template(lines, None if title is None else title.text, tuple(slots), _other(headings))


def _other(headings: Sequence[Heading]) -> str:
    """ "Other", or where the template has that heading itself, "Other 2", and so on."""
    own = {fold(plain(one.text)) for one in headings}
    return next(name for name in chain(["Other"], (f"Other {at}" for at in count(2))) if fold(name) not in own)


def _headings(lines: Sequence[str]) -> Iterator[tuple[int, re.Match[str]]]:
    for at, line in enumerate(lines):
        if found := HEADING.fullmatch(line):
            yield at, found


def title_of(headings: Sequence[Heading]) -> Heading | None:
    """The first heading, where all the others are below it, and there are any."""
    if len(headings) > 1 and all(one.level > headings[0].level for one in headings[1:]):
        return headings[0]
    return None


def _sections(lines: Sequence[str], headings: Sequence[Heading], title: Heading | None) -> Iterator[list[Slot]]:
    bounds = [*headings, Heading(len(lines), 0, "")]
    yield _labelled(lines, 0, bounds[0].line, ())
    path: list[Heading] = []
    for one, next_ in zip(headings, bounds[1:], strict=True):
        path = [*(above for above in path if above.level < one.level), one]
        parts = tuple(plain(above.text) for above in path if above is not title)
        found = _labelled(lines, one.line + 1, next_.line, parts)
        if not found and one is not title and next_.level <= one.level:
            found = [_section(lines, one.line, next_.line, parts)]
        yield found


def _section(lines: Sequence[str], start: int, end: int, parts: Parts) -> Slot:
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    said = [_bulleted(line) for line in lines[start + 1 : end]]
    return Slot(join(parts), start, end, "", "\n".join(filter(None, said)), True)


def _bulleted(line: str) -> str:
    found = BULLET.fullmatch(line)
    return (found[2] or "" if found else line).strip()


def _labelled(lines: Sequence[str], start: int, end: int, parts: Parts) -> list[Slot]:
    """The fields on lines with a label; one with labels further in below it is a part of their names."""
    found = [(at, mark) for at in range(start, end) if (mark := label_of(lines[at])) is not None]
    slots, above = [], list[tuple[int, str]]()
    for (at, mark), (after, deeper) in zip(found, [*found[1:], (end, None)], strict=False):
        above = [one for one in above if one[0] < mark.indent]
        if deeper is not None and deeper.indent > mark.indent and not mark.rest:
            above.append((mark.indent, mark.label))
            continue
        stop = next((n for n in range(at + 1, after) if indent_of(lines[n]) <= mark.indent), after)
        hint = "\n".join(filter(None, [mark.hint, *(_bulleted(line) for line in lines[at + 1 : stop])]))
        name = join([*parts, *(label for _, label in above), mark.label])
        slots.append(Slot(name, at, stop, mark.lead, hint, False))
    return slots


def indent_of(line: str) -> int:
    """Of a blank line 0: it ends what stands further in."""
    return len(line) - len(line.lstrip()) if line.strip() else 0


@dataclass(frozen=True, slots=True)
class Label:
    """A line with a label. `lead`: the line up to its value; `rest`: what is written behind it; `hint`: that, and what
    stands in brackets behind the label, which `whole` has too."""

    indent: int
    is_bullet: bool
    lead: str
    label: str
    whole: str
    rest: str
    hint: str


def label_of(line: str) -> Label | None:
    """The label at the start of a line; one that Markdown would change may stand there as JSON has it."""
    if (quoted := QUOTED.fullmatch(line)) and (name := _unquoted(quoted[3])) and labelled(name) != name:
        rest = (quoted[4] or "").strip()
        return Label(len(quoted[1]), True, "".join(quoted.group(1, 2, 3)) + ":", name, name, rest, rest)
    found = LABEL.fullmatch(line)
    if found is None:
        return None
    indent, bullet, mark, label, colon, rest = (part or "" for part in found.groups())
    whole, brackets = label, _BRACKETS.search(label)
    if brackets is not None and brackets.start() > 0:
        label, hint = label[: brackets.start()], brackets[1]
    else:
        hint = ""
    lead = f"{indent}{bullet}{mark}{label.strip()}{colon}"
    said = " ".join(filter(None, [hint, rest.strip()]))
    return Label(len(indent), bool(bullet), lead, plain(label), plain(whole), rest.strip(), said)


def labelled(name: str) -> str:
    """A field's name as the label of a line: as it is where it is read again so, else as JSON has it."""
    mark = label_of(f"- {name}:")
    return name if mark is not None and mark.whole == name else orjson.dumps(name).decode()


def _unquoted(text: str) -> str:
    """The text that is written as JSON; empty where it is none."""
    try:
        return str(orjson.loads(text))
    except orjson.JSONDecodeError:
        return ""


def plain(label: str) -> str:
    return label.strip().strip("*_`").strip()


def render(template: Template | None, values: Mapping[str, object]) -> str:
    """The template with what is set; hints stay where nothing is. What it does not have stands at the end."""
    if template is None:
        return "\n".join(line for name, value in values.items() for line in _inline(f"- {labelled(name)}:", "", value))
    lines: list[str] = []
    at = 0
    for slot in template.slots:
        if slot.name in values:
            lines += template.lines[at : slot.start]
            lines += _filled(template.lines[slot.start], slot, values[slot.name])
            at = slot.end
    lines += template.lines[at:]
    known = set(template.names)
    rest = {name: value for name, value in values.items() if name not in known}
    if rest:
        level = "#" * max(1, min((len(found[1]) for _, found in _headings(template.lines[1:])), default=2))
        lines += ["", f"{level} {template.other}", render(None, rest)]
    return "\n".join(lines)


def _filled(line: str, slot: Slot, value: object) -> list[str]:
    if not slot.is_section:
        return _inline(slot.lead, " " * indent_of(line), value)
    return [line, *([f"- {shown(one)}" for one in value] if isinstance(value, list) and value else [shown(value)])]


def _inline(lead: str, indent: str, value: object) -> list[str]:
    if isinstance(value, list) and value:
        return [lead, *(f"{indent}  - {shown(one)}" for one in value)]
    return [f"{lead} {shown(value)}"]


def shown(value: object) -> str:
    """A value on one line. A text that would be read as something else is written as JSON has it."""
    if not isinstance(value, str):
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    odd = value != value.strip() or any(sign in value for sign in "\n\r") or value[:1] in _SIGNS
    return orjson.dumps(value).decode() if odd or HEADING.fullmatch(value) or BULLET.fullmatch(value) else value


def told(value: object) -> str:
    """A value as a reader is told it: the items of a list in a row."""
    return ", ".join(map(shown, value)) if isinstance(value, list) else shown(value)
