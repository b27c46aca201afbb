"""What is kept of a message for recall, worked out when it is written (`retrieval.md` §1)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

CONTEXT = 4
"""Messages of the thread whose texts stand in a message's context, besides its own."""

_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_TIME_WORD = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|ago|next|week|weekend|month|years?|since|recently|just"
    r"|summer|winter|spring|fall|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Features:
    text: str
    embedded: str
    is_question: bool
    words: int
    has_time_word: bool


def features(speaker: str | None, content: str, captions: Sequence[str], created_at: datetime) -> Features:
    said = " ".join([content, *captions]).split()
    embedded = " ".join([*([f"{speaker}:"] if speaker else []), *said])
    return Features(
        text=f"{created_at.day} {_MONTHS[created_at.month - 1]} {created_at.year} {embedded}",
        embedded=embedded,
        is_question=content.rstrip().endswith("?"),
        words=len(said),
        has_time_word=_TIME_WORD.search(content) is not None,
    )
