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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Kind = Literal["read", "write", "schema"]

GENERATION = "_GENERATION"
"""Suffix of the vector property and index in a statement; the live generation's number takes its place."""

_HEADER = re.compile(r"//\s?(?P<text>.*)$")
_USE = re.compile(r"^\s*//\s*use:\s*(?P<name>\S+)\s*$")
_NAMES = re.compile(r"^[A-Za-z_]\w*$")
_PARAM = re.compile(r"\$(\w+)")
_QUOTED = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|//[^\n]*")
VERSION_PREFIX = "CYPHER 25"


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

    def generation(self, number: int) -> str:
        """The text for one embedding generation."""
        return self.text.replace(GENERATION, f"_{number}")


def cypher_folder() -> Path:
    """The folder of statement files: beside the package in a checkout, inside it when installed."""
    packaged = Path(__file__).parents[1] / "_cypher"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "cypher"


def load(folder: Path | None = None) -> Mapping[str, Statement]:
    """All statements below `folder`, by name.

    Raises:
        StatementError: a header is missing, a fragment is unknown, or declared and used parameters differ.
    """
    root = folder or cypher_folder()
    return {statement.name: statement for statement in _statements(root)}


def _statements(root: Path) -> Iterator[Statement]:
    for path in sorted(root.rglob("*.cypher")):
        name = path.relative_to(root).with_suffix("").as_posix()
        if not name.startswith(("fragments/", "browser/")):
            yield _parse(path, name, root)


def _parse(path: Path, name: str, root: Path) -> Statement:
    header, body, first = _split(path)
    about = [text for text in header if not re.match(r"(params|returns):|(read|write|schema)$", text)]
    fields = {key: value for key, _, value in (text.partition(":") for text in header) if key in ("params", "returns")}
    kinds = [text for text in header if text in ("read", "write", "schema")]
    if not about or "params" not in fields or "returns" not in fields or len(kinds) != 1:
        raise StatementError(
            f"{path}:1: the header needs what it answers, `params:`, `returns:` and read, write or schema"
        )
    text = _expand(body, path, first, root)
    if not text.startswith(VERSION_PREFIX):
        text = f"{VERSION_PREFIX}\n{text}"
    declared = frozenset(_names(fields["params"], path))
    _check_params(declared, text, path, first)
    kind: Kind = kinds[0]  # type: ignore[assignment]
    return Statement(name, " ".join(about), declared, tuple(_names(fields["returns"], path)), kind, text)


def _split(path: Path) -> tuple[list[str], list[str], int]:
    """Header texts, body lines, and the number of the body's first line."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if lines and lines[0].strip() == VERSION_PREFIX:
        lines[0] = "//"
    header: list[str] = []
    for number, line in enumerate(lines):
        match = _HEADER.match(line)
        if match is None or _USE.match(line):
            return [text for text in header if text], lines[number:], number + 1
        header.append(match["text"].strip())
    raise StatementError(f"{path}:{len(lines)}: there is no statement below the header")


def _expand(body: list[str], path: Path, first: int, root: Path) -> str:
    whole: list[str] = []
    for number, line in enumerate(body, first):
        match = _USE.match(line)
        if match is None:
            whole.append(line)
            continue
        fragment = root / "fragments" / f"{match['name']}.cypher"
        if not fragment.is_file():
            raise StatementError(f"{path}:{number}: there is no fragment {match['name']}")
        _, inner, start = _split(fragment)
        whole.append(_expand(inner, fragment, start, root))
    return "\n".join(whole).strip().removesuffix(";")


def _names(listed: str, path: Path) -> list[str]:
    names = [part.strip() for part in listed.split(",") if part.strip() not in ("", "none")]
    for name in names:
        if not _NAMES.match(name):
            raise StatementError(f"{path}:1: {name!r} is not a plain name")
    return names


def _check_params(declared: frozenset[str], text: str, path: Path, first: int) -> None:
    used = frozenset(_PARAM.findall(_QUOTED.sub(" ", text)))
    if unknown := used - declared:
        name = min(unknown)
        line = next((n for n, line in enumerate(path.read_text().splitlines(), 1) if f"${name}" in line), first)
        raise StatementError(f"{path}:{line}: ${name} is used but not declared in `params:`")
    if unused := declared - used:
        raise StatementError(f"{path}:1: {min(unused)} is declared in `params:` but not used")
