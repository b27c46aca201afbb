"""`ingestDocument`: a Markdown or text document into atomic notes, their edges and where they came from.

The same document again changes nothing; a changed one changes the notes that changed, archives those that are gone
and closes the edges that its links no longer make.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import orjson

from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph, Transaction
from graphmem.ingest.links import Targets
from graphmem.ingest.markdown import Note, ParsedDocument, parse_markdown, parse_text
from graphmem.knowledge import state, validate
from graphmem.knowledge.nodes import SHARED, EdgeInput, NodeInput, Warning
from graphmem.knowledge.nodes_write import NodeChange, again_when_stale, write_nodes
from graphmem.knowledge.remember import remember_in
from graphmem.knowledge.view import View
from graphmem.values import FOREVER, EdgeType, Scope, Status, utc_now

MARKDOWN = "text/markdown"
PLAIN = "text/plain"
SECTION, LINK = "section", "link"
MAX_PATH = 200
"""Leaves room for the section's anchor within the length of an id."""


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


@dataclass(frozen=True, slots=True)
class Prepared:
    """A document as it will be stored: nothing of it depends on the graph."""

    uid: str
    path: str
    title: str
    media_type: str
    content_hash: str
    nodes: tuple[NodeInput, ...]
    edges: tuple[EdgeInput, ...]
    warnings: tuple[Warning, ...]


def parse(text: str, path: str, media_type: str | None = None) -> ParsedDocument:
    """Raises InvalidInput for a path that is blank or too long, or a media type that is not read."""
    validate.text(path, MAX_PATH, "path", limit="max_path")
    kind = media_type or (PLAIN if path.endswith(".txt") else MARKDOWN)
    if kind not in (MARKDOWN, PLAIN):
        raise InvalidInput(f"mediaType {kind!r} is not read; give {MARKDOWN} or {PLAIN}", field="mediaType")
    return parse_markdown(text, path) if kind == MARKDOWN else parse_text(text, path)


def prepare(
    parsed: ParsedDocument, text: str, path: str, media_type: str, resource: str | None, targets: Targets | None = None
) -> Prepared:
    """`targets`: the notes of all documents that links may lead to; without it, ids are taken as they are written."""
    known = targets or Targets(note.key for note in parsed.notes)
    edges, lost = _edges(parsed, known, strict=targets is not None)
    found = [*parsed.warnings, *(f"link to {target!r} leads nowhere" for target in lost)]
    return Prepared(
        uid="d" + hashlib.sha256(orjson.dumps([resource or SHARED, path])).hexdigest()[:32],
        path=path,
        title=parsed.title,
        media_type=media_type,
        content_hash=hashlib.sha256(text.encode()).hexdigest(),
        nodes=tuple(_node(parsed, note, resource) for note in parsed.notes),
        edges=tuple(edges),
        warnings=tuple(Warning("DOCUMENT", f"{path}: {message}", (path,)) for message in found),
    )


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

    Raises InvalidInput and LimitExceeded; nothing is kept then.
    """
    principal.require(Scope.WRITE)
    validate.text(text, graph.settings.max_text * 10, "text", limit="max_document")
    about = principal.resource_for(resource)
    prepared = prepare(parse(text, path, media_type), text, path, media_type or MARKDOWN, about)
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
    """Write a prepared document in one transaction."""
    view = View.of(principal, resource)
    most = graph.settings.max_nodes
    for at in range(0, len(prepared.nodes), most):
        validate.nodes(prepared.nodes[at : at + most], graph.settings, f"{prepared.path}: notes")
    stated = {"uid": prepared.uid, "hash": prepared.content_hash, "resource": resource}
    call = Call(principal, "ingestDocument", stated, idempotency_key, dry_run)

    async def work(tx: Transaction) -> Outcome[Ingested]:
        return await _store(tx, view, prepared, resource or SHARED, most)

    return await again_when_stale(lambda: recorded(graph, call, work, *reply_of(Ingested)))


async def _store(tx: Transaction, view: View, prepared: Prepared, resource: str, most: int) -> Outcome[Ingested]:
    now = utc_now()
    parts = [prepared.nodes[at : at + most] for at in range(0, len(prepared.nodes), most)]
    done = [(await remember_in(tx, view, part, ())).value for part in parts]
    edges = (await remember_in(tx, view, (), prepared.edges)).value
    ids = [uid for part in done for uid in part.ids]
    archived = await _archive_gone(tx, view, prepared.uid, ids, now)
    await tx.run(
        "ingest/write_document",
        tenant=view.tenant, uid=prepared.uid, path=prepared.path, title=prepared.title, resource=resource,
        mediaType=prepared.media_type, contentHash=prepared.content_hash, ids=ids, now=now,
    )  # fmt: skip
    closed = await tx.run(
        "ingest/close_gone_edges",
        tenant=view.tenant, uid=prepared.uid, reasons=[SECTION, LINK], open=FOREVER, now=now,
        kept=[[edge.source_id, edge.target_id] for edge in prepared.edges],
    )  # fmt: skip
    value = Ingested(
        document=prepared.uid,
        path=prepared.path,
        created=_all(part.created for part in done),
        updated=_all(part.updated for part in done),
        unchanged=_all(part.unchanged for part in done),
        archived=tuple(archived),
        edges_created=edges.edges_created + sum(part.edges_created for part in done),
        edges_closed=closed[0]["closed"],
        pending=len(edges.pending),
        warnings=(*prepared.warnings, *(warning for part in done for warning in part.warnings)),
    )
    return Outcome(value, [*value.created, *value.updated, *value.archived])


async def _archive_gone(tx: Transaction, view: View, uid: str, ids: list[str], now: datetime) -> list[str]:
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
    return [change.uid for change in changes]


def _node(parsed: ParsedDocument, note: Note, resource: str | None) -> NodeInput:
    """A section is titled with its document, because "Decision" alone says nothing when it is found."""
    title = note.title if not note.heading_path else f"{parsed.title}: {note.title}"
    if len(title) > validate.MAX_TITLE:
        title = title[: validate.MAX_TITLE - 1] + "…"
    return NodeInput(
        title=title, content=note.content, id=note.key, type=note.type, resource=resource, status=Status.ACTIVE
    )


def _edges(parsed: ParsedDocument, targets: Targets, *, strict: bool) -> tuple[list[EdgeInput], list[str]]:
    edges: dict[tuple[str, str], EdgeInput] = {}
    lost: list[str] = []
    for note in parsed.notes:
        if note.parent is not None:
            edges[note.parent, note.key] = EdgeInput(note.parent, note.key, EdgeType.RELATED_TO, reason=SECTION)
        for link in note.links:
            target = targets.find(link.target) or (None if strict or link.target.startswith("[[") else link.target)
            if target is None:
                lost.append(link.target)
            elif target != note.key:
                edges.setdefault((note.key, target), EdgeInput(note.key, target, EdgeType.RELATED_TO, reason=LINK))
    return list(edges.values()), lost


def _all(parts: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(uid for part in parts for uid in part)
