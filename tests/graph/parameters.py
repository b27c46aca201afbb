"""A plausible value for each parameter of a statement, by its name; the planner looks at types and sizes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from graphmem.graph.statements import Statement
from graphmem.values import FOREVER

NOW = datetime(2026, 11, 29, tzinfo=UTC)
EDGE = {"weight": 1.0, "confidence": 1.0, "source": "docs", "reason": "why", "validFrom": NOW, "validTo": FOREVER}
TITLE = {"text": "text", "message": "one"}
MESSAGE = {"text": "text", "facets": "f1", "createdAt": NOW}

TEXTS = (
    "action",
    "afterId",
    "afterKey",
    "agent",
    "asked",
    "bound",
    "checksum",
    "contentHash",
    "error",
    "from",
    "gone",
    "hash",
    "idempotencyKey",
    "inputHash",
    "key",
    "keyId",
    "keyName",
    "kind",
    "lease",
    "mediaType",
    "model",
    "name",
    "on",
    "owner",
    "path",
    "payload",
    "recipe",
    "reply",
    "resource",
    "result",
    "revisionIndex",
    "root",
    "storedHash",
    "tenant",
    "text",
    "textIndex",
    "title",
    "to",
    "token",
    "uid",
    "attempt",
    "expiresAt",
    "messageFacets",
    "newId",
    "reason",
    "revision",
    "source",
    "state",
    "tenantToken",
    "thread",
    "topic",
    "turn",
    "toldTo",
    "merge",
    "change",
    "definition",
    "field",
    "scope",
    "told",
)  # fmt: skip
LISTS = (
    "after", "before", "edgeTypes", "ends", "facets", "hashes", "ids", "in", "kinds", "lapsed", "out", "reasons",
    "resources", "sources", "sought", "starts", "states", "statuses", "stems", "touched", "types", "uids", "words",
    "answered", "calls", "current", "contextTypes", "notices", "openCalls", "speakers",
    "excluded", "nameKeys", "pages", "roles", "threads",
)  # fmt: skip
COUNTS = (
    "atOnce", "attempts", "bridged", "candidates", "count", "counted", "dimension", "dimensions", "edges",
    "entities", "exact", "fan", "formers", "least", "leastNodes", "left", "level", "limit", "looked", "maxDepth",
    "mentions", "most", "mostNodes", "nameNodes", "neighbours", "number", "reach", "sample", "scan", "size",
    "textReach", "topK", "ttl", "upTo", "bridgeSeeds", "width", "witnesses", "afterWords", "version", "newest",
    "oldest", "beside", "best", "look", "seq",
)  # fmt: skip
SHARES = ("afterScore", "bonus", "dense", "minConfidence", "seconds", "threshold", "titleBonus", "yields")
TIMES = (
    "afterTime", "asOf", "at", "begunBy", "createdFrom", "createdTo", "edgesEndAfter", "endsAfter", "now", "runAfter",
    "since", "until",
)  # fmt: skip

VALUES: Mapping[str, Any] = {
    **dict.fromkeys(TEXTS, "text"),
    **{name: ["one", "two"] for name in LISTS},
    **dict.fromkeys(COUNTS, 10),
    **dict.fromkeys(SHARES, 0.5),
    **dict.fromkeys(TIMES, NOW),
    "by": "createdAt",
    "again": True,
    "anew": True,
    "maker": [1, "text", 64, "text"],
    "inThread": True,
    "named": "text",
    "narrow": "resource",
    "open": FOREVER,
    "ranges": [{"thread": "text", "first": 1, "last": 4}],
    "vector": [0.5] * 64,
    "lucene": "+token:t1",
    "facetLucene": [{"lucene": "+token:t1", "former": False}],
    "formerLucene": ["+token:t1"],
    "about": [["one", "+token:t1"]],
    "uncounted": [[0, "+token:t1"]],
    "names": [["key", 0, 1]],
    "pairs": [["one", "two"]],
    "kept": [["one", "two"]],
    "counts": [{"key": "text", "more": 1}],
    "closed": [{"uid": "one", "keys": ["text"]}],
    "opened": [{"uid": "one", "entities": [["text", "Text"]]}],
    "job": {"uid": "one", "kind": "text", "payload": "{}"},
    "closing": [{"from": "one", "to": "two", "type": "RELATED_TO", "properties": EDGE}],
    "opening": [{"from": "one", "to": "two", "type": "RELATED_TO", "properties": EDGE}],
    "jobs": [{"uid": "one", "kind": "text", "payload": "{}"}],
    "properties": {"hash": "text", "createdAt": NOW},
    "rows": [
        {
            "name": "text",
            "source": "text",
            "uid": "one", "at": 0, "from": "one", "to": "two", "type": "RELATED_TO", "properties": EDGE | MESSAGE,
            "pendingId": "three",
            "missing": "two",
            "element": "4:text:1",
            "version": 1,
            "createdAt": NOW,
            "revision": "four",
            "newText": True,
            "new": True,
            "key": "text",
            "first": "text",
            "keys": ["text"],
            "contentHash": "text",
            "text": "text",
            "path": "text",
            "title": "text",
            "mediaType": "text",
            "resource": "*",
            "storedHash": "text",
            "root": "text",
            "page": "text", "links": ["text"], "linked": ["text"],
            "document": "two",
            "start": "text",
            "vector": [0.5] * 64, "kept": True, "before": 1, "after": 2, "movedFrom": "text",
            "cosine": 0.5, "lexical": 0.5, "hashes": ["one", "two"],
            "chunks": [{"uid": "five", "order": 0, "text": "text", "vector": [0.5] * 64}],
        }
    ],
}  # fmt: skip
OWN: Mapping[str, Mapping[str, Any]] = {
    "ingest/finish_table": {"edges": "text"},
    "jobs/list": {"after": "text"},
    "upkeep/jobs_by_id": {"after": "text"},
    "access/list_changes_touched": {"touched": "text"},
    "context/gather": {"notices": 10, "memory": True, "hears": True},
    "conversation/acknowledge_with_turn": {"hears": True},
    "conversation/commit_turn": {"memory": "text"},
    "conversation/append_turn": {"opened": ["one"], "title": TITLE, "memory": "text"},
    "conversation/stage_messages": {"title": TITLE},
    "conversation/write_title": {"title": TITLE},
    "conversation/memory_history": {"at": 10},
    "conversation/messages_up": {"at": 10},
    "conversation/messages_down": {"at": 10},
    "conversation/results_after": {"at": 10},
    "conversation/post_notice": {"expiresAt": NOW},
    "conversation/post_agent_notice": {"expiresAt": NOW},
    "conversation/reject_turn": {"attempt": 2},
    "knowledge/create_edges": {"rows": [["one", [["two", "RELATED_TO", 1.0, 1.0, "docs", "why", NOW, None]]]]},
    "knowledge/create_nodes": {"rows": [{"uid": "one", "title": "text"}]},
    "knowledge/find_ends": {"pairs": [["one", ["two"]]]},
    "knowledge/search_fetch": {"properties": ["title"]},
    "knowledge/search_fetch_as_of": {"properties": ["title"]},
    "knowledge/write_contained": {"rows": [{"uid": "one", "gone": ["text"], "come": ["name"]}]},
    "knowledge/write_entities": {"rows": [{"key": "text", "properties": {"nodes": 1, "spellings": [], "counts": []}}]},
}
"""Where a name means something else."""


def parameters(statement: Statement) -> dict[str, Any]:
    """Raises KeyError for a parameter that has no value here yet."""
    values = {**VALUES, **OWN.get(statement.name, {})}
    return {name: values[name] for name in statement.params}
