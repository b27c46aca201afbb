"""Random calls on a graph, and what they should have done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from random import Random

from graphmem.access.principal import Principal
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph
from graphmem.knowledge.archive import archive
from graphmem.knowledge.conflicts import resolve_conflict
from graphmem.knowledge.delete import delete
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.link import link, unlink
from graphmem.knowledge.merge import merge_knowledge
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.knowledge.remember import remember
from graphmem.knowledge.restore import restore
from graphmem.knowledge.retract import retract
from graphmem.knowledge.supersede import supersede
from graphmem.knowledge.unmerge import unmerge_knowledge
from graphmem.knowledge.update import Patch, update
from graphmem.values import FOREVER, EdgeType, Status, utc_now
from tests.conftest import Settle
from tests.knowledge.past import BEGAN, Arrow, Moment, State, straight, years

KINDS = (EdgeType.RELATED_TO, EdgeType.DEPENDS_ON, EdgeType.CONFLICTS_WITH)
WEIGHTS = (0.5, 0.75, 1.0)
SPANS = (*[(None, None)] * 5, (-3, None), (-3, -1), (2, None), (-2, 2))
"""Validity that notes are given, in years from now."""
NAMES = ("Hank Snow", "Hank SNOW", "hank snow", "Kew Garden", "kew garden")
"""Entities as texts spell them; small letters show no name."""


@dataclass
class Merge:
    """`had` and `came`: all there was before and after; `stirred`: an edge of the two was changed since."""

    kept: str
    gone: str
    had: Moment
    came: Moment
    stirred: bool = False

    def can_be_undone(self, now: Moment) -> bool:
        """Whether that brings all back; what changes of content in between stays."""
        return not self.stirred and all(
            (was.status, was.until, was.names) == (now.nodes[uid].status, now.nodes[uid].until, now.nodes[uid].names)
            for uid in (self.kept, self.gone)
            for was in [self.came.nodes[uid]]
        )

    def undo(self, now: Moment) -> None:
        kept, gone = self.kept, self.had.nodes[self.gone]
        brought = self.came.nodes[kept].names - self.had.nodes[kept].names
        now.change(kept, names=now.nodes[kept].names - brought)
        now.change(self.gone, status=gone.status, until=gone.until, last=gone.last)
        for edge in now.touching(kept, self.gone):
            del now.edges[edge]
        now.edges |= {edge: self.had.edges[edge] for edge in self.had.touching(kept, self.gone)}


class Past:
    """Makes random calls, and keeps what they should have done."""

    def __init__(self, graph: Graph, principal: Principal, settle: Settle, random: Random, most: int) -> None:
        self.graph, self.principal, self.settle, self.random, self.most = graph, principal, settle, random, most
        self.now = Moment()
        self.moments: list[tuple[datetime, Moment]] = []
        self.merges: list[Merge] = []

    async def live(self, calls: int) -> None:
        await self.remember()
        await self.keep(settled=True)
        verbs = [
            self.remember, self.rewrite, self.delete, self.supersede, self.retract, self.archive, self.restore,
            self.link, self.link, self.link, self.unlink, self.resolve, self.merge, self.merge, self.unmerge,
            self.unmerge,
        ]  # fmt: skip
        for _ in range(calls):
            try:
                await self.random.choice(verbs)()
            except Conflict:
                continue
            await self.keep(settled=self.random.random() < 0.3)
        await self.keep(settled=True)

    async def keep(self, settled: bool) -> None:
        """`settled`: background jobs were done; else automatic edges are as they were left."""
        if settled:
            await self.settle()
            self.now.link_texts()
        self.moments.append((utc_now(), self.now.copy()))

    def text(self) -> str:
        words = [f"word{self.random.randrange(30)}" for _ in range(4)]
        if self.random.random() < 0.4:
            words.insert(3, f"title n{self.random.randrange(min(len(self.now.nodes) + 8, self.most)):03}")
        if self.random.random() < 0.4:
            words.insert(1, self.random.choice(NAMES))
        return " ".join([*self.random.choice([["apple"], []]), *words])

    def some(self, *statuses: Status) -> str:
        found = [uid for uid, state in self.now.nodes.items() if not statuses or state.status in statuses]
        return self.random.choice(found or list(self.now.nodes))

    def stir(self, *ids: str, but: str | None = None) -> None:
        for merge in self.merges:
            merge.stirred |= merge.kept != but and bool({merge.kept, merge.gone} & set(ids))

    async def remember(self) -> None:
        free = [uid for uid in (f"n{at:03}" for at in range(self.most)) if uid not in self.now.nodes]
        uids = free[: self.random.randint(2, 8)]
        if not uids:
            return
        edges = [EdgeInput(uid, self.random.choice(uids), self.random.choice(KINDS)) for uid in uids]
        edges = [edge for edge in edges if edge.source_id != edge.target_id]
        nodes, states = [], {}
        for uid in uids:
            content, span = self.text(), self.random.choice(SPANS)
            since, until = (None if count is None else years(count) for count in span)
            nodes.append(NodeInput(f"Title {uid}", content, id=uid, valid_from=since, valid_to=until))
            states[uid] = State(content, since=since or BEGAN, until=until or FOREVER)
        await remember(self.graph, self.principal, nodes, edges)
        self.now.nodes |= states
        self.now.edges |= {arrow(edge): 1.0 for edge in edges}

    async def rewrite(self) -> None:
        uid, content = self.some(), self.text()
        if self.random.random() < 0.5:
            await update(self.graph, self.principal, uid, Patch(content=content))
        else:
            await remember(self.graph, self.principal, [NodeInput(f"Title {uid}", content, id=uid)], [])
        self.now.change(uid, content=content)

    async def delete(self) -> None:
        if len(self.now.nodes) > 2:
            uid = self.some()
            await delete(self.graph, self.principal, uid)
            merged = [moment for merge in self.merges for moment in (merge.had, merge.came)]
            for moment in (self.now, *merged, *(moment for _, moment in self.moments)):
                moment.forget(uid)
            self.merges = [merge for merge in self.merges if merge.kept != uid]
            for merge in self.merges:
                merge.stirred |= merge.gone == uid

    async def supersede(self) -> None:
        old, new = self.some(), self.some(Status.ACTIVE)
        if old != new and self.now.nodes[new].status is Status.ACTIVE:
            await supersede(self.graph, self.principal, old, new)
            self.now.supersede(old, new)
            self.stir(old, new)

    async def retract(self) -> None:
        uid = self.some(Status.ACTIVE)
        await retract(self.graph, self.principal, uid)
        self.now.leave(uid, Status.RETRACTED)

    async def archive(self) -> None:
        uid = self.some(Status.ACTIVE)
        await archive(self.graph, self.principal, uid)
        self.now.leave(uid, Status.ARCHIVED)

    async def restore(self) -> None:
        uid = self.some(Status.SUPERSEDED, Status.RETRACTED, Status.ARCHIVED)
        state = self.now.nodes[uid]
        await restore(self.graph, self.principal, uid)
        if state.status is not Status.ACTIVE:
            over = [edge for edge in self.now.edges if edge[1:] == ("SUPERSEDES", uid)]
            for edge in over:
                del self.now.edges[edge]
            replaced = over or state.status is Status.SUPERSEDED
            ended = replaced and state.until <= max(utc_now(), state.since)
            self.now.change(uid, status=Status.ACTIVE, until=state.last if ended else state.until)
            self.stir(uid, *(edge[0] for edge in over))

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
            self.stir(start, end)

    async def unlink(self) -> None:
        if self.now.edges:
            start, kind, end = self.random.choice(sorted(self.now.edges))
            await unlink(self.graph, self.principal, [EdgeKey(start, end, EdgeType(kind))])
            del self.now.edges[start, kind, end]
            self.stir(start, end)

    async def resolve(self) -> None:
        found = sorted(edge for edge in self.now.edges if edge[1] == "CONFLICTS_WITH")
        if found:
            edge = self.random.choice(found)
            keep, drop = self.random.sample([edge[0], edge[2]], 2)
            await resolve_conflict(self.graph, self.principal, keep, drop)
            del self.now.edges[edge]
            self.now.supersede(drop, keep)
            self.stir(keep, drop)

    async def merge(self) -> None:
        kept, gone = self.some(Status.ACTIVE), self.some(Status.ACTIVE)
        if kept != gone:
            had = self.now.copy()
            await merge_knowledge(self.graph, self.principal, [kept, gone])
            self.now.merge(kept, gone)
            self._move(had, kept, gone)
            self.merges.append(Merge(kept, gone, had, self.now.copy()))

    async def unmerge(self) -> None:
        newest = {merge.kept: merge for merge in self.merges}
        whole = [merge for merge in newest.values() if merge.can_be_undone(self.now)]
        if whole:
            merge, had = self.random.choice(whole), self.now.copy()
            await unmerge_knowledge(self.graph, self.principal, merge.kept)
            merge.undo(self.now)
            self.merges.remove(merge)
            self._move(had, merge.kept, merge.gone)

    def _move(self, had: Moment, kept: str, gone: str) -> None:
        """Edges of the two went elsewhere: other merges of their neighbours can't be wholly undone, but those of the
        one that is kept, which are undone after this one."""
        edges = [*had.touching(kept, gone), *self.now.touching(kept, gone)]
        self.stir(*(end for edge in edges for end in (edge[0], edge[2])), kept, gone, but=kept)


def arrow(edge: EdgeInput) -> Arrow:
    return straight(edge.source_id, edge.target_id, str(edge.type))
