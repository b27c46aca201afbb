"""One ranked list out of the seeds of a search and what is reached from them.

score = own + graph, where own is the hybrid score (0 for a node that is no candidate) and graph the largest bonus
over the paths of least depth: λ^depth × Π edge weight × the seed's own score along explicit edges, and what
`residual` says along one automatic mention of the node or one entity that both mention (`design.md` §5,
`retrieval.md` §2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.ranking import residual

MENTIONS = "MENTIONS"
KEPT_SHARE = 3
"""The best seeds have one place of a list in so many: a node that gains by a good seed must not push it out. Half of
the places would cost recall (on MuSiQue R@5 -1.0 with three of five), a third costs none."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node of the pool. `vector` and `text` are its min-max scores, `title` its bonus; `own` weighs them together.
    `replaces`: superseded nodes that were found and in whose place it stands; the best score of all of them is its."""

    id: str
    own: float
    vector: float
    text: float
    title: float
    replaces: Sequence[str] = ()


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
    """A node that seeds mention. `places`: of the question's stems that it has."""

    id: str
    sources: Sequence[str]
    places: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class Shared:
    """A node that has an entity, which `nodes` nodes mention, in common with a seed. `places`: of the question's stems
    that it has and the seed lacks."""

    id: str
    seed: str
    entity: str
    nodes: int
    places: Collection[int]


@dataclass(frozen=True, slots=True)
class Question:
    """What the automatic edges are weighed by: the IDF of each of the question's stems, the places of those that each
    seed has, and the number of nodes that could have been found."""

    mass: Sequence[float] = ()
    held: Mapping[str, Collection[int]] = field(default_factory=dict)
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class Weights:
    """What a seed's score is worth one explicit edge further, to what it mentions, and across a shared entity."""

    decay: float
    mention: float
    bridge: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """One edge of a path, walked from `source` to `target`; `forward` tells whether the edge points that way.
    `via`: the entity that both mention, where it is two edges in truth."""

    source: str
    target: str
    type: str
    forward: bool
    via: str | None = None


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
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Way:
    depth: int
    bonus: float
    parent: str
    step: Step

    @property
    def order(self) -> tuple[int, float, str, bool]:
        """The least deep way comes first, then the one with the largest bonus, then an edge before an entity."""
        return self.depth, -self.bonus, self.parent, self.step.via is not None


def rank(
    pool: Sequence[Candidate],
    seeds: int,
    reached: Iterable[Reached],
    mentioned: Iterable[Mentioned],
    shared: Iterable[Shared] = (),
    *,
    question: Question,
    weights: Weights,
) -> list[Hit]:
    """The first `seeds` of the pool, which is in order, and all that is reached from them; best score first."""
    own = {candidate.id: candidate for candidate in pool}
    roots = {candidate.id for candidate in pool[:seeds]}
    walked = {
        node.id: _Way(
            node.depth, weights.decay**node.depth * node.strength, node.parent,
            Step(node.parent, node.id, node.type, node.forward),
        )
        for node in reached
    }  # fmt: skip
    ways = dict(walked)
    for way in (*_mentions(own, mentioned, question, weights), *_bridges(own, shared, question, weights)):
        had = ways.get(way.step.target)
        if had is None or way.order < had.order:
            ways[way.step.target] = way
    hits = [_hit(uid, own.get(uid), ways.get(uid), walked, roots) for uid in dict.fromkeys([*roots, *ways])]
    return sorted(hits, key=lambda hit: (-hit.score, hit.depth, hit.id))


def cut(hits: Sequence[Hit], limit: int) -> list[Hit]:
    """The first `limit` of a ranked list, in which the best seeds keep a third of the places; in order."""
    seeds = sorted((hit for hit in hits if hit.depth == 0), key=lambda hit: (hit.graph - hit.score, hit.id))
    kept = {hit.id for hit in seeds[: limit // KEPT_SHARE]}
    free = limit - len(kept)
    for hit in hits:
        if free and hit.id not in kept:
            kept.add(hit.id)
            free -= 1
    return [hit for hit in hits if hit.id in kept]


def _mentions(
    own: Mapping[str, Candidate], mentioned: Iterable[Mentioned], question: Question, weights: Weights
) -> Iterator[_Way]:
    for target in mentioned:
        for source in target.sources:
            covered = residual.coverage(question.mass, question.held.get(source, ()), target.places)
            bonus = residual.mention(own[source].own, covered, weight=weights.mention)
            yield _Way(1, bonus, source, Step(source, target.id, MENTIONS, True))


def _bridges(
    own: Mapping[str, Candidate], shared: Iterable[Shared], question: Question, weights: Weights
) -> Iterator[_Way]:
    for target in shared:
        covered = residual.coverage(question.mass, question.held.get(target.seed, ()), target.places)
        rare = residual.rarity(question.nodes, target.nodes)
        bonus = residual.bridge(own[target.seed].own, rare, covered, weight=weights.bridge)
        yield _Way(1, bonus, target.seed, Step(target.seed, target.id, MENTIONS, True, target.entity))


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
        replaces=tuple(sorted(candidate.replaces)) if candidate else (),
    )


def _path(way: _Way, walked: Mapping[str, _Way], roots: set[str]) -> tuple[Step, ...]:
    """Back to a seed. A mention may lead to a node of the path sooner, but no edge was walked on from there."""
    steps = [way.step]
    while way.parent not in roots:
        way = walked[way.parent]
        steps.append(way.step)
    return tuple(reversed(steps))
