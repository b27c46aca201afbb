"""What one note says about another: anchors, links and wiki links. Pure."""

from __future__ import annotations

import hashlib
import posixpath
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

import regex
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

NOTE_SUFFIXES = (".md", ".markdown", ".txt")
MAX_ANCHOR = 40

_NOT_IN_SLUG = regex.compile(r"[^\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\- ]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_WIKI = re.compile(r"\[\[(?P<page>[^\[\]|#\n]*)(?:#(?P<section>[^\[\]|\n]*))?(?:\|(?P<text>[^\[\]\n]*))?\]\]")
_MEDIA = re.compile(r"\.(avif|bmp|canvas|gif|jpe?g|m4a|mov|mp[34]|ogg|pdf|png|svg|wav|webm|webp)$", re.IGNORECASE)


@dataclass(frozen=True)
class Link:
    """`target` is a note's key (`dir/file.md#slug`) or a page name (`[[Page]]#slug`); `Targets` finds the note."""

    target: str
    text: str


def slug(heading: str) -> str:
    """GitHub's anchor of a heading, given as plain text: lower case, letters, marks, digits, `_` and `-` kept.

    >>> slug("What's new in 2.0?")
    'whats-new-in-20'
    """
    return _NOT_IN_SLUG.sub("", heading.lower()).replace(" ", "-")


def anchor(slugged: str) -> str:
    """A slug as it stands in keys: a long one is cut and told apart by a hash, so that a key fits an id."""
    if len(slugged) <= MAX_ANCHOR:
        return slugged
    digest = hashlib.sha256(_composed(slugged).encode(errors="replace")).hexdigest()[:8]
    return f"{slugged[: MAX_ANCHOR - 9]}-{digest}"


class Slugs:
    """The anchors of one document: a second `a` becomes `a-1`, and so on, as on GitHub."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def take(self, heading: str) -> str:
        """An anchor that is not empty and was not taken before."""
        base = unique = slug(heading) or "section"
        while unique in self._taken:
            self._taken[base] += 1
            unique = f"{base}-{self._taken[base]}"
        self._taken[unique] = 0
        return anchor(unique)


def resolve(link: str, path: str) -> str | None:
    """The place that `link`, standing in the file `path`, points at: `dir/file.md` or `dir/file.md#slug`.

    Percent signs are decoded, a leading `/` means the root, a query is dropped. None when the link is external
    (has a scheme or a host), empty, leaves the root, or is no valid UTF-8 once decoded.
    """
    place, _, fragment = link.strip().partition("#")
    place = place.partition("?")[0]
    if _SCHEME.match(place) or place.startswith("//"):
        return None
    try:
        place, section = unquote(place, errors="strict"), slug(unquote(fragment, errors="strict"))
    except UnicodeDecodeError:
        return None
    if "\0" in place or not (place or section):
        return None
    if place:
        folder = "" if place.startswith("/") else posixpath.dirname(path)
        place = posixpath.normpath(posixpath.join(folder, place.lstrip("/")))
        if place == "." or place.split("/", 1)[0] == "..":
            return None
    return (place or path) + (f"#{anchor(section)}" if section else "")


def wiki_target(page: str, section: str, path: str) -> str | None:
    """Where `[[page#section]]` in the file `path` points at; None for a file that is no note, such as a picture."""
    page, section = page.strip(), slug(section.rpartition("#")[2].strip())
    stem = PurePosixPath(page)
    if stem.suffix.lower() in NOTE_SUFFIXES:
        page = str(stem.with_suffix(""))
    elif _MEDIA.search(page):
        return None
    if not (page or section):
        return None
    return (f"[[{page}]]" if page else path) + (f"#{anchor(section)}" if section else "")


def wiki_rule(state: StateInline, silent: bool) -> bool:
    """A markdown-it inline rule: `[[Page#Section|text]]` becomes a token of type `wiki`.

    `[[1]]` stays Markdown's own when the document defines a reference `[1]`.
    """
    if not state.src.startswith("[[", state.pos):
        return False
    found = _WIKI.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    page, section, text = found["page"], found["section"] or "", found["text"] or ""
    if page != page.strip() or not (page or section.strip()):
        return False
    if normalizeReference(found[0][2:-2]) in state.env.get("references", {}):
        return False
    if not silent:
        token = state.push("wiki", "", 0)
        token.meta = {"page": page, "section": section}
        token.content = text.strip() or (f"{page} {section}".strip())
    state.pos = found.end()
    return True


def plain(tokens: Sequence[Token]) -> str:
    """The words of inline tokens, without markup; a picture gives its alternative text."""
    words: list[str] = []
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            words.append(" ")
        elif token.type == "image":
            words.append(plain(token.children or []))
        elif token.type != "html_inline":
            words.append(token.content)
    return " ".join("".join(words).split())


def links_in(tokens: Sequence[Token], path: str) -> Iterator[Link]:
    """The links to notes among inline tokens of the file `path`: those to a note's file or inside this one."""
    opened = 0
    for at, token in enumerate(tokens):
        target: str | None = None
        text = ""
        if token.type == "link_open":
            opened = at
        elif token.type == "link_close":
            target = note_target(str(tokens[opened].attrGet("href") or ""), path)
            text = plain(tokens[opened + 1 : at])
        elif token.type == "wiki":
            target, text = wiki_target(token.meta["page"], token.meta["section"], path), token.content
        if target:
            yield Link(target, text)


def note_target(link: str, path: str) -> str | None:
    """What `resolve` gives, when that is a note's file or inside `path` itself."""
    target = resolve(link, path)
    if target is None or target.startswith(f"{path}#") or document_of(target).lower().endswith(NOTE_SUFFIXES):
        return target
    return None


def document_of(key: str) -> str:
    """The file a key is of: a slug has no dot and no slash, a file name with a suffix has a dot."""
    head, _, tail = key.rpartition("#")
    return head if head and "." not in tail and "/" not in tail else key


class Targets:
    """The notes that links can lead to, over all documents.

    An unknown section leads to its document. A page name is compared without case, its folders from the right
    (`b/Page` finds `a/b/page.md`); of several files the one in the fewest folders is meant, then the first by name.
    """

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys: dict[str, str] = {}
        self._pages: dict[str, str] = {}
        for key in sorted(keys, key=lambda key: (key.count("/"), key)):
            self._keys[_composed(key)] = key
            if key.lower().endswith(NOTE_SUFFIXES):
                parts = _page(str(PurePosixPath(key).with_suffix(""))).split("/")
                for start in range(len(parts)):
                    self._pages.setdefault("/".join(parts[start:]), key)

    def find(self, target: str) -> str | None:
        """The key of the note that a link's target means; None when there is no such document."""
        if target.startswith("[["):
            page, _, section = target[2:].partition("]]")
            document = self._pages.get(_page(page))
            if document is None:
                return None
            target = document + section
        target = _composed(target)
        return self._keys.get(target) or self._keys.get(document_of(target))


def page_of(target: str) -> str:
    """The last part of the name of the page that a link or a note's key is of: `b` of `a/B.md#c` and `[[a/b]]`."""
    if target.startswith("[["):
        return _page(target[2:].partition("]]")[0]).rpartition("/")[2]
    path = PurePosixPath(document_of(target))
    return _page(path.stem if path.name.lower().endswith(NOTE_SUFFIXES) else path.name)


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _page(name: str) -> str:
    return _composed(name).casefold().strip("/")
