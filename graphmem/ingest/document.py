"""`ingestDocument`: a document into atomic notes, their edges and where they came from.

The same document again changes nothing; a changed one changes the notes that changed, archives those that are gone
and closes the edges that it no longer makes.
"""

from __future__ import annotations

from graphmem import checks
from graphmem.access.principal import Principal
from graphmem.graph.gateway import Graph
from graphmem.ingest.prepare import MARKDOWN, PLAIN, TABLES, media_kind, parse, prepare
from graphmem.ingest.rows import OnError
from graphmem.ingest.store import MAX_PARTS, Ingested, store
from graphmem.ingest.table import ingest_table
from graphmem.values import Scope

__all__ = ["MARKDOWN", "PLAIN", "Ingested", "ingest_document", "parse", "prepare"]


async def ingest_document(
    graph: Graph,
    principal: Principal,
    text: str,
    path: str,
    *,
    media_type: str | None = None,
    resource: str | None = None,
    on_error: OnError = OnError.ABORT,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Ingested:
    """Take in one document. The notes of a Markdown or plain text are named `path` and `path#section`; the nodes of a
    table have the ids that stand in it, and `on_error` says what becomes of a line that can't be taken.

    Where a text is about a resource, a hash of that and a colon stand before the path, so that two customers can each
    have a `notes.md`. Raises InvalidInput and LimitExceeded; nothing is kept then.
    """
    principal.require(Scope.WRITE)
    about, kind = principal.resource_for(resource, new=True), media_kind(path, media_type)
    if kind in TABLES:
        return await ingest_table(
            graph, principal, text, path, kind,
            resource=about, on_error=on_error, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
    checks.text(text, graph.settings.max_text * MAX_PARTS, "text", limit="max_document")
    prepared = prepare(parse(text, path, kind), text, path, kind, about)
    return (await store(graph, principal, [prepared], about, idempotency_key=idempotency_key, dry_run=dry_run))[0]
