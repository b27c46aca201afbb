"""A plausible value for each parameter of a statement, by its name; the planner looks at types and sizes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from graphmem.graph.statements import Statement
from graphmem.values import FOREVER

NOW = datetime(2026, 11, 29, tzinfo=UTC)
EDGE = {"weight": 1.0, "confidence": 1.0, "source": "docs", "reason": "why", "validFrom": NOW, "validTo": FOREVER}
MESSAGE = {"text": "text", "facets": "f1", "createdAt": NOW}

TEXTS = (
    "action", "afterId", "afterKey", "agent", "checksum", "contentHash", "error", "from", "hash", "idempotencyKey",
    "inputHash", "key", "keyId", "keyName", "kind", "lease", "mediaType", "model", "name", "on", "owner", "path",
    "payload", "recipe", "reply", "resource", "result", "tenant", "textIndex", "title", "to", "uid", "bound",
    "attempt", "expiresAt", "name", "newFacet", "newId", "oldFacet", "reason", "revision", "source", "state",
    "tenantToken", "text", "thread", "topic", "turn",
)  # fmt: skip
LISTS = (
    "after", "answered", "before", "calls", "contextTypes", "edgeTypes", "facets", "hashes", "ids", "in", "kinds",
    "notices", "openCalls", "opened", "out", "reasons", "resources", "sources", "speakers",
    "states", "statuses", "stems", "touched", "types", "uids", "words",
)  # fmt: skip
COUNTS = (
    "attempts", "candidates", "count", "dimension", "dimensions", "edges", "exact", "fan", "level", "limit", "maxDepth",
    "mentions", "nameNodes", "ttl", "upTo", "neighbours", "number", "sample", "scan", "topK", "width",
)  # fmt: skip
SHARES = ("dense", "minConfidence", "seconds", "threshold", "titleBonus")
TIMES = ("afterTime", "at", "createdFrom", "createdTo", "now", "runAfter")

VALUES: Mapping[str, Any] = {
    **dict.fromkeys(TEXTS, "text"),
    **{name: ["one", "two"] for name in LISTS},
    **dict.fromkeys(COUNTS, 10),
    **dict.fromkeys(SHARES, 0.5),
    **dict.fromkeys(TIMES, NOW),
    "again": True,
    "clearTitle": True,
    "open": FOREVER,
    "vector": [0.5] * 64,
    "lucene": "+token:t1",
    "facetLucene": "+token:t1",
    "names": [["key", 0, 1]],
    "pairs": [["one", "two"]],
    "kept": [["one", "two"]],
    "jobs": [{"uid": "one", "payload": "{}"}],
    "properties": {"hash": "text", "createdAt": NOW},
    "rows": [
        {
            "uid": "one", "at": 0, "from": "one", "to": "two", "type": "RELATED_TO",
            "pendingId": "three", "version": 1, "createdAt": NOW, "revision": "four", "newText": True,
            "key": "text", "first": "text", "keys": ["text"], "contentHash": "text", "text": "text",
            "vector": [0.5] * 64,
            "properties": EDGE | MESSAGE,
            "chunks": [{"uid": "five", "order": 0, "text": "text", "vector": [0.5] * 64}],
        }
    ],
}  # fmt: skip
OWN: Mapping[str, Mapping[str, Any]] = {
    "jobs/list": {"after": "text"},
    "conversation/messages_up": {"at": 10},
    "conversation/messages_down": {"at": 10},
    "conversation/results_after": {"at": 10},
    "conversation/post_notice": {"expiresAt": NOW},
    "conversation/post_agent_notice": {"expiresAt": NOW},
    "conversation/reject_turn": {"attempt": 2},
    "knowledge/search_fetch": {"properties": ["title"]},
    "knowledge/texts_with_names": {"rows": ["+token:t1"]},
}
"""Where a name means something else."""


def parameters(statement: Statement) -> dict[str, Any]:
    """Raises KeyError for a parameter that has no value here yet."""
    values = {**VALUES, **OWN.get(statement.name, {})}
    return {name: values[name] for name in statement.params}
