"""Which messages answer a question: the score of a message and of a thread.

own = half the exact cosine + half the full-text score, each scaled to 0–1 over the candidates, + `NAMED` for a
message of the participant that the question is about. What stands beside a good message is lifted by it, most of all
what follows a question. Of a message:

score = (own + lift) × factors

The figures were found on LoCoMo, conversations 1 to 5 (`retrieval.md` §1), and are the same for every question.
Plain Python: 3 ms for 200 candidates and their neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from graphmem.ranking.question import Asked
from graphmem.ranking.sessions import Sessions
from graphmem.ranking.timewords import Interval

DENSE: Final = 0.5
NAMED: Final = 0.25
BEFORE: Final = 0.3
BEFORE_QUESTION: Final = 0.45
AFTER: Final = 0.3
TWO_AWAY: Final = 0.2
"""What a message is lifted by: the share of another's own score, by where that stands."""

QUESTION: Final = 0.85
"""A message that asks rarely answers."""
LENGTH: Final = 0.15
"""Messages of more than `TYPICAL` words score higher, by the logarithm, and shorter ones lower."""
TYPICAL: Final = 14
MOST_WORDS: Final = 100
"""The longest messages that the length was measured on; longer ones gain no more."""
WHEN: Final = 1.15
INSIDE: Final = 1.4
SOON_AFTER: Final = 1.2


Ends = tuple[float, float]


class Row(NamedTuple):
    """A candidate, or a message at most two places from one in its thread.

    `cosine`: the exact one, of every candidate that has a vector, whichever list found it. `lexical`: the full-text
    score, of those that the text list found. Both None: beside candidates only.
    """

    id: str
    thread: str
    seq: int
    speaker: str | None
    is_question: bool
    words: int
    has_time_word: bool
    created_at: datetime
    cosine: float | None = None
    lexical: float | None = None


class Recalled(NamedTuple):
    """A message and what its score is made of: `vector` and `text` are scaled to 0–1; `lift` came from beside it."""

    row: Row
    score: float
    vector: float
    text: float
    lift: float
    in_window: bool


@dataclass(frozen=True, slots=True)
class RecalledThread:
    """A thread, with the score and the message of its best one."""

    thread: str
    score: float
    best: Recalled


def rank(
    rows: Sequence[Row],
    asked: Asked,
    *,
    sessions: Sequence[str] = (),
    exclude: Collection[str] = (),
    cosines: Ends | None = None,
    lexicals: Ends | None = None,
) -> list[Recalled]:
    """The rows, best first, without those whose ids are to be excluded.

    `sessions`: the ids of the threads that are searched, oldest first; needed where the question counts them.
    `cosines`, `lexicals`: the least and the greatest of all candidates, where the rows are not all.
    Where one of the two lists is empty (no embedder, no word to look for), the other has the whole weight.
    """
    vectors = _scaled({row.id: row.cosine for row in rows if row.cosine is not None}, cosines)
    texts = _scaled({row.id: row.lexical for row in rows if row.lexical is not None}, lexicals)
    dense = 0.0 if not vectors and cosines is None else 1.0 if not texts and lexicals is None else DENSE
    own = {
        row.id: dense * vectors.get(row.id, 0.0)
        + (1 - dense) * texts.get(row.id, 0.0)
        + (NAMED if asked.named is not None and row.speaker == asked.named else 0.0)
        for row in rows
    }
    beside = {(row.thread, row.seq): (own[row.id], row.is_question) for row in rows}
    meant = _threads_meant(asked, sessions)
    window = asked.window if isinstance(asked.window, Interval) else None
    excluded = frozenset(exclude)
    found: list[Recalled] = []
    for row in rows:
        if row.id in excluded:
            continue
        lift = _lift(row, beside)
        inside = row.thread in meant or (window is not None and window.holds(row.created_at))
        score = (own[row.id] + lift) * _factor(row, asked.when, window, inside)
        found.append(Recalled(row, score, vectors.get(row.id, 0.0), texts.get(row.id, 0.0), lift, inside))
    return sorted(found, key=lambda one: (not (asked.talk and one.in_window), -one.score, one.row.thread, one.row.seq))


def threads(recalled: Iterable[Recalled]) -> list[RecalledThread]:
    """The threads in the order of their best messages; `recalled` as `rank` gives it."""
    best: dict[str, Recalled] = {}
    for one in recalled:
        best.setdefault(one.row.thread, one)
    return [RecalledThread(thread, one.score, one) for thread, one in best.items()]


def _scaled(scores: Mapping[str, float], ends: Ends | None) -> dict[str, float]:
    """To 0–1 by the least and the greatest; 1 where all are alike."""
    if not scores:
        return {}
    low, high = ends or (min(scores.values()), max(scores.values()))
    return {id: (score - low) / (high - low) if high > low else 1.0 for id, score in scores.items()}


def _lift(row: Row, beside: Mapping[tuple[str, int], tuple[float, bool]]) -> float:
    """The largest share of a neighbour's own score. `beside`: own score, and whether it asks, by place."""
    thread, at = row.thread, row.seq
    largest = 0.0
    if (one := beside.get((thread, at - 1))) is not None:
        largest = one[0] * (BEFORE_QUESTION if one[1] else BEFORE)
    for place, share in ((at + 1, AFTER), (at - 2, TWO_AWAY), (at + 2, TWO_AWAY)):
        if (one := beside.get((thread, place))) is not None and share * one[0] > largest:
            largest = share * one[0]
    return largest


_BY_WORDS = tuple(1 + LENGTH * math.log((words + 1) / (TYPICAL + 1)) for words in range(MOST_WORDS + 1))


def _factor(row: Row, asks_when: bool, window: Interval | None, inside: bool) -> float:
    factor = _BY_WORDS[min(row.words, MOST_WORDS)]
    if row.is_question:
        factor *= QUESTION
    if asks_when and row.has_time_word:
        factor *= WHEN
    if inside:
        factor *= INSIDE
    elif window is not None and window.just_before(row.created_at):
        factor *= SOON_AFTER
    return factor


def _threads_meant(asked: Asked, sessions: Sequence[str]) -> frozenset[str]:
    if not isinstance(asked.window, Sessions):
        return frozenset()
    return frozenset(sessions[place] for place in asked.window.of(len(sessions)))
