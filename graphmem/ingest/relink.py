"""Links of documents that came alone, or came before what they lead to: looked up in the graph.

A document keeps its links as they are written. When another that they may mean comes, goes or has other sections, they
are looked up anew, so that the edges are the same in whatever order documents come. The documents of a folder are
looked up among those of the folder, others among all about the same resource.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from graphmem.access.view import View
from graphmem.graph.gateway import Row, Transaction
from graphmem.ingest.links import Targets, page_of
from graphmem.ingest.prepare import LINK, Absent, Prepared, document_id, ends_of, joined, note_id
from graphmem.knowledge.edges_write import EdgesWritten, write_edges
from graphmem.knowledge.nodes import EdgeInput
from graphmem.values import FOREVER, EdgeType, Tenant

Run = Callable[..., Awaitable[list[Row]]]
_APART = "\n"
"""Between a note and the target of a link in it, as they are kept: no target with a line break in it is a note's."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where documents come from. `whole`: they come with all others of the folder `root`."""

    resource: str
    root: str | None
    whole: bool


def link_properties(prepared: Prepared) -> dict[str, Any]:
    """What a document keeps for links: its page's name, what of its keys stands behind the path, its own links, and the
    pages that these name."""
    kept = [(start, target) for start, target in prepared.linking.links if _APART not in target]
    return {
        "page": page_of(prepared.path),
        "keys": [key.removeprefix(prepared.path) for key in prepared.linking.keys],
        "links": [f"{start}{_APART}{target}" for start, target in kept],
        "linked": sorted({page_of(target) for _, target in kept if not _is_own(target, prepared.path)}),
    }


def _is_own(target: str, path: str) -> bool:
    return target == path or target.startswith(f"{path}#")


async def lock_pages(tx: Transaction, tenant: Tenant, place: Place, documents: Sequence[Prepared]) -> None:
    """Of two calls of which one has a link to what the other brings, one waits, so that the second sees both."""
    names = {name for one in documents for name in (page_of(one.path), *link_properties(one)["linked"])}
    ids = ["l" + hashlib.sha256(orjson.dumps([place.resource, name])).hexdigest()[:32] for name in names]
    await tx.run("ingest/lock_pages", tenant=tenant, ids=sorted(ids))


async def look_up(run: Run, tenant: Tenant, place: Place, documents: Sequence[Prepared]) -> list[Prepared]:
    """The documents with their edges to the notes that are there, or come with them."""
    links = [target for one in documents for _, target in one.linking.links]
    known = await _found(run, tenant, place.resource, links)
    own = {one.path: one.linking.keys for one in documents}
    absent = Absent.WAITS if place.root is None else Absent.KEPT
    targets = _targets(known, place.resource, place.root, own)
    return [joined(one, targets, absent) for one in documents]


async def relink(
    tx: Transaction, view: View, place: Place, documents: Sequence[Prepared], moved: Iterable[str], now: datetime
) -> list[EdgesWritten]:
    """Looks up the links that other documents have to those that `moved`, and tells which edges were opened."""
    gone = set(moved)
    rows = await tx.run(
        "ingest/linking_documents",
        tenant=view.tenant, resource=place.resource, root=place.root if place.whole else None,
        pages=sorted({page_of(one.path) for one in documents if one.uid in gone}),
        uids=sorted(one.uid for one in documents),
    )  # fmt: skip
    if not rows:
        return []
    links = {row["uid"]: [_pair(link) for link in row["links"]] for row in rows}
    known = await _found(tx.run, view.tenant, place.resource, (target for one in links.values() for _, target in one))
    targets = {root: _targets(known, place.resource, root, {}) for root in {row["root"] for row in rows}}
    edges = [
        EdgeInput(start, end, EdgeType.RELATED_TO, reason=LINK)
        for row in rows
        for start, end in _ends(row, place.resource, links[row["uid"]], targets[row["root"]])
    ]
    kept: dict[str, list[str]] = {}
    for edge in edges:
        kept.setdefault(edge.source_id, []).append(edge.target_id)
    closed = await close_edges(tx, view.tenant, [row["uid"] for row in rows], kept, [LINK], now)
    written = await write_edges(tx, view, (), now, edges)
    if closed or written.created:
        await tx.run("ingest/forget_stored", tenant=view.tenant, uids=[row["uid"] for row in rows])
    return [EdgesWritten(created=written.created)]


def _ends(row: Row, resource: str, links: Iterable[tuple[str, str]], targets: Targets) -> list[tuple[str, str]]:
    absent = Absent.WAITS if row["root"] is None else Absent.KEPT
    found, _ = ends_of(row["path"], resource, links, targets, absent)
    there = set(row["notes"])
    ids = [(note_id(start, resource), note_id(end, resource)) for start, end in dict.fromkeys(found)]
    return [(start, end) for start, end in ids if start in there]


async def _found(run: Run, tenant: Tenant, resource: str, links: Iterable[str]) -> list[Row]:
    """Documents that links may mean."""
    targets = set(links)
    paths = {target.rpartition("#")[0] or target for target in targets} | targets
    return await run(
        "ingest/documents_of_pages",
        tenant=tenant, resource=resource, pages=sorted({page_of(target) for target in targets}),
        uids=sorted(document_id(resource, path) for path in paths),
    )  # fmt: skip


def _targets(known: Iterable[Row], resource: str, root: str | None, own: Mapping[str, Sequence[str]]) -> Targets:
    """`own` are the keys of documents by path, in place of what the graph has of them."""
    keys = [key for one in own.values() for key in one]
    for row in known:
        if row["path"] not in own and (root is None or row["root"] == root):
            keys += _keys(row, resource)
    return Targets(keys)


def _keys(row: Row, resource: str) -> list[str]:
    path = str(row["path"])
    if row["keys"] is None:
        behind = len(note_id("", resource))
        return [uid[behind:] for uid in row["notes"]]
    return [path + key for key in row["keys"]]


def _pair(link: str) -> tuple[str, str]:
    start, _, target = link.partition(_APART)
    return start, target


async def close_edges(
    tx: Transaction,
    tenant: Tenant,
    documents: Sequence[str],
    kept: Mapping[str, list[str]],
    reasons: Sequence[str],
    now: datetime,
) -> dict[str, int]:
    """Closes the edges of documents' links and headings but those `kept`, and tells how many by document."""
    shared = {"tenant": tenant, "uids": documents, "reasons": reasons, "kept": kept}
    await tx.run("ingest/drop_gone_links", **shared)
    rows = await tx.run("ingest/close_gone_edges", open=FOREVER, now=now, **shared)
    return {row["document"]: row["closed"] for row in rows}
