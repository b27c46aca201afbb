"""A CSV or JSON Lines table of nodes and edges into the graph, batch by batch.

Each batch is a transaction that may be repeated. Only when all of them are done is what is gone from the table
archived or closed and the table noted as stored: one that was broken off is gone through again, and finds most of its
lines unchanged.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

import orjson

from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.errors import Conflict, GraphmemError, InvalidInput
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.ingest.check import Batch, Table, batches, check, edge_key, packed, unpacked
from graphmem.ingest.prepare import MAX_PATH, Prepared, document_id, text_hash
from graphmem.ingest.rows import BadRow, OnError
from graphmem.ingest.store import (
    Ingested,
    archived_change,
    document_row,
    in_parts,
    link_notes,
    recordable,
    take_documents,
)
from graphmem.knowledge import state, validate
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.edges_write import row as edge_row
from graphmem.knowledge.nodes import SHARED, EdgeInput, NodeInput, Warning
from graphmem.knowledge.nodes_write import again_when_stale, write_nodes
from graphmem.knowledge.remember import Remembered, remember_in
from graphmem.knowledge.view import View
from graphmem.values import FOREVER, EdgeType, Scope, Status, utc_now

MAX_TABLE = 64_000_000
"""Characters of a table."""
MAX_TOLD = 100
"""Lines that are told of one by one when they are skipped."""
RECIPE = 1
"""Raise it when a table is read in another way, so that those stored before are read again."""


@dataclass
class _Run:
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


def stored_hash(text: str, kind: str) -> str:
    """What stands for a table that is stored whole."""
    return hashlib.sha256(orjson.dumps([RECIPE, kind, text_hash(text)])).hexdigest()


async def ingest_table(
    graph: Graph,
    principal: Principal,
    text: str,
    path: str,
    kind: str,
    *,
    resource: str | None,
    on_error: OnError = OnError.ABORT,
    root: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
    tell: Callable[[int, int], None] | None = None,
) -> Ingested:
    """Take in a table of nodes and edges. `tell` is called with lines done and lines in all.

    All lines are looked through first: with `on_error` abort nothing is written where one is bad. What only the graph
    can refuse, such as an id in use, ends the call at its batch, and those before it stay. Where lines are skipped,
    nothing is archived or closed, because what they say is not known.

    Raises InvalidInput and LimitExceeded that name line and column, and Conflict and Forbidden that name the line.
    """
    principal.require(Scope.WRITE)
    validate.text(path, MAX_PATH, "path", limit="max_path")
    validate.text(text, MAX_TABLE, "text", limit="max_table")
    table = await asyncio.to_thread(_checked, text, path, kind, resource, principal, graph, on_error)
    title = PurePosixPath(path).stem[: validate.MAX_TITLE] or path
    about = resource or SHARED
    document = Prepared(
        document_id(about, path), path, title, kind, text_hash(text), stored_hash(text, kind), (), (), ()
    )
    view = View.over(principal, [resource, *(one for one in table.resources if one != SHARED)])
    run = _Run(graph, principal, view, document, on_error, idempotency_key, dry_run, bad=list(table.bad))
    await _begin(run, about, root)
    done = 0
    for batch in batches(table, graph.settings):
        await _take(run, batch)
        done += len(batch.nodes) + len(batch.edges)
        if tell:
            tell(done, table.rows - len(table.bad))
    if not run.bad:
        await _finish(run)
    return _ingested(run)


async def drop_table(
    graph: Graph, principal: Principal, document: Prepared, resource: str | None, *, dry_run: bool
) -> Ingested:
    """Archive the nodes that were taken from a table, and close its edges."""
    run = _Run(graph, principal, View.of(principal, resource), document, OnError.ABORT, None, dry_run)
    await _finish(run)
    return _ingested(run)


def _checked(
    text: str, path: str, kind: str, resource: str | None, principal: Principal, graph: Graph, on_error: OnError
) -> Table:
    try:
        table = check(text, kind, resource, principal, graph.settings)
    except GraphmemError as error:
        raise _renamed(error, f"{path}, {error.message}") from None
    if table.bad and on_error is OnError.ABORT:
        first, more = table.bad[0], len(table.bad) - 1
        others = f"; {more} more lines can't be taken" if more else ""
        raise InvalidInput(
            f"{path}, line {first.line}: {first.problem}{others}; nothing was written", field=f"line {first.line}"
        )
    return table


async def _begin(run: _Run, resource: str, root: str | None) -> None:
    row = document_row(run.document, resource, root, None)

    async def work(tx: Transaction) -> Outcome[bool]:
        await take_documents(tx, run.view.tenant, [row], utc_now())
        return Outcome(True)

    await recorded(run.graph, run.call("begin"), work, lambda _: {}, lambda _: True)


async def _take(run: _Run, batch: Batch) -> None:
    """One batch; where lines may be skipped, halves of one that the graph refuses until the line is found."""
    lines = batch.lines
    try:
        done = await _write(run, batch, f"{lines[0]}-{lines[-1]}-{len(lines)}")
    except (InvalidInput, Conflict) as error:
        if run.on_error is OnError.ABORT:
            place = f"{run.document.path}, lines {lines[0]} to {lines[-1]}"
            raise _renamed(error, f"{place}: {_with_lines(error, batch)}; the lines before them are kept") from None
        if len(lines) == 1:
            run.bad.append(BadRow(lines[0], _with_lines(error, batch)))
            return
        for half in batch.halves():
            await _take(run, half)
        return
    run.done.append(done)
    run.edges |= {edge_key(edge.source_id, edge.type, edge.target_id) for _, edge in batch.edges}
    for uid, (_, node) in zip(done.ids, batch.nodes, strict=True):
        run.edges |= {edge_key(uid, EdgeType.RELATED_TO, target) for target in node.connections}


def _with_lines(error: GraphmemError, batch: Batch) -> str:
    """The message, with lines of the table in place of the batch's own count."""
    return re.sub(r"nodes\[(\d+)\]\.?", lambda found: f"line {batch.nodes[int(found[1])][0]}: ", error.message)


async def _write(run: _Run, batch: Batch, part: str) -> Remembered:
    given, edges = [node for _, node in batch.nodes], [edge for _, edge in batch.edges]

    async def work(tx: Transaction) -> Outcome[Remembered]:
        nodes = await _as_in_use(tx, run, given)
        done = await remember_in(tx, run.view, nodes, edges)
        if given:
            pairs = ((uid, run.document.uid) for uid in done.value.ids)
            await link_notes(tx, run.view.tenant, pairs)
        return done

    return await again_when_stale(lambda: recorded(run.graph, run.call(part), work, *reply_of(Remembered)))


async def _as_in_use(tx: Transaction, run: _Run, given: Sequence[NodeInput]) -> list[NodeInput]:
    """A node that was taken out of the table, and stands in it again, comes back; what a verb took out of use stays."""
    ids = [node.id or state.given_id(node) for node in given]
    rows = await tx.run("ingest/notes_out_of_use", tenant=run.view.tenant, uid=run.document.uid, ids=sorted(set(ids)))
    out = {row["id"]: row for row in rows}
    return [_restated(node, uid, out.get(uid)) for node, uid in zip(given, ids, strict=True)]


def _restated(node: NodeInput, uid: str, out: Row | None) -> NodeInput:
    if out is None:
        return node
    same = state.content_hash(node.title, node.content, node.resource or SHARED) == out["contentHash"]
    if not out["own"] or (node.id is None and not same):
        return replace(node, status=None) if node.id else node
    return replace(node, id=uid, status=node.status or Status.ACTIVE)


async def _finish(run: _Run) -> None:
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


async def _archive(run: _Run, ids: Sequence[str], part: str) -> dict[str, str]:
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


async def _close(run: _Run, keys: Sequence[EdgeKey], part: str) -> int:
    view = run.view
    edges = [edge_row(view, EdgeInput(key.source_id, key.target_id, key.type)) for key in keys]

    async def work(tx: Transaction) -> Outcome[list[str]]:
        rows = await tx.run(
            "knowledge/unlink",
            tenant=view.tenant, resources=view.resources, bound=view.bound, rows=edges, open=FOREVER, now=utc_now(),
        )  # fmt: skip
        closed = [row for row in rows if not row["forbidden"]]
        return Outcome([row["from"] for row in closed], sorted({row[end] for row in closed for end in ("from", "to")}))

    closed = await recorded(run.graph, run.call(part), work, *reply_of(list[str]))
    return len(closed)


def _ingested(run: _Run) -> Ingested:
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


def _skipped(run: _Run) -> Iterator[Warning]:
    path, bad = run.document.path, sorted(run.bad, key=lambda row: row.line)
    for row in bad[:MAX_TOLD]:
        yield Warning("LINE_SKIPPED", f"{path}, line {row.line}: {row.problem}", (path,))
    if len(bad) > MAX_TOLD:
        yield Warning("LINE_SKIPPED", f"{path}: {len(bad) - MAX_TOLD} more lines were skipped", (path,))


def _distinct(uids: Iterable[str]) -> Iterable[str]:
    return dict.fromkeys(uids)


def _order(key: EdgeKey) -> tuple[str, str, str]:
    return key.source_id, key.target_id, key.type


def _renamed(error: GraphmemError, message: str) -> GraphmemError:
    return type(error)(message, field=error.field, **error.details)
