"""The indexes of a migrated graph: migrations make them, and `index_state` those of vectors. A test compares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Index:
    """An index as Neo4j shows it, also on edges; of a vector index the vector comes first and filters follow."""

    labels: tuple[str, ...]
    properties: tuple[str, ...]
    type: Literal["RANGE", "FULLTEXT", "VECTOR"] = "RANGE"
    unique: bool = False


INDEXES: Mapping[str, Index] = {
    "item_uid": Index(("Item",), ("tenant", "uid"), unique=True),
    "knowledge_created": Index(("Knowledge",), ("tenant", "createdAt", "uid")),
    "knowledge_updated": Index(("Knowledge",), ("tenant", "updatedAt", "uid")),
    "knowledge_hash": Index(("Knowledge",), ("tenant", "contentHash")),
    "knowledge_status": Index(("Knowledge",), ("tenant", "status")),
    "knowledge_text": Index(
        ("Knowledge",), ("searchTitle", "searchAliases", "searchContent", "tenantToken", "facets"), "FULLTEXT"
    ),
    "knowledge_title": Index(("Knowledge",), ("searchTitle", "searchAliases", "tenantToken", "facets"), "FULLTEXT"),
    "knowledge_vector_1": Index(
        ("Chunk", "Knowledge"),
        ("embedding_1", "tenant", "status", "resource", "type", "source", "confidence", "validTo"),
        "VECTOR",
    ),
    "revision_updated": Index(("Revision",), ("tenant", "updatedAt")),
    "revision_text": Index(
        ("Revision",), ("searchTitle", "searchAliases", "searchContent", "tenantToken", "facets"), "FULLTEXT"
    ),
    "revision_title": Index(("Revision",), ("searchTitle", "searchAliases", "tenantToken", "facets"), "FULLTEXT"),
    "revision_vector_1": Index(
        ("Revision",),
        ("embedding_1", "tenant", "status", "resource", "type", "source", "confidence", "recordedFrom", "recordedTo"),
        "VECTOR",
    ),
    "knowledge_over_long": Index(("Knowledge",), ("tenant", "overLong", "uid")),
    "conflict_list": Index(("CONFLICTS_WITH",), ("tenant", "recordedTo", "createdAt")),
    "similar_list": Index(("SIMILAR_TO",), ("tenant", "state", "cosine")),
    "name_key": Index(("Name",), ("tenant", "key"), unique=True),
    "name_start": Index(("Name",), ("tenant", "start")),
    "name_texts": Index(("Name",), ("tenant", "common", "texts")),
    "entity_key": Index(("Entity",), ("tenant", "key"), unique=True),
    "entity_start": Index(("Entity",), ("tenant", "start")),
    "pending_link": Index(("PendingLink",), ("tenant", "missing")),
    "pending_from": Index(("PendingLink",), ("tenant", "from")),
    "pending_to": Index(("PendingLink",), ("tenant", "to")),
    "document_path": Index(("Document",), ("tenant", "path")),
    "document_page": Index(("Document",), ("tenant", "page")),
    "document_root": Index(("Document",), ("tenant", "root", "path")),
    "chunk_node": Index(("Chunk",), ("tenant", "node")),
    "change_key": Index(("Change",), ("tenant", "idempotencyKey"), unique=True),
    "change_at": Index(("Change",), ("tenant", "createdAt", "uid")),
    "change_action": Index(("Change",), ("tenant", "action", "createdAt", "uid")),
    "change_api_key": Index(("Change",), ("tenant", "keyId", "createdAt", "uid")),
    "change_ids": Index(("Change",), ("tenant", "touched"), "FULLTEXT"),
    "api_key": Index(("ApiKey",), ("keyId",), unique=True),
    "api_key_tenant": Index(("ApiKey",), ("tenant", "createdAt")),
    "job_ready": Index(("Job",), ("state", "runAfter")),
    "job_due": Index(("Job",), ("kind", "dueAt")),
    "job_due_tenant": Index(("Job",), ("tenant", "kind", "dueAt")),
    "job_list": Index(("Job",), ("tenant", "state", "uid")),
    "job_open_key": Index(("Job",), ("tenant", "kind", "openKey"), unique=True),
    "index_state_kind": Index(("IndexState",), ("kind",), unique=True),
    "resource_created": Index(("Resource",), ("tenant", "createdAt", "uid")),
    "thread_created": Index(("Thread",), ("tenant", "resource", "createdAt", "uid")),
    "thread_active": Index(("Thread",), ("tenant", "resource", "lastMessageAt", "uid")),
    "thread_tenant": Index(("Thread",), ("tenant", "createdAt", "uid")),
    "turn_due": Index(("Turn",), ("tenant", "expiresAt")),
    "message_seq": Index(("Message",), ("tenant", "thread", "seq"), unique=True),
    "message_role": Index(("Message",), ("tenant", "thread", "role", "seq")),
    "message_text": Index(("Message",), ("text", "context", "tenantToken", "facets"), "FULLTEXT"),
    "message_vector_1": Index(
        ("Message", "MessageChunk"),
        ("embedding_1", "tenant", "resource", "thread", "role", "agent", "createdAt"),
        "VECTOR",
    ),
    "notice_waits": Index(("Notice",), ("tenant", "waitsFor")),
    "migration_number": Index(("Migration",), ("number",), unique=True),
    "migration_lock": Index(("MigrationLock",), ("name",), unique=True),
}
