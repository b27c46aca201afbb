"""Documents, made ready, into the graph: many in one transaction, each with its notes, edges and provenance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.config import Settings
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph, Transaction
from graphmem.ingest.prepare import LINK, SECTION, Prepared
from graphmem.ingest.relink import Place, close_edges, link_properties, lock_pages, look_up, relink
from graphmem.knowledge import state, validate
from graphmem.knowledge.edges_write import EdgesWritten, write_edges
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.nodes_write import NodeChange, again_when_stale, write_nodes
from graphmem.knowledge.remember import Remembered, remember_in
from graphmem.values import SHARED, Status, Tenant, Warning, utc_now

T = TypeVar("T")
MAX_PARTS = 10
"""A document has at most this many times the nodes of one `remember`, and of the characters of one text."""
GONE = "gone"
"""The stored hash of a document whose notes were archived because its file is no more."""
_FATES = ("created", "updated", "unchanged")


@dataclass(frozen=True, slots=True)
class Ingested:
    """What a document came to: ids of notes, and edges counted. `skipped`: lines of a table that were left out."""

    document: str
    path: str
    created: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    edges_created: int = 0
    edges_closed: int = 0
    pending: int = 0
    warnings: tuple[Warning, ...] = ()
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class _Stored:
    documents: list[Ingested]


async def store(
    graph: Graph,
    principal: Principal,
    documents: Sequence[Prepared],
    resource: str | None,
    *,
    root: str | None = None,
    whole: bool = False,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> list[Ingested]:
    """Write documents of different paths in one transaction; the answers are in their order.

    An edge that waited for a note of one of several is counted with the first. `root`: the folder they stand in.
    `whole`: they come with all others of that folder, and their links have been looked up among those; else they are
    looked up in the graph.

    Raises what `ingest_document` raises, and Conflict where an id is in use by something else.
    """
    view = View.of(principal, resource)
    for prepared in documents:
        _check(prepared, graph.settings)
    stated = [{"uid": one.uid, "hash": one.content_hash, "mediaType": one.media_type} for one in documents]
    call = Call(principal, "ingestDocument", {"documents": stated}, idempotency_key, dry_run)

    async def work(tx: Transaction) -> Outcome[_Stored]:
        place = Place(resource or SHARED, root, whole)
        await lock_pages(tx, view.tenant, place, documents)
        ready = documents if whole else await look_up(tx.run, view.tenant, place, documents)
        return await _store(tx, view, ready, place, graph.settings)

    return (await again_when_stale(lambda: recorded(graph, call, work, *reply_of(_Stored)))).documents


def _check(prepared: Prepared, settings: Settings) -> None:
    at = f"{prepared.path}: notes"
    checks.count(len(prepared.nodes), settings.max_nodes * MAX_PARTS, "max_notes", at)
    for part in in_parts(prepared.nodes, settings.max_nodes):
        validate.nodes(part, settings, at)


@dataclass
class _Written:
    """What a transaction has done so far."""

    nodes: list[Outcome[Remembered]] = field(default_factory=list)
    edges: list[EdgesWritten] = field(default_factory=list)
    gone: list[tuple[str, NodeChange]] = field(default_factory=list)
    closed: dict[str, int] = field(default_factory=dict)


async def _store(
    tx: Transaction, view: View, documents: Sequence[Prepared], place: Place, settings: Settings
) -> Outcome[_Stored]:
    now = utc_now()
    rows = [document_row(one, place.resource, place.root, one.stored_hash) for one in documents]
    archived, known, moved = await take_documents(tx, view.tenant, rows, now)
    # A note that was taken out of a document, and stands in it again, comes back.
    nodes = [
        replace(node, status=Status.ACTIVE) if node.id in archived else node
        for one in documents
        for node in one.nodes
    ]  # fmt: skip
    done = _Written()
    for part in in_parts(nodes, settings.max_nodes):
        done.nodes.append(await remember_in(tx, view, part, ()))
    await link_notes(tx, view.tenant, [(str(node.id), one.uid) for one in documents for node in one.nodes])
    if known:
        await _close_gone(tx, view, documents, sorted(known), done, now)
    edges = [edge for one in documents for edge in one.edges]
    for joined in in_parts(edges, settings.max_edges):
        done.edges.append(await write_edges(tx, view, (), now, joined))
    if moved:
        done.edges += await relink(tx, view, place, documents, moved, now)
    return _outcome(documents, done)


async def take_documents(
    tx: Transaction, tenant: Tenant, rows: Sequence[Mapping[str, Any]], now: datetime
) -> tuple[set[str], set[str], set[str]]:
    """Locks documents; gives the ids of their notes that are archived, those of documents that were there before, and
    those of documents that have other notes to link to than they had.

    Raises Conflict where a document's id is in use by something else.
    """
    ordered = sorted(rows, key=lambda row: str(row["uid"]))
    found = await tx.run("ingest/take_documents", tenant=tenant, rows=ordered, now=now)
    for row in found:
        if not row["isDocument"]:
            raise Conflict(f"the document's id {row['uid']!r} is in use by something else", field="path")
    archived = {uid for row in found for uid in row["archived"]}
    keys = {str(row["uid"]): row["keys"] for row in rows}
    # One without notes may have lost its keys before: the notes stay until the caller has them archived.
    moved = {row["uid"] for row in found if not keys[row["uid"]] or (row["keys"] or []) != keys[row["uid"]]}
    return archived, {row["uid"] for row in found if not row["fresh"]}, moved


def document_row(prepared: Prepared, resource: str, root: str | None, stored_hash: str | None) -> dict[str, Any]:
    return {
        "uid": prepared.uid, "path": prepared.path, "title": prepared.title, "resource": resource, "root": root,
        "mediaType": prepared.media_type, "contentHash": prepared.content_hash, "storedHash": stored_hash,
        **link_properties(prepared),
    }  # fmt: skip


async def link_notes(tx: Transaction, tenant: Tenant, pairs: Iterable[tuple[str, str]]) -> None:
    """Says of each note, given with its document, where it was taken from."""
    rows = [{"uid": note, "document": document} for note, document in sorted(set(pairs))]
    await tx.run("ingest/link_documents", tenant=tenant, rows=rows)


async def archive_gone(
    tx: Transaction, tenant: Tenant, documents: Sequence[str], ids: Sequence[str], now: datetime
) -> list[tuple[str, NodeChange]]:
    """Archives the notes of documents that are not among `ids`; each comes back with its document."""
    rows = await tx.run("ingest/gone_notes", tenant=tenant, uids=documents, ids=ids)
    gone = [(row["document"], archived_change(tenant, row["node"], now)) for row in rows]
    await write_nodes(tx, tenant, list({change.uid: change for _, change in gone}.values()), {}, now)
    return gone


def archived_change(tenant: Tenant, had: Mapping[str, Any], now: datetime) -> NodeChange:
    given = NodeInput(had["title"], had["content"], resource=had["resource"], status=Status.ARCHIVED)
    return NodeChange(state.properties(tenant, had["uid"], given, had, now), had)


async def _close_gone(
    tx: Transaction, view: View, documents: Sequence[Prepared], known: Sequence[str], done: _Written, now: datetime
) -> None:
    ids = [str(node.id) for one in documents for node in one.nodes]
    kept: dict[str, list[str]] = {}
    for edge in (edge for one in documents for edge in one.edges):
        kept.setdefault(edge.source_id, []).append(edge.target_id)
    done.gone = await archive_gone(tx, view.tenant, known, ids, now)
    done.closed = await close_edges(tx, view.tenant, known, kept, [SECTION, LINK], now)


def _outcome(documents: Sequence[Prepared], done: _Written) -> Outcome[_Stored]:
    first = documents[0].uid
    owners = {str(node.id): one.uid for one in documents for node in one.nodes}
    parts = [part.value for part in done.nodes]
    notes = {name: _by_owner(owners, (uid for part in parts for uid in getattr(part, name))) for name in _FATES}
    edges = {
        name: Counter(owners.get(key.source_id, first) for part in done.edges for key in getattr(part, name))
        for name in ("created", "pending")
    }
    edges["created"][first] += sum(part.edges_created for part in parts)
    told = {one.uid: list(one.warnings) for one in documents}
    for warning in (warning for part in parts for warning in part.warnings):
        told[owners.get(next(iter(warning.ids), ""), first)].append(warning)
    value = [
        Ingested(
            document=one.uid,
            path=one.path,
            created=tuple(notes["created"].get(one.uid, ())),
            updated=tuple(notes["updated"].get(one.uid, ())),
            unchanged=tuple(notes["unchanged"].get(one.uid, ())),
            archived=tuple(change.uid for document, change in done.gone if document == one.uid),
            edges_created=edges["created"][one.uid],
            edges_closed=done.closed.get(one.uid, 0),
            pending=edges["pending"][one.uid],
            warnings=tuple(told[one.uid]),
        )
        for one in documents
    ]
    return recordable(_Stored(value), done.nodes, [change for _, change in done.gone])


def _by_owner(owners: Mapping[str, str], uids: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for uid in uids:
        found.setdefault(owners[uid], []).append(uid)
    return found


def recordable(value: T, nodes: Sequence[Outcome[Remembered]], gone: Sequence[NodeChange]) -> Outcome[T]:
    """The value with the hashes of all that was touched."""
    before = {uid: digest for part in nodes for uid, digest in part.before.items()}
    before |= {change.uid: change.had["contentHash"] for change in gone if change.had is not None}
    after = {uid: digest for part in nodes for uid, digest in part.after.items()}
    after |= {change.uid: change.properties["contentHash"] for change in gone}
    return Outcome(value, list(after), before, after)


def in_parts(items: Sequence[T], most: int) -> list[Sequence[T]]:
    return [items[at : at + most] for at in range(0, len(items), most)]
