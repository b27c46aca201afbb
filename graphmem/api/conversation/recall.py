"""Recall over GraphQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation.thread_types import Thread
from graphmem.api.conversation.types import Message
from graphmem.api.enums import RecallGroup, RecallScope, Role
from graphmem.api.flat import flat
from graphmem.api.knowledge.types import WarningType
from graphmem.api.scalars import JSON
from graphmem.conversation import recall as verb
from graphmem.conversation.recall_scope import Where


@strawberry.input
class RecallTerms:
    """What recall is asked for by itself and as a tier of a context."""

    scope: RecallScope = RecallScope.RESOURCE
    agent: str | None = strawberry.field(default=None, description="Messages of this agent's turns alone.")
    roles: list[Role] = strawberry.field(
        default_factory=lambda: [Role.USER, Role.ASSISTANT], description="Who said it; TOOL and SYSTEM must be named."
    )
    before: int = strawberry.field(default=2, description="Messages shown before each hit, at most 50.")
    after: int = strawberry.field(default=1, description="Messages shown after each hit, at most 50.")
    since: datetime | None = strawberry.field(default=None, description="Said then or later.")
    until: datetime | None = strawberry.field(default=None, description="Said before.")
    metadata: JSON | None = strawberry.field(default=None, description="In threads with all of these pairs.")
    threshold: float | None = strawberry.field(
        default=None, description="Least `similarity` of a hit, 0 to 1; 0 bars nothing."
    )

    def where(self) -> Where:
        """What narrows it, without whose messages it is."""
        return Where(
            scope=self.scope, agent=self.agent, roles=self.roles, since=self.since, until=self.until,
            metadata=self.metadata,
        )  # fmt: skip


@flat
@strawberry.input(
    description="What was said that a question is about. resourceId or threadId says whose messages; both must agree."
)
class RecallInput(RecallTerms):
    query: str = ""
    vector: list[float] | None = strawberry.field(default=None, description="Used in place of the query's embedding.")
    resource_id: strawberry.ID | None = None
    thread_id: strawberry.ID | None = strawberry.field(
        default=None, description="The conversation that goes on; its resource is meant."
    )
    top_k: int = strawberry.field(default=3, description="Hits; with groupBy, threads.")
    last_sessions: int | None = strawberry.field(
        default=None, description="In that many threads with the newest messages, without `threadId`; at most 500."
    )
    now: datetime | None = strawberry.field(
        default=None,
        description="What `yesterday` is seen from, with your time zone; default: when the newest message was said.",
    )
    exclude_ids: list[strawberry.ID] = strawberry.field(
        default_factory=list, description="Messages that you have: neither hits nor shown, and in no hit's place."
    )
    group_by: RecallGroup | None = None

    def value(self) -> verb.RecallInput:
        where = replace(
            self.where(), resource=self.resource_id, thread=self.thread_id, last_sessions=self.last_sessions,
            exclude=self.exclude_ids,
        )  # fmt: skip
        return verb.RecallInput(
            query=self.query, vector=self.vector, where=where, top_k=self.top_k, before=self.before, after=self.after,
            now=self.now, threshold=self.threshold, group=self.group_by,
        )  # fmt: skip


@strawberry.type(description="What a score is made of. vector and text are min-max over all candidates.")
class RecallParts:
    vector: float
    text: float
    lift: float = strawberry.field(description="From what stands beside it.")


@strawberry.type(description="A message that was recalled, and why.")
class RecallHit:
    message: Message
    thread: Thread
    score: float
    parts: RecallParts
    similarity: float | None = strawberry.field(
        description="Cosine of message and question; null: it has no vector yet, or was found for what is beside it."
    )
    in_window: bool = strawberry.field(description="It was said when the question says.")

    @classmethod
    def of(cls, hit: verb.RecallHit) -> RecallHit:
        rank = hit.rank
        return cls(
            message=Message.of(hit.message), thread=Thread.of(hit.thread), score=rank.score,
            parts=RecallParts(vector=rank.vector, text=rank.text, lift=rank.lift), similarity=hit.similarity,
            in_window=rank.in_window,
        )  # fmt: skip


@strawberry.type(description="A run of messages of one thread, with hits among them; ranges that touch are one.")
class RecallRange:
    thread: Thread
    is_other_thread: bool = strawberry.field(description="It is not the thread that the caller named.")
    messages: list[Message]
    hit_ids: list[strawberry.ID]

    @classmethod
    def of(cls, one: verb.RecallRange, thread: str | None) -> RecallRange:
        return cls(
            thread=Thread.of(one.thread), is_other_thread=one.thread.id != thread,
            messages=[Message.of(message) for message in one.messages],
            hit_ids=[strawberry.ID(uid) for uid in one.hits],
        )  # fmt: skip


@strawberry.type(description="What a recall brought; the range with the best hit comes first.")
class RecallResult:
    hits: list[RecallHit] = strawberry.field(description="Best first; with groupBy, the best of each thread.")
    ranges: list[RecallRange]
    scope: RecallScope
    resource_id: strawberry.ID
    now: datetime = strawberry.field(description="What time words were seen from.")
    warnings: list[WarningType]
    round_trips: int = strawberry.field(description="Trips to the database, the credential's look-up included.")
    database_ms: float = strawberry.field(description="Time spent in them.")


@strawberry.type
class RecallQuery:
    @strawberry.field(description="Semantic recall: ranked messages, each with those around it.")
    async def recall(self, info: Info, input: RecallInput) -> RecallResult:
        context = info.context
        found = await verb.recall(context.graph, context.services.embedding, context.principal, input.value())
        return RecallResult(
            hits=[RecallHit.of(hit) for hit in found.hits],
            ranges=[RecallRange.of(one, found.thread) for one in found.ranges],
            scope=found.scope,
            resource_id=strawberry.ID(found.resource),
            now=found.now,
            warnings=[WarningType.of(warning) for warning in found.warnings],
            round_trips=context.trips.count,
            database_ms=round(context.trips.ms, 3),
        )
