"""A graph's past in plain Python: what calls do to nodes and edges, and what a read of any moment must say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from graphmem.knowledge.as_of import ONCE_TRUE
from graphmem.knowledge.directions import Directions
from graphmem.values import FOREVER, EdgeType, Status, utc_now

BEGAN = utc_now()
Arrow = tuple[str, str, str]
Step = tuple[str, str, str, bool]


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


@dataclass
class Moment:
    """All that was so from one call to the next: nodes by id, weights by edge; read as of then, and at a time of the
    world."""

    nodes: dict[str, State] = field(default_factory=dict)
    edges: dict[Arrow, float] = field(default_factory=dict)
    as_of: datetime = BEGAN
    valid_at: datetime | None = None

    def copy(self) -> Moment:
        return Moment(dict(self.nodes), dict(self.edges))

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
        self, own: Mapping[str, float], depth: int, ways: Directions
    ) -> tuple[dict[str, int], dict[str, list[Step]]]:
        """Depths of, and paths to, all that is reached from seeds with these scores of their own."""
        front = [(uid, uid, score) for uid, score in own.items()]
        via: dict[str, tuple[int, Step]] = {}
        for level in range(1, depth + 1):
            best: dict[str, tuple[float, str, str, bool, str]] = {}
            for at, root, strength in front:
                for other, kind, forward, weight in self.steps(at, ways):
                    if self.shows(other) and other not in via and other != root:
                        offer = (-strength * weight, at, kind, not forward, root)
                        best[other] = min(offer, best.get(other, offer))
            via |= {uid: (level, (at, kind, uid, not back)) for uid, (_, at, kind, back, _) in best.items()}
            front = [(uid, root, -score) for uid, (score, *_, root) in best.items() if uid not in own]
        depths = {**{uid: level for uid, (level, _) in via.items()}, **dict.fromkeys(own, 0)}
        return depths, {uid: self._path(uid, own, via) for uid in depths}

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

    def _path(self, uid: str, own: Mapping[str, float], via: Mapping[str, tuple[int, Step]]) -> list[Step]:
        steps: list[Step] = []
        while uid not in own:
            steps.insert(0, via[uid][1])
            uid = steps[0][0]
        return steps

    def distance(self, start: str, end: str, most: int, ways: Directions) -> int | None:
        """Edges between two nodes, through nodes that are shown."""
        front, seen = {start}, {start}
        for steps in range(most + 1):
            if end in front:
                return steps
            found = {other for at in front for other, *_ in self.steps(at, ways)}
            front = {uid for uid in found - seen if uid == end or self.shows(uid)}
            seen |= front
        return None


def straight(start: str, end: str, kind: str) -> Arrow:
    """CONFLICTS_WITH starts at the smaller id."""
    if kind == EdgeType.CONFLICTS_WITH:
        start, end = sorted((start, end))
    return start, kind, end
