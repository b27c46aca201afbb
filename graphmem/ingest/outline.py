"""A document's sections: which blocks, links and type each has. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from markdown_it.token import Token

from graphmem.ingest.blocks import Heading
from graphmem.ingest.links import Link, Slugs, links_in, plain, slug
from graphmem.ingest.split import Block, count_words
from graphmem.values import KnowledgeType, is_blank

MAX_TITLE = 200
MAX_PARAGRAPH = 20_000
MAX_LINKED = 500_000

_MAX_CONTENTS = 30
_MAX_CONTENTS_WORDS = 250
_MAY_LINK = re.compile(r"\.(?:md|markdown|txt)\b|\]\(\s*<?#|\[\[[^\[\]\n]+\]\]", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W_]+")
_RECORD = ("context", "decision", "consequences")
_TYPES: dict[str, KnowledgeType] = {kind.value: kind for kind in KnowledgeType} | {"adr": KnowledgeType.DECISION}


@dataclass
class Section:
    """A note to be: key, titles and parent as in `Note`; links with the source lines each stands in.

    `headed`: it has a heading; `heading` is the block of that, kept when the title does not tell all of it.
    """

    key: str
    title: str
    level: int = 0
    start: int = 0
    heading_path: tuple[str, ...] = ()
    parent: str | None = None
    type: KnowledgeType = KnowledgeType.CONCEPT
    headed: bool = True
    heading: Block | None = None
    blocks: list[Block] = field(default_factory=list)
    children: list[str] = field(default_factory=list)
    links: list[tuple[int, int, Link]] = field(default_factory=list)

    def storable(self) -> list[Block]:
        """The blocks; where they have no words, with the subsections' titles or its own title before them."""
        own = [block for block in self.blocks if block is not self.heading]
        if any(char.isalnum() for block in own for char in block.text):
            return self.blocks
        text = _contents(self.children)
        if not text and self.heading is None and self.headed:
            text = self.title
        at = 0 if self.heading is None else self.blocks.index(self.heading) + 1
        line = f"\n{text}\n\n"
        added = [Block(self.blocks[at - 1].start if at else self.start, line, line)]
        return self.blocks[:at] + added * bool(text) + self.blocks[at:]


class Outline:
    """Sections in document order, the document's own first. `inline` parses a text's inline markup."""

    def __init__(self, path: str, title: str, inline: Callable[[str], list[Token]]) -> None:
        self._path = path
        self._inline = inline
        self._titled = not is_blank(title)
        self._slugs = Slugs()
        self._anchors: dict[str, str] = {}
        self._headings: list[str] = []
        root = Section(path, as_title(title) if self._titled else PurePosixPath(path).stem, headed=False)
        self.sections = [root]
        self._open = [root]

    def add(self, item: Block | Heading) -> None:
        """The next block or heading. A heading without text is a block; a nested one is only a place to link to."""
        if isinstance(item, Block):
            self.sections[-1].blocks.append(item)
            return
        title = as_title(plain(self._inline(item.source[: 4 * MAX_TITLE])))
        if is_blank(title):
            self.sections[-1].blocks += [item.block] * bool(item.level)
            return
        key = f"{self._path}#{self._slugs.take(title)}"
        if item.level == 0:
            self._anchors[key] = self.sections[-1].key
            return
        section = self._section(item, title, key)
        if len(item.source) > MAX_TITLE or not all(word in section.title for word in _LETTERS.findall(item.source)):
            section.heading = item.block
            section.blocks.append(item.block)

    def _section(self, heading: Heading, title: str, key: str) -> Section:
        root = self.sections[0]
        self._headings.append(title)
        if heading.level == 1 and not self._titled:
            root.title, self._titled = title, True
        if heading.level == 1 and len(self._headings) == 1:
            self._anchors[key] = root.key
            root.headed = True
            return root
        while self._open[-1].level >= heading.level:
            self._open.pop()
        above = self._open[-1]
        above.children.append(title)
        path = (*above.heading_path, title)
        section = Section(key, title, heading.level, heading.block.start, path, above.key)
        self._open.append(section)
        self.sections.append(section)
        return section

    def add_links(self, tokens: Iterable[Token], references: bool) -> Iterator[str]:
        """Give each section its links; yields a warning for a text too long to search. Call it after all blocks.

        `references`: the document defines a reference (`[a]: b.md`) to a note, so that any bracket may be a link.
        """
        starts = [section.start for section in self.sections]
        spent = 0
        for token in tokens:
            source = token.content
            may_link = _MAY_LINK.search(source) or (references and "[" in source)
            if token.type != "inline" or not token.map or not may_link:
                continue
            first, end = token.map
            if len(source) > MAX_PARAGRAPH:
                yield f"line {first + 1}: {len(source)} characters without a break, not searched for links"
                continue
            spent += len(source)
            if spent > MAX_LINKED:
                yield f"line {first + 1}: not searched for links from here on, after {MAX_LINKED} characters with links"
                return
            section = self.sections[bisect_right(starts, first) - 1]
            for link in links_in(self._inline(source), self._path):
                target = self._anchors.get(link.target, link.target)
                if target != section.key:
                    section.links.append((first, end - 1, Link(target, link.text)))

    def set_types(self, front_matter: Mapping[str, object]) -> Iterator[str]:
        """Front matter's `type` for all; all of a decision record are decisions; else each section by its form.

        A decision record has a status (in front matter or as a heading) and headings that begin with Context,
        Decision and Consequences. A procedure is titled "How to …" or has most of its words in numbered lists.
        """
        wanted = front_matter.get("type")
        kind = _TYPES.get(str(wanted).strip().lower())
        if wanted is not None and kind is None:
            yield f"front matter: type {str(wanted)[:40]!r} is none of {', '.join(_TYPES)}; guessed from the text"
        slugs = {slug(heading) for heading in self._headings}
        has_status = "status" in slugs or bool(front_matter.get("status"))
        if kind is None and has_status and all(any(s.startswith(part) for s in slugs) for part in _RECORD):
            kind = KnowledgeType.DECISION
        for section in self.sections:
            section.type = kind or guess_type(section)


def guess_type(section: Section) -> KnowledgeType:
    """Procedure or concept, by the title's first words and the share of words in numbered lists."""
    numbered = sum(count_words(block.text) for block in section.blocks if block.numbered)
    total = sum(count_words(block.text) for block in section.blocks)
    if section.title.lower().startswith("how to ") or 2 * numbered > total:
        return KnowledgeType.PROCEDURE
    return KnowledgeType.CONCEPT


def as_title(text: str) -> str:
    """At most `MAX_TITLE` characters in one line, cut at a word's end where there is one."""
    title = " ".join(text.split())
    if len(title) <= MAX_TITLE:
        return title
    head = title[: MAX_TITLE - 1]
    return (head.rpartition(" ")[0] or head) + "…"


def _contents(titles: Sequence[str]) -> str:
    """`Contents: A, B`, as many titles as fit a note with room to spare."""
    shown: list[str] = []
    words = 0
    for title in titles:
        words += count_words(title)
        if shown and (words > _MAX_CONTENTS_WORDS or len(shown) == _MAX_CONTENTS):
            return f"Contents: {', '.join(shown)} and {len(titles) - len(shown)} more"
        shown.append(title)
    return f"Contents: {', '.join(shown)}" if shown else ""
