"""Documents whose file is no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.access.principal import Principal
from graphmem.graph.gateway import Graph
from graphmem.ingest.folder import Walked
from graphmem.ingest.prepare import TABLES, Prepared
from graphmem.ingest.store import GONE, Ingested, store
from graphmem.ingest.table import drop_table
from graphmem.values import SHARED

DOCUMENTS_A_LOOK = 1_000
DOCUMENTS_A_WRITE = 50


@dataclass(frozen=True, slots=True)
class Gone:
    """A document whose file is no more; `renamed` is the path of a file that has its very text. `linkable`: links that
    are looked up still find it."""

    document: Prepared
    renamed: str | None
    linkable: bool = True

    @property
    def path(self) -> str:
        return self.document.path


async def find_gone(
    graph: Graph, principal: Principal, resource: str | None, root: str, walked: Walked, texts: Mapping[str, str]
) -> list[Gone]:
    """The documents that were last taken from the folder and that it hasn't any more, in order of their path.

    A file that was left out, or lies in a folder that could not be read, is not gone. `texts`: paths of the
    folder's files, by the hash of their text.
    """
    here = {file.path for file in walked.files}
    found: list[Gone] = []
    path = ""
    while True:
        rows = await graph.read(
            "ingest/documents_of_root",
            tenant=principal.tenant, root=root, resource=resource or SHARED, path=path, gone=GONE,
            limit=DOCUMENTS_A_LOOK,
        )  # fmt: skip
        for row in rows:
            if row["path"] not in here and not walked.left_out(row["path"]):
                empty = Prepared(
                    row["uid"], row["path"], row["title"], row["mediaType"], row["contentHash"], GONE, (), (), ()
                )
                found.append(Gone(empty, texts.get(row["contentHash"]), row["keys"] != []))
        if len(rows) < DOCUMENTS_A_LOOK:
            return found
        path = rows[-1]["path"]


async def prune(
    graph: Graph, principal: Principal, resource: str | None, root: str, gone: Sequence[Gone], *, dry_run: bool
) -> list[Ingested]:
    """Archives the notes of documents that are gone, and closes the edges that they made."""
    done: list[Ingested] = []
    texts = [one.document for one in gone if one.document.media_type not in TABLES]
    for at in range(0, len(texts), DOCUMENTS_A_WRITE):
        part = texts[at : at + DOCUMENTS_A_WRITE]
        done += await store(graph, principal, part, resource, root=root, whole=True, dry_run=dry_run)
    for one in gone:
        if one.document.media_type in TABLES:
            done.append(await drop_table(graph, principal, one.document, resource, dry_run=dry_run))
    return done
