"""What a context is asked for, and its limits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from graphmem import checks
from graphmem.config import Settings
from graphmem.conversation import recall as recalling
from graphmem.conversation.recall import RecallInput
from graphmem.conversation.recall_scope import Where
from graphmem.errors import InvalidInput
from graphmem.knowledge import search as searching
from graphmem.knowledge.listing import Filter
from graphmem.knowledge.search import Mode, SearchInput
from graphmem.ranking import tokens

BUDGET = 4000
MAX_BUDGET = 1_000_000
LAST = 20
STEP = 10
"""Where the caller says nothing: the last 11 to 20 messages, whose first stays the same for 10."""
RENDERED = ("confidence", "content", "title", "type")
"""What a rendering tells of a note."""


class Tier(StrEnum):
    """A part of a context. `TURN`, the newest user message and what is behind it, is always there."""

    TURN = "turn"
    WORKING_MEMORY = "working_memory"
    RECENCY = "recency"
    NOTICES = "notices"
    RECALL = "recall"
    KNOWLEDGE = "knowledge"


class OverBudget(StrEnum):
    ERROR = "error"
    TRUNCATE = "truncate"


@dataclass(frozen=True, slots=True)
class Recency:
    """At most `last` messages of the thread, `max_tokens` of them. Their first moves by `step` messages at a time, or
    fewer, so that at least half of what fits is there."""

    last: int | None = None
    step: int | None = None
    max_tokens: int | None = None

    @property
    def most(self) -> int:
        return LAST if self.last is None else self.last

    @property
    def by(self) -> int:
        return self.step or (STEP if self.last is None else 1)


@dataclass(frozen=True, slots=True)
class RecallTier:
    """`where`: what narrows it; the thread and its resource are those of the context."""

    top_k: int = 3
    before: int = 2
    after: int = 1
    where: Where = field(default_factory=Where)
    threshold: float | None = None
    now: datetime | None = None


@dataclass(frozen=True, slots=True)
class KnowledgeTier:
    """`top_k` seeds, at most `limit` nodes. `wanted`: what each must have."""

    top_k: int = 3
    limit: int = 5
    max_depth: int = 1
    wanted: Filter = field(default_factory=Filter)


@dataclass(frozen=True, slots=True)
class ContextInput:
    """`message`: what the user says now, where it isn't stored yet. `turn`: the open one whose staged messages are to
    be seen. `agent`: whose notices are told; None: the turn's, or that of a bound key. `properties`: those of notes
    that will be read, beside what is rendered."""

    thread: str
    turn: str | None = None
    resource: str | None = None
    message: str | None = None
    agent: str | None = None
    speaker: str | None = None
    tiers: Collection[Tier] = tuple(Tier)
    recency: Recency = field(default_factory=Recency)
    recall: RecallTier = field(default_factory=RecallTier)
    knowledge: KnowledgeTier = field(default_factory=KnowledgeTier)
    budget: int = BUDGET
    tokenizer: str = tokens.ENCODING
    over: OverBudget = OverBudget.ERROR
    properties: Sequence[str] = ()

    def has(self, tier: Tier) -> bool:
        return tier in self.tiers

    @property
    def history_cap(self) -> int:
        """Where the caller gives none, half of the budget: what is looked for needs room. All, where nothing is."""
        if self.recency.max_tokens is not None:
            return self.recency.max_tokens
        return self.budget // 2 if self.has(Tier.RECALL) or self.has(Tier.KNOWLEDGE) else self.budget

    def recall_input(self, query: str) -> RecallInput:
        wanted = self.recall
        where = replace(wanted.where, resource=self.resource, thread=self.thread)
        return RecallInput(
            query=query, where=where, top_k=wanted.top_k, before=wanted.before, after=wanted.after, now=wanted.now,
            threshold=wanted.threshold,
        )  # fmt: skip

    def search_input(self, query: str, vector: list[float] | None) -> SearchInput:
        wanted = self.knowledge
        return SearchInput(
            query=query, vector=vector, mode=Mode.TEXT if vector is None else Mode.HYBRID, top_k=wanted.top_k,
            max_depth=wanted.max_depth, limit=wanted.limit,
            wanted=wanted.wanted, properties=sorted({*RENDERED, *self.properties}), edges=False,
        )  # fmt: skip


def check(wanted: ContextInput, settings: Settings) -> None:
    """Raises InvalidInput or LimitExceeded naming the field."""
    checks.identifier(wanted.thread, "threadId")
    if wanted.turn is not None:
        checks.identifier(wanted.turn, "turnId")
    if wanted.message is not None:
        checks.text(wanted.message, settings.max_text, "message")
    if wanted.speaker is not None:
        checks.identifier(wanted.speaker, "speaker")
    if wanted.tokenizer not in tokens.ENCODINGS:
        known = ", ".join(tokens.ENCODINGS)
        raise InvalidInput(f"tokenizer {wanted.tokenizer!r} is not known; give one of {known}", field="tokenizer")
    for name, value, least, most, limit in (
        ("tokenBudget", wanted.budget, 1, MAX_BUDGET, "max_budget"),
        ("recency.lastMessages", wanted.recency.most, 0, settings.max_page, "max_page"),
        ("recency.step", wanted.recency.by, 1, settings.max_page, "max_page"),
        ("recency.maxTokens", wanted.history_cap, 0, MAX_BUDGET, "max_budget"),
    ):
        checks.whole(value, least, most, limit, name)
    if wanted.recency.step is not None and wanted.recency.by > max(wanted.recency.most, 1):
        raise InvalidInput("recency.step is above recency.lastMessages; nothing would be left", field="recency.step")
    with checks.part("recall"):
        recalling.check(wanted.recall_input("query"), settings)
    with checks.part("knowledge"):
        searching.check(wanted.search_input("query", None), settings)
