"""`graphmem ingest`: a folder of documents, file by file, each in a transaction of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graphmem.access.principal import Principal
from graphmem.errors import GraphmemError, InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.ingest.document import Ingested, store
from graphmem.ingest.folder import FoundFile, read_text, walk
from graphmem.ingest.links import Targets
from graphmem.ingest.markdown import ParsedDocument
from graphmem.ingest.prepare import Prepared, media_kind, parse, prepare
from graphmem.values import Scope

Tell = Callable[[int, int, str], None]
"""Called with files done, files in all, and the path in hand."""


@dataclass
class FolderIngested:
    """What a folder came to. `warnings`: of the walk, a line each, such as what was left out. `failed`: path and reason
    of files that were left as they were in the graph."""

    files: list[Ingested] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    failed: list[tuple[str, str]] = field(default_factory=list)

    def count(self, outcome: str) -> int:
        return sum(len(getattr(one, outcome)) for one in self.files)


def check_distinct(roots: Sequence[Path]) -> None:
    """Raises InvalidInput when files of two roots would be one document: their paths within the roots are the same."""
    owners: dict[str, Path] = {}
    for root in roots:
        for file in walk(root)[0]:
            owner = owners.setdefault(file.path, file.absolute)
            if owner != file.absolute:
                both = f"{owner} and {file.absolute} would both be the document {file.path!r}"
                raise InvalidInput(f"{both}; take in the folder that has both", field="paths")


async def ingest_folder(
    graph: Graph,
    principal: Principal,
    root: Path,
    *,
    resource: str | None = None,
    dry_run: bool = False,
    tell: Tell | None = None,
) -> FolderIngested:
    """Take in every Markdown and text file below `root`; safe to stop and to repeat.

    Raises InvalidInput when there is no such folder. A file that can't be taken in does not stop the others. A file
    that is empty now loses its notes; those of one that is gone, or has another name now, stay.
    """
    principal.require(Scope.WRITE)
    about = principal.resource_for(resource)
    result = FolderIngested()
    prepared = await asyncio.to_thread(_prepare_all, root, about, result)
    for done, document in enumerate(prepared, 1):
        # One after the other: documents that link to one another would wait for each other's locks (measured: twice
        # the time with four at once).
        try:
            result.files.append(await store(graph, principal, document, about, dry_run=dry_run))
        except GraphmemError as error:
            result.failed.append((document.path, error.message))
        if tell:
            tell(done, len(prepared), document.path)
    result.failed.sort()
    return result


def _prepare_all(root: Path, resource: str | None, result: FolderIngested) -> list[Prepared]:
    """Read and parse everything first: links are resolved against the notes of all files."""
    found, result.warnings = walk(root)
    documents: list[tuple[str, str, ParsedDocument]] = []
    for file in found:
        text = _text(file, result)
        if text is None:
            continue
        try:
            documents.append((file.path, text, parse(text, file.path)))
        except GraphmemError as error:
            result.failed.append((file.path, error.message))
    targets = Targets(note.key for _, _, parsed in documents for note in parsed.notes)
    return [prepare(parsed, text, path, media_kind(path), resource, targets) for path, text, parsed in documents]


def _text(file: FoundFile, result: FolderIngested) -> str | None:
    text, problems = read_text(file)
    result.failed += [(file.path, problem.removeprefix(f"{file.path}: ")) for problem in problems]
    return None if problems else text
