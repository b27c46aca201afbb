"""The documents of a folder: read and parsed together, because links are resolved against the notes of all of them.

What was parsed is kept within bounds; files beyond those are read a second time when it is their turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from graphmem.errors import GraphmemError
from graphmem.ingest.folder import FoundFile, read_text
from graphmem.ingest.links import Targets
from graphmem.ingest.markdown import ParsedDocument
from graphmem.ingest.prepare import Prepared, media_kind, parse, prepare, text_hash

KEPT_CHARACTERS = 32_000_000
PART_CHARACTERS = 4_000_000
PART_FILES = 1_000

Failed = tuple[str, str]
"""A path, and why its file was left alone."""


@dataclass
class _Page:
    """A file; `parsed` with its text where there was room to keep them."""

    file: FoundFile
    hash: str
    size: int
    parsed: tuple[str, ParsedDocument] | None


class Library:
    """`failed` are the files that could not be read or parsed. `whole`: links lead into these files or nowhere; else
    they may lead to a document that is in the graph, or is to come. `tell` hears how many files are read, of how many;
    what it raises ends the reading."""

    def __init__(
        self,
        files: Sequence[FoundFile],
        resource: str | None,
        *,
        whole: bool = True,
        kept: int = KEPT_CHARACTERS,
        tell: Callable[[int, int], None] | None = None,
    ) -> None:
        self.failed: list[Failed] = []
        self._resource = resource
        self._pages: list[_Page] = []
        keys: list[str] = []
        for at, file in enumerate(files, 1):
            read = _read(file)
            if tell is not None:
                tell(at, len(files))
            if isinstance(read, str):
                self.failed.append((file.path, read))
                continue
            text, parsed = read
            kept -= len(text)
            self._pages.append(_Page(file, text_hash(text), len(text), read if kept >= 0 else None))
            keys += [note.key for note in parsed.notes]
        self._targets = Targets(keys) if whole else None

    def parts(self) -> Iterator[list[_Page]]:
        """The files in parts of which each can be held in memory."""
        part: list[_Page] = []
        size = 0
        for page in self._pages:
            if part and (len(part) == PART_FILES or size + page.size > PART_CHARACTERS):
                yield part
                part, size = [], 0
            part.append(page)
            size += page.size
        if part:
            yield part

    def prepare(self, part: Sequence[_Page]) -> tuple[list[Prepared], list[Failed]]:
        """A part, ready to be stored, and what went wrong with others of it. To be called once for each."""
        done: list[Prepared] = []
        failed: list[Failed] = []
        for page in part:
            read = page.parsed or _read(page.file)
            page.parsed = None
            path = page.file.path
            if isinstance(read, str):
                failed.append((path, read))
            elif text_hash(read[0]) != page.hash:
                failed.append((path, "changed while the folder was read; ingest it again"))
            else:
                done.append(prepare(read[1], read[0], path, media_kind(path), self._resource, self._targets))
        return done, failed


def _read(file: FoundFile) -> tuple[str, ParsedDocument] | str:
    """The text and what is in it, or the reason why there is none."""
    text, problems = read_text(file)
    if problems:
        return problems[0]
    try:
        return text, parse(text, file.path)
    except GraphmemError as error:
        return error.message
