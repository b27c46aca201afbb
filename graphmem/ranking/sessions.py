"""Sessions that a question counts: the first one, the last three, two sessions ago. A session is a thread."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

AMOUNT: Final = (
    r"(?P<amount>\d{1,3}|a couple of|a couple|couple of|couple|a few|few|several|an|a|one|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve)"
)
_AMOUNTS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "several": 4, "five": 5,
    "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_ORDINALS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth",
    "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip

_ORDINAL = rf"(?P<ordinal>{'|'.join(_ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th))"
_NOUN = r"(?:sessions?|chats?|threads?|conversations?)\b(?! (?:about|with|between|that|which|on|of|who)\b)"
_DETERMINER = r"\b(?:the|our|my|your|this|that|in|from|during|of) (?:very )?"

_PATTERNS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (
            r"\bsessions? (?P<first>\d{1,4})(?: ?(?:to|through|until|and|-|–) ?(?P<last>\d{1,4}))?(?![\d.,/:]*\d)",
            "numbers",
        ),
        (rf"\b{AMOUNT} (?:sessions|session|chats|chat|threads|thread|conversations|conversation) ago\b", "ago"),
        (rf"{_DETERMINER}{_NOUN} before (?:the )?last\b", "before last"),
        (rf"{_DETERMINER}(?:last|latest|past|most recent|previous) {AMOUNT} {_NOUN}", "last"),
        (rf"{_DETERMINER}first {AMOUNT} {_NOUN}", "first"),
        (rf"{_DETERMINER}(?:last|latest|most recent|previous) {_NOUN}", "latest"),
        (rf"{_DETERMINER}{_ORDINAL} {_NOUN}", "ordinal"),
    )
)


@dataclass(frozen=True, slots=True)
class Sessions:
    """From the `first` to the `last`, both meant: 1 is the oldest, −1 the newest of those that are over."""

    first: int
    last: int

    def of(self, count: int) -> range:
        """The places, from 0, that are meant among `count` sessions in order."""
        first, last = (place - 1 if place > 0 else place + count for place in (self.first, self.last))
        return range(max(first, 0), min(last, count - 1) + 1)


def amount(words: str) -> int:
    """The number that an `AMOUNT` stands for.

    >>> amount("12"), amount("a couple of"), amount("few")
    (12, 2, 3)
    """
    if words.isdigit():
        return int(words)
    return _AMOUNTS[words.lower().removeprefix("a ").removesuffix(" of")]


def sessions(text: str) -> Sessions | None:
    """The sessions that the text counts; None when it counts none.

    >>> sessions("What did I say two sessions ago?"), sessions("our first conversation")
    (Sessions(first=-2, last=-2), Sessions(first=1, last=1))
    """
    for pattern, kind in _PATTERNS:
        found = pattern.search(text)
        if found:
            return _meant(kind, found)
    return None


def _meant(kind: str, found: re.Match[str]) -> Sessions | None:
    if kind == "numbers":
        first, last = int(found["first"]), int(found["last"] or found["first"])
        return Sessions(first, last) if 0 < first <= last else None
    if kind in ("latest", "before last"):
        return Sessions(-1, -1) if kind == "latest" else Sessions(-2, -2)
    if kind == "ordinal":
        place = _place(found["ordinal"].lower())
        return Sessions(place, place) if place else None
    count = amount(found["amount"])
    if count == 0:
        return None
    return {"ago": Sessions(-count, -count), "last": Sessions(-count, -1), "first": Sessions(1, count)}[kind]


def _place(ordinal: str) -> int:
    return _ORDINALS.index(ordinal) + 1 if ordinal in _ORDINALS else int(ordinal[:-2])
