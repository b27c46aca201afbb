"""`context` over GraphQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation.bundle_types import ContextBundle
from graphmem.api.conversation.recall import RecallTerms
from graphmem.api.enums import Band, ContextTier, KnowledgeType, OverBudget, Source
from graphmem.api.flat import flat
from graphmem.api.knowledge.search import node_properties
from graphmem.api.scalars import JSON
from graphmem.context import inputs
from graphmem.context.assemble import context
from graphmem.knowledge.listing import Filter


@flat
@strawberry.input(description="The thread's newest messages.")
class ContextRecencyInput:
    last_messages: int | None = strawberry.field(
        default=None, description="At most so many; default: from 11 to 20. A tool call before its result may be more."
    )
    step: int | None = strawberry.field(
        default=None,
        description="The first one moves by so many messages at a time, so that a cached prompt is good for as long; "
        "by fewer where less than twice as many fit. Default: 1 with `lastMessages`, else 10.",
    )
    max_tokens: int | None = strawberry.field(
        default=None, description="A cap of their own; default: half of the budget where something is looked for."
    )


@flat
@strawberry.input(description="What was said earlier and elsewhere, by the newest user message.")
class ContextRecallInput(RecallTerms):
    top_k: int = 3
    last_sessions: int | None = strawberry.field(
        default=None, description="In that many other threads with the newest messages; at most 500."
    )
    now: datetime | None = strawberry.field(
        default=None,
        description="What `yesterday` is seen from, with your time zone; default: when the newest user message was "
        "said, now for `message`.",
    )

    def value(self) -> inputs.RecallTier:
        where = replace(self.where(), last_sessions=self.last_sessions)
        return inputs.RecallTier(self.top_k, self.before, self.after, where, self.threshold, self.now)


@flat
@strawberry.input(description="Notes that the newest user message is about: shared ones, and the resource's.")
class ContextKnowledgeInput:
    top_k: int = strawberry.field(default=3, description="Seeds.")
    limit: int = 5
    max_depth: int = 1
    types: list[KnowledgeType] | None = None
    sources: list[Source] | None = None
    band: Band | None = None
    min_confidence: float | None = None
    tags: list[str] | None = strawberry.field(default=None, description="All of these.")
    metadata: JSON | None = strawberry.field(default=None, description="All of these pairs.")

    def value(self) -> inputs.KnowledgeTier:
        wanted = Filter(
            types=self.types or (), sources=self.sources or (), band=self.band, min_confidence=self.min_confidence,
            tags=self.tags or (), metadata=self.metadata,
        )  # fmt: skip
        return inputs.KnowledgeTier(self.top_k, self.limit, self.max_depth, wanted)


@strawberry.input(description="What a turn needs to know.")
class ContextInput:
    thread_id: strawberry.ID
    turn_id: strawberry.ID | None = strawberry.field(
        default=None, description="An open turn of the thread: what it has staged is seen here and nowhere else."
    )
    resource_id: strawberry.ID | None = None
    message: str | None = strawberry.field(
        default=None, description="What the user says now; leave it out when it is stored or staged already."
    )
    speaker: str | None = strawberry.field(default=None, description="Who says it.")
    agent: str | None = strawberry.field(
        default=None, description="Whose notices are told beside the thread's; left out, the turn's or the key's."
    )
    tiers: list[ContextTier] | None = strawberry.field(
        default=None, description="Default: all. The newest user message is always there."
    )
    recency: ContextRecencyInput = strawberry.field(default_factory=ContextRecencyInput)
    recall: ContextRecallInput = strawberry.field(default_factory=ContextRecallInput)
    knowledge: ContextKnowledgeInput = strawberry.field(default_factory=ContextKnowledgeInput)
    token_budget: int = inputs.BUDGET
    tokenizer: str = strawberry.field(default="o200k_base", description="o200k_base or cl100k_base.")
    over_budget: OverBudget = strawberry.field(
        default=OverBudget.ERROR, description="When the newest message alone is larger than the budget."
    )

    def value(self, properties: Sequence[str]) -> inputs.ContextInput:
        recency = self.recency
        return inputs.ContextInput(
            thread=self.thread_id, turn=self.turn_id, resource=self.resource_id, message=self.message,
            agent=self.agent,
            speaker=self.speaker, tiers=tuple(ContextTier) if self.tiers is None else self.tiers,
            recency=inputs.Recency(recency.last_messages, recency.step, recency.max_tokens),
            recall=self.recall.value(), knowledge=self.knowledge.value(), budget=self.token_budget,
            tokenizer=self.tokenizer, over=self.over_budget, properties=properties,
        )  # fmt: skip


@strawberry.type
class ContextQuery:
    @strawberry.field(
        description="What belongs in the prompt of a turn: messages, working memory, what was said earlier and "
        "elsewhere, notices and knowledge, in one bundle within a token budget. Nothing is written."
    )
    async def context(self, info: Info, input: ContextInput) -> ContextBundle:
        services = info.context
        wanted = input.value(node_properties(info, "knowledge"))
        found = await context(services.graph, services.services.embedding, services.principal, wanted)
        return ContextBundle.of(info, found, input.token_budget, input.tokenizer)
