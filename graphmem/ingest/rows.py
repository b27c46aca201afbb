"""Lines of a CSV or JSON Lines table of nodes and edges. Pure."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson
from pydantic import ValidationError

from graphmem.errors import InvalidInput
from graphmem.ingest.columns import COLUMNS, LISTS, METADATA, PAIRS, EdgeRow, NodeRow
from graphmem.ingest.prepare import CSV
from graphmem.knowledge.nodes import EdgeInput, NodeInput

MAX_LINE = 1_000_000
"""Characters of a line of JSON, and of a cell."""
_DELIMITERS = ",;\t"
_SHOWN = 80


class OnError(StrEnum):
    """What becomes of a table with a line that can't be taken: nothing of it is, or all of it but the line."""

    ABORT = "abort"
    SKIP = "skip"


@dataclass(frozen=True, slots=True)
class Row:
    """What a line says; a CSV row that spans several is named by the first."""

    line: int
    value: NodeInput | EdgeInput


@dataclass(frozen=True, slots=True)
class BadRow:
    line: int
    problem: str


def read_rows(text: str, kind: str) -> Iterator[Row | BadRow]:
    """Each line that isn't blank. Raises InvalidInput where the table as a whole can't be read."""
    text = text.removeprefix("\ufeff")
    yield from _csv(text) if kind == CSV else _json_lines(text)


def _json_lines(text: str) -> Iterator[Row | BadRow]:
    # Not `splitlines`: a line separator (U+2028) may stand in a text.
    at = line = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        line += 1
        if not text[at:end].isspace() and end > at:
            yield _json_line(line, text, at, end)
        at = end + 1


def _json_line(line: int, text: str, start: int, end: int) -> Row | BadRow:
    if end - start > MAX_LINE:
        return BadRow(line, f"has {end - start} characters; at most {MAX_LINE}")
    try:
        found = orjson.loads(text[start:end])
    except orjson.JSONDecodeError as error:
        cut = " (the last line is cut short)" if end == len(text) and error.pos >= end - start else ""
        return BadRow(line, f"character {error.pos + 1}: not JSON: {error.msg.partition(':')[0]}{cut}")
    if not isinstance(found, dict):
        return BadRow(line, "is not a JSON object")
    kind = found.pop("kind", None)
    if kind not in (None, "node", "edge"):
        return BadRow(line, f"kind: {str(kind)[:_SHOWN]!r} is neither 'node' nor 'edge'")
    is_edge = kind == "edge" or (kind is None and "from" in found and "to" in found)
    return _row(line, found, is_edge)


def _csv(text: str) -> Iterator[Row | BadRow]:
    """RFC 4180: a quoted cell may hold commas, quotes (doubled) and line breaks, which become single newlines."""
    csv.field_size_limit(max(csv.field_size_limit(), MAX_LINE))
    reader = csv.reader(_lines(text), delimiter=_delimiter(text), strict=True)
    header: list[str] | None = None
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            # Where a quote is left open the rest can't be told apart.
            raise InvalidInput(f"line {line}: not CSV: {error}", field=f"line {line}") from None
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = _header(cells, line)
            is_edge = "from" in header
        elif len(cells) != len(header):
            yield BadRow(line, f"has {len(cells)} cells, and the header {len(header)} columns")
        else:
            yield _row(line, _stated(dict(zip(header, cells, strict=True))), is_edge)
    if header is None:
        raise InvalidInput("there is no header line, which names the columns", field="text")


def _lines(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end + 1
        yield text[at:end].replace("\r\n", "\n")
        at = end


def _delimiter(text: str) -> str:
    """The comma, unless a semicolon or a tab parts the header into more columns that are known."""
    head = next((line for line in _lines(text) if line.strip()), "")

    def known(delimiter: str) -> int:
        return sum(cell.strip().strip('"') in COLUMNS for cell in head.split(delimiter))

    return max(_DELIMITERS, key=known)


def _header(cells: Sequence[str], line: int) -> list[str]:
    header = [cell.strip() for cell in cells]
    needed = ("from", "to", "type") if "from" in header or "to" in header else ("title", "content")
    known = EdgeRow.columns() if needed[0] == "from" else NodeRow.columns()
    for name in header:
        if name not in known and not (name.startswith(METADATA) and needed[0] == "title"):
            raise _bad_header(line, f"column {name[:_SHOWN]!r} is not known; there are {', '.join(known)}", name)
        if header.count(name) > 1:
            raise _bad_header(line, f"column {name[:_SHOWN]!r} stands twice", name)
    for name in needed:
        if name not in header:
            raise _bad_header(line, f"column {name!r} is missing", name)
    return header


def _bad_header(line: int, problem: str, name: str) -> InvalidInput:
    return InvalidInput(f"line {line}: {problem}", field=name[:_SHOWN])


def _stated(cells: Mapping[str, str]) -> dict[str, Any]:
    """A blank cell is not stated; that of a list or of metadata states that there is none."""
    found: dict[str, Any] = {}
    pairs: dict[str, str] | None = None
    for name, cell in cells.items():
        blank = not cell.strip()
        if name.startswith(METADATA):
            pairs = (pairs or {}) | ({} if blank else {name.removeprefix(METADATA): cell})
        elif name in LISTS:
            found[name] = cell
        elif name == "metadata":
            found[name] = "{}" if blank else cell
        elif not blank:
            found[name] = cell
    if pairs is not None:
        found[PAIRS] = pairs
    return found


def _row(line: int, found: Mapping[str, Any], is_edge: bool) -> Row | BadRow:
    model: type[EdgeRow | NodeRow] = EdgeRow if is_edge else NodeRow
    try:
        return Row(line, model.model_validate(found).value())
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    column = ".".join(map(str, first["loc"]))[:_SHOWN]
    if first["type"] == "extra_forbidden":
        return BadRow(line, f"{column!r} is not known; there are {', '.join(model.columns())}")
    return BadRow(line, f"{column}: {first['msg'].removeprefix('Value error, ')}")
