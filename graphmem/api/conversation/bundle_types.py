"""A context as GraphQL shows it."""

from __future__ import annotations

from datetime import datetime

import strawberry

from graphmem.access.view import View
from graphmem.api.context import Info
from graphmem.api.conversation.memory_types import WorkingMemory
from graphmem.api.conversation.thread_types import Thread
from graphmem.api.conversation.types import MessagePart, Notice
from graphmem.api.enums import ContextTier, DropReason, Role
from graphmem.api.knowledge.search import SearchHit
from graphmem.api.knowledge.types import WarningType
from graphmem.context import assemble, fit
from graphmem.context.lines import Line
from graphmem.context.purse import Dropped


@strawberry.type(description="A message as it belongs into a prompt. One that was cut has text alone.")
class ContextMessage:
    id: strawberry.ID | None = strawberry.field(description="null: it is the `message` that you gave.")
    seq: int | None = strawberry.field(description="null: it is not committed.")
    turn_id: strawberry.ID | None
    role: Role
    speaker: str | None
    agent: str | None
    text: str
    parts: list[MessagePart] = strawberry.field(description="No call is without its result, and no result without it.")
    created_at: datetime | None
    staged: bool = strawberry.field(description="It is of the turn named, and nobody else sees it yet.")
    newest: bool = strawberry.field(description="It is the newest user message, or behind it.")
    gap_before: int = strawberry.field(description="Messages of the thread left out between it and the one before it.")
    tokens_cut: int = strawberry.field(description="Left out of it, as the text says too.")
    tokens: int

    @classmethod
    def of(cls, line: Line, newest: bool = False) -> ContextMessage:
        return cls(
            id=strawberry.ID(line.id) if line.id else None, seq=line.seq,
            turn_id=strawberry.ID(line.turn) if line.turn else None, role=line.role, speaker=line.speaker,
            agent=line.agent, text=line.text, parts=[MessagePart.of(part) for part in line.parts],
            created_at=line.created_at, staged=line.seq is None and line.id is not None, newest=newest,
            gap_before=line.gap, tokens_cut=line.cut, tokens=line.tokens,
        )  # fmt: skip


@strawberry.type(description="A run of messages that was recalled, with where it is from.")
class ContextExcerpt:
    thread: Thread
    is_other_thread: bool = strawberry.field(description="It is no part of the conversation that goes on.")
    label: str = strawberry.field(description="Where it is from, in words, with its day.")
    messages: list[ContextMessage]
    hit_ids: list[strawberry.ID] = strawberry.field(description="Those that were recalled, best first.")

    @classmethod
    def of(cls, one: fit.Excerpt, thread: str) -> ContextExcerpt:
        return cls(
            thread=Thread.of(one.found.thread), is_other_thread=one.found.thread.id != thread, label=one.label,
            messages=[ContextMessage.of(line) for line in one.lines],
            hit_ids=[strawberry.ID(uid) for uid in one.found.hits],
        )  # fmt: skip


@strawberry.type(description="What a tier has in `rendered`.")
class ContextSpent:
    tier: ContextTier
    tokens: int
    items: int


@strawberry.type(description="Something that was left out.")
class ContextDropped:
    tier: ContextTier
    why: DropReason
    what: str
    ids: list[strawberry.ID]
    tokens: int = strawberry.field(description="As it would have been rendered.")

    @classmethod
    def of(cls, one: Dropped) -> ContextDropped:
        ids = [strawberry.ID(uid) for uid in one.ids]
        return cls(tier=one.tier, why=one.why, what=one.what, ids=ids, tokens=one.tokens)


@strawberry.type(description="What a turn needs, in order and within its budget.")
class ContextBundle:
    thread: Thread
    resource_id: strawberry.ID
    messages: list[ContextMessage] = strawberry.field(
        description="The thread's, oldest first, then what the turn has staged and the new message."
    )
    working_memory: list[WorkingMemory] = strawberry.field(
        description="The resource's, then the thread's; of one that is too large the first fields that fit, as a list."
    )
    recalled: list[ContextExcerpt] = strawberry.field(description="The best first; none of it stands in `messages`.")
    notices: list[Notice] = strawberry.field(
        description="The thread's and the agent's. Give their ids to commitTurn or appendTurn: they are told no more."
    )
    knowledge: list[SearchHit]
    rendered: str = strawberry.field(
        description="All of it as one text to paste. What changes least comes first; stored text can't close its tags."
    )
    tokens: int = strawberry.field(description="Of `rendered`.")
    token_budget: int
    tokenizer: str
    tiers: list[ContextSpent]
    dropped: list[ContextDropped]
    warnings: list[WarningType]
    embed_calls: int = strawberry.field(description="Texts that were embedded for it.")
    language_calls: int = strawberry.field(description="Calls of a language model: none.")
    round_trips: int = strawberry.field(description="Trips to the database, the credential's look-up included.")
    database_ms: float = strawberry.field(description="Time spent in them, added up though some run side by side.")

    @classmethod
    def of(cls, info: Info, found: assemble.Context, budget: int, tokenizer: str) -> ContextBundle:
        thread, trips = found.thread, info.context.trips
        view = View.of(info.context.principal, thread.resource)
        said = [ContextMessage.of(line) for line in found.messages.history]
        return cls(
            thread=Thread.of(thread), resource_id=strawberry.ID(thread.resource),
            messages=[*said, *(ContextMessage.of(line, newest=True) for line in found.messages.turn)],
            working_memory=[WorkingMemory.of(one.memory) for one in found.memories],
            recalled=[ContextExcerpt.of(one, thread.id) for one in found.recalled],
            notices=[Notice.of(one) for one in found.notices],
            knowledge=[SearchHit.of(view, hit) for hit in found.knowledge], rendered=found.rendered,
            tokens=found.tokens, token_budget=budget, tokenizer=tokenizer,
            tiers=[ContextSpent(tier=one.tier, tokens=one.tokens, items=one.items) for one in found.spent],
            dropped=[ContextDropped.of(one) for one in found.dropped],
            warnings=[WarningType.of(warning) for warning in found.warnings], embed_calls=found.vectors,
            language_calls=0, round_trips=trips.count, database_ms=round(trips.ms, 3),
        )  # fmt: skip
