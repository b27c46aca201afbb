"""Where to cut a long text. Pure: the tokens' places come in, spans go out."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import regex

from graphmem.embedding.contract import Span
from graphmem.errors import InvalidInput

PARAGRAPH = regex.compile(r"\n[^\S\n]*\n\s*")
SENTENCE = regex.compile(r"[.!?…][\"'”’»)\]]*\s+|[。！？｡][”’」』）]*\s*|\n\s*")
WORD = regex.compile(r"\s+")
# A surrogate pair that came in as two code points (from lenient JSON) stays together, as any grapheme does.
GRAPHEME = regex.compile(r"[\ud800-\udbff][\udc00-\udfff]|\X")


def split(text: str, tokens: Sequence[tuple[int, int]], size: int, overlap: int) -> list[Span]:
    """Cut `text` into spans of at most `size` of its `tokens`, given as character offsets in order.

    A span ends at the last paragraph end in its second half, else the last sentence end there, else at the last
    word end, else between two graphemes. The next begins up to `overlap` tokens earlier, at a sentence or word.
    """
    if size < 1 or not 0 <= overlap < size:
        raise InvalidInput(f"overlap must be from 0 to less than size ({size}), but is {overlap}", field="overlap")
    breaks = [[found.end() for found in pattern.finditer(text)] for pattern in (PARAGRAPH, SENTENCE, WORD)]
    starts = [start for start, _ in tokens]
    spans: list[Span] = []
    start = 0
    while True:
        first = bisect_left(starts, start)
        if len(starts) - first <= size:
            spans.append(Span(start, len(text)))
            return spans
        cut = _cut(text, start, starts, first, size, breaks)
        if spans and cut <= spans[-1].end:
            # What would be repeated leaves no room for the grapheme behind it.
            start = spans[-1].end
            continue
        spans.append(Span(start, cut))
        if cut == len(text):
            return spans
        start = _resume(starts, first, cut, overlap, breaks)


def _cut(text: str, start: int, starts: list[int], first: int, size: int, breaks: list[list[int]]) -> int:
    """Where the span from `start`, whose first token is `first`, ends: past that token, at most `size` tokens on."""
    low = starts[first]
    limit = starts[first + size]
    if limit <= low:  # one character of more than `size` tokens cannot be cut
        beyond = bisect_right(starts, low)
        return starts[beyond] if beyond < len(starts) else len(text)
    middle = max(low, starts[first + size // 2])
    paragraphs, sentences, words = breaks
    for places, after in ((paragraphs, middle), (sentences, middle), (words, low)):
        at = bisect_right(places, limit) - 1
        if at >= 0 and places[at] > after:
            return places[at]
    ends = [found.end() for found in GRAPHEME.finditer(text, start, min(len(text), limit + 64))]
    at = bisect_right(ends, limit) - 1
    return ends[at] if at >= 0 and ends[at] > low else limit


def _resume(starts: list[int], first: int, cut: int, overlap: int, breaks: list[list[int]]) -> int:
    """Where the span after a cut begins: at most `overlap` tokens, and half the last span, before it."""
    after = bisect_left(starts, cut)
    earliest = max(after - overlap, (first + after + 1) // 2)
    if earliest >= after:
        return cut
    back = max(starts[earliest], starts[first] + 1)
    for places in breaks[1:]:
        at = bisect_left(places, back)
        if at < len(places) and places[at] < cut:
            return places[at]
    return cut
