"""`graphmem ingest`: a folder of documents and tables; many files in a transaction, unchanged ones in none."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from graphmem.access.principal import Principal
from graphmem.errors import Forbidden, GraphmemError, InvalidInput, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.ingest.folder import FoundFile, Walked, bad_name, read_text, walk
from graphmem.ingest.gone import Gone, find_gone, prune
from graphmem.ingest.library import Failed, Library
from graphmem.ingest.prepare import MAX_PATH, TABLES, Prepared, document_id, media_kind
from graphmem.ingest.relink import Place, look_up
from graphmem.ingest.rows import OnError
from graphmem.ingest.store import Ingested, store
from graphmem.ingest.table import ingest_table, stored_hash
from graphmem.values import SHARED, Scope

Tell = Callable[[int, int, str], None]
"""Called with files done, files in all, and the path in hand."""
Reading = Callable[[int, int], None]
"""Called, from another thread, with files read and files in all: links need to know all notes before any is stored."""
FILES_A_WRITE = 100
PATIENCE = 3
"""When Neo4j has not answered for so many files in a row, the others aren't tried."""


@dataclass(frozen=True, slots=True)
class Options:
    """`prune`: archive the notes of documents that were taken from this folder and whose file is no more. `anew`: store
    also what is stored already as it is. `on_error`: for lines of tables."""

    resource: str | None = None
    dry_run: bool = False
    prune: bool = False
    anew: bool = False
    on_error: OnError = OnError.ABORT


@dataclass
class FolderIngested:
    """What a folder came to. `warnings`: of the walk, a line each, such as what was left out. `failed`: path and reason
    of files that were left as they were in the graph. `same`: files that were stored already as they are. `gone`:
    documents whose file is no more, which are in `files` too where they were pruned."""

    files: list[Ingested] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failed: list[Failed] = field(default_factory=list)
    same: int = 0
    gone: list[Gone] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        return sum(len(getattr(one, outcome)) for one in self.files)


def check_distinct(roots: Sequence[Path]) -> None:
    """Raises InvalidInput when files of two roots would be one document: their paths within the roots are the same."""
    owners: dict[str, Path] = {}
    for root in roots:
        for file in walk(root).files:
            owner = owners.setdefault(file.path, file.absolute)
            if owner != file.absolute:
                both = f"{owner} and {file.absolute} would both be the document {file.path!r}"
                raise InvalidInput(f"{both}; take in the folder that has both", field="paths")


async def ingest_folder(
    graph: Graph,
    principal: Principal,
    root: Path,
    options: Options | None = None,
    *,
    tell: Tell | None = None,
    reading: Reading | None = None,
) -> FolderIngested:
    """Take in every Markdown and text file below `root`, and its tables; safe to stop and to repeat.

    Raises InvalidInput when there is no such folder, and where `prune` has no folder with files to go by. A file that
    can't be taken in does not stop the others. A file that is empty now loses its notes; those of one that is gone, or
    has another name now, only with `prune`.
    """
    principal.require(Scope.WRITE)
    chosen = options or Options()
    about = principal.resource_for(chosen.resource, new=True)
    walked = await asyncio.to_thread(walk, root)
    if not walked.is_folder and walked.files:
        walked = await _as_taken(graph, principal, about, walked)
    if chosen.prune and not (walked.is_folder and walked.files):
        why = "has no file to take in" if walked.is_folder else "is a file"
        raise InvalidInput(f"{root} {why}; prune needs the folder that the documents were taken from", field="prune")
    if walked.is_folder and not walked.files:
        walked.warnings.append(f"{root}: there is no Markdown, text or table in it")
    work = _Work(graph, principal, about, walked, chosen, tell)
    await work.documents(reading)
    await work.tables()
    await work.gone()
    work.result.files.sort(key=lambda one: one.path)
    work.result.failed.sort()
    return work.result


def _hashed(folder: Path) -> str:
    """What stands for a folder in the graph, which is not to hold paths of a machine."""
    return hashlib.sha256(str(folder).encode(errors="surrogateescape")).hexdigest()[:32]


async def _as_taken(graph: Graph, principal: Principal, about: str | None, walked: Walked) -> Walked:
    """A file that was named, in the nearest folder above it that it was last taken in with; else in its own."""
    file = walked.files[0]
    folders: dict[str, tuple[Path, str]] = {}
    for folder in (walked.root, *walked.root.parents):
        path = file.absolute.relative_to(folder).as_posix()
        if len(path) <= MAX_PATH and bad_name(path) is None:
            folders[document_id(about or SHARED, path)] = folder, path
    rows = await graph.read("ingest/document_states", tenant=principal.tenant, ids=sorted(folders))
    roots = {row["uid"]: row["root"] for row in rows}
    for uid, (folder, path) in folders.items():
        if roots.get(uid) == _hashed(folder):
            return replace(walked, root=folder, files=[replace(file, path=path)])
    return walked


class _Work:
    """One folder on its way."""

    def __init__(
        self,
        graph: Graph,
        principal: Principal,
        about: str | None,
        walked: Walked,
        options: Options,
        tell: Tell | None,
    ) -> None:
        self.result = FolderIngested(warnings=walked.warnings, failed=list(walked.refused))
        self._graph, self._principal, self._about = graph, principal, about
        self._walked, self._options, self._tell = walked, options, tell
        self._root = _hashed(walked.root)
        self._place = Place(about or SHARED, self._root, walked.is_folder)
        self._done = 0
        self._unanswered = 0
        self._texts: dict[str, str] = {}

    async def documents(self, reading: Reading | None) -> None:
        files = [file for file in self._walked.files if media_kind(file.path) not in TABLES]
        library = await self._read(files, reading)
        self._fail(library.failed)
        for part in library.parts():
            prepared, failed = await asyncio.to_thread(library.prepare, part)
            self._fail(failed)
            if not self._place.whole:
                prepared = await look_up(self._graph.read, self._principal.tenant, self._place, prepared)
            known = await self._known([(one.uid, one.path) for one in prepared])
            self._texts |= {one.content_hash: one.path for one in prepared}
            same = [one for one in prepared if self._is_same(known, one.uid, one.stored_hash)]
            self.result.same += len(same)
            self._note(Ingested(one.uid, one.path, unchanged=_ids(one), warnings=one.warnings) for one in same)
            there = {one.uid for one in same}
            for batch in _batches([one for one in prepared if one.uid not in there], self._graph.settings.max_nodes):
                await self._store(batch)

    async def _read(self, files: Sequence[FoundFile], reading: Reading | None) -> Library:
        halted = False

        def tell(read: int, of: int) -> None:
            if halted:  # a thread can't be called off, and who stops the command would wait for all files
                raise asyncio.CancelledError
            if reading is not None:
                reading(read, of)

        try:
            return await asyncio.to_thread(Library, files, self._about, whole=self._place.whole, tell=tell)
        finally:
            halted = True

    async def tables(self) -> None:
        """Those of nodes first, so that fewer edges have to wait for their ends."""
        files = [file for file in self._walked.files if media_kind(file.path) in TABLES]
        for file in sorted(files, key=lambda file: ("edges" in Path(file.path).name, file.path)):
            await self._table(file)

    async def gone(self) -> None:
        """Tells which documents have no file any more, and archives their notes when asked to."""
        options = self._options
        if not self._walked.is_folder or self._unanswered >= PATIENCE:
            return
        self.result.gone = await find_gone(
            self._graph, self._principal, self._about, self._root, self._walked, self._texts
        )
        # Their notes stay, but to a file that comes alone they are no more there than to the folder.
        told = sorted(one.document.uid for one in self.result.gone if one.linkable)
        if told and not options.dry_run:
            await self._graph.run("ingest/forget_keys", tenant=self._principal.tenant, uids=told)
        if options.prune:
            self.result.files += await prune(
                self._graph, self._principal, self._about, self._root, self.result.gone, dry_run=options.dry_run
            )

    async def _known(self, documents: Sequence[tuple[str, str]]) -> dict[str, str | None]:
        """The stored hash of each document that is there already. From now on it is one of this folder."""
        if not documents:
            return {}
        paths = dict(documents)
        tenant = self._principal.tenant
        rows = await self._graph.read("ingest/document_states", tenant=tenant, ids=sorted(paths))
        others = sorted(row["uid"] for row in rows if row["root"] != self._root)
        if elsewhere := sorted(paths[row["uid"]] for row in rows if row["root"] not in (None, self._root)):
            many = f"{len(elsewhere)} documents" if len(elsewhere) > 1 else "a document"
            self.result.warnings.append(f"{many} last came from another folder, as {elsewhere[0]!r}")
        if others and not self._options.dry_run:
            await self._graph.run("ingest/claim_documents", tenant=tenant, uids=others, root=self._root)
        return {row["uid"]: row["storedHash"] for row in rows}

    def _is_same(self, known: dict[str, str | None], uid: str, digest: str) -> bool:
        return known.get(uid) == digest and not self._options.anew

    async def _store(self, batch: Sequence[Prepared]) -> None:
        """All in one transaction; where that fails, each in its own, so that one can't stop the others."""
        if self._unanswered >= PATIENCE:
            self._fail((one.path, "not tried, because Neo4j does not answer") for one in batch)
            return
        try:
            done = await store(
                self._graph, self._principal, batch, self._about,
                root=self._root, whole=self._place.whole, dry_run=self._options.dry_run,
            )  # fmt: skip
        except Forbidden:
            raise
        except GraphmemError as error:
            for one in batch if len(batch) > 1 else ():
                await self._store([one])
            if len(batch) == 1:
                self._unanswered = self._unanswered + 1 if isinstance(error, Unavailable) else 0
                self._fail([(batch[0].path, error.message)])
            return
        self._unanswered = 0
        self._note(done)

    async def _table(self, file: FoundFile) -> None:
        text, problems = await asyncio.to_thread(read_text, file)
        if problems:
            self._fail([(file.path, problems[0])])
            return
        kind, uid = media_kind(file.path), document_id(self._about or SHARED, file.path)
        if self._is_same(await self._known([(uid, file.path)]), uid, stored_hash(text, kind)):
            self.result.same += 1
            self._note([Ingested(uid, file.path)])
            return
        try:
            done = await ingest_table(
                self._graph, self._principal, text, file.path, kind, resource=self._about,
                on_error=self._options.on_error, root=self._root, dry_run=self._options.dry_run,
                tell=lambda lines, of: self._say(f"{file.path}, line {lines} of {of}"),
            )  # fmt: skip
        except GraphmemError as error:
            self._fail([(file.path, error.message.removeprefix(f"{file.path}, "))])
            return
        self._note([done])

    def _note(self, done: Iterable[Ingested]) -> None:
        for one in done:
            self.result.files.append(one)
            self._count(one.path)

    def _fail(self, failed: Iterable[Failed]) -> None:
        for path, reason in failed:
            self.result.failed.append((path, reason))
            self._count(path)

    def _count(self, path: str) -> None:
        self._done += 1
        self._say(path)

    def _say(self, path: str) -> None:
        if self._tell:
            self._tell(self._done, len(self._walked.files), path)


def _ids(prepared: Prepared) -> tuple[str, ...]:
    return tuple(str(node.id) for node in prepared.nodes)


def _batches(documents: Iterable[Prepared], most: int) -> Iterable[list[Prepared]]:
    """As many together as one transaction takes: of `most` notes, unless a single one has more."""
    batch: list[Prepared] = []
    notes = 0
    for one in documents:
        if batch and (len(batch) == FILES_A_WRITE or notes + len(one.nodes) > most):
            yield batch
            batch, notes = [], 0
        batch.append(one)
        notes += len(one.nodes)
    if batch:
        yield batch
