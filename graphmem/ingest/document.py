"""`ingestDocument`: a Markdown or text document into atomic notes, their edges and where they came from.

The same document again changes nothing; a changed one changes the notes that changed, archives those that are gone
and closes the edges that its links no longer make.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.config import Settings
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph, Transaction
from graphmem.ingest.prepare import LINK, MARKDOWN, PLAIN, SECTION, Prepared, media_kind, parse, prepare
from graphmem.knowledge import state, validate
from graphmem.knowledge.edges_write import EdgesWritten, write_edges
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.nodes_write import NodeChange, again_when_stale, write_nodes
from graphmem.knowledge.remember import Remembered, remember_in
from graphmem.values import FOREVER, SHARED, Scope, Status, Warning, utc_now

__all__ = ["MARKDOWN", "PLAIN", "Ingested", "ingest_document", "parse", "prepare", "store"]

T = TypeVar("T")
MAX_PARTS = 10
"""A document has at most this many times the nodes of one `remember`, and of the characters of one text."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What a document came to: ids of notes, and edges counted."""

    document: str
    path: str
    created: tuple[str, ...]
    updated: tuple[str, ...]
    unchanged: tuple[str, ...]
    archived: tuple[str, ...]
    edges_created: int
    edges_closed: int
    pending: int
    warnings: tuple[Warning, ...]


async def ingest_document(
    graph: Graph,
    principal: Principal,
    text: str,
    path: str,
    *,
    media_type: str | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Ingested:
    """Take in one document; its notes are named `path` and `path#section`.

    Where the document is about a resource, a hash of that and a colon stand before the path, so that two customers
    can each have a `notes.md`. Raises InvalidInput and LimitExceeded; nothing is kept then.
    """
    principal.require(Scope.WRITE)
    validate.text(text, graph.settings.max_text * MAX_PARTS, "text", limit="max_document")
    about, kind = principal.resource_for(resource), media_kind(path, media_type)
    prepared = prepare(parse(text, path, kind), text, path, kind, about)
    return await store(graph, principal, prepared, about, idempotency_key=idempotency_key, dry_run=dry_run)


async def store(
    graph: Graph,
    principal: Principal,
    prepared: Prepared,
    resource: str | None,
    *,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Ingested:
    """Write a prepared document in one transaction.

    Raises what `ingest_document` raises, and Conflict where an id is in use by something else.
    """
    view = View.of(principal, resource)
    _check(prepared, graph.settings)
    stated = {"uid": prepared.uid, "hash": prepared.content_hash, "mediaType": prepared.media_type}
    call = Call(principal, "ingestDocument", stated, idempotency_key, dry_run)

    async def work(tx: Transaction) -> Outcome[Ingested]:
        return await _store(tx, view, prepared, resource or SHARED, graph.settings)

    return await again_when_stale(lambda: recorded(graph, call, work, *reply_of(Ingested)))


def _check(prepared: Prepared, settings: Settings) -> None:
    field = f"{prepared.path}: notes"
    validate.count(len(prepared.nodes), settings.max_nodes * MAX_PARTS, "max_notes", field)
    for part in _parts(prepared.nodes, settings.max_nodes):
        validate.nodes(part, settings, field)


async def _store(
    tx: Transaction, view: View, prepared: Prepared, resource: str, settings: Settings
) -> Outcome[Ingested]:
    now = utc_now()
    archived = await _take(tx, view, prepared, resource, now)
    # A note that was taken out of the document, and stands in it again, comes back.
    nodes = [replace(node, status=Status.ACTIVE) if node.id in archived else node for node in prepared.nodes]
    done = [await remember_in(tx, view, part, ()) for part in _parts(nodes, settings.max_nodes)]
    ids = [uid for part in done for uid in part.value.ids]
    gone = await _archive_gone(tx, view, prepared.uid, ids, now)
    await tx.run("ingest/link_document", tenant=view.tenant, uid=prepared.uid, ids=sorted(ids))
    closed = await _close_gone(tx, view, prepared, now)
    edges = [await write_edges(tx, view, (), now, part) for part in _parts(prepared.edges, settings.max_edges)]
    value = _ingested(prepared, [part.value for part in done], edges, [change.uid for change in gone], closed)
    before = {uid: digest for part in done for uid, digest in part.before.items()}
    before |= {change.uid: change.had["contentHash"] for change in gone if change.had is not None}
    after = {uid: digest for part in done for uid, digest in part.after.items()}
    after |= {change.uid: change.properties["contentHash"] for change in gone}
    return Outcome(value, [*value.created, *value.updated, *value.archived], before, after)


async def _take(tx: Transaction, view: View, prepared: Prepared, resource: str, now: datetime) -> set[str]:
    """Locks the document, and tells which of its notes are archived."""
    rows = await tx.run(
        "ingest/take_document",
        tenant=view.tenant, uid=prepared.uid, path=prepared.path, title=prepared.title, resource=resource,
        mediaType=prepared.media_type, contentHash=prepared.content_hash, now=now,
    )  # fmt: skip
    if not rows[0]["isDocument"]:
        raise Conflict(f"the document's id {prepared.uid!r} is in use by something else", field="path")
    return set(rows[0]["archived"])


async def _archive_gone(tx: Transaction, view: View, uid: str, ids: Sequence[str], now: datetime) -> list[NodeChange]:
    rows = [row["node"] for row in await tx.run("ingest/gone_notes", tenant=view.tenant, uid=uid, ids=ids)]
    changes = [
        NodeChange(
            state.properties(
                view.tenant, had["uid"],
                NodeInput(had["title"], had["content"], resource=had["resource"], status=Status.ARCHIVED), had, now,
            ),
            had,
        )
        for had in rows
    ]  # fmt: skip
    await write_nodes(tx, view.tenant, changes, {}, now)
    return changes


async def _close_gone(tx: Transaction, view: View, prepared: Prepared, now: datetime) -> int:
    kept: dict[str, list[str]] = {}
    for edge in prepared.edges:
        kept.setdefault(edge.source_id, []).append(edge.target_id)
    shared = {"tenant": view.tenant, "uid": prepared.uid, "reasons": [SECTION, LINK], "kept": kept}
    await tx.run("ingest/drop_gone_links", **shared)
    rows = await tx.run("ingest/close_gone_edges", open=FOREVER, now=now, **shared)
    return int(rows[0]["closed"])


def _ingested(
    prepared: Prepared, done: Sequence[Remembered], edges: Sequence[EdgesWritten], archived: Sequence[str], closed: int
) -> Ingested:
    return Ingested(
        document=prepared.uid,
        path=prepared.path,
        created=_all(part.created for part in done),
        updated=_all(part.updated for part in done),
        unchanged=_all(part.unchanged for part in done),
        archived=tuple(archived),
        edges_created=sum(len(part.created) for part in edges) + sum(part.edges_created for part in done),
        edges_closed=closed,
        pending=sum(len(part.pending) for part in edges),
        warnings=(*prepared.warnings, *(warning for part in done for warning in part.warnings)),
    )


def _parts(items: Sequence[T], most: int) -> list[Sequence[T]]:
    return [items[at : at + most] for at in range(0, len(items), most)]


def _all(parts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(uid for part in parts for uid in part)
