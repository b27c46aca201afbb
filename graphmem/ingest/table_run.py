"""A table on its way into the graph, and what is done when all its lines are: what is gone from it goes, and it is told
what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.graph.gateway import Graph, Transaction
from graphmem.ingest.check import packed, unpacked
from graphmem.ingest.prepare import Prepared
from graphmem.ingest.rows import BadRow, OnError
from graphmem.ingest.store import Ingested, archived_change, in_parts, recordable
from graphmem.knowledge.edges_write import EdgeKey, close_edges
from graphmem.knowledge.edges_write import row as edge_row
from graphmem.knowledge.nodes import EdgeInput
from graphmem.knowledge.nodes_write import again_when_stale, write_nodes
from graphmem.knowledge.remember import Remembered
from graphmem.values import Warning, utc_now

MAX_TOLD = 100
"""Lines that are told of one by one when they are skipped."""


@dataclass
class Run:
    """One table on its way."""

    graph: Graph
    principal: Principal
    view: View
    document: Prepared
    on_error: OnError
    key: str | None
    dry_run: bool
    done: list[Remembered] = field(default_factory=list)
    edges: set[EdgeKey] = field(default_factory=set)
    bad: list[BadRow] = field(default_factory=list)
    archived: list[str] = field(default_factory=list)
    closed: int = 0

    def call(self, part: str) -> Call:
        stated = {"uid": self.document.uid, "hash": self.document.content_hash, "part": part}
        key = None if self.key is None else f"{self.key}#{part}"
        return Call(self.principal, "ingestDocument", stated, key, self.dry_run)


async def finish(run: Run) -> None:
    """Archives what stood in the table and no longer does, closes its edges, and notes that all is stored."""
    rows = await run.graph.read("ingest/document_notes", tenant=run.view.tenant, uid=run.document.uid)
    had = rows[0] if rows else {"ids": [], "edges": None}
    gone = sorted(set(had["ids"]) - {uid for part in run.done for uid in part.ids})
    for number, ids in enumerate(in_parts(gone, run.graph.settings.max_nodes)):
        archived = await _archive(run, ids, f"archive-{number}")
        run.archived += archived
        # Their edges are closed next, and the table may name nobody that they are about any more.
        run.view = View.over(run.principal, {*run.view.named, *archived.values()} or {None})
    lost = sorted(unpacked(had["edges"]) - run.edges, key=_order)
    for number, keys in enumerate(in_parts(lost, run.graph.settings.max_edges)):
        run.closed += await _close(run, keys, f"close-{number}")
    if not run.dry_run:
        await run.graph.run(
            "ingest/finish_table",
            tenant=run.view.tenant, uid=run.document.uid, storedHash=run.document.stored_hash,
            edges=packed(run.edges),
        )  # fmt: skip


async def _archive(run: Run, ids: Sequence[str], part: str) -> dict[str, str]:
    """The notes that were archived, each with whom it is about."""

    async def work(tx: Transaction) -> Outcome[dict[str, str]]:
        now, tenant = utc_now(), run.view.tenant
        row = (await tx.run("knowledge/remember_existing", tenant=tenant, ids=list(ids), hashes=[]))[0]
        changes = [archived_change(tenant, had, now) for had in row["nodes"]]
        await write_nodes(tx, tenant, changes, {}, now)
        return recordable({change.uid: change.properties["resource"] for change in changes}, [], changes)

    return await again_when_stale(
        lambda: recorded(run.graph, run.call(part), work, *reply_of(dict[str, str]))
    )  # fmt: skip


async def _close(run: Run, keys: Sequence[EdgeKey], part: str) -> int:
    view = run.view
    edges = [edge_row(view, EdgeInput(key.source_id, key.target_id, key.type)) for key in keys]

    async def work(tx: Transaction) -> Outcome[list[str]]:
        rows = await close_edges(tx, view, edges)
        closed = [row for row in rows if not row["forbidden"]]
        return Outcome([row["from"] for row in closed], sorted({row[end] for row in closed for end in ("from", "to")}))

    closed = await recorded(run.graph, run.call(part), work, *reply_of(list[str]))
    return len(closed)


def told(run: Run) -> Ingested:
    ids = {uid for part in run.done for uid in part.ids}
    pending = [key for part in run.done for key in part.pending]
    # What an undone batch would have made can't be found by the next: such an edge would not wait.
    waiting = [key for key in pending if not (run.dry_run and {key.source_id, key.target_id} <= ids)]
    warnings = [warning for part in run.done for warning in part.warnings]
    return Ingested(
        document=run.document.uid,
        path=run.document.path,
        created=tuple(_distinct(uid for part in run.done for uid in part.created)),
        updated=tuple(_distinct(uid for part in run.done for uid in part.updated)),
        unchanged=tuple(_distinct(uid for part in run.done for uid in part.unchanged)),
        archived=tuple(run.archived),
        edges_created=sum(part.edges_created for part in run.done) + len(pending) - len(waiting),
        edges_closed=run.closed,
        pending=len(waiting),
        warnings=(*warnings, *_skipped(run)),
        skipped=len(run.bad),
    )


def _skipped(run: Run) -> Iterator[Warning]:
    path, bad = run.document.path, sorted(run.bad, key=lambda row: row.line)
    for row in bad[:MAX_TOLD]:
        yield Warning("LINE_SKIPPED", f"{path}, line {row.line}: {row.problem}", (path,))
    if len(bad) > MAX_TOLD:
        yield Warning("LINE_SKIPPED", f"{path}: {len(bad) - MAX_TOLD} more lines were skipped", (path,))


def _distinct(uids: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(uids)


def _order(key: EdgeKey) -> tuple[str, str, str]:
    return key.source_id, key.target_id, key.type
