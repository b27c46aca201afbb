"""What the verbs of this room take and give."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from graphmem.values import FOREVER, SHARED, Band, EdgeType, KnowledgeType, Source, Status


@dataclass(frozen=True, slots=True)
class NodeInput:
    """A node as a caller states it. None means "not stated": kept as it is, or the default on creation."""

    title: str
    content: str
    id: str | None = None
    type: KnowledgeType | None = None
    aliases: Sequence[str] | None = None
    source: Source | None = None
    confidence: float | None = None
    resource: str | None = None
    tags: Sequence[str] | None = None
    metadata: Mapping[str, Any] | None = None
    status: Status | None = None
    created_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    connections: Sequence[str] = ()
    derived_from: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class EdgeInput:
    """An edge as a caller states it, by the ids of its ends."""

    source_id: str
    target_id: str
    type: EdgeType
    weight: float = 1.0
    confidence: float = 1.0
    source: Source = Source.DOCS
    reason: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Node:
    """A stored knowledge node."""

    id: str
    title: str
    content: str
    type: KnowledgeType
    aliases: tuple[str, ...]
    source: Source
    confidence: float
    status: Status
    resource: str
    tags: tuple[str, ...]
    metadata: Mapping[str, Any]
    created_at: datetime
    updated_at: datetime
    valid_from: datetime
    valid_to: datetime
    version: int

    @property
    def band(self) -> Band:
        return Band.of(self.confidence)

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Node:
        """From the map that `fragments/node.cypher` returns."""
        return cls(**_read(row, _STORED))

    @classmethod
    def partial(cls, row: Mapping[str, Any]) -> Node:
        """From a map of only those properties that will be read; the others are blank."""
        return cls(**{**_BLANK, **_read(row, row)})


def _texts(value: Sequence[str] | None) -> tuple[str, ...]:
    return tuple(value or ())


def _json(value: str | None) -> Any:
    return orjson.loads(value or "{}")


_STORED: Mapping[str, tuple[str, Callable[[Any], Any] | None]] = {
    "uid": ("id", None),
    "title": ("title", None),
    "content": ("content", None),
    "type": ("type", KnowledgeType),
    "aliases": ("aliases", _texts),
    "source": ("source", Source),
    "confidence": ("confidence", None),
    "status": ("status", Status),
    "resource": ("resource", None),
    "tags": ("tags", _texts),
    "metadata": ("metadata", _json),
    "createdAt": ("created_at", None),
    "updatedAt": ("updated_at", None),
    "validFrom": ("valid_from", None),
    "validTo": ("valid_to", None),
    "version": ("version", None),
}
"""Of each property of a stored node the field, and what makes its value."""

_BLANK: Mapping[str, Any] = {
    "title": "",
    "content": "",
    "type": KnowledgeType.CONCEPT,
    "aliases": (),
    "source": Source.DOCS,
    "confidence": 1.0,
    "status": Status.ACTIVE,
    "resource": SHARED,
    "tags": (),
    "metadata": {},
    "created_at": FOREVER,
    "updated_at": FOREVER,
    "valid_from": FOREVER,
    "valid_to": FOREVER,
    "version": 0,
}


def _read(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    found = {}
    for name in names:
        attribute, made = _STORED[name]
        found[attribute] = row[name] if made is None else made(row[name])
    return found


@dataclass(frozen=True, slots=True)
class Edge:
    """A stored edge. `weight` and the rest are the defaults for automatic edges, which carry none."""

    source_id: str
    target_id: str
    type: EdgeType
    weight: float = 1.0
    confidence: float = 1.0
    origin: str = "explicit"
    source: Source | None = None
    reason: str | None = None
    created_at: datetime | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Edge:
        """From the map that `fragments/edge.cypher` returns."""
        return cls(
            source_id=row["from"],
            target_id=row["to"],
            type=EdgeType(row["type"]),
            weight=1.0 if row["weight"] is None else row["weight"],
            confidence=1.0 if row["confidence"] is None else row["confidence"],
            origin=row["origin"] or "auto",
            source=Source(row["source"]) if row["source"] else None,
            reason=row["reason"],
            created_at=row["createdAt"],
        )
