"""A graph's past in plain Python: what calls do to nodes and edges, and what a read of any moment must say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime
from random import Random

from graphmem.access.principal import Principal
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph
from graphmem.knowledge.archive import archive
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.link import link, unlink
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.knowledge.remember import remember
from graphmem.knowledge.restore import restore
from graphmem.knowledge.retract import retract
from graphmem.knowledge.supersede import supersede
from graphmem.knowledge.update import Patch, update
from graphmem.values import EdgeType, Status, utc_now

KINDS = (EdgeType.RELATED_TO, EdgeType.DEPENDS_ON, EdgeType.CONFLICTS_WITH)
WEIGHTS = (0.5, 0.75, 1.0)
Arrow = tuple[str, str, str]
Step = tuple[str, str, str, bool]


@dataclass(frozen=True)
class State:
    """A node at one time. `over`: its validity has ended."""

    content: str
    status: Status = Status.ACTIVE
    over: bool = False
    version: int = 1

    @property
    def is_shown(self) -> bool:
        return self.status is Status.ACTIVE and not self.over


@dataclass
class Moment:
    """All that was so from one call to the next: nodes by id, weights by edge."""

    nodes: dict[str, State] = field(default_factory=dict)
    edges: dict[Arrow, float] = field(default_factory=dict)

    def change(self, uid: str, **more: object) -> None:
        had = self.nodes[uid]
        now = replace(had, **more)  # type: ignore[arg-type]
        self.nodes[uid] = replace(now, version=had.version + (now != had))

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
                    if self.nodes[other].is_shown and other not in via and other != root:
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
        shown = {one for one in above if self.nodes[one].is_shown}
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
            front = {uid for uid in found - seen if uid == end or self.nodes[uid].is_shown}
            seen |= front
        return None


class Past:
    """Makes random calls, and keeps what they should have done."""

    def __init__(self, graph: Graph, principal: Principal, random: Random, most: int) -> None:
        self.graph, self.principal, self.random, self.most = graph, principal, random, most
        self.now = Moment()
        self.moments: list[tuple[datetime, Moment]] = []

    async def live(self, calls: int) -> None:
        await self.remember()
        self.keep()
        verbs = [
            self.remember, self.rewrite, self.supersede, self.retract, self.archive, self.restore, self.link,
            self.link, self.link, self.unlink,
        ]  # fmt: skip
        for _ in range(calls):
            try:
                await self.random.choice(verbs)()
            except Conflict:
                continue
            self.keep()

    def keep(self) -> None:
        self.moments.append((utc_now(), deepcopy(self.now)))

    def text(self) -> str:
        return self.random.choice(["apple ", ""]) + " ".join(f"word{self.random.randrange(30)}" for _ in range(4))

    def some(self, *statuses: Status) -> str:
        found = [uid for uid, state in self.now.nodes.items() if not statuses or state.status in statuses]
        return self.random.choice(found or list(self.now.nodes))

    async def remember(self) -> None:
        had = len(self.now.nodes)
        uids = [f"n{at:03}" for at in range(had, min(had + self.random.randint(2, 8), self.most))]
        if not uids:
            return
        made = {uid: self.text() for uid in uids}
        edges = [EdgeInput(uid, self.random.choice(uids), self.random.choice(KINDS)) for uid in uids]
        edges = [edge for edge in edges if edge.source_id != edge.target_id]
        nodes = [NodeInput(f"Title {uid}", content, id=uid) for uid, content in made.items()]
        await remember(self.graph, self.principal, nodes, edges)
        self.now.nodes |= {uid: State(content) for uid, content in made.items()}
        self.now.edges |= {arrow(edge): 1.0 for edge in edges}

    async def rewrite(self) -> None:
        uid, content = self.some(), self.text()
        if self.random.random() < 0.5:
            await update(self.graph, self.principal, uid, Patch(content=content))
        else:
            await remember(self.graph, self.principal, [NodeInput(f"Title {uid}", content, id=uid)], [])
        self.now.change(uid, content=content)

    async def supersede(self) -> None:
        old, new = self.some(), self.some(Status.ACTIVE)
        if old != new and self.now.nodes[new].status is Status.ACTIVE:
            await supersede(self.graph, self.principal, old, new)
            self.now.edges[new, "SUPERSEDES", old] = 1.0
            self.now.change(old, status=Status.SUPERSEDED, over=True)

    async def retract(self) -> None:
        uid = self.some(Status.ACTIVE)
        await retract(self.graph, self.principal, uid)
        self.now.change(uid, status=Status.RETRACTED)

    async def archive(self) -> None:
        uid = self.some(Status.ACTIVE)
        await archive(self.graph, self.principal, uid)
        self.now.change(uid, status=Status.ARCHIVED)

    async def restore(self) -> None:
        uid = self.some(Status.SUPERSEDED, Status.RETRACTED, Status.ARCHIVED)
        state = self.now.nodes[uid]
        await restore(self.graph, self.principal, uid)
        if state.status is not Status.ACTIVE:
            kept = {edge: weight for edge, weight in self.now.edges.items() if edge[1:] != ("SUPERSEDES", uid)}
            self.now.edges = kept
            over = state.over and state.status is not Status.SUPERSEDED
            self.now.change(uid, status=Status.ACTIVE, over=over)

    async def link(self) -> None:
        start, end = self.some(), self.some()
        again = sorted(edge for edge in self.now.edges if edge[1] != "SUPERSEDES")
        if again and self.random.random() < 0.3:
            start, kind, end = self.random.choice(again)
        else:
            kind = self.random.choice(KINDS)
        if start != end:
            edge = EdgeInput(start, end, EdgeType(kind), weight=self.random.choice(WEIGHTS))
            await link(self.graph, self.principal, [edge])
            self.now.edges[arrow(edge)] = edge.weight

    async def unlink(self) -> None:
        if self.now.edges:
            start, kind, end = self.random.choice(sorted(self.now.edges))
            await unlink(self.graph, self.principal, [EdgeKey(start, end, EdgeType(kind))])
            del self.now.edges[start, kind, end]


def arrow(edge: EdgeInput) -> Arrow:
    ends = edge.source_id, edge.target_id
    start, end = sorted(ends) if edge.type is EdgeType.CONFLICTS_WITH else ends
    return start, str(edge.type), end
