"""Graphs to measure on: made up, the same for the same seed, as large as asked. Pure; nothing is stored.

Nodes are numbered; each tenant has a run of them. Texts and vectors of a node share a cluster, and clusters are spread
over all tenants, so that a small tenant's nearest neighbours lie among those of others: what an index that filters
late gets wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import TypedDict

import numpy as np
from numpy.random import Generator, default_rng
from numpy.typing import NDArray

from graphmem.values import EdgeType, KnowledgeType

DIMENSIONS = 384
VOCABULARY = 5_000
WORDS = 60
NODES_A_CLUSTER = 50
TENANTS = {"bench-1": 0.01, "bench-10": 0.10, "bench-89": 0.89}
"""Share of the nodes by tenant."""

_BATCH = 1_000
_TOPIC_WORDS = 12
_TOPIC_SHARE = 0.25
_NOISE = 0.6
"""Length of what is added to a cluster's centre: nodes of one cluster have a cosine of about 1 / (1 + 0.6²) = 0.74."""
_EDGE_TYPES = (EdgeType.RELATED_TO, EdgeType.DEPENDS_ON, EdgeType.SUPERSEDES, EdgeType.CONFLICTS_WITH)
_EDGE_SHARES = (0.6, 0.3, 0.05, 0.05)
_TYPES = tuple(kind.value for kind in KnowledgeType)


class NodeRow(TypedDict):
    """A knowledge node; `vector` has unit length."""

    uid: str
    tenant: str
    title: str
    content: str
    type: str
    confidence: float
    tags: list[str]
    cluster: int
    vector: NDArray[np.float32]


class EdgeRow(TypedDict):
    """An edge between two nodes of one tenant, by their ids."""

    tenant: str
    source: str
    target: str
    type: str
    weight: float


def uid(number: int) -> str:
    """Ids sort as the numbers do."""
    return f"n{number:08d}"


def tenants(nodes: int) -> dict[str, range]:
    """The numbers of each tenant's nodes; what does not divide goes to the last, the largest."""
    found: dict[str, range] = {}
    start = 0
    for name, share in TENANTS.items():
        stop = nodes if name == list(TENANTS)[-1] else start + round(nodes * share)
        found[name] = range(start, stop)
        start = stop
    return found


def corpus(nodes: int, seed: int) -> Iterator[NodeRow]:
    """`nodes` nodes in order of their number, about 50 to a cluster, each with a text of 60 words."""
    clusters = max(1, nodes // NODES_A_CLUSTER)
    rng = default_rng([seed, 0])
    centres = _unit(rng.standard_normal((clusters, DIMENSIONS), dtype=np.float32))
    topics = rng.integers(0, VOCABULARY, (clusters, _TOPIC_WORDS))
    owners = tenants(nodes)
    for first in range(0, nodes, _BATCH):
        numbers = range(first, min(first + _BATCH, nodes))
        yield from _rows(numbers, default_rng([seed, 1, first]), centres, topics, owners)


def _rows(
    numbers: range, rng: Generator, centres: NDArray[np.float32], topics: NDArray[np.int64], owners: dict[str, range]
) -> Iterator[NodeRow]:
    size = len(numbers)
    cluster = rng.integers(0, len(centres), size)
    noise = rng.standard_normal((size, DIMENSIONS), dtype=np.float32) * np.float32(_NOISE / np.sqrt(DIMENSIONS))
    vectors = _unit(centres[cluster] + noise)
    common = rng.choice(VOCABULARY, (size, WORDS), p=_zipf())
    topical = topics[cluster[:, None], rng.integers(0, _TOPIC_WORDS, (size, WORDS))]
    chosen = np.where(rng.random((size, WORDS)) < _TOPIC_SHARE, topical, common)
    titled = topics[cluster[:, None], rng.integers(0, _TOPIC_WORDS, (size, 3))]
    types, confidence = rng.integers(0, len(_TYPES), size), rng.uniform(0.5, 1.0, size)
    words = vocabulary()
    for at, number in enumerate(numbers):
        yield NodeRow(
            uid=uid(number),
            tenant=next(name for name, owned in owners.items() if number in owned),
            title=f"{' '.join(words[word] for word in titled[at])} {number}",
            content=" ".join(words[word] for word in chosen[at]),
            type=_TYPES[types[at]],
            confidence=round(float(confidence[at]), 3),
            tags=[f"cluster-{cluster[at]}"],
            cluster=int(cluster[at]),
            vector=vectors[at],
        )


def edges(nodes: int, per_node: int = 3, *, seed: int) -> Iterator[EdgeRow]:
    """From each node `per_node` edges to others of its tenant (fewer where it has no more), no edge twice.

    SUPERSEDES runs from the larger number to the smaller, so that there is no cycle; CONFLICTS_WITH the other way.
    """
    for name, numbers in tenants(nodes).items():
        count = min(per_node, len(numbers) - 1)
        borders = np.linspace(1, len(numbers), count + 1, dtype=np.int64) if count > 0 else np.empty(0, np.int64)
        taken: set[tuple[int, int, EdgeType]] = set()
        for first in range(0, len(numbers) if count > 0 else 0, _BATCH):
            size = min(_BATCH, len(numbers) - first)
            rng = default_rng([seed, 2, numbers.start, first])
            steps = rng.integers(borders[:-1], borders[1:], (size, count))  # one from each stretch: no pair twice
            kinds, weights = _draw(rng, (size, count))
            for at, turn in product(range(size), range(count)):
                source = numbers[first + at]
                target = numbers[(first + at + int(steps[at, turn])) % len(numbers)]
                edge = _directed(source, target, _EDGE_TYPES[kinds[at, turn]])
                if edge in taken:  # drawn from its other end before
                    edge = (source, target, EdgeType.RELATED_TO)
                if edge[2] in (EdgeType.SUPERSEDES, EdgeType.CONFLICTS_WITH):
                    taken.add(edge)
                yield _edge(name, *edge, float(weights[at, turn]))


def hub(nodes: int, edges: int = 100_000, *, seed: int) -> Iterator[EdgeRow]:
    """Edges of the largest tenant's first node, each with another node, to it and from it in turn.

    An edge can be one that the function `edges` gives too. Raises ValueError when the tenant is too small.
    """
    name, numbers = list(tenants(nodes).items())[-1]
    if edges >= len(numbers):
        raise ValueError(f"a hub of {edges} edges needs a tenant of more nodes than that; {name} has {len(numbers)}")
    kinds, weights = _draw(default_rng([seed, 3]), (edges,))
    centre = numbers[0]
    for at in range(edges):
        other = numbers[at + 1]
        source, target = (centre, other) if at % 2 else (other, centre)
        yield _edge(name, *_directed(source, target, _EDGE_TYPES[kinds[at]]), float(weights[at]))


def _draw(rng: Generator, shape: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    return rng.choice(len(_EDGE_TYPES), shape, p=_EDGE_SHARES), rng.uniform(0.3, 1.0, shape)


def _directed(source: int, target: int, kind: EdgeType) -> tuple[int, int, EdgeType]:
    if kind is EdgeType.SUPERSEDES:
        return max(source, target), min(source, target), kind
    if kind is EdgeType.CONFLICTS_WITH:
        return min(source, target), max(source, target), kind
    return source, target, kind


def _edge(tenant: str, source: int, target: int, kind: EdgeType, weight: float) -> EdgeRow:
    return EdgeRow(tenant=tenant, source=uid(source), target=uid(target), type=kind.value, weight=round(weight, 3))


@cache
def vocabulary() -> tuple[str, ...]:
    """5,000 different made-up words of four to six letters, the same always."""
    syllables = ["".join(pair) for pair in product("bdfgklmnprstvz", "aeiou")]
    pairs = ["".join(pair) for pair in product(syllables, syllables)]
    words = [*pairs, *(f"{pair}{end}" for pair in pairs[::7] for end in "nst")]
    return tuple(words[:VOCABULARY])


@cache
def _zipf() -> NDArray[np.float64]:
    """Zipf's law: the word of rank r is drawn in proportion to 1 / r."""
    weights: NDArray[np.float64] = 1.0 / np.arange(1, VOCABULARY + 1)
    weights /= weights.sum()
    return weights


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
