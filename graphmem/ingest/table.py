"""A CSV or JSON Lines table of nodes and edges into the graph, batch by batch.

Each batch is a transaction that may be repeated. Only when all of them are done is what is gone from the table
archived or closed and the table noted as stored: one that was broken off is gone through again, and finds most of its
lines unchanged.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import orjson

from graphmem import checks
from graphmem.access.changes import Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.errors import Conflict, GraphmemError, InvalidInput
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.ingest.check import Batch, Table, batches, check, edge_key
from graphmem.ingest.prepare import Prepared, check_path, document_id, text_hash
from graphmem.ingest.rows import BadRow, OnError
from graphmem.ingest.store import (
    Ingested,
    document_row,
    link_notes,
    take_documents,
)
from graphmem.ingest.table_run import Run, finish, told
from graphmem.knowledge import state
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.nodes_write import again_when_stale
from graphmem.knowledge.remember import Remembered, remember_in
from graphmem.values import SHARED, EdgeType, Scope, Status, utc_now

MAX_TABLE = 64_000_000
"""Characters of a table."""
RECIPE = 1
"""Raise it when a table is read in another way, so that those stored before are read again."""


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
    check_path(path)
    checks.text(text, MAX_TABLE, "text", limit="max_table")
    table = await asyncio.to_thread(_checked, text, path, kind, resource, principal, graph, on_error)
    about = resource or SHARED
    view = View.over(principal, [resource, *(one for one in table.resources if one != SHARED)])
    document = _document(text, path, kind, about)
    run = Run(graph, principal, view, document, on_error, idempotency_key, dry_run, bad=list(table.bad))
    await _begin(run, about, root)
    done = 0
    for batch in batches(table, graph.settings):
        await _take(run, batch)
        done += len(batch.nodes) + len(batch.edges)
        if tell:
            tell(done, table.rows - len(table.bad))
    if not run.bad:
        await finish(run)
    return told(run)


def _document(text: str, path: str, kind: str, resource: str) -> Prepared:
    """What is stored of the table itself."""
    title = PurePosixPath(path).stem[: checks.MAX_TITLE] or path
    return Prepared(
        document_id(resource, path), path, title, kind, text_hash(text), stored_hash(text, kind), (), (), ()
    )


async def drop_table(
    graph: Graph, principal: Principal, document: Prepared, resource: str | None, *, dry_run: bool
) -> Ingested:
    """Archive the nodes that were taken from a table, and close its edges."""
    run = Run(graph, principal, View.of(principal, resource), document, OnError.ABORT, None, dry_run)
    await finish(run)
    return told(run)


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


async def _begin(run: Run, resource: str, root: str | None) -> None:
    row = document_row(run.document, resource, root, None)

    async def work(tx: Transaction) -> Outcome[bool]:
        await take_documents(tx, run.view.tenant, [row], utc_now())
        return Outcome(True)

    await recorded(run.graph, run.call("begin"), work, lambda _: {}, lambda _: True)


async def _take(run: Run, batch: Batch) -> None:
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

    def place(found: re.Match[str]) -> str:
        return f"line {batch.nodes[int(found[1])][0]}: " if len(batch.nodes) > 1 else ""

    return re.sub(r"nodes\[(\d+)\]\.?", place, error.message)


async def _write(run: Run, batch: Batch, part: str) -> Remembered:
    given, edges = [node for _, node in batch.nodes], [edge for _, edge in batch.edges]

    async def work(tx: Transaction) -> Outcome[Remembered]:
        nodes = await _as_in_use(tx, run, given)
        done = await remember_in(tx, run.view, nodes, edges)
        if given:
            pairs = ((uid, run.document.uid) for uid in done.value.ids)
            await link_notes(tx, run.view.tenant, pairs)
        return done

    return await again_when_stale(lambda: recorded(run.graph, run.call(part), work, *reply_of(Remembered)))


async def _as_in_use(tx: Transaction, run: Run, given: Sequence[NodeInput]) -> list[NodeInput]:
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


def _renamed(error: GraphmemError, message: str) -> GraphmemError:
    return type(error)(message, field=error.field, **error.details)
