"""What the verbs of this room take and give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from graphmem.graph.instants import at_microsecond
from graphmem.values import PartType, Role

_NAMES = {"call_id": "toolCallId", "tool": "toolName", "media_type": "mediaType", "is_error": "isError"}


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a message, kept whole.

    `data`: the arguments of a call, an object; what a result came to, or what a data part holds, any JSON but null.
    `caption`: what a file shows, in words; `is_error`: of a result, the call failed; None: it did not.
    """

    type: PartType
    text: str | None = None
    call_id: str | None = None
    tool: str | None = None
    data: object = None
    uri: str | None = None
    media_type: str | None = None
    name: str | None = None
    caption: str | None = None
    is_error: bool | None = None

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Part:
        names = {name: key for key, name in _NAMES.items()}
        given = {names.get(name, name): value for name, value in stored.items()}
        return cls(**given | {"type": PartType(stored["type"])})

    def to_json(self) -> dict[str, Any]:
        """Without what was not given."""
        found = {_NAMES.get(name, name): getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in found.items() if value is not None}


def parts_from(stored: str) -> tuple[Part, ...]:
    """The parts of a message as they are stored."""
    return tuple(Part.from_json(part) for part in orjson.loads(stored))


@dataclass(frozen=True, slots=True)
class MessageInput:
    """A message as a caller states it; `created_at` None: now."""

    role: Role
    parts: tuple[Part, ...]
    id: str | None = None
    speaker: str | None = None
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A stored message. One that was deleted has no parts; `seq` None: it is staged."""

    id: str
    thread: str
    resource: str
    turn: str
    seq: int | None
    role: Role
    speaker: str | None
    agent: str | None
    parts: tuple[Part, ...]
    content: str
    tokens: int
    version: int
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Message:
        """From the map that `fragments/message.cypher` returns."""
        return cls(
            id=row["uid"],
            thread=row["thread"],
            resource=row["resource"],
            turn=row["turn"],
            seq=row["seq"],
            role=Role(row["role"]),
            speaker=row["speaker"],
            agent=row["agent"],
            parts=parts_from(row["parts"]),
            content=row["content"] or "",
            tokens=row["tokens"],
            version=row["version"] or 1,
            created_at=at_microsecond(row["createdAt"]),
            updated_at=at_microsecond(row["updatedAt"]),
            deleted_at=row["deletedAt"],
        )


@dataclass(frozen=True, slots=True)
class Revision:
    """What a message said from `recorded_from` until `recorded_to`."""

    version: int
    parts: tuple[Part, ...]
    content: str
    recorded_from: datetime
    recorded_to: datetime
