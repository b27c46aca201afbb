"""Erasing over GraphQL."""

from __future__ import annotations

from dataclasses import asdict

import strawberry

from graphmem.api.context import Info
from graphmem.upkeep.erase import Kept, erase_resource
from graphmem.upkeep.reembed import reembed


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


@strawberry.type(description="How far a change of all vectors is.")
class Reembedding:
    model: str = strawberry.field(description="What made the vectors in use.")
    dimension: int
    next_model: str | None = strawberry.field(description="What makes those that take their place; null: none does.")
    next_dimension: int | None
    left: int | None = strawberry.field(description="Texts that lack a vector of the next model; null: not known yet.")
    removing: bool = strawberry.field(description="Whether vectors that are not in use any more are being removed.")


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

    @strawberry.mutation(
        description="Have all vectors of the graph made by `model` in the background, while searches go on with the "
        "old; again: tell how far it is. Null: anew by the model that made them. Needs the scope ADMIN, and a key of "
        "the default tenant that is bound to no resource."
    )
    async def reembed(
        self, info: Info, model: str | None = None, idempotency_key: str | None = None, dry_run: bool = False
    ) -> Reembedding:
        services = info.context.services
        done = await reembed(
            services.graph, services.models, info.context.principal, model,
            idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        services.wake()
        return Reembedding(**asdict(done))
