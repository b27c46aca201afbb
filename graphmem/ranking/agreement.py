"""Whether two texts whose vectors are nearly the same also say the same, by their words. Pure.

Vectors hardly see what turns a sense: "is paid" and "is not paid", "14 days" and "10 days" stay above cosine 0.95.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import regex

from graphmem.ranking import lucene
from graphmem.values import fold

AGREE: Final = 0.6
"""Share of stems in common from which two texts are taken for the same. Two statements that differ in one of seven
content words share 0.75; what only has its subject in common stays below a half."""

_NEGATIONS: Final = (
    "not no never none neither nor without cannot nobody nothing nowhere hardly except unless "
    "nicht kein keine keinen keinem keiner nie niemals ohne ne pas jamais sans sin nunca ningun ninguna senza mai non"
)
_DEGREES: Final = (
    "all every some any only always sometimes often rarely must may might should optional required both either"
)
_OPPOSITES: Final = (
    "before after above below over under more less fewer most least first last up down out off true false yes "
    "open closed allow allowed deny denied accept accepted reject rejected increase decrease increased decreased "
    "rise rises fall falls enable enabled disable disabled start stop begin end include exclude included excluded "
    "success failure succeed fail valid invalid old new until since left right"
)
_TURNING: Final = frozenset(f"{_NEGATIONS} {_DEGREES} {_OPPOSITES}".split())
_PREFIXES: Final = ("un", "in", "im", "ir", "il", "non", "dis", "de", "mis")
_WORD: Final = regex.compile(r"[\p{L}\p{N}]+(?:[.,:'][\p{L}\p{N}]+)*")
_NAME: Final = regex.compile(r"(?<=[\p{Ll}\p{N},;:] )\p{Lu}[\p{L}\p{N}]+")


def agreement(one: str, other: str) -> float:
    """The share of their stems that both have, from 0 to 1; 0 where they differ in a number, a negation, an opposite
    or a word of degree, or where each names somebody or something that the other doesn't."""
    left, right = Counter(_words(one)), Counter(_words(other))
    only_left, only_right = left - right, right - left
    if _turns(set(only_left), set(only_right)) or _numbers(left) != _numbers(right):
        return 0.0
    if _names(one, right) and _names(other, left):
        return 0.0
    mine, others = set(lucene.stems(one)), set(lucene.stems(other))
    return len(mine & others) / len(mine | others) if mine | others else float(one == other)


def _words(text: str) -> list[str]:
    words = []
    for found in _WORD.findall(fold(text)):
        # "don't" and "do not" are the same.
        words += [found[:-3], "not"] if found.endswith("n't") else [found]
    return words


def _turns(left: set[str], right: set[str]) -> bool:
    if (left | right) & _TURNING:
        return True
    return any(f"{prefix}{word}" in others for words, others in ((left, right), (right, left))
               for word in words for prefix in _PREFIXES)  # fmt: skip


def _numbers(words: Counter[str]) -> set[str]:
    return {word for word in words if any(sign.isdigit() for sign in word)}


def _names(text: str, others: Counter[str]) -> bool:
    return any(fold(name) not in others for name in _NAME.findall(text))
