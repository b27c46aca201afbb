"""Names of persons, places and things as a text shows them: runs of capitalised words.

The rule, which needs no model and no list of names (`retrieval.md` §2 (b); measured on MuSiQue and HotpotQA):

- A run is words with a capital letter side by side, tied by a blank, a hyphen, an ampersand, or the full stop of an
  initial or a form of address (`J. R. R. Tolkien`, `St. Louis`). Particles such as `of` or `von` may stand inside;
  any other word, punctuation, a possessive 's or the end of a line ends the run.
- Common words at its beginning are cut (`The Beatles`, `After Waterloo`).
- A single word that only ever begins a sentence or line has its capital from there and is dropped, unless it has
  more than one (`NATO`, `GraphQL`). So is a single word of less than `MIN_CHARACTERS`, and a run of more than
  `MAX_WORDS` words, which is a heading.

A script without capitals yields nothing. Where all nouns have them (German) most are found, and how many nodes
have them must tell the telling ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from graphmem.ranking.lucene import QUESTION_WORDS, STOP_WORDS
from graphmem.ranking.names import MAX_WORDS, Keys, words

MIN_CHARACTERS: Final = 3
MAX_ENTITIES: Final = 256
"""Kept of one text, the first ones; a passage has about ten."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


PARTICLES: Final = _set(
    "of the de von van der den del della di da do dos das du la le las los el al ibn bin ben af av zu zur"
)
MAX_PARTICLES: Final = 3
"""In a row: `Ruiz de la Prada`."""

COMMON: Final = (
    STOP_WORDS
    | QUESTION_WORDS
    | _set(
        "he she his her him i me my we us our you your its after before during since until while although though "
        "however because from under over between among through throughout within without about above against along "
        "some many most all both each every other another several few more any such only also even still yet so than "
        "thus therefore hence instead here now today later once often according despite unlike including"
    )
)
"""Words that stand before a name and are none of it."""

_WORD = regex.compile(r"[\w\p{M}]++(?:[.:·'’][\w\p{M}]++)*+")
_POSSESSIVE = ("'s", "’s")
_TIES = frozenset([" ", "\u00a0", "\u202f", "-", "\u2010", "\u2011", "\u2013", "&", " & "])
_STOPS = frozenset([".", ". ", ".\u00a0"])
_SHORTENED = _set("mr mrs ms dr st ste jr sr prof gen col lt sgt capt maj rev hon gov sen rep mt ft fr")
_SENTENCE_ENDS = frozenset(".!?…:;\n\r\u2028\u2029。！？·•")


@dataclass(frozen=True, slots=True)
class Entity:
    """`key`: the folded words, one blank between; `spelling`: as the text first has it."""

    key: str
    spelling: str


@dataclass(frozen=True, slots=True)
class _Word:
    """A word without a possessive 's, and the text between it and the word before. `opens` tells whether it is
    the first of a sentence or line, `closes` whether it was possessive."""

    text: str
    start: int
    gap: str
    opens: bool
    closes: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def capitals(self) -> int:
        return sum(c.isupper() or c.istitle() for c in self.text)

    @property
    def folded(self) -> str:
        return self.text.casefold()


def entities(text: str) -> list[Entity]:
    """The distinct entities of a text in the order in which they first stand in it, at most `MAX_ENTITIES`.

    >>> [found.key for found in entities("It was sung by Hank Snow, who died in the Republic of Ireland.")]
    ['hank snow', 'republic of ireland']
    """
    found: dict[str, str] = {}
    for run in _runs(_words(text)):
        spelling = text[run[0].start : run[-1].end]
        key = words(spelling)
        if _is_name(run, key):
            found.setdefault(" ".join(key), spelling)
        if len(found) == MAX_ENTITIES:
            break
    # A few signs (such as a raised 1) make the index cut a text otherwise than the run alone.
    there = standing(text, found)
    return [Entity(key, spelling) for key, spelling in found.items() if key in there]


def standing(text: str, known: Collection[str]) -> set[str]:
    """The keys of `known` whose words stand side by side in the text, also those inside another."""
    return Keys(known).standing(text)


def _words(text: str) -> list[_Word]:
    found: list[_Word] = []
    end = 0
    for word in _WORD.finditer(text):
        gap, shown = text[end : word.start()], word.group()
        opens = not found or not _SENTENCE_ENDS.isdisjoint(gap)
        closes = shown.endswith(_POSSESSIVE)
        found.append(_Word(shown[:-2] if closes else shown, word.start(), gap, opens, closes))
        end = word.end()
    return found


def _runs(text: Sequence[_Word]) -> Iterator[Sequence[_Word]]:
    """The runs of capitalised words, without the common words they begin with."""
    at = 0
    while at < len(text):
        end = at + 1
        if text[at].capitals:
            while (after := _next(text, end)) is not None:
                end = after + 1
            start = at
            while start < end and (text[start].folded in COMMON or not text[start].capitals):
                start += 1
            if start < end:
                yield text[start:end]
        at = end


def _next(text: Sequence[_Word], at: int) -> int | None:
    """The place of the capitalised word that goes on with the run that ends before `at`."""
    for place in range(at, min(at + MAX_PARTICLES + 1, len(text))):
        if not _tied(text[place - 1], text[place]):
            return None
        if text[place].capitals:
            return place
        if text[place].text not in PARTICLES:
            return None
    return None


def _tied(before: _Word, word: _Word) -> bool:
    if before.closes:
        return False
    if word.gap in _STOPS:
        shortened = len(before.text.rpartition(".")[2]) == 1 or before.folded in _SHORTENED
        return shortened and word.folded not in COMMON
    return word.gap in _TIES


def _is_name(run: Sequence[_Word], key: Sequence[str]) -> bool:
    if len(key) == 1 and len(key[0]) < MIN_CHARACTERS:
        return False
    alone = len(run) == 1 and run[0].opens and run[0].capitals == 1
    return not alone and 1 <= len(key) <= MAX_WORDS
