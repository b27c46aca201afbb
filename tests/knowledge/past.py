"""A graph's past in plain Python: what calls do to nodes and edges, and what a read of any moment must say."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from graphmem.knowledge.as_of import ONCE_TRUE
from graphmem.knowledge.directions import Directions
from graphmem.ranking import residual
from graphmem.values import FOREVER, EdgeType, Status, utc_now

BEGAN = utc_now()
Arrow = tuple[str, str, str]
Step = tuple[str, str, str, bool, str | None]
KEPT = 0.8
"""What an explicit hop, a mention and an entity in common keep of a score; settings have one for each, all the same."""
MENTIONED = re.compile(r"title (n\d{3})")
ENTITY = re.compile("hank snow|kew garden", re.IGNORECASE)


def years(count: float) -> datetime:
    """From now; no test takes so long that it matters when exactly that is."""
    return BEGAN + timedelta(days=365 * count)


ASKED = (-4, -2.5, -1.5, 1, 3)
"""Times to ask `validAt` about."""


@dataclass(frozen=True)
class State:
    """A node at one time. `names`: titles it has got by merges; `last`: until when it was valid when last in use."""

    content: str
    status: Status = Status.ACTIVE
    since: datetime = BEGAN
    until: datetime = FOREVER
    names: frozenset[str] = frozenset()
    last: datetime = field(default=FOREVER, compare=False)
    version: int = 1


@dataclass(frozen=True)
class Question:
    """What automatic edges are weighed by: the word that is asked for, None in a traversal, and how many notes are in
    use today."""

    word: str | None = None
    nodes: int = 1

    def left_open(self, state: State) -> bool:
        return self.word is not None and self.word not in state.content

    def answered(self, state: State) -> bool:
        return self.word is not None and self.word in state.content


@dataclass(frozen=True)
class Way:
    """`rank`: minus the bonus it brings."""

    depth: int
    rank: float
    step: Step

    @property
    def order(self) -> tuple[int, float, str, bool]:
        return self.depth, self.rank, self.step[0], self.step[4] is not None


@dataclass
class Moment:
    """All that was so from one call to the next: nodes by id, weights by explicit edge, mentions, and of each node the
    entities in its text, each with its spelling where the text shows that it is a name; read as of then, and at a time
    of the world."""

    nodes: dict[str, State] = field(default_factory=dict)
    edges: dict[Arrow, float] = field(default_factory=dict)
    mentions: set[Arrow] = field(default_factory=set)
    entities: dict[str, dict[str, str | None]] = field(default_factory=dict)
    as_of: datetime = BEGAN
    valid_at: datetime | None = None

    def copy(self) -> Moment:
        return Moment(dict(self.nodes), dict(self.edges), set(self.mentions), dict(self.entities))

    @property
    def arrows(self) -> dict[Arrow, float]:
        return self.edges | dict.fromkeys(self.mentions, 1.0)

    def used(self, uid: str) -> bool:
        """Whether lists of what is in use have it."""
        return self.nodes[uid].status in (ONCE_TRUE if self.valid_at else (Status.ACTIVE,)) and self.holds(uid)

    def holds(self, uid: str) -> bool:
        state = self.nodes[uid]
        return self.valid_at is None or state.since <= self.valid_at < state.until

    def shows(self, uid: str) -> bool:
        state = self.nodes[uid]
        if self.valid_at is None:
            return state.status is Status.ACTIVE and state.until > self.as_of
        return state.status in ONCE_TRUE and self.holds(uid)

    def change(self, uid: str, **more: object) -> None:
        had = self.nodes[uid]
        now = replace(had, **more)  # type: ignore[arg-type]
        self.nodes[uid] = replace(now, version=had.version + (now != had))

    def leave(self, uid: str, status: Status) -> None:
        """Out of use; where another takes its place its validity ends, before its start never."""
        had = self.nodes[uid]
        last = had.until if had.status is Status.ACTIVE else had.last
        until = max(min(utc_now(), had.until), had.since) if status is Status.SUPERSEDED else had.until
        self.change(uid, status=status, until=until, last=last)

    def forget(self, uid: str) -> None:
        """A deletion takes the past along."""
        self.nodes.pop(uid, None)
        self.entities.pop(uid, None)
        for edge in self.touching(uid):
            del self.edges[edge]
        self.mentions = {edge for edge in self.mentions if uid not in edge}

    def link_texts(self) -> None:
        """What background jobs make of the texts in use."""
        names = {uid: state.names | {uid} for uid, state in self.nodes.items()}
        used = {uid: state.content for uid, state in self.nodes.items() if state.status is Status.ACTIVE}
        self.mentions = {
            (uid, str(EdgeType.MENTIONS), other)
            for uid, text in used.items()
            for name in set(MENTIONED.findall(text)) - names[uid]
            for other in self.nodes
            if name in names[other] and other != uid
        }
        found = {uid: {said.lower(): said for said in ENTITY.findall(text)} for uid, text in used.items()}
        known = {key for said in found.values() for key, spelling in said.items() if spelling != key}
        self.entities = {
            uid: {key: None if said[key] == key else said[key] for key in said if key in known}
            for uid, said in found.items()
        }

    def spellings(self, key: str, among: Iterable[str]) -> list[str]:
        """Those in texts of some nodes, the commonest first."""
        said = Counter(self.entities.get(uid, {}).get(key) for uid in among)
        return sorted((one for one in said if one), key=lambda one: (-said[one], one))

    def supersede(self, old: str, new: str) -> None:
        self.edges[new, "SUPERSEDES", old] = 1.0
        if self.nodes[old].status is not Status.SUPERSEDED:
            self.leave(old, Status.SUPERSEDED)

    def merge(self, kept: str, gone: str) -> None:
        had, other = self.nodes[kept], self.nodes[gone]
        self.change(kept, names=(had.names | other.names | {gone}) - {kept})
        for edge in self.touching(gone):
            weight = self.edges.pop(edge)
            ends = [kept if end == gone else end for end in (edge[0], edge[2])]
            if ends[0] != ends[1]:
                moved = straight(*ends, edge[1])
                self.edges[moved] = max(weight, self.edges.get(moved, 0))
        self.supersede(gone, kept)

    def touching(self, *ids: str) -> list[Arrow]:
        return [edge for edge in self.edges if edge[0] in ids or edge[2] in ids]

    def walk(
        self, own: Mapping[str, float], depth: int, ways: Directions, question: Question
    ) -> tuple[dict[str, int], dict[str, list[Step]]]:
        """Depths of, and paths to, all that is reached from seeds with these scores of their own."""
        front = [(uid, uid, score) for uid, score in own.items()]
        walked: dict[str, Way] = {}
        for level in range(1, depth + 1):
            best: dict[str, tuple[float, str, str, bool, str]] = {}
            for at, root, strength in front:
                for other, kind, forward, weight in self.steps(at, ways):
                    if self.shows(other) and other not in walked and other != root:
                        offer = (-strength * weight, at, kind, not forward, root)
                        best[other] = min(offer, best.get(other, offer))
            walked |= {
                uid: Way(level, KEPT**level * score, (at, kind, uid, not back, None))
                for uid, (score, at, kind, back, _) in best.items()
            }
            front = [(uid, root, -score) for uid, (score, *_, root) in best.items() if uid not in own]
        ways_there = dict(walked)
        for way in self._automatic(own, question) if depth and ways.mentions else ():
            had = ways_there.setdefault(way.step[2], way)
            ways_there[way.step[2]] = min(had, way, key=lambda one: one.order)
        depths = {**{uid: way.depth for uid, way in ways_there.items()}, **dict.fromkeys(own, 0)}
        return depths, {uid: [] if uid in own else self._path(ways_there[uid], own, walked) for uid in depths}

    def _automatic(self, own: Mapping[str, float], question: Question) -> Iterator[Way]:
        """One step further: what seeds mention, and what has a telling entity in common with the best of them."""
        for start, kind, end in sorted(self.mentions):
            if start in own and self.shows(end):
                covered = question.left_open(self.nodes[start]) and question.answered(self.nodes[end])
                bonus = residual.mention(own[start], float(covered), weight=KEPT)
                yield Way(1, -bonus, (start, kind, end, True, None))
        seeds = sorted(own, key=lambda uid: (-own[uid], uid))[: residual.BRIDGE_SEEDS]
        for seed in (uid for uid in seeds if question.left_open(self.nodes[uid])):
            for uid, found in self.entities.items():
                shared = {key: self.having(key) for key in found if key in self.entities.get(seed, {})}
                telling = [(len(many), key) for key, many in shared.items() if residual.telling(len(many))]
                if telling and uid != seed and self.shows(uid) and question.answered(self.nodes[uid]):
                    count, key = min(telling)
                    name = (self.spellings(key, shared[key]) or [key])[0]
                    rare = residual.rarity(question.nodes, count)
                    bonus = residual.bridge(own[seed], rare, 1.0, weight=KEPT)
                    yield Way(1, -bonus, (seed, str(EdgeType.MENTIONS), uid, True, name))

    def having(self, key: str) -> list[str]:
        return [uid for uid, found in self.entities.items() if key in found]

    def steps(self, at: str, ways: Directions) -> Iterable[tuple[str, str, bool, float]]:
        for (start, kind, end), weight in self.edges.items():
            if start == at and kind in ways.out:
                yield end, kind, True, weight
            if end == at and kind in ways.into:
                yield start, kind, False, weight

    def heirs(self, uid: str) -> set[str]:
        """What stands in the place of a superseded node, directly or through others that were superseded."""
        above = {start for start, kind, end in self.edges if (kind, end) == ("SUPERSEDES", uid)}
        shown = {one for one in above if self.shows(one)}
        out_of_use = {one for one in above if self.nodes[one].status is Status.SUPERSEDED}
        return shown.union(*(self.heirs(one) for one in out_of_use))

    def _path(self, way: Way, own: Mapping[str, float], walked: Mapping[str, Way]) -> list[Step]:
        steps = [way.step]
        while steps[0][0] not in own:
            steps.insert(0, walked[steps[0][0]].step)
        return steps

    def distance(self, start: str, end: str, most: int, ways: Directions) -> int | None:
        """Edges between two nodes, through nodes that are shown."""
        front, seen = {start}, {start}
        for steps in range(most + 1):
            if end in front:
                return steps
            found = {other for at in front for other, *_ in self.steps(at, ways)}
            found |= {end for at, _, end in self.mentions if at in front and ways.mentions}
            front = {uid for uid in found - seen if uid == end or self.shows(uid)}
            seen |= front
        return None


def straight(start: str, end: str, kind: str) -> Arrow:
    """CONFLICTS_WITH starts at the smaller id."""
    if kind == EdgeType.CONFLICTS_WITH:
        start, end = sorted((start, end))
    return start, kind, end
