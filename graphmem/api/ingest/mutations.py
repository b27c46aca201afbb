"""Taking in documents over GraphQL."""

from __future__ import annotations

import strawberry

from graphmem.api.context import Info
from graphmem.api.enums import OnError
from graphmem.api.knowledge.types import WarningType
from graphmem.ingest.document import Ingested, ingest_document


@strawberry.type(description="What a document came to: ids of its notes by what happened to them.")
class IngestResult:
    document_id: strawberry.ID
    created: list[strawberry.ID]
    updated: list[strawberry.ID]
    unchanged: list[strawberry.ID]
    archived: list[strawberry.ID] = strawberry.field(description="Notes that no longer stand in the document.")
    edges_created: int
    edges_closed: int
    pending: int = strawberry.field(description="Links that wait for a note which doesn't exist yet.")
    warnings: list[WarningType]
    skipped: int = strawberry.field(description="Lines of a table that could not be taken; the warnings name them.")

    @classmethod
    def of(cls, done: Ingested) -> IngestResult:
        def ids(values: tuple[str, ...]) -> list[strawberry.ID]:
            return [strawberry.ID(value) for value in values]

        return cls(
            document_id=strawberry.ID(done.document),
            created=ids(done.created),
            updated=ids(done.updated),
            unchanged=ids(done.unchanged),
            archived=ids(done.archived),
            edges_created=done.edges_created,
            edges_closed=done.edges_closed,
            pending=done.pending,
            warnings=[WarningType.of(found) for found in done.warnings],
            skipped=done.skipped,
        )


@strawberry.type
class IngestMutation:
    @strawberry.mutation(
        description="Take in a Markdown or text document, headings to notes and links to edges; or a table of nodes "
        "and edges, text/csv or application/x-ndjson."
    )
    async def ingest_document(
        self,
        info: Info,
        path: str,
        text: str,
        media_type: str | None = None,
        resource_id: strawberry.ID | None = None,
        on_error: OnError = OnError.ABORT,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> IngestResult:
        context = info.context
        done = await ingest_document(
            context.graph,
            context.principal,
            text,
            path,
            media_type=media_type,
            resource=resource_id,
            on_error=on_error,
            idempotency_key=idempotency_key,
            dry_run=dry_run,
        )
        context.services.wake()
        return IngestResult.of(done)
