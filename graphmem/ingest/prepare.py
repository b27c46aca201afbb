"""A document as it will be stored. Pure: nothing of it depends on the graph."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import PurePosixPath

import orjson

from graphmem import checks
from graphmem.errors import InvalidInput
from graphmem.ingest.front_matter import labels
from graphmem.ingest.links import Targets, document_of
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
_PART = re.compile(r"~[0-9]+\Z")
_SHOWN_LOST = 20
_SHOWN_LINK = 100


class Absent(StrEnum):
    """What becomes of a link to a document that isn't there: the caller is told, it waits as a pending link, or nothing
    yet, since the document keeps it and it is looked up again when another comes."""

    TOLD = "told"
    WAITS = "waits"
    KEPT = "kept"


@dataclass(frozen=True, slots=True)
class Linking:
    """What a document's edges are made of: its notes' keys, the pairs of a section and what is in it, and the links as
    they are written, each with the note that it stands in."""

    resource: str = SHARED
    keys: tuple[str, ...] = ()
    sections: tuple[tuple[str, str], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """`content_hash` is of the text as it was given, `stored_hash` of all that will be stored. `edges`: what `linking`
    came to, with the notes that were known. `remarks` of that are what is told whatever they are."""

    uid: str
    path: str
    title: str
    media_type: str
    content_hash: str
    stored_hash: str
    nodes: tuple[NodeInput, ...]
    edges: tuple[EdgeInput, ...]
    warnings: tuple[Warning, ...]
    linking: Linking = Linking()


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
    """Raises InvalidInput, LimitExceeded for one that is blank, too long, has a control character, or reads as the name
    of a note of another document, which the two would take from each other."""
    checks.text(path, MAX_PATH, "path", limit="max_path")
    refuse_control(path, "path")
    if document_of(path) != path or _PART.search(path):
        raise InvalidInput(
            f"path {path!r} reads as a part of another document, as path#section and path~2 do; give it an ending such "
            "as .md, or leave the sign out",
            field="path",
        )


def prepare(
    parsed: ParsedDocument, text: str, path: str, kind: str, resource: str | None, targets: Targets | None = None
) -> Prepared:
    """`targets`: the notes of all documents that links may lead to; without it, ids are taken as they are written."""
    about = resource or SHARED
    tags, odd_tags = labels(parsed.front_matter, "tags")
    aliases, odd_aliases = labels(parsed.front_matter, "aliases")
    nodes = [replace(_node(parsed, note, about), tags=tags) for note in parsed.notes]
    if nodes and parsed.notes[0].key == path:
        nodes[0] = replace(nodes[0], aliases=aliases)
    linking = Linking(
        about,
        keys=tuple(note.key for note in parsed.notes),
        sections=tuple((note.parent, note.key) for note in parsed.notes if note.parent is not None),
        links=tuple((note.key, link.target) for note in parsed.notes for link in note.links),
        remarks=(*parsed.warnings, *odd_tags, *odd_aliases),
    )
    made = Prepared(
        document_id(about, path), path, parsed.title, kind, text_hash(text), "", tuple(nodes), (), (), linking
    )
    return joined(made, targets or Targets(linking.keys), Absent.TOLD if targets else Absent.WAITS)


def joined(made: Prepared, targets: Targets, absent: Absent) -> Prepared:
    """The document with its edges to the notes of `targets`."""
    about = made.linking.resource
    found, lost = ends_of(made.path, about, made.linking.links, targets, absent)
    reasons = dict.fromkeys(found, LINK) | dict.fromkeys(made.linking.sections, SECTION)
    edges = [
        EdgeInput(note_id(start, about), note_id(end, about), EdgeType.RELATED_TO, reason=reason)
        for (start, end), reason in reasons.items()
    ]
    digest = hashlib.sha256(orjson.dumps([made.title, made.media_type, made.nodes, edges, made.linking.links]))
    told = [*made.linking.remarks, *_lost_links(lost)]
    return replace(
        made,
        stored_hash=digest.hexdigest(),
        edges=tuple(edges),
        warnings=tuple(Warning("DOCUMENT", f"{made.path}: {message}", (made.path,)) for message in told),
    )


def document_id(resource: str, path: str) -> str:
    return "d" + hashlib.sha256(orjson.dumps([resource, path])).hexdigest()[:32]


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def note_id(key: str, resource: str) -> str:
    return key if resource == SHARED else f"{hashlib.sha256(resource.encode()).hexdigest()[:12]}:{key}"


def _node(parsed: ParsedDocument, note: Note, resource: str) -> NodeInput:
    """A section is titled with its document, because "Decision" alone says nothing when it is found."""
    title = note.title if not note.heading_path else f"{parsed.title}: {note.title}"
    if len(title) > checks.MAX_TITLE:
        title = title[: checks.MAX_TITLE - 1] + "…"
    return NodeInput(
        title=title, content=note.content, id=note_id(note.key, resource), type=note.type,
        resource=None if resource == SHARED else resource,
    )  # fmt: skip


def ends_of(
    path: str, resource: str, links: Iterable[tuple[str, str]], targets: Targets, absent: Absent
) -> tuple[list[tuple[str, str]], list[str]]:
    """The pairs of notes that links of the document `path` join, and the targets of links that lead nowhere."""
    found: list[tuple[str, str]] = []
    lost: list[str] = []
    for start, link in links:
        target = targets.find(link)
        if target is None and absent is not Absent.TOLD and _may_come(link, path, resource):
            if absent is Absent.KEPT:
                continue
            target = link
        if target is None:
            lost.append(link)
        elif target != start:
            found.append((start, target))
    return found, lost


def _may_come(link: str, path: str, resource: str) -> bool:
    """Whether a document to come may have the note: none of this one, none by page name, none that can be no id."""
    is_own = link == path or link.startswith(f"{path}#")
    can_be = len(note_id(link, resource)) <= checks.MAX_ID and not has_control(link)
    return can_be and not is_own and not link.startswith("[[")


def _lost_links(lost: Sequence[str]) -> list[str]:
    shown = [
        f"link to {target[:_SHOWN_LINK] + '…' if len(target) > _SHOWN_LINK else target!r} leads nowhere"
        for target in lost[:_SHOWN_LOST]
    ]
    more = len(lost) - len(shown)
    return [*shown, f"{more} more links lead nowhere"] if more else shown
