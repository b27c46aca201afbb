"""Cut a section's blocks into atomic notes of at most 300 words, losing nothing. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import regex

from graphmem.values import is_blank

MAX_WORDS = 300
MAX_CHARACTERS = 8_000
"""Keeps a part bounded where nothing is a word border, as in base64 or Thai; 300 words are seldom half of it."""

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}"
_WORD = regex.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]+")
_LINE = regex.compile(r"\n")
_SENTENCE = regex.compile(r"[.!?…][\"'”’»)\]]*\s+|[。！？｡][”’」』）]*\s*")

Cutter = Callable[[str], Iterator[str]]


@dataclass(frozen=True)
class Block:
    """A run of source lines that is best left whole, with the blank lines after it.

    Cut, it gives pieces of `body`, each between `head` and `tail` (a table's head rows, a fence's marker lines);
    `cuts` are offsets in `body` where a list item begins.
    """

    start: int
    text: str
    body: str
    head: str = ""
    tail: str = ""
    cuts: tuple[int, ...] = ()
    prose: bool = False
    numbered: bool = False


@dataclass(frozen=True)
class Part:
    """The text of a note and the source lines it came from: `start` to `end`, both included, counted from 0."""

    text: str
    start: int
    end: int
    words: int


def count_words(text: str) -> int:
    """Runs without white space; where a script writes none (Chinese, Japanese), each of its characters is one."""
    return len(_WORD.findall(text))


@dataclass(frozen=True)
class Room:
    """What a piece may take up."""

    words: int
    characters: int

    def holds(self, text: str) -> bool:
        return len(text) <= self.characters and count_words(text) <= self.words


def parts(blocks: Sequence[Block]) -> list[Part]:
    """Whole blocks put together, in order, while they fit; a block that alone is too long is cut inside.

    A list is then cut between its items, prose after a sentence, everything else between lines; what is still
    too long between words, and a word of more than `MAX_CHARACTERS` between characters.
    """
    found: list[Part] = []
    taken: list[Part] = []
    words = size = 0
    for piece in (piece for block in blocks for piece in _pieces(block)):
        if taken and (words + piece.words > MAX_WORDS or size + len(piece.text) > MAX_CHARACTERS):
            found.append(_joined(taken))
            taken, words, size = [], 0, 0
        taken.append(piece)
        words, size = words + piece.words, size + len(piece.text)
    if taken:
        found.append(_joined(taken))
    return [part for part in found if not is_blank(part.text)]


def _joined(pieces: list[Part]) -> Part:
    text = "".join(piece.text for piece in pieces).strip("\n").rstrip()
    return Part(text, pieces[0].start, pieces[-1].end, count_words(text))


def _pieces(block: Block) -> Iterator[Part]:
    whole = block.text.rstrip()
    if Room(MAX_WORDS, MAX_CHARACTERS).holds(whole):
        yield Part(block.text, block.start, block.start + whole.count("\n"), count_words(whole))
        return
    repeated = block.head + block.tail
    if count_words(repeated) > MAX_WORDS // 2 or len(repeated) > MAX_CHARACTERS // 2:
        block, repeated = Block(block.start, block.text, block.text), ""
    room = Room(MAX_WORDS - count_words(repeated), MAX_CHARACTERS - len(repeated))
    line = block.start + block.head.count("\n")
    for body in _packed(_leaves(block.body, _cutters(block), room), room):
        end = line + body.rstrip().count("\n")
        if not is_blank(body):
            close = ("" if body.endswith("\n") else "\n") + block.tail + "\n\n" if block.tail else ""
            text = block.head + body + close
            yield Part(text, line, end, count_words(text))
        line += body.count("\n")


def _packed(leaves: Iterator[str], room: Room) -> Iterator[str]:
    taken: list[str] = []
    words = size = 0
    for leaf in leaves:
        count = count_words(leaf)
        if taken and (words + count > room.words or size + len(leaf) > room.characters):
            yield "".join(taken)
            taken, words, size = [], 0, 0
        taken.append(leaf)
        words, size = words + count, size + len(leaf)
    if taken:
        yield "".join(taken)


def _leaves(text: str, cutters: Sequence[Cutter], room: Room) -> Iterator[str]:
    """Pieces that fit, cut by the first cutter, and where that is not enough by the next ones."""
    if not cutters or room.holds(text):
        yield text
        return
    for piece in cutters[0](text):
        yield from _leaves(piece, cutters[1:], room)


def _cutters(block: Block) -> list[Cutter]:
    lines, sentences = partial(_after, _LINE), partial(_after, _SENTENCE)
    first: list[Cutter] = [sentences, lines] if block.prose else [lines, sentences]
    return [partial(_at, block.cuts), *first, partial(_words, 50), partial(_words, 1), _characters]


def _after(border: regex.Pattern[str], text: str) -> Iterator[str]:
    return _at([found.end() for found in border.finditer(text)], text)


def _words(count: int, text: str) -> Iterator[str]:
    return _at([found.start() for found in _WORD.finditer(text)][::count], text)


def _characters(text: str) -> Iterator[str]:
    half = MAX_CHARACTERS // 2
    return _at(range(half, len(text), half), text)


def _at(places: Sequence[int], text: str) -> Iterator[str]:
    """`text` cut at each of the rising offsets."""
    for start, end in pairwise((0, *places, len(text))):
        if start < end:
            yield text[start:end]
