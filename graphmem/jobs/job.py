"""What a job is, and the limits on what it carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import orjson

from graphmem.errors import InvalidInput, LimitExceeded
from graphmem.graph.gateway import Row
from graphmem.values import Tenant

MAX_JSON_BYTES = 1_000_000
MAX_ERROR = 2_000
MAX_KIND = 100
MAX_KEY = 500


class State(StrEnum):
    READY = "ready"
    LEASED = "leased"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """A job as it was when it was read.

    `lease` is the token of the newest claim, empty before the first. `attempts` counts claims, this one included.
    `error` is what the last failed attempt said.
    """

    id: str
    tenant: Tenant
    kind: str
    payload: Mapping[str, Any]
    attempts: int
    state: str
    lease_until: datetime | None
    lease: str
    run_after: datetime
    error: str | None
    result: Mapping[str, Any] | None
    created_at: datetime
    key: str | None = None
    finished_at: datetime | None = None


def job_from(row: Row) -> Job:
    """The job of a node's properties."""
    result = row.get("result")
    return Job(
        id=row["uid"],
        tenant=Tenant(row["tenant"]),
        kind=row["kind"],
        payload=orjson.loads(row["payload"]),
        attempts=row["attempts"],
        state=row["state"],
        lease_until=row.get("leaseUntil"),
        lease=row.get("lease") or "",
        run_after=row["runAfter"],
        error=row.get("error"),
        result=None if result is None else orjson.loads(result),
        created_at=row["createdAt"],
        key=row.get("key"),
        finished_at=row.get("finishedAt"),
    )


def to_json(value: Mapping[str, Any], field: str) -> str:
    """The text that is stored for a payload or result.

    Raises:
        InvalidInput: the value is not JSON.
        LimitExceeded: the text is larger than `MAX_JSON_BYTES`.
    """
    try:
        text = orjson.dumps(dict(value))
    except TypeError as error:
        raise InvalidInput(f"{field} cannot be written as JSON: {error}", field=field) from None
    if len(text) > MAX_JSON_BYTES:
        raise LimitExceeded(
            f"{field} is {len(text)} bytes of JSON, more than {MAX_JSON_BYTES}; store the data and pass its ids",
            field=field,
            limit=MAX_JSON_BYTES,
        )
    return text.decode()
