"""Where an over-long note may be cut in two or more. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import regex

_HEADING: Final = regex.compile(r" {0,3}#{1,6}[ \t]+(?P<title>.*?)[ \t#]*$")
_FENCE: Final = regex.compile(r" {0,3}(```+|~~~+)")
_SENTENCE: Final = regex.compile(r"[.!?…][\"'”’»)\]]*\s+|[。！？｡][”’」』）]*\s*")
_WORD: Final = regex.compile(r"\S+\s*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text from `start` to `end`, in characters; `title` is the heading that it begins with."""

    start: int
    end: int
    words: int
    title: str | None = None


def pieces(text: str, most: int) -> list[Piece]:
    """The text in pieces of at most `most` words that make it up: one for each heading, cut further at paragraphs,
    then after sentences, then between words; without headings, as many paragraphs together as fit."""
    found: list[Piece] = []
    for block in (part for whole in _blocks(text) for part in _fitting(text, whole, most)):
        last = found[-1] if found else None
        alone = last is not None and last.title is not None and last.words == len(last.title.split()) + 1
        if last is None or last.words + block.words > most or (block.title is not None and not alone):
            found.append(block)
        else:
            found[-1] = Piece(last.start, block.end, last.words + block.words, last.title)
    return found


def _blocks(text: str) -> Iterator[Piece]:
    """Headings and paragraphs, each with the blank lines after it; a fenced block is never cut by what stands in it."""
    start = at = 0
    title: str | None = None
    fence = ""
    blank = False
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        heading = None if fence else _HEADING.match(line.rstrip("\r\n"))
        begins = not fence and line.strip() and (blank or title is not None or heading)
        if begins and text[start:at].strip():
            yield _piece(text, start, at, title)
            start, title = at, None
        if heading:
            title = heading["title"]
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1][0] == fence[0] and len(mark[1]) >= len(fence):
            fence = ""
        blank = not line.strip()
        at += len(line)
    if at > start:
        yield _piece(text, start, at, title)


def _fitting(text: str, block: Piece, most: int) -> Iterator[Piece]:
    if block.words <= most:
        yield block
        return
    start = at = block.start
    words, title = 0, block.title
    for end in _ends(text, block, most):
        more = len(text[at:end].split())
        if words and words + more > most:
            yield Piece(start, at, words, title)
            start, words, title = at, 0, None
        at, words = end, words + more
    yield Piece(start, at, words, title)


def _ends(text: str, block: Piece, most: int) -> Iterator[int]:
    """Ends of sentences, and of runs of words in those that are too long."""
    at = block.start
    for end in [*(found.end() for found in _SENTENCE.finditer(text, block.start, block.end)), block.end]:
        words = [found.end() for found in _WORD.finditer(text, at, end)]
        yield from words[most - 1 : -1 : most] if len(words) > most else ()
        yield end
        at = end


def _piece(text: str, start: int, end: int, title: str | None) -> Piece:
    return Piece(start, end, len(text[start:end].split()), title)
