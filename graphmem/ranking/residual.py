"""What a seed leaves open of the question, and what a node beside it is worth for having that.

The residual of a seed is the stems of the question that it lacks. A node reached along an automatic edge is
lifted by the share of the residual's IDF mass that it has: its coverage (`retrieval.md` §2, steps 3 and 4). Stems
are given as places in the question's list of stems.

The figures need not be exact: document frequencies capped at 200 or off by a factor of two, and numbers of nodes
off by a fifth, cost no more than half a point of recall (measured on MuSiQue and HotpotQA).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

MENTIONED: Final = 0.6
"""The part of a mention's bonus that needs no coverage: that the seed names the node tells much by itself."""

SHARED: Final = 0.05
"""The part of a shared entity's bonus that needs no coverage: most nodes that share one are of no use."""

BRIDGE_SEEDS: Final = 3
"""The best nodes from which shared entities are followed."""

LEAST_NODES: Final = 2
MOST_NODES: Final = 60
"""An entity in fewer nodes leads nowhere, one in more says nothing."""

YIELDS: Final = 0.3
"""What the vector list loses of its weight when a text has all of the question's words."""


def idf(nodes: int, having: int) -> float:
    """The weight of a stem that `having` of `nodes` nodes have, as Lucene's BM25 counts it; more than 0.

    Where the numbers are estimates and `having` is above `nodes`, it is taken as `nodes`.
    """
    had = min(having, nodes)
    return math.log1p((nodes - had + 0.5) / (had + 0.5))


def coverage(mass: Sequence[float], seed: Collection[int], target: Collection[int]) -> float:
    """The share of the residual's mass that the target has, 0 to 1.

    `mass` is the IDF of each stem of the question; `seed` and `target` are the places of the stems that they
    have. 0 where the seed leaves nothing open: there is nothing left to be found beside it.
    """
    residual = set(range(len(mass))).difference(seed)
    whole = math.fsum(mass[place] for place in residual)
    return math.fsum(mass[place] for place in residual.intersection(target)) / whole if whole > 0 else 0.0


def mention(own: float, covered: float, *, weight: float) -> float:
    """The bonus of a node that a seed of score `own` mentions."""
    return weight * own * (MENTIONED + (1 - MENTIONED) * covered)


def rarity(nodes: int, having: int) -> float:
    """How telling an entity is: ln(nodes / having) / ln(nodes), from 0 (all have it) to 1 (one has it)."""
    if nodes <= 1 or having >= nodes:
        return 0.0
    return math.log(nodes / max(having, 1)) / math.log(nodes)


def telling(having: int) -> bool:
    """Whether an entity that `having` nodes have is followed."""
    return LEAST_NODES <= having <= MOST_NODES


def bridge(own: float, rare: float, covered: float, *, weight: float) -> float:
    """The bonus of a node that shares an entity of rarity `rare` with a seed of score `own`."""
    return weight * own * rare * (SHARED + (1 - SHARED) * covered)


def dense_weight(weight: float, share: float) -> float:
    """The weight of the vector list when the best texts of the text list have `share` of the question's stems.

    A text with all the words a question asks for is most often the answer, whatever its vector (LIMIT: 97.8 to
    98.6 R@2); a question of several hops has none, and nothing changes for it. The fourth power keeps a share of
    two thirds, which is common, from having much effect.
    """
    return weight * (1 - YIELDS * share**4)
