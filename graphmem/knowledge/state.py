"""A node's stored properties, worked out from what a caller states and what is there already."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import orjson

from graphmem.knowledge.nodes import NodeInput
from graphmem.ranking import lucene, names
from graphmem.ranking.facets import metadata_facets
from graphmem.values import FOREVER, SHARED, Band, KnowledgeType, Source, Status, Tenant, fold

Properties = dict[str, Any]

MAX_WORDS = 300
"""An atomic note has one concept in at most this many words (source document S0)."""

MAX_NAME_BYTES = 4096
"""Of a folded name; a range index of Neo4j takes 8 kB in all, and a sign may fold to eighteen."""

STATED = (
    "title", "aliases", "content", "type", "source", "confidence", "status", "resource", "tags", "metadata",
    "validFrom", "validTo",
)  # fmt: skip
"""Properties whose change makes a new version."""


def content_hash(title: str, content: str, resource: str) -> str:
    """Equal for equal text about the same resource, however its characters are composed (NFC)."""
    parts = [unicodedata.normalize("NFC", part) for part in (title, content, resource)]
    return hashlib.sha256(orjson.dumps(parts)).hexdigest()


def given_id(node: NodeInput) -> str:
    """The id of a node that came without one: made from its text, so that a repeated call meets it again."""
    return f"k{content_hash(node.title, node.content, node.resource or SHARED)[:24]}"


def properties(tenant: Tenant, uid: str, given: NodeInput, had: Mapping[str, Any] | None, now: datetime) -> Properties:
    """All stored properties after `given` is put on top of `had` (None: a new node)."""
    old: Mapping[str, Any] = had or {}

    def stated(value: Any, key: str, default: Any) -> Any:
        if value is not None:
            return value
        return default if old.get(key) is None else old[key]

    resource = stated(given.resource, "resource", SHARED)
    # The same text composed in another way is the same text: the first author's form stays.
    same = had is not None and content_hash(given.title, given.content, resource) == had["contentHash"]
    kept: Properties = {
        "title": old["title"] if same else given.title,
        "content": old["content"] if same else given.content,
        "aliases": list(stated(given.aliases, "aliases", [])),
        "type": str(stated(given.type, "type", KnowledgeType.CONCEPT)),
        "source": str(stated(given.source, "source", Source.DOCS)),
        "confidence": float(stated(given.confidence, "confidence", 1.0)),
        "status": str(stated(given.status, "status", Status.ACTIVE)),
        "resource": resource,
        "tags": sorted(set(stated(given.tags, "tags", []))),
        "metadata": old.get("metadata", "{}") if given.metadata is None else _json(given.metadata),
        "validFrom": stated(given.valid_from, "validFrom", given.created_at or now),
        "validTo": stated(given.valid_to, "validTo", FOREVER),
    }
    return {"uid": uid, **kept, **derived(tenant, kept)}


def derived(tenant: Tenant, kept: Mapping[str, Any]) -> Properties:
    """What the indexes need beside the stated properties; always written together with them."""
    return {
        "contentHash": content_hash(kept["title"], kept["content"], kept["resource"]),
        "tenantToken": lucene.tenant_token(tenant),
        "facets": " ".join(facets(kept)),
        "searchTitle": fold(kept["title"]),
        "searchAliases": fold("\n".join(kept["aliases"])),
        "searchContent": fold(kept["content"]),
        "overLong": words if (words := len(kept["content"].split())) > MAX_WORDS else None,
        "stems": sorted(lucene.stems(f"{kept['title']}\n{kept['content']}")),
    }


def facets(kept: Mapping[str, Any]) -> list[str]:
    """One full-text token for each property that a search can filter on."""
    pairs = [
        ("type", kept["type"]),
        ("source", kept["source"]),
        ("status", kept["status"]),
        ("band", Band.of(kept["confidence"])),
        ("confidence", str(hundredths(kept["confidence"]))),
        ("resource", kept["resource"]),
        *(("tag", tag) for tag in kept["tags"]),
    ]
    tokens = [lucene.facet_token(name, value) for name, value in pairs]
    return [*tokens, *metadata_facets(orjson.loads(kept["metadata"]))]


def hundredths(confidence: float) -> int:
    """Whole hundredths of a confidence; rounded first, because 0.29 × 100 is a hair below 29."""
    return math.floor(round(confidence * 100, 9))


def name_rows(kept: Mapping[str, Any]) -> list[dict[str, str]]:
    """Rows of the names by which the node is found in texts, but those that no index takes."""
    found = names.names([kept["title"], *kept["aliases"]])
    return [{"key": name.key, "start": name.start} for name in found if len(name.key.encode()) <= MAX_NAME_BYTES]


def changed(now: Mapping[str, Any], had: Mapping[str, Any]) -> set[str]:
    """The stated properties that differ."""
    return {key for key in STATED if now[key] != had.get(key)}


def _json(metadata: Mapping[str, Any]) -> str:
    return orjson.dumps(metadata, option=orjson.OPT_SORT_KEYS).decode()
