"""The second trip of a recall: what is asked of both indexes, and what the answer tells of each message."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphmem.conversation.recall_scope import Scope, Where
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.instants import at_microsecond
from graphmem.graph.vectors import packed
from graphmem.ranking import recall as ranking

BEST = 60
"""Candidates that may come first, by their own scores. All may where the question says when, or hits are chosen by
another measure, too."""
BESIDE = 40
"""Candidates whose neighbours are looked at: of those further down, none is lifted to the first places."""


def gathering(
    graph: Graph, scope: Scope, words: str | None, vector: list[float] | None, named: str | None, best: int | None
) -> tuple[str, dict[str, Any]]:
    """The statement that gathers, and its parameters. `best`: how many candidates are wanted; None: all."""
    lucene = None if words is None else f"{scope.text_filter()} {words}"
    count = graph.settings.candidates + scope.hidden
    params = {
        **scope.params(),
        "lucene": lucene,
        "count": count,
        "dense": ranking.DENSE,
        "named": named,
        "bonus": ranking.NAMED,
        "best": 2 * count if best is None else best + scope.hidden,
        "beside": scope.hidden + (2 * BESIDE if best is None else max(BESIDE, best // 4)),
    }
    if vector is None:
        return "conversation/recall_gather_text", params
    return "conversation/recall_gather", {**params, "vector": packed(vector), "narrow": scope.narrow}


def rows_of(gathered: Row, where: Where, threshold: float | None) -> tuple[list[ranking.Row], set[str]]:
    """All rows, and the ids of those that may not be hits: they are there for what stands beside them."""
    rows: list[ranking.Row] = []
    barred: set[str] = set()
    for uid, thread, seq, speaker, asks, words, timed, at, cosine, lexical, passes in gathered["rows"]:
        row = ranking.Row(uid, thread, seq, speaker, asks, words, timed, at_microsecond(at), plain(cosine), lexical)
        rows.append(row)
        if cosine is None and lexical is None:
            may = threshold is None and row.words > 0 and _within(row, where)
        else:
            may = threshold is None or _near(row, threshold)
        if not (passes and may):
            barred.add(row.id)
    return rows, barred


def _within(row: ranking.Row, where: Where) -> bool:
    at = row.created_at
    return (where.since is None or at >= where.since) and (where.until is None or at < where.until)


def between(ends: Iterable[float | None]) -> tuple[float, float] | None:
    low, high = ends
    return None if low is None or high is None else (low, high)


def plain(cosine: float | None) -> float | None:
    """From Neo4j's scale of 0 to 1."""
    return None if cosine is None else 2 * cosine - 1


def _near(row: ranking.Row, threshold: float) -> bool:
    """A message that full text found and that has no vector yet can't be judged."""
    return row.lexical is not None if row.cosine is None else row.cosine >= threshold
