"""Resources and threads as they are stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

import orjson

from graphmem import checks
from graphmem.errors import Conflict, NotFound
from graphmem.graph.instants import at_microsecond
from graphmem.values import ContextType


class Kept(Enum):
    """Stands in a patch for what stays as it is, where None takes it away."""

    KEPT = 0


KEPT = Kept.KEPT


@dataclass(frozen=True, slots=True)
class Resource:
    """The customer, user or project that memory is about."""

    id: str
    name: str | None
    speakers: tuple[str, ...]
    metadata: Mapping[str, Any]
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Resource:
        """From the map that `fragments/resource.cypher` returns."""
        return cls(
            id=row["uid"],
            name=row["name"],
            speakers=tuple(row["speakers"]),
            metadata=orjson.loads(row["metadata"]),
            version=row["version"],
            created_at=row["createdAt"],
            updated_at=row["updatedAt"],
        )


@dataclass(frozen=True, slots=True)
class Thread:
    """One conversation. `last_message_at`: when it was made, as long as it has no message."""

    id: str
    resource: str
    title: str | None
    title_pinned: bool
    speakers: tuple[str, ...]
    context_type: ContextType
    topic: str | None
    metadata: Mapping[str, Any]
    last_seq: int
    message_count: int
    last_message_at: datetime
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Thread:
        """From the map that `fragments/thread.cypher` returns."""
        return cls(
            id=row["uid"],
            resource=row["resource"],
            title=row["title"],
            title_pinned=row["titlePinned"],
            speakers=tuple(row["speakers"]),
            context_type=ContextType(row["contextType"]),
            topic=row["topic"],
            metadata=orjson.loads(row["metadata"]),
            last_seq=row["lastSeq"],
            message_count=row["messageCount"],
            last_message_at=at_microsecond(row["lastMessageAt"]),
            version=row["version"],
            created_at=at_microsecond(row["createdAt"]),
            updated_at=at_microsecond(row["updatedAt"]),
        )


def no_thread(uid: str, field: str = "threadId") -> NotFound:
    return NotFound(f"there is no thread {uid!r}", field=field)


def no_resource(uid: str, field: str) -> Conflict:
    return Conflict(
        f"the id {uid!r} is in use by something that is not a resource, or by one that is being erased", field=field
    )


def json_text(metadata: Mapping[str, Any]) -> str:
    return orjson.dumps(metadata, option=orjson.OPT_SORT_KEYS).decode()


def merged(had: Mapping[str, Any], patch: Mapping[str, Any] | None) -> dict[str, Any]:
    """The metadata after a patch: key by key, and a key with None is removed.

    Raises LimitExceeded when it has become too large.
    """
    found = {key: value for key, value in {**had, **(patch or {})}.items() if value is not None}
    checks.metadata(found, "metadata")
    return found
