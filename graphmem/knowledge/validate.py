"""Refuses what must not be stored, naming the field, before anything is written."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import orjson

from graphmem.config import Settings
from graphmem.errors import InvalidInput, LimitExceeded
from graphmem.knowledge.nodes import SHARED, EdgeInput, NodeInput
from graphmem.values import EXPLICIT_EDGES, EdgeType, Status, is_blank

MAX_ID = 256
MAX_TITLE = 500
MAX_LABELS = 100
MAX_METADATA_BYTES = 32_768
WRITABLE_STATUS = (Status.DRAFT, Status.ACTIVE)


def nodes(given: Sequence[NodeInput], settings: Settings, field: str = "nodes") -> None:
    """Raises InvalidInput or LimitExceeded with the row in `field`, as `nodes[7].confidence`."""
    count(len(given), settings.max_nodes, "max_nodes", field)
    seen: dict[str, int] = {}
    for row, node in enumerate(given):
        at = f"{field}[{row}]"
        content(node, settings, at)
        if node.id is not None:
            identifier(node.id, f"{at}.id")
            if node.id in seen:
                raise InvalidInput(
                    f"{at}.id is the same as {field}[{seen[node.id]}].id; give each id once", field=f"{at}.id"
                )
            seen[node.id] = row


def content(node: NodeInput, settings: Settings, at: str) -> None:
    text(node.title, MAX_TITLE, f"{at}.title", limit="max_title")
    text(node.content, settings.max_text, f"{at}.content")
    labels(node.aliases, f"{at}.aliases")
    labels(node.tags, f"{at}.tags")
    fraction(node.confidence, f"{at}.confidence")
    interval(node.valid_from, node.valid_to, at)
    metadata(node.metadata, f"{at}.metadata")
    if node.resource is not None and node.resource != SHARED:
        identifier(node.resource, f"{at}.resourceId")
    if node.status is not None and node.status not in WRITABLE_STATUS:
        raise InvalidInput(f"{at}.status can be set to draft or active only", field=f"{at}.status")
    for position, target in enumerate(node.connections):
        identifier(target, f"{at}.connections[{position}]")
    count(len(node.derived_from), MAX_LABELS, "max_labels", f"{at}.derivedFrom")
    for position, target in enumerate(node.derived_from):
        identifier(target, f"{at}.derivedFrom[{position}]")


def in_use(had: Mapping[str, Any], field: str) -> None:
    """Raises InvalidInput where a verb has given the stored node `had` a status that only a verb takes away."""
    if had["status"] not in WRITABLE_STATUS:
        raise InvalidInput(f"{had['uid']!r} is {had['status']}; restore it before setting a status", field=field)


def edges(given: Sequence[EdgeInput], settings: Settings, field: str = "edges") -> None:
    """Raises InvalidInput or LimitExceeded with the row in `field`."""
    count(len(given), settings.max_edges, "max_edges", field)
    seen: dict[tuple[object, ...], int] = {}
    for row, edge in enumerate(given):
        at = f"{field}[{row}]"
        identifier(edge.source_id, f"{at}.from")
        identifier(edge.target_id, f"{at}.to")
        if edge.source_id == edge.target_id:
            raise InvalidInput(f"{at} joins {edge.source_id!r} to itself; an edge needs two nodes", field=at)
        if edge.type not in EXPLICIT_EDGES:
            raise InvalidInput(f"{at}.type {edge.type} is made automatically and can't be given", field=f"{at}.type")
        fraction(edge.weight, f"{at}.weight")
        fraction(edge.confidence, f"{at}.confidence")
        interval(edge.valid_from, edge.valid_to, at)
        if edge.reason is not None:
            text(edge.reason, MAX_TITLE, f"{at}.reason", limit="max_reason", blank=True)
        ends = edge.source_id, edge.target_id
        first = seen.setdefault((edge.type, *(sorted(ends) if edge.type is EdgeType.CONFLICTS_WITH else ends)), row)
        if first != row and replace(given[first], source_id=edge.source_id, target_id=edge.target_id) != edge:
            raise InvalidInput(f"{at} is {field}[{first}] with other properties; give each edge once", field=at)


def count(given: int, most: int, limit: str, field: str) -> None:
    if given > most:
        raise LimitExceeded(
            f"{field}: {given} entries; at most {most} in one call, so send them in parts",
            field=field, limit=limit, value=most, actual=given,
        )  # fmt: skip


def text(value: str, most: int, field: str, *, limit: str = "max_text", blank: bool = False) -> None:
    """A text that can be stored as it is: not blank, not over-long, and valid Unicode."""
    if not blank and is_blank(value):
        raise InvalidInput(f"{field} is blank; give at least one visible character", field=field)
    if len(value) > most:
        raise LimitExceeded(
            f"{field} has {len(value)} characters; at most {most}, so split it",
            field=field, limit=limit, value=most, actual=len(value),
        )  # fmt: skip
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(f"{field} has half a surrogate pair at character {error.start}", field=field) from None


def identifier(value: str, field: str) -> None:
    text(value, MAX_ID, field, limit="max_id")


def labels(values: Sequence[str] | None, field: str) -> None:
    if values is None:
        return
    count(len(values), MAX_LABELS, "max_labels", field)
    for position, value in enumerate(values):
        text(value, MAX_ID, f"{field}[{position}]", limit="max_label")


def fraction(value: float | None, field: str) -> None:
    if value is not None and not (math.isfinite(value) and 0 <= value <= 1):
        raise InvalidInput(f"{field} must be a number from 0 to 1, not {value}", field=field)


def interval(start: datetime | None, end: datetime | None, at: str) -> None:
    for value, name in ((start, "validFrom"), (end, "validTo")):
        if value is not None and value.tzinfo is None:
            raise InvalidInput(f"{at}.{name} needs a time zone", field=f"{at}.{name}")
    if start is not None and end is not None and end <= start:
        raise InvalidInput(f"{at}.validTo must be later than validFrom", field=f"{at}.validTo")


def metadata(value: Any, field: str) -> None:
    if value is None:
        return
    if not isinstance(value, dict):
        raise InvalidInput(f"{field} must be an object", field=field)
    try:
        size = len(orjson.dumps(value))
    except (orjson.JSONEncodeError, UnicodeEncodeError):
        raise InvalidInput(f"{field} must consist of plain JSON values", field=field) from None
    if size > MAX_METADATA_BYTES:
        raise LimitExceeded(
            f"{field} has {size} bytes; at most {MAX_METADATA_BYTES}",
            field=field, limit="max_metadata_bytes", value=MAX_METADATA_BYTES, actual=size,
        )  # fmt: skip
