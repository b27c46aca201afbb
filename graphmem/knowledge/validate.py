"""Refuses what must not be stored, naming the field, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphmem import checks
from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.values import EXPLICIT_EDGES, SHARED, EdgeType, Status

WRITABLE_STATUS = (Status.DRAFT, Status.ACTIVE)


def nodes(given: Sequence[NodeInput], settings: Settings, field: str = "nodes") -> None:
    """Raises InvalidInput or LimitExceeded with the row in `field`, as `nodes[7].confidence`."""
    checks.count(len(given), settings.max_nodes, "max_nodes", field)
    seen: dict[str, int] = {}
    for row, node in enumerate(given):
        at = f"{field}[{row}]"
        one(node, settings, at)
        if node.id is not None:
            if node.id in seen:
                raise InvalidInput(
                    f"{at}.id is the same as {field}[{seen[node.id]}].id; give each id once", field=f"{at}.id"
                )
            seen[node.id] = row


def one(node: NodeInput, settings: Settings, at: str) -> None:
    """A node by itself, with its ids."""
    content(node, settings, at)
    if node.id is not None:
        checks.identifier(node.id, f"{at}.id", new=True)
    if node.resource is not None and node.resource != SHARED:
        checks.identifier(node.resource, f"{at}.resourceId", new=True)
    for position, target in enumerate(node.connections):
        checks.identifier(target, f"{at}.connections[{position}]", new=True)
    checks.count(len(node.derived_from), checks.MAX_LABELS, "max_labels", f"{at}.derivedFrom")
    for position, target in enumerate(node.derived_from):
        checks.identifier(target, f"{at}.derivedFrom[{position}]")


def content(node: NodeInput, settings: Settings, at: str) -> None:
    checks.text(node.title, checks.MAX_TITLE, f"{at}.title", limit="max_title")
    checks.text(node.content, settings.max_text, f"{at}.content")
    checks.labels(node.aliases, f"{at}.aliases")
    checks.labels(node.tags, f"{at}.tags", new=True)
    checks.fraction(node.confidence, f"{at}.confidence")
    checks.interval(node.valid_from, node.valid_to, at)
    checks.metadata(node.metadata, f"{at}.metadata")
    if node.status is not None and node.status not in WRITABLE_STATUS:
        raise InvalidInput(f"{at}.status can be set to draft or active only", field=f"{at}.status")


def in_use(had: Mapping[str, Any], field: str) -> None:
    """Raises InvalidInput where a verb has given the stored node `had` a status that only a verb takes away."""
    if had["status"] not in WRITABLE_STATUS:
        raise InvalidInput(f"{had['uid']!r} is {had['status']}; restore it before setting a status", field=field)


def edges(given: Sequence[EdgeInput], settings: Settings, field: str = "edges", *, new: bool = True) -> None:
    """Raises InvalidInput or LimitExceeded with the row in `field`. `new`: they are to be opened, not closed."""
    checks.count(len(given), settings.max_edges, "max_edges", field)
    seen: dict[tuple[object, ...], int] = {}
    for row, edge in enumerate(given):
        at = f"{field}[{row}]"
        checks.identifier(edge.source_id, f"{at}.from", new=new)
        checks.identifier(edge.target_id, f"{at}.to", new=new)
        if edge.source_id == edge.target_id:
            raise InvalidInput(f"{at} joins {edge.source_id!r} to itself; an edge needs two nodes", field=at)
        if edge.type not in EXPLICIT_EDGES:
            raise InvalidInput(f"{at}.type {edge.type} is made automatically and can't be given", field=f"{at}.type")
        checks.fraction(edge.weight, f"{at}.weight")
        checks.fraction(edge.confidence, f"{at}.confidence")
        checks.interval(edge.valid_from, edge.valid_to, at)
        if edge.reason is not None:
            checks.text(edge.reason, checks.MAX_TITLE, f"{at}.reason", limit="max_reason", blank=True)
        ends = edge.source_id, edge.target_id
        first = seen.setdefault((edge.type, *(sorted(ends) if edge.type is EdgeType.CONFLICTS_WITH else ends)), row)
        if first != row and replace(given[first], source_id=edge.source_id, target_id=edge.target_id) != edge:
            raise InvalidInput(f"{at} is {field}[{first}] with other properties; give each edge once", field=at)
