"""Closed sets, identifiers and instants that every room shares."""

from __future__ import annotations

import base64
import binascii
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Generic, NewType, TypeVar

import orjson
import uuid_utils

from graphmem.errors import InvalidInput

T = TypeVar("T")

Tenant = NewType("Tenant", str)
"""Whose graph it is. Comes from a credential, never from an argument."""

SHARED = "*"
"""The `resource` of what is shared by the tenant rather than about one customer."""

FOREVER = datetime(9999, 12, 31, tzinfo=UTC)
"""The end of an interval that is still open (the vector index's filter has no IS NULL)."""


class KnowledgeType(StrEnum):
    FACT = "fact"
    CONCEPT = "concept"
    PROCEDURE = "procedure"
    DECISION = "decision"


class Source(StrEnum):
    """Where a node or edge came from."""

    DOCS = "docs"
    CONVERSATION = "conversation"
    DECISION = "decision"
    INFERRED = "inferred"


class Status(StrEnum):
    DRAFT = "draft"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    ARCHIVED = "archived"


class Band(StrEnum):
    """A confidence in words: 1.0 verified, ≥ 0.8 high, ≥ 0.5 moderate, below speculative."""

    VERIFIED = "verified"
    HIGH = "high"
    MODERATE = "moderate"
    SPECULATIVE = "speculative"

    @classmethod
    def of(cls, confidence: float) -> Band:
        if confidence >= 1.0:
            return cls.VERIFIED
        if confidence >= 0.8:
            return cls.HIGH
        return cls.MODERATE if confidence >= 0.5 else cls.SPECULATIVE


class EdgeType(StrEnum):
    """Edges between knowledge nodes. All but MENTIONS are made by callers."""

    RELATED_TO = "RELATED_TO"
    DEPENDS_ON = "DEPENDS_ON"
    SUPERSEDES = "SUPERSEDES"
    CONFLICTS_WITH = "CONFLICTS_WITH"
    MENTIONS = "MENTIONS"


EXPLICIT_EDGES = (
    EdgeType.RELATED_TO,
    EdgeType.DEPENDS_ON,
    EdgeType.SUPERSEDES,
    EdgeType.CONFLICTS_WITH,
)


class ContextType(StrEnum):
    """What a thread is about."""

    SUPPORT = "support"
    RESEARCH = "research"
    PLANNING = "planning"
    GENERAL = "general"


class Role(StrEnum):
    """Who speaks in a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class PartType(StrEnum):
    """What a part of a message is."""

    TEXT = "text"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    FILE = "file"
    REASONING = "reasoning"
    DATA = "data"


class TurnState(StrEnum):
    """Only the messages of a committed turn are seen by others."""

    OPEN = "open"
    COMMITTED = "committed"
    REJECTED = "rejected"
    EXPIRED = "expired"


class MemoryScope(StrEnum):
    """Whose working memory it is: of all threads of a resource, or of one thread."""

    RESOURCE = "resource"
    THREAD = "thread"


class MemoryKind(StrEnum):
    """What gives a working memory its form."""

    TEMPLATE = "template"
    SCHEMA = "schema"


class Direction(StrEnum):
    OUT = "out"
    IN = "in"
    BOTH = "both"


class Scope(StrEnum):
    """What a key may do: each includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


def new_id() -> str:
    """A UUIDv7: unique, and sortable by the time it was made."""
    return str(uuid_utils.uuid7())


def utc_now() -> datetime:
    return datetime.now(UTC)


def fold(text: str) -> str:
    """The form in which names and texts are compared: no accents, no case, composed alike (NFKD), one apostrophe.

    >>> fold("Café ÉCOLE") == fold("Cafe\\u0301 école") == "cafe ecole"
    True
    """
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).replace("’", "'")
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def is_blank(text: str) -> bool:
    """True when nothing would be seen: white space, separators, controls, formats such as U+200B.

    A sign that Python's tables don't know yet, or of private use, may well be seen.
    """
    # Nearly all begin with a letter or a digit.
    return not text[:1].isalnum() and all(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp", "Zs") for c in text)


def has_control(text: str) -> bool:
    """Whether a control character or a line's end stands in it, such as NUL, escape or U+2028."""
    return not text.isprintable() and any(unicodedata.category(c) in ("Cc", "Zl", "Zp") for c in text)


def refuse_control(text: str, field: str) -> None:
    """For what others will print in a line: ids, and names that are used as such. Raises InvalidInput."""
    if has_control(text):
        at, sign = next((at, c) for at, c in enumerate(text) if has_control(c))
        raise InvalidInput(f"{field} has the control character {sign!r} at position {at}; leave it out", field=field)


def checked_name(text: str, field: str, limit: int = 256, *, new: bool = False) -> str:
    """The text as it is, once it is known to be a name: seen, short, and of characters that can be stored.

    `new`: it may come to be stored, and is not only looked for.

    Raises:
        InvalidInput: blank, longer than `limit` characters, half of a surrogate pair stands in it, or, where it is
        new, a control character.
    """
    if is_blank(text):
        raise InvalidInput(f"{field} is blank; give it at least one visible character", field=field)
    if len(text) > limit:
        raise InvalidInput(f"{field} has {len(text)} characters; give at most {limit}", field=field, limit=limit)
    if any(unicodedata.category(c) == "Cs" for c in text):
        raise InvalidInput(f"{field} has half of a surrogate pair in it, which is not text; leave it out", field=field)
    if new:
        refuse_control(text, field)
    return text


@dataclass(frozen=True, slots=True)
class Warning:
    """Something a caller should know though the call succeeded. `code` is stable."""

    code: str
    message: str
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A piece of a longer list. `cursors` has one for each item: what `after` must be to go on behind it."""

    items: tuple[T, ...]
    cursors: tuple[str, ...]
    has_next: bool


def encode_cursor(*parts: str) -> str:
    """A place in a list, as text that is safe in an address. Callers are not to look into it.

    >>> decode_cursor(encode_cursor("2026-01-01", "id"), 2, "after")
    ('2026-01-01', 'id')
    """
    return base64.urlsafe_b64encode(orjson.dumps(parts)).decode().rstrip("=")


def decode_cursor(cursor: str, parts: int, field: str) -> tuple[str, ...]:
    """What `encode_cursor` was given.

    Raises:
        InvalidInput: it was not made by `encode_cursor` from that many parts.
    """
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        found = orjson.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (UnicodeEncodeError, binascii.Error, orjson.JSONDecodeError):
        found = None
    if not isinstance(found, list) or len(found) != parts or not all(isinstance(part, str) for part in found):
        raise InvalidInput(f"{field} is not a cursor of this list; take one from an earlier page of it", field=field)
    return tuple(found)


def decode_moment(cursor: str, field: str, made_for: str | None = None) -> tuple[datetime, str]:
    """The time and the key of a cursor made as `encode_cursor([made_for,] time.isoformat(), key)`.

    Raises:
        InvalidInput: it was made otherwise, or for another list or order.
    """
    *kind, time, key = decode_cursor(cursor, 2 if made_for is None else 3, field)
    try:
        instant = datetime.fromisoformat(time)
    except ValueError:
        instant = datetime.min
    if kind != ([] if made_for is None else [made_for]) or instant.tzinfo is None:
        order = "" if made_for is None else " in this order"
        raise InvalidInput(f"{field} is not a cursor of this list{order}; take one from an earlier page", field=field)
    return instant, key
