"""Statement files: found, checked and made whole when the service starts.

A file is one statement. Its leading comment lines are the header:

    // What it answers, in one or more lines.
    // params: tenant, ids
    // returns: id, title
    // read            (or: write, schema)

A line `// use: NAME` further down is replaced by `fragments/NAME.cypher`, header cut off. Everything wrong
with a file is found here, with file and line, and never at the first call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

from graphmem.graph.instants import on_the_wire

Kind = Literal["read", "write", "schema"]

GENERATION = "_GENERATION"
"""Suffix of the vector property and index in a statement; the live generation's number takes its place."""

NEXT = "_NEXT"
"""Likewise, of the generation after the live one: a new text must not keep its vector either."""

VERSION_PREFIX = "CYPHER 25"

_KINDS: Mapping[str, Kind] = {"read": "read", "write": "write", "schema": "schema"}
_HEADER = re.compile(r"//\s?(?P<text>.*)$")
_USE = re.compile(r"^\s*//\s*use:\s*(?P<name>\S+)\s*$")
_NAMES = re.compile(r"^[A-Za-z_]\w*$")
_PARAM = re.compile(r"\$(\w+)")
_QUOTED = re.compile(
    r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`|//[^\n]*|/\*.*?\*/",
    re.DOTALL,
)


_PARAM_OR_QUOTED = re.compile(rf"{_QUOTED.pattern}|{_PARAM.pattern}", re.DOTALL)


def _in_map(found: re.Match[str]) -> str:
    return f"$p.{found[1]}" if found[1] else found[0]


class StatementError(Exception):
    """A statement file is malformed; the message has file and line."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, ready to run. `name` is its path below `cypher/` without the ending."""

    name: str
    about: str
    params: frozenset[str]
    returns: tuple[str, ...]
    kind: Kind
    text: str

    def sent(self, generation: int) -> str:
        """The text as the server gets it, for one embedding generation.

        Parameters travel as one map, `$p`. Given one by one, a statement is planned anew for every order of magnitude
        of a list's or text's length, and planning a search takes seconds (seen on 2026.08.1).
        """
        text = self.text.replace(GENERATION, f"_{generation}").replace(NEXT, f"_{generation + 1}")
        return text if self.kind == "schema" else _PARAM_OR_QUOTED.sub(_in_map, text)

    def bound(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The parameters as the server gets them. OPTIONS of a schema statement take plain ones only."""
        values = {name: on_the_wire(value) for name, value in params.items()}
        return values if self.kind == "schema" else {"p": values}


@dataclass(frozen=True, slots=True)
class _Line:
    """A line and where it stands, which it keeps when a fragment is put in place of a `use:`."""

    text: str
    path: Path
    number: int

    def wrong(self, what: str) -> NoReturn:
        raise StatementError(f"{self.path}:{self.number}: {what}")


def cypher_folder() -> Path:
    """The folder of statement files: beside the package in a checkout, inside it when installed."""
    packaged = Path(__file__).parents[1] / "_cypher"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "cypher"


def load(folder: Path | None = None) -> Mapping[str, Statement]:
    """All statements below `folder`, by name.

    Raises:
        StatementError: a header is not whole, a fragment is unknown or includes itself, or declared and used
            parameters differ.
    """
    root = folder or cypher_folder()
    return {statement.name: statement for statement in _statements(root)}


def _statements(root: Path) -> Iterator[Statement]:
    for path in sorted(root.rglob("*.cypher")):
        name = path.relative_to(root).with_suffix("").as_posix()
        if not name.startswith(("fragments/", "browser/")):
            yield _parse(path, name, root)


def _parse(path: Path, name: str, root: Path) -> Statement:
    header, body = _split(path)
    about = " ".join(line.text for line in header if _field(line) is None)
    params, returns = _listed("params", header, path), _listed("returns", header, path)
    kinds = [_KINDS[line.text] for line in header if line.text in _KINDS]
    if not about or len(kinds) != 1:
        missing = "a line that says what it answers" if not about else "one of the lines read, write, schema"
        _Line("", path, 1).wrong(f"the header needs {missing}")
    lines = _expand(body, root, ())
    _check_params(params, lines)
    text = "\n".join(line.text for line in lines).strip()
    if not text.startswith(VERSION_PREFIX):
        text = f"{VERSION_PREFIX}\n{text}"
    return Statement(name, about, frozenset(params), tuple(returns), kinds[0], text)


def _split(path: Path) -> tuple[list[_Line], list[_Line]]:
    """The header's lines without their marks, and the body's."""
    lines = [_Line(text, path, number) for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)]
    header: list[_Line] = []
    for at, line in enumerate(lines):
        if at == 0 and line.text.strip() == VERSION_PREFIX:
            continue
        match = _HEADER.match(line.text)
        if match is None or _USE.match(line.text):
            return header, lines[at:]
        if text := match["text"].strip():
            header.append(_Line(text, path, line.number))
    raise StatementError(f"{path}:{max(len(lines), 1)}: there is no statement below the header")


def _field(line: _Line) -> str | None:
    """What a header line tells; None: it is of the text that says what the statement answers."""
    name, colon, _ = line.text.partition(":")
    if colon and name in ("params", "returns"):
        return name
    return "kind" if line.text in _KINDS else None


def _listed(field: str, header: Sequence[_Line], path: Path) -> dict[str, _Line]:
    """The names that a header line lists, each with that line."""
    found = [line for line in header if _field(line) == field]
    if len(found) != 1:
        _Line("", path, 1).wrong(f"the header needs one line `{field}:`, and has {len(found)}")
    names: dict[str, _Line] = {}
    for name in (part.strip() for part in found[0].text.partition(":")[2].split(",")):
        if name in ("", "none"):
            continue
        if not _NAMES.match(name) or name in names:
            found[0].wrong(f"{name!r} is not a plain name, or stands twice")
        names[name] = found[0]
    return names


def _expand(body: Sequence[_Line], root: Path, within: tuple[Path, ...]) -> list[_Line]:
    """The body with fragments in place; `within`: the fragments that are being put in."""
    whole: list[_Line] = []
    for line in body:
        match = _USE.match(line.text)
        if match is None:
            whole.append(line)
            continue
        fragment = root / "fragments" / f"{match['name']}.cypher"
        if not fragment.is_file():
            line.wrong(f"there is no fragment {match['name']}")
        if fragment in within:
            line.wrong(f"the fragment {match['name']} includes itself")
        whole += _expand(_split(fragment)[1], root, (*within, fragment))
    return _without_end(whole)


def _without_end(lines: list[_Line]) -> list[_Line]:
    """Less blank lines and a semicolon at the end, which would cut off what comes behind a fragment."""
    while lines and not lines[-1].text.strip():
        lines = lines[:-1]
    last = lines[-1]
    return [*lines[:-1], _Line(last.text.rstrip().removesuffix(";"), last.path, last.number)]


def _check_params(declared: Mapping[str, _Line], lines: Sequence[_Line]) -> None:
    """Texts and comments are blanked, their line breaks kept: what looks like a parameter in them is none."""
    code = _QUOTED.sub(lambda quoted: re.sub(r"[^\n]", " ", quoted[0]), "\n".join(line.text for line in lines))
    used: set[str] = set()
    for line, text in zip(lines, code.split("\n"), strict=True):
        used.update(_PARAM.findall(text))
        if unknown := used - declared.keys():
            line.wrong(f"${min(unknown)} is used but not declared in `params:`")
    for name, line in declared.items():
        if name not in used:
            line.wrong(f"${name} is declared in `params:` but not used")
