"""Names of a conversation's participants in a question about it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.ranking.lucene import QUESTION_WORDS, STOP_WORDS
from graphmem.values import fold

ROLES: Final = frozenset(["user", "assistant", "system", "tool", "agent", "human", "ai", "bot", "model"])
"""What a speaker without a name is called; in a question these are words as any other."""

_COMMON: Final = STOP_WORDS | QUESTION_WORDS | {"may", "can", "an", "i", "so", "do"}

MIN_SHORT: Final = 3
"""Letters of a short form (`Mel` for `Melanie`)."""

_WORD = re.compile(r"\w+(?:[-.]\w+)*")
_ALONG = re.compile(r"\s*(?:,|&|/|,? and|,? or|['’]s and)\s*", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    speaker: str


def named(question: str, speakers: Collection[str]) -> str | None:
    """The participant that the question is about: the first that it names, unless others are named along with it.

    >>> named("What did Ann's brother tell Bob?", ["Ann", "Bob"]), named("What do Ann and Bob share?", ["Ann", "Bob"])
    ('Ann', None)
    """
    runs = list(_runs(question, speakers))
    if not runs:
        return None
    first, others = runs[0], [run for run in runs if run.speaker != runs[0].speaker]
    return None if others and _ALONG.fullmatch(question, first.end, others[0].start) else first.speaker


def without_names(question: str, speakers: Collection[str]) -> str:
    """The question as it is embedded: every message of a participant is near to its name, whatever it says.

    The question itself where nothing else would be left.

    >>> without_names("What did Ann's brother cook for Bob?", ["Ann", "Bob"])
    'What did brother cook for?'
    """
    kept: list[str] = []
    end = 0
    for run in _runs(question, speakers):
        kept.append(question[end : run.start])
        possessive = _POSSESSIVE.match(question, run.end)
        end = possessive.end() if possessive else run.end
    left = " ".join("".join([*kept, question[end:]]).split())
    left = re.sub(r" +(?=[?!.,;:])", "", left)
    return left if _WORD.search(left) else question


def _runs(question: str, speakers: Collection[str]) -> Iterator[_Found]:
    """Where participants are named, in order; at each place the longest name."""
    forms = _forms(speakers)
    words = list(_WORD.finditer(question))
    longest = max((len(form) for form in forms), default=0)
    cased = question != question.lower()
    at = 0
    while at < len(words):
        step = 1
        for length in range(min(longest, len(words) - at), 0, -1):
            run = [word.group() for word in words[at : at + length]]
            speaker = forms.get(tuple(map(fold, run))) if _written(run, at, cased) else None
            if speaker is None and length == 1 and at > 0:
                speaker = _short(run[0], speakers)
            if speaker is not None:
                yield _Found(words[at].start(), words[at + length - 1].end(), speaker)
                step = length
                break
        at += step


def _written(run: Sequence[str], at: int, cased: bool) -> bool:
    """Whether words that may be a name are written as one: `Bill` is, `bill` only in a question without capitals.
    A common word, such as `Will`, must not open the question either."""
    capital = not run[0][0].islower()
    if len(run) == 1 and fold(run[0]) in _COMMON:
        return capital and at > 0
    return capital or not cased


def _forms(speakers: Collection[str]) -> dict[tuple[str, ...], str]:
    """The whole names, and first names that only one of the participants has."""
    whole = {tuple(fold(word) for word in _WORD.findall(speaker)): speaker for speaker in speakers}
    whole = {words: speaker for words, speaker in whole.items() if words and fold(speaker) not in ROLES}
    firsts: dict[str, list[str]] = {}
    for words, speaker in whole.items():
        firsts.setdefault(words[0], []).append(speaker)
    alone = {(first,): having[0] for first, having in firsts.items() if len(having) == 1 and first not in ROLES}
    return alone | whole


def _short(word: str, speakers: Collection[str]) -> str | None:
    """The one participant whose name goes on from a capitalised word inside the question."""
    if len(word) < MIN_SHORT or not word[0].isupper() or not word[1:].islower() or fold(word) in _COMMON:
        return None
    having = [speaker for speaker in speakers if fold(speaker).startswith(fold(word)) and fold(speaker) not in ROLES]
    return having[0] if len(having) == 1 else None
