"""The head of a ranked list that fits a number of tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.errors import InvalidInput
from graphmem.knowledge.search import SearchHit, SearchResult
from graphmem.ranking.tokens import count

TOLD = ("title", "content")
"""The properties of a hit that count, on a line each."""


@dataclass(frozen=True, slots=True)
class Budgeted:
    """`tokens`: of the hits kept; `dropped`: hits left out, the last of the list."""

    result: SearchResult
    tokens: int
    dropped: int


def check(budget: int) -> None:
    """Raises InvalidInput."""
    if budget < 1:
        raise InvalidInput(f"tokenBudget must be at least 1, not {budget}", field="tokenBudget")


async def within(found: SearchResult, budget: int) -> Budgeted:
    """The first hits whose texts fit together, and the edges among and out of them; the hits have what `TOLD` names."""
    kept, tokens = await asyncio.to_thread(_fitting, found.hits, budget)
    ids = {hit.node.id for hit in kept}
    edges = tuple(edge for edge in found.edges if edge[0] in ids)
    return Budgeted(replace(found, hits=kept, edges=edges), tokens, len(found.hits) - len(kept))


def _fitting(hits: Sequence[SearchHit], budget: int) -> tuple[tuple[SearchHit, ...], int]:
    spent = 0
    for at, hit in enumerate(hits):
        more = count(f"{hit.node.title}\n{hit.node.content}\n")
        if spent + more > budget:
            return tuple(hits[:at]), spent
        spent += more
    return tuple(hits), spent
