"""Makes a message fit where it must be shown and is too large."""

from __future__ import annotations

from dataclasses import replace

import regex

from graphmem.context import render
from graphmem.context.lines import Line
from graphmem.conversation.messages import Part
from graphmem.ranking import tokens
from graphmem.values import PartType

NOTE = "\n[{} tokens of this message were left out]"
NOTE_TOKENS = 16
MARGIN = 64
"""Characters around a cut that are looked at for what is one character to a reader."""


def shortened(line: Line, room: int, encoding: str) -> Line | None:
    """The line with its largest parts cut, so that it has at most `room` tokens as rendered; `cut` is what the notes in
    it say. None: impossible."""
    parts, left = list(line.parts), dict[int, int]()
    while (size := tokens.count(render.message(replace(line, parts=tuple(parts))), encoding)) > room:
        sizes = [tokens.count(render.part(part), encoding) for part in parts]
        at = max(range(len(parts)), key=sizes.__getitem__)
        least = tokens.count(render.part(_with(parts[at], "")), encoding)
        cut, out = _cut(line.parts[at], sizes[at] - least - (size - room) - NOTE_TOKENS, encoding)
        if cut == parts[at]:
            return None
        parts[at], left[at] = cut, out
    said = [part.text or part.caption or "" for part in parts if part.type in (PartType.TEXT, PartType.FILE)]
    return replace(line, parts=tuple(parts), text="\n".join(filter(None, said)), cut=sum(left.values()))


def _cut(part: Part, keep: int, encoding: str) -> tuple[Part, int]:
    """The part with the first `keep` tokens of what it says, and a note of how many are left out; and that number."""
    body = render.body_of(part)
    start = _start(body, keep, encoding) if keep > 0 else ""
    left = tokens.count(body, encoding) - tokens.count(start, encoding)
    return _with(part, start + NOTE.format(left)), left


def _with(part: Part, text: str) -> Part:
    if part.type is PartType.FILE:
        return replace(part, caption=text, uri=None if (part.uri or "").startswith("data:") else part.uri)
    if part.type is PartType.DATA:
        return Part(PartType.TEXT, text=text)
    return replace(part, text=text, data=None)


def _start(text: str, size: int, encoding: str) -> str:
    """The beginning of a text that has at most `size` tokens with `<` escaped, cut between what readers call
    characters."""
    wanted = size
    while wanted > 0:
        start = tokens.head(text, wanted, encoding)
        start = start if start == text else text[: _boundary(text, len(start))]
        found = tokens.count(render.escaped(start), encoding)
        if found <= size:
            return start
        wanted = min(wanted * size // found, wanted - 1)
    return ""


def _boundary(text: str, at: int) -> int:
    """The last place, at most `at`, that is not inside a character of several code points."""
    first = max(at - MARGIN, 0)
    ends = [first + match.end() for match in regex.finditer(r"\X", text[first : at + MARGIN])]
    return max([end for end in ends if end <= at], default=first)
