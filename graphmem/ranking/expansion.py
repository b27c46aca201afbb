"""One ranked list out of the seeds of a search and what is reached from them.

score = own + graph, where own is the hybrid score (0 for a node that is no candidate) and graph the largest bonus
over the paths of least depth: λ^depth × Π edge weight × the seed's own score along explicit edges, and
`mention` × the seed's own score along one automatic mention (`design.md` §5, `retrieval.md` §2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

MENTIONS = "MENTIONS"
UNGATED = 0.6
"""What a mention is worth before the residual of the question is looked at (`retrieval.md` §2, step 3)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node of the pool. `vector` and `text` are its min-max scores, `title` its bonus; `own` weighs them together."""

    id: str
    own: float
    vector: float
    text: float
    title: float


@dataclass(frozen=True, slots=True)
class Reached:
    """A node reached along explicit edges: `strength` is the seed's own score × the weights along its best path of
    least depth, whose last step came from `parent` along an edge of `type`, forward or against its direction."""

    id: str
    strength: float
    depth: int
    parent: str
    type: str
    forward: bool
    weight: float


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A node that seeds mention."""

    id: str
    sources: Sequence[str]


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a path, walked from `source` to `target`; `forward` tells whether the edge points that way."""

    source: str
    target: str
    type: str
    forward: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """A node of the ranked list. `path` leads to it from a seed; empty for a seed, whose depth is 0."""

    id: str
    score: float
    vector: float
    text: float
    title: float
    graph: float
    depth: int
    path: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class _Way:
    depth: int
    bonus: float
    parent: str
    step: Step


def rank(
    pool: Sequence[Candidate],
    seeds: int,
    reached: Iterable[Reached],
    mentioned: Iterable[Mentioned],
    *,
    decay: float,
    mention: float,
) -> list[Hit]:
    """The first `seeds` of the pool, which is in order, and all that is reached from them; best score first."""
    own = {candidate.id: candidate for candidate in pool}
    roots = {candidate.id for candidate in pool[:seeds]}
    walked = {
        node.id: _Way(
            node.depth, decay**node.depth * node.strength, node.parent,
            Step(node.parent, node.id, node.type, node.forward),
        )
        for node in reached
    }  # fmt: skip
    ways = _ways(own, walked, mentioned, mention)
    hits = [_hit(uid, own.get(uid), ways.get(uid), walked, roots) for uid in dict.fromkeys([*roots, *ways])]
    return sorted(hits, key=lambda hit: (-hit.score, hit.depth, hit.id))


def _ways(
    own: Mapping[str, Candidate], walked: Mapping[str, _Way], mentioned: Iterable[Mentioned], mention: float
) -> dict[str, _Way]:
    """The best way to each node: the least deep, then the one with the largest bonus."""
    best = dict(walked)

    def offer(uid: str, way: _Way) -> None:
        had = best.get(uid)
        if had is None or (way.depth, -way.bonus, way.parent) < (had.depth, -had.bonus, had.parent):
            best[uid] = way

    for target in mentioned:
        for source in target.sources:
            bonus = mention * UNGATED * own[source].own
            offer(target.id, _Way(1, bonus, source, Step(source, target.id, MENTIONS, True)))
    return best


def _hit(uid: str, candidate: Candidate | None, way: _Way | None, walked: Mapping[str, _Way], roots: set[str]) -> Hit:
    graph = way.bonus if way else 0.0
    seed = uid in roots
    return Hit(
        id=uid,
        score=(candidate.own if candidate else 0.0) + graph,
        vector=candidate.vector if candidate else 0.0,
        text=candidate.text if candidate else 0.0,
        title=candidate.title if candidate else 0.0,
        graph=graph,
        depth=0 if seed or way is None else way.depth,
        path=() if seed or way is None else _path(way, walked, roots),
    )


def _path(way: _Way, walked: Mapping[str, _Way], roots: set[str]) -> tuple[Step, ...]:
    """Back to a seed. A mention may lead to a node of the path sooner, but no edge was walked on from there."""
    steps = [way.step]
    while way.parent not in roots:
        way = walked[way.parent]
        steps.append(way.step)
    return tuple(reversed(steps))
