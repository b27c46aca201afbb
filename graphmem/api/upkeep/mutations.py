"""Erasing over GraphQL."""

from __future__ import annotations

import strawberry

from graphmem.api.context import Info
from graphmem.upkeep.erase import Kept, erase_resource


@strawberry.type(description="What is still there after an erasure, and why.", name="Kept")
class KeptType:
    what: str
    why: str
    count: int

    @classmethod
    def of(cls, kept: Kept) -> KeptType:
        return cls(what=kept.what, why=kept.why, count=kept.count)


@strawberry.type(description="How much of each is gone.")
class EraseResult:
    resource_id: strawberry.ID
    threads: int
    turns: int
    messages: int
    chunks: int
    revisions: int
    notices: int
    knowledge: int
    documents: int
    fields: int = strawberry.field(description="Of working memory.")
    jobs: int
    kept: list[KeptType]


@strawberry.type
class UpkeepMutation:
    @strawberry.mutation(
        description="Take away for good all that is kept of a customer, user or project; needs the scope ADMIN."
    )
    async def erase_resource(
        self, info: Info, id: strawberry.ID, idempotency_key: str | None = None, dry_run: bool = False
    ) -> EraseResult:
        done = await erase_resource(
            info.context.graph, info.context.principal, id, idempotency_key=idempotency_key, dry_run=dry_run
        )
        return EraseResult(
            resource_id=strawberry.ID(done.resource), threads=done.threads, turns=done.turns, messages=done.messages,
            chunks=done.chunks, revisions=done.revisions, notices=done.notices, knowledge=done.knowledge,
            documents=done.documents, fields=done.fields, jobs=done.jobs, kept=[KeptType.of(one) for one in done.kept],
        )  # fmt: skip
