"""Titles and aliases as they are found in texts: folded runs of words, the longest match first.

Source of the rule: `docs/decisions` on automatic edges; measured on MuSiQue and HotpotQA passages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from graphmem.ranking.lucene import QUESTION_WORDS, STOP_WORDS, tokens

MIN_CHARACTERS = 4
LARGE = 1000
"""Nodes in use from which on a tenant has names that stand in too many texts."""
MOST_TEXTS = 10
"""In so many a name may stand in any case."""
MAX_WORDS = 12
"""Longer titles are sentences; they are looked up by the search, not found in texts."""

_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


@dataclass(frozen=True, slots=True)
class Name:
    """`key`: the folded words, one blank between; `start`: the first two of them, by which it is looked up."""

    key: str
    start: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run of words in a text: words `start` to `end` (exclusive) read `key`."""

    key: str
    start: int
    end: int


def words(text: str) -> list[str]:
    """As the text index cuts them: a name that comes later is looked for there."""
    return list(tokens(text))


def start(key: str) -> str:
    """What a key is looked up by: its first two words, or the only one.

    >>> start("new york times")
    'new york'
    """
    return " ".join(key.split(" ", 2)[:2])


def starts(text: str) -> set[str]:
    """The starts that a key standing in the text may have."""
    found = words(text)
    return {*found, *(" ".join(pair) for pair in pairwise(found))}


class Keys:
    """Keys to look for in many texts."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = frozenset(keys)
        self._lengths: dict[str, set[int]] = {}
        for key in self._keys:
            self._lengths.setdefault(start(key), set()).add(key.count(" ") + 1)

    def standing(self, text: str) -> set[str]:
        """Those whose words stand side by side in the text, also inside another."""
        if not self._keys:
            return set()
        found = words(text)
        standing = self._keys.intersection(found)
        for at, pair in enumerate(map(" ".join, pairwise(found))):
            for length in self._lengths.get(pair, ()):
                if (key := " ".join(found[at : at + length])) in self._keys:
                    standing |= {key}
        return set(standing)


def name(title: str) -> Name | None:
    """The name a title or alias stands for in texts; None when it is too short, too long or only common words.

    >>> name("Mercury (planet)")
    Name(key='mercury', start='mercury')
    """
    found = words(_BRACKETED.sub(" ", title)) or words(title)
    key = " ".join(found)
    common = all(word in STOP_WORDS or word in QUESTION_WORDS for word in found)
    if len(key) < MIN_CHARACTERS or len(found) > MAX_WORDS or common:
        return None
    return Name(key, start(key))


def most_texts(nodes: int) -> int | None:
    """In how many texts a name may stand, of a tenant with so many nodes in use: 1 % of a large one's."""
    return None if nodes < LARGE else max(MOST_TEXTS, nodes // 100)


def names(titles: Iterable[str]) -> list[Name]:
    """The distinct names of a title and its aliases, in the order of their keys."""
    return sorted({found for title in titles if (found := name(title))}, key=lambda found: found.key)


def runs(text: str, most: int) -> list[Run]:
    """Every run of a short text's first `most` words that could be a name."""
    found = words(text)[:most]
    return [
        Run(key, start, end)
        for start in range(len(found))
        for end in range(start + 1, min(start + MAX_WORDS, len(found)) + 1)
        if len(key := " ".join(found[start:end])) >= MIN_CHARACTERS
    ]


def mentioned(text: str, known: Collection[str]) -> set[str]:
    """The keys of `known` that stand in the text; at each place the longest, and none inside another."""
    lengths = sorted({key.count(" ") + 1 for key in known}, reverse=True)
    return set(_longest(words(text), known, lengths))


def _longest(text: list[str], known: Collection[str], lengths: list[int]) -> Iterator[str]:
    at = 0
    while at < len(text):
        step = 1
        for length in lengths:
            key = " ".join(text[at : at + length])
            if at + length <= len(text) and key in known:
                yield key
                step = length
                break
        at += step
