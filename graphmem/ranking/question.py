"""What a question about conversations is turned into before anything is looked up (`retrieval.md` §1)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from graphmem.ranking import lucene
from graphmem.ranking.irregular import sisters
from graphmem.ranking.speakers import named, without_names
from graphmem.ranking.timewords import MAX_READ, Window, window

MESSAGE_FIELDS: Final[Mapping[str, float]] = MappingProxyType({"text": 1.0, "context": 0.5})
SISTER_WEIGHT: Final = 0.5
PHRASE_WEIGHT: Final = 0.25
"""Less than for knowledge: people talk more loosely than they write."""

_WHEN: Final = re.compile(
    r"\W*(?:(?:in|on|since|during|by|around) )?(?:when|(?:what|which) (?:year|month|date|day)|how long)\b",
    re.IGNORECASE,
)
_TALK: Final = re.compile(
    r"\b(?:say|says|said|saying|tell|tells|told|telling|mention(?:s|ed|ing)?|discuss(?:es|ed|ing|ion)?|ask(?:s|ed|ing)?"
    r"|talk(?:s|ed|ing)?|speak|speaks|spoke|spoken|chat(?:s|ted|ting)?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question. `dense` is the text to embed; `named` the participant it is about; `when` tells whether it asks for
    a time, `talk` whether it speaks of talking, so that `window` is when something was said and not when it was."""

    dense: str
    named: str | None = None
    when: bool = False
    talk: bool = False
    window: Window | None = None


def prepare(question: str, speakers: Collection[str], now: datetime) -> Asked:
    """`speakers`: the participants of the threads that are searched; `now`: see `timewords.window`."""
    head = question[:MAX_READ]
    return Asked(
        dense=without_names(question, speakers),
        named=named(head, speakers),
        when=_WHEN.match(head) is not None,
        talk=_TALK.search(head) is not None,
        window=window(head, now),
    )


def full_text(question: str) -> str | None:
    """The clause of a full-text query that looks for the question in messages, to stand beside clauses that filter
    (`lucene.filter_query`); None when the index holds none of its words.

    >>> full_text("When did Ann buy it?")
    '+(text:(ann buy bought^0.5 "ann buy"^0.25)^1 context:(ann buy bought^0.5 "ann buy"^0.25)^0.5 tenantToken:none)'
    """
    return lucene.clause(question, MESSAGE_FIELDS, sisters, SISTER_WEIGHT, PHRASE_WEIGHT)
