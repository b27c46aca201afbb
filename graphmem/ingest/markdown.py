"""Markdown and plain text into atomic notes. Pure: no file is read, no note is stored.

A note is a heading's own text, its subsections' left to them. What is above the first heading, and the text of a
first heading of level 1, belong to the document's own note. Of headings only those at the top level divide: one
inside a quote or a list is text. No cost is worse than linear: parsing blocks takes 10 to 60 µs a line and stops
nesting at 20 levels, and beyond `MAX_LINES` the text is read as plain text; parsing inline markup takes up to 40 µs a
character of hostile input, so only text that can hold a link to a note is parsed, and only so much of it
(`MAX_PARAGRAPH` and `MAX_LINKED` in `outline`). Links in HTML, and those without a file suffix, are not followed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import PurePosixPath

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.utils import EnvType
from mdit_py_plugins.front_matter import front_matter_plugin

from graphmem.ingest.blocks import read_blocks
from graphmem.ingest.front_matter import looks_like_front_matter, read_front_matter
from graphmem.ingest.links import Link, note_target, resolve, slug, wiki_rule
from graphmem.ingest.outline import Outline, Section, as_title, guess_type
from graphmem.ingest.split import Block, Part, parts
from graphmem.values import KnowledgeType, is_blank

__all__ = ["Link", "Note", "ParsedDocument", "parse_markdown", "parse_text", "resolve", "slug"]

MAX_LINES = 100_000

_PARAGRAPH_END = re.compile(r"\n(?:[^\S\n]*\n)+")


@dataclass(frozen=True)
class Note:
    """`key` is the path for the document's own note, `path#slug` for a section; further parts add `~2`, `~3` …

    `heading_path` has the titles from the section's topmost heading down to its own, without the document's title.
    `parent` is the key of the enclosing section's note; of the first part, for a further part.
    """

    key: str
    title: str
    content: str
    type: KnowledgeType
    heading_path: tuple[str, ...]
    links: tuple[Link, ...]
    parent: str | None
    order: int
    words: int


@dataclass(frozen=True)
class ParsedDocument:
    """The first note, if any, is the document's own. Front matter that was understood stands in no note."""

    title: str
    front_matter: Mapping[str, object]
    notes: tuple[Note, ...]
    warnings: tuple[str, ...]


def parse_markdown(text: str, path: str) -> ParsedDocument:
    """The notes of a Markdown document in the file `path` (relative to the root, with `/`). Raises nothing."""
    text = _normal(text)
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        warning = f"{len(lines)} lines, more than {MAX_LINES}: read as plain text, without headings and links"
        as_text = parse_text(text, path)
        return replace(as_text, warnings=(warning, *as_text.warnings))
    env: EnvType = {}
    tokens, front_matter, first, warnings = _read(text, env)
    title = front_matter.get("title")
    named = "" if isinstance(title, list | dict | None) else str(title)
    outline = Outline(path, named, lambda source: _inline(source, env))
    for item in read_blocks(tokens, lines, first):
        outline.add(item)
    references = any(note_target(found["href"], path) for found in env.get("references", {}).values())
    warnings += outline.add_links(tokens, references)
    warnings += outline.set_types(front_matter)
    return _document(outline.sections, front_matter, warnings)


def parse_text(text: str, path: str) -> ParsedDocument:
    """The notes of a plain text: its paragraphs, as many together as fit one note. The first line is the title."""
    text = _normal(text)
    line = next((line for line in text.split("\n") if not is_blank(line)), "")
    section = Section(path, as_title(line) or PurePosixPath(path).stem, headed=False)
    section.type = guess_type(section)
    at = number = 0
    for end in [*(found.end() for found in _PARAGRAPH_END.finditer(text)), len(text)]:
        section.blocks.append(Block(number, text[at:end], text[at:end], prose=True))
        number += text.count("\n", at, end)
        at = end
    return _document([section], {}, [])


def _normal(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


@cache
def _parser(front_matter: bool) -> MarkdownIt:
    """CommonMark with tables, blocks only; its inline parser also knows wiki links."""
    parser = MarkdownIt("commonmark").enable("table").disable(["inline", "text_join"])
    parser.inline.ruler.before("link", "wiki", wiki_rule)
    return parser.use(front_matter_plugin) if front_matter else parser


def _inline(source: str, env: EnvType) -> list[Token]:
    parser = _parser(False)
    return parser.inline.parse(source, parser, env, [])


def _read(text: str, env: EnvType) -> tuple[list[Token], Mapping[str, object], int, list[str]]:
    """Block tokens, front matter, the line at which the rest begins, warnings. Broken front matter stays text."""
    tokens = _parser(True).parse(text, env)
    if not tokens or tokens[0].type != "front_matter" or not tokens[0].map:
        return tokens, {}, 0, []
    if not looks_like_front_matter(tokens[0].content):
        env.clear()
        return _parser(False).parse(text, env), {}, 0, []
    found = read_front_matter(tokens[0].content)
    if isinstance(found, str):
        return tokens, {}, 0, [f"{found}; kept as text"]
    return tokens, found, tokens[0].map[1], []


def _document(sections: list[Section], front_matter: Mapping[str, object], warnings: list[str]) -> ParsedDocument:
    notes: list[Note] = []
    for section in sections:
        notes += _notes(section, len(notes))
    if not notes:
        warnings.append("no text")
    return ParsedDocument(sections[0].title, front_matter, tuple(notes), tuple(warnings))


def _notes(section: Section, order: int) -> Iterator[Note]:
    pieces = parts(section.storable())
    links = _by_part(section, pieces)
    for number, (piece, own) in enumerate(zip(pieces, links, strict=True)):
        yield Note(
            key=f"{section.key}~{number + 1}" if number else section.key,
            title=f"{section.title} (part {number + 1})" if number else section.title,
            content=piece.text,
            type=section.type,
            heading_path=section.heading_path,
            links=tuple(own.values()),
            parent=section.key if number else section.parent,
            order=order + number,
            words=piece.words,
        )


def _by_part(section: Section, pieces: list[Part]) -> list[dict[str, Link]]:
    """Each link once, with the first part over its lines that has its text, else the first over its lines."""
    found: list[dict[str, Link]] = [{} for _ in pieces]
    if not pieces:
        return found
    ends = [piece.end for piece in pieces]
    for first, last, link in section.links:
        at = owner = min(bisect_left(ends, first), len(pieces) - 1)
        while at < len(pieces) and pieces[at].start <= last:
            if link.text in pieces[at].text:
                owner = at
                break
            at += 1
        found[owner].setdefault(link.target, link)
    return found
