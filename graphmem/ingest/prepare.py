"""A document as it will be stored. Pure: nothing of it depends on the graph."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

import orjson

from graphmem import checks
from graphmem.errors import InvalidInput
from graphmem.ingest.front_matter import labels
from graphmem.ingest.links import Link, Targets
from graphmem.ingest.markdown import Note, ParsedDocument, parse_markdown, parse_text
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.values import SHARED, EdgeType, Warning, has_control, refuse_control

MARKDOWN = "text/markdown"
PLAIN = "text/plain"
CSV = "text/csv"
JSON_LINES = "application/x-ndjson"
TABLES = (CSV, JSON_LINES)
_KINDS = {".txt": PLAIN, ".csv": CSV, ".jsonl": JSON_LINES, ".ndjson": JSON_LINES}
SECTION, LINK = "section", "link"
MAX_PATH = 190
"""Leaves room for the resource before it and the section's anchor behind it within the length of an id."""
_SHOWN_LOST = 20
_SHOWN_LINK = 100


@dataclass(frozen=True, slots=True)
class Prepared:
    """`content_hash` is of the text as it was given, `stored_hash` of all that will be stored."""

    uid: str
    path: str
    title: str
    media_type: str
    content_hash: str
    stored_hash: str
    nodes: tuple[NodeInput, ...]
    edges: tuple[EdgeInput, ...]
    warnings: tuple[Warning, ...]


def media_kind(path: str, given: str | None = None) -> str:
    """The one given, else by the file's ending. Raises InvalidInput for one that is not read."""
    kind = given or _KINDS.get(PurePosixPath(path).suffix.lower(), MARKDOWN)
    if kind not in (MARKDOWN, PLAIN, *TABLES):
        read = ", ".join((MARKDOWN, PLAIN, *TABLES))
        raise InvalidInput(f"mediaType {kind!r} is not read; give one of {read}", field="mediaType")
    return kind


def parse(text: str, path: str, given: str | None = None) -> ParsedDocument:
    """`given`: its media type. Raises InvalidInput for a path that is none, or for the media type."""
    check_path(path)
    return parse_markdown(text, path) if media_kind(path, given) == MARKDOWN else parse_text(text, path)


def check_path(path: str) -> None:
    """Raises InvalidInput, LimitExceeded for one that is blank, too long, or has a control character."""
    checks.text(path, MAX_PATH, "path", limit="max_path")
    refuse_control(path, "path")


def prepare(
    parsed: ParsedDocument, text: str, path: str, kind: str, resource: str | None, targets: Targets | None = None
) -> Prepared:
    """`targets`: the notes of all documents that links may lead to; without it, ids are taken as they are written."""
    about = resource or SHARED
    known = targets or Targets(note.key for note in parsed.notes)
    edges, lost = _edges(parsed, path, about, known, strict=targets is not None)
    tags, odd_tags = labels(parsed.front_matter, "tags")
    aliases, odd_aliases = labels(parsed.front_matter, "aliases")
    nodes = [replace(_node(parsed, note, about), tags=tags) for note in parsed.notes]
    if nodes and parsed.notes[0].key == path:
        nodes[0] = replace(nodes[0], aliases=aliases)
    found = [*parsed.warnings, *odd_tags, *odd_aliases, *_lost_links(lost)]
    return Prepared(
        uid=document_id(about, path),
        path=path,
        title=parsed.title,
        media_type=kind,
        content_hash=text_hash(text),
        stored_hash=hashlib.sha256(orjson.dumps([parsed.title, kind, nodes, edges])).hexdigest(),
        nodes=tuple(nodes),
        edges=tuple(edges),
        warnings=tuple(Warning("DOCUMENT", f"{path}: {message}", (path,)) for message in found),
    )


def document_id(resource: str, path: str) -> str:
    return "d" + hashlib.sha256(orjson.dumps([resource, path])).hexdigest()[:32]


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _id(key: str, resource: str) -> str:
    return key if resource == SHARED else f"{hashlib.sha256(resource.encode()).hexdigest()[:12]}:{key}"


def _node(parsed: ParsedDocument, note: Note, resource: str) -> NodeInput:
    """A section is titled with its document, because "Decision" alone says nothing when it is found."""
    title = note.title if not note.heading_path else f"{parsed.title}: {note.title}"
    if len(title) > checks.MAX_TITLE:
        title = title[: checks.MAX_TITLE - 1] + "…"
    return NodeInput(
        title=title, content=note.content, id=_id(note.key, resource), type=note.type,
        resource=None if resource == SHARED else resource,
    )  # fmt: skip


def _edges(
    parsed: ParsedDocument, path: str, resource: str, targets: Targets, *, strict: bool
) -> tuple[list[EdgeInput], list[str]]:
    """The edges, each pair once, and the targets of links that lead nowhere."""
    reasons: dict[tuple[str, str], str] = {}
    lost: list[str] = []
    for note in parsed.notes:
        if note.parent is not None:
            reasons[note.parent, note.key] = SECTION
        for link in note.links:
            target = targets.find(link.target) or (None if strict else _later(link, path, resource))
            if target is None:
                lost.append(link.target)
            elif target != note.key:
                reasons.setdefault((note.key, target), LINK)
    edges = [
        EdgeInput(_id(start, resource), _id(end, resource), EdgeType.RELATED_TO, reason=reason)
        for (start, end), reason in reasons.items()
    ]
    return edges, lost


def _later(link: Link, path: str, resource: str) -> str | None:
    """The note that a link may find in a document to come; none in this one, by page name, or that can be no id."""
    is_own = link.target == path or link.target.startswith(f"{path}#")
    can_be = len(_id(link.target, resource)) <= checks.MAX_ID and not has_control(link.target)
    return None if is_own or link.target.startswith("[[") or not can_be else link.target


def _lost_links(lost: Sequence[str]) -> list[str]:
    shown = [
        f"link to {target[:_SHOWN_LINK] + '…' if len(target) > _SHOWN_LINK else target!r} leads nowhere"
        for target in lost[:_SHOWN_LOST]
    ]
    more = len(lost) - len(shown)
    return [*shown, f"{more} more links lead nowhere"] if more else shown
