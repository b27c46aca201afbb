"""A Markdown document's top-level blocks, each with the source lines it is made of. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from markdown_it.token import Token

from graphmem.ingest.split import Block


@dataclass(frozen=True)
class Heading:
    """`source` is its text with inline markup, `block` its lines. A nested one (in a quote, a list) has level 0."""

    level: int
    source: str
    block: Block


@dataclass
class _Span:
    token: Token
    start: int
    end: int
    items: list[int] = field(default_factory=list)
    nested: list[str] = field(default_factory=list)
    heading: str = ""


def read_blocks(tokens: Sequence[Token], lines: Sequence[str], first: int) -> Iterator[Block | Heading]:
    """All lines from `first` on that are not blank, in order: also those that give no token, as link definitions.

    A heading that stands inside a block comes after that block.
    """
    spans = _covering(_spans(tokens), lines, first)
    for at, span in enumerate(spans):
        stop = spans[at + 1].start if at + 1 < len(spans) else len(lines)
        block = _block(span, lines, stop)
        if span.token.type == "heading_open":
            yield Heading(int(span.token.tag[1:]), span.heading, block)
            continue
        yield block
        for source in span.nested:
            yield Heading(0, source, block)


def _spans(tokens: Sequence[Token]) -> list[_Span]:
    spans: list[_Span] = []
    for at, token in enumerate(tokens):
        heading = tokens[at + 1].content if token.type == "heading_open" else ""
        if token.level == 0 and token.nesting >= 0 and token.map and token.type != "front_matter":
            spans.append(_Span(token, token.map[0], token.map[1], heading=heading))
        elif token.type == "list_item_open" and token.level == 1 and token.map:
            spans[-1].items.append(token.map[0])
        elif token.type == "heading_open":
            spans[-1].nested.append(heading)
    return spans


def _covering(spans: Sequence[_Span], lines: Sequence[str], first: int) -> list[_Span]:
    """The spans without blank ends, and one more for each stretch of text that is in none of them."""
    found: list[_Span] = []
    at = first
    for span in [*spans, _Span(Token("end", "", 0), len(lines), len(lines))]:
        text = [line for line in range(at, span.start) if lines[line].strip()]
        if text:
            found.append(_Span(Token("gap", "", 0), text[0], text[-1] + 1))
        while span.end > span.start + 1 and not lines[span.end - 1].strip():
            span.end -= 1
        at = span.end
        found.append(span)
    return found[:-1]


def _block(span: _Span, lines: Sequence[str], stop: int) -> Block:
    kind, start, end = span.token.type, span.start, span.end
    text = _text(lines[start:stop])
    if kind == "fence":
        marker = span.token.markup
        last = lines[end - 1].strip()
        closed = end - 1 > start and len(last) >= len(marker) and not last.strip(marker[0])
        body = _text(lines[start + 1 : end - 1 if closed else end])
        return Block(start, text, body, head=_text(lines[start : start + 1]), tail=last if closed else marker)
    if kind == "table_open":
        return Block(start, text, _text(lines[start + 2 : stop]), head=_text(lines[start : start + 2]))
    offsets = [0, *accumulate(len(line) + 1 for line in lines[start:stop])] if span.items else []
    cuts = tuple(offsets[item - start] for item in span.items)
    return Block(start, text, text, cuts=cuts, prose=kind == "paragraph_open", numbered=kind == "ordered_list_open")


def _text(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
