"""`context`: what a turn needs, in one bundle under a token budget.

The thread, its messages, notices and working memory come in one trip, and with them whom recall is about. Beside it the
new message is embedded, where the caller gave it. Then recall, which leaves out the messages shown, and the search in
knowledge run side by side. Which threads are meant, where not all are, takes a trip between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.context import fit, render
from graphmem.context.fit import Base, Excerpt, Remembered
from graphmem.context.fit_messages import Messages
from graphmem.context.gather import Gathered, gather
from graphmem.context.inputs import ContextInput, Tier, check
from graphmem.context.lines import Line
from graphmem.context.purse import Dropped, Purse
from graphmem.conversation.messages import Part
from graphmem.conversation.notices import Notice
from graphmem.conversation.recall import MAX_QUERY, RecallRange, dense_text, recall_in
from graphmem.conversation.recall_scope import MAX_HIDDEN, find_scope, looks_for_threads, scope_of
from graphmem.conversation.recall_scope import Scope as RecallWhere
from graphmem.conversation.threads import Thread
from graphmem.embedding import Loading
from graphmem.embedding.vectors import query_vector
from graphmem.errors import OverMemory, TimedOut, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.knowledge.search import SearchHit, search
from graphmem.ranking import tokens
from graphmem.values import Scope, Warning, is_blank, utc_now

_MOVED = Warning("TIER_LEFT_OUT", "recall and knowledge are left out: the thread was moved meanwhile; ask again")
LONG = 100_000
"""Characters, whose tokens take some 10 ms to count."""
T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class Spent:
    """What a tier has: `tokens` of its part of `rendered`."""

    tier: Tier
    tokens: int
    items: int


@dataclass(frozen=True, slots=True)
class Context:
    """`tokens`: of `rendered`. `vectors`: how many texts were embedded for it."""

    thread: Thread
    messages: Messages
    memories: tuple[Remembered, ...]
    notices: tuple[Notice, ...]
    recalled: tuple[Excerpt, ...]
    knowledge: tuple[SearchHit, ...]
    rendered: str
    tokens: int
    spent: tuple[Spent, ...]
    dropped: tuple[Dropped, ...]
    warnings: tuple[Warning, ...]
    vectors: int


async def context(graph: Graph, embedding: Loading, principal: Principal, wanted: ContextInput) -> Context:
    """What belongs in the prompt of a turn. Nothing is written.

    Raises:
        NotFound: there is no such thread or turn, or it is another resource's, or the turn another thread's.
        Conflict: the turn has ended.
        LimitExceeded: not even the newest message fits the budget, and it must not be cut.
        InvalidInput: what is wanted can't be; the field is named.
    """
    principal.require(Scope.READ)
    check(wanted, graph.settings)
    await tokens.load()
    await tokens.load(wanted.tokenizer)
    purse = Purse(wanted.tokenizer, wanted.budget)
    gathering = asyncio.create_task(gather(graph, principal, wanted))
    asking = asyncio.create_task(_asking(graph, embedding, principal, wanted, gathering))
    try:
        (gathered, base, recalled), found = await together(
            _fitted(embedding, purse, gathering, asking), _known(embedding, principal, gathering, asking)
        )
    finally:
        # Both are done, unless the caller has gone.
        gathering.cancel()
        asking.cancel()
        await asyncio.wait([gathering, asking])
    asked = asking.result()
    if asked.scope is not None and asked.scope.resource != gathered.thread.resource:
        # Moved between two trips: what was found is another resource's.
        recalled, found = _Recalled(warnings=(_MOVED,)), _Known()
    size = sum(_size(message.parts) for one in recalled.ranges for message in one.messages)
    excerpts = await _at_leisure(size, fit.excerpts, purse, recalled.ranges, gathered.thread.id)
    hits = fit.knowledge(purse, found.hits)
    own = [warning for one in gathered.memories for warning in one.warnings]
    told = list(dict.fromkeys([*own, *asked.warnings, *recalled.warnings, *found.warnings]))
    return _composed(gathered, base, excerpts, hits, purse, told, asked.vectors + recalled.vectors)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What to look for, and its vector; empty: nothing. `wanted`: with the time that `yesterday` is seen from. `graph`:
    whose vectors it may be compared with. `scope`: where recall looks. `vectors`: texts embedded."""

    wanted: ContextInput
    graph: Graph
    query: str = ""
    vector: list[float] | None = None
    scope: RecallWhere | None = None
    warnings: tuple[Warning, ...] = ()
    vectors: int = 0


async def _asking(
    graph: Graph, embedding: Loading, principal: Principal, wanted: ContextInput, gathering: asyncio.Task[Gathered]
) -> _Asked:
    """At once, where the caller gave the new message; else it is the last one of the user."""
    if wanted.message is not None:
        asked = await _asked(graph, embedding, _seen_from(wanted, None), wanted.message)
        gathered = await gathering
    else:
        gathered = await gathering
        asked = await _asked(graph, embedding, _seen_from(wanted, gathered.asked_at), gathered.query)
    if not (asked.query and wanted.has(Tier.RECALL)):
        return asked
    where = asked.wanted.recall_input(asked.query).where
    if not looks_for_threads(where, asked.query):
        agent = principal.agent_for(where.agent)
        return replace(asked, scope=scope_of(principal.tenant, agent, where, gathered.scope))
    found, more = await _or_without(Tier.RECALL, find_scope(graph, principal, where, asked.query))
    return replace(asked, scope=found, warnings=(*asked.warnings, *more))


def _seen_from(wanted: ContextInput, asked_at: datetime | None) -> ContextInput:
    """With the time that `yesterday` is seen from: when the question was asked, which is not to come."""
    now = utc_now()
    return replace(wanted, recall=replace(wanted.recall, now=wanted.recall.now or min(asked_at or now, now)))


async def _asked(graph: Graph, embedding: Loading, wanted: ContextInput, text: str) -> _Asked:
    if not (wanted.has(Tier.RECALL) or wanted.has(Tier.KNOWLEDGE)):
        return _Asked(wanted, graph)
    query = text[:MAX_QUERY]
    if is_blank(query):
        nothing = Warning("NO_QUERY", "nothing was looked for: no user message has words")
        return _Asked(wanted, graph, warnings=(nothing,))
    # The embedder that makes the vector, too, is the one in use now.
    pinned = graph.pinned()
    vector, warnings = await query_vector(embedding, query, None, pinned.dimension)
    return _Asked(wanted, pinned, query, vector, None, tuple(warnings), 0 if vector is None else 1)


async def _fitted(
    embedding: Loading, purse: Purse, gathering: asyncio.Task[Gathered], asking: asyncio.Task[_Asked]
) -> tuple[Gathered, Base, _Recalled]:
    """What the thread itself has, as far as it fits, and what recall adds to it."""
    gathered, asked = await gathering, await asking
    size = sum(_size(line.parts) for line in gathered.lines)
    base = await _at_leisure(size, fit.base, purse, gathered, asked.wanted)
    return gathered, base, await _recalled(embedding, asked, base.messages)


async def _at_leisure(size: int, work: Callable[..., T], *given: Any) -> T:
    """The work, in a thread where it counts so many characters that other callers would wait for it."""
    return work(*given) if size < LONG else await asyncio.to_thread(work, *given)


def _size(parts: Iterable[Part]) -> int:
    """Their characters, about."""
    return sum(
        len(part.text or "") + len(part.caption or "") + (0 if part.data is None else len(str(part.data)))
        for part in parts
    )


@dataclass(frozen=True, slots=True)
class _Recalled:
    ranges: tuple[RecallRange, ...] = ()
    warnings: tuple[Warning, ...] = ()
    vectors: int = 0


async def _recalled(embedding: Loading, asked: _Asked, shown: Messages) -> _Recalled:
    """What was said elsewhere, and earlier than the messages shown."""
    if asked.scope is None:
        return _Recalled()
    has = [line for line in (*shown.history, *shown.turn) if line.id is not None and line.seq is not None]
    where = replace(asked.scope.where, exclude=[line.id for line in has if line.id])
    scope = replace(asked.scope, where=where, hidden=min(sum(line.vectors for line in has), MAX_HIDDEN))
    question = asked.wanted.recall_input(asked.query)
    graph, vector, vectors = asked.graph, asked.vector, 0
    warnings: list[Warning] = []
    if vector is not None and (text := dense_text(question, scope)) != asked.query:
        graph = graph.origin.pinned()
        vector, warnings = await query_vector(embedding, text, None, graph.dimension)
        vectors = 1
    found, more = await _or_without(Tier.RECALL, recall_in(graph, scope, question, vector))
    if found is None:
        return _Recalled(warnings=(*warnings, *more), vectors=vectors)
    return _Recalled(found.ranges, (*warnings, *found.warnings), vectors)


@dataclass(frozen=True, slots=True)
class _Known:
    hits: tuple[SearchHit, ...] = ()
    warnings: tuple[Warning, ...] = ()


async def _known(
    embedding: Loading, principal: Principal, gathering: asyncio.Task[Gathered], asking: asyncio.Task[_Asked]
) -> _Known:
    """The notes that the message is about: shared ones, and those about the thread's resource."""
    gathered, asked = await gathering, await asking
    wanted = asked.wanted
    if not (wanted.has(Tier.KNOWLEDGE) and asked.query):
        return _Known()
    view = View.of(principal, gathered.thread.resource)
    looked = search(asked.graph, embedding, view, wanted.search_input(asked.query, asked.vector))
    found, more = await _or_without(Tier.KNOWLEDGE, looked)
    return _Known(warnings=tuple(more)) if found is None else _Known(found.hits, found.warnings)


async def _or_without(tier: Tier, work: Awaitable[T]) -> tuple[T | None, list[Warning]]:
    """What the work brings; where the database could not do it now, a warning: memory never fails a turn."""
    try:
        return await work, []
    except (Unavailable, TimedOut, OverMemory) as error:
        return None, [Warning("TIER_LEFT_OUT", f"{tier} is left out: {error.message}")]


async def together(one: Coroutine[None, None, T], other: Coroutine[None, None, U]) -> tuple[T, U]:
    """What both bring, side by side. Where one fails, the other is waited for: stopped in the middle of a statement,
    it would take its connection with it."""
    first, second = await asyncio.gather(one, other, return_exceptions=True)
    if isinstance(first, BaseException):
        raise first
    if isinstance(second, BaseException):
        raise second
    return first, second


def _composed(
    gathered: Gathered, base: Base, excerpts: Sequence[Excerpt], hits: Sequence[SearchHit], purse: Purse,
    warnings: Sequence[Warning], vectors: int,
) -> Context:  # fmt: skip
    said, thread = base.messages, gathered.thread
    parts = [
        (Tier.WORKING_MEMORY, "".join(one.text for one in base.memories), len(base.memories)),
        (Tier.RECENCY, render.history(said.history, thread.id), len(said.history)),
        (Tier.NOTICES, render.section("notices", map(render.notice, base.notices)), len(base.notices)),
        (Tier.RECALL, render.section("recalled", [one.text for one in excerpts]), len(excerpts)),
        (Tier.KNOWLEDGE, render.section("knowledge", [render.note(hit.node) for hit in hits]), len(hits)),
        (Tier.TURN, render.turn(said.turn, bool(said.history)), len(said.turn)),
    ]
    rendered = render.HEAD + "".join(text for _, text, _ in parts)
    spent = [Spent(tier, purse.count(text), items) for tier, text, items in parts]
    measured = Messages(_measured(purse, said.history), _measured(purse, said.turn))
    return Context(
        thread, measured, base.memories, base.notices, tuple(excerpts), tuple(hits), rendered, purse.count(rendered),
        tuple(spent), tuple(purse.dropped), tuple(warnings), vectors,
    )  # fmt: skip


def _measured(purse: Purse, lines: Sequence[Line]) -> tuple[Line, ...]:
    return tuple(replace(line, tokens=purse.count(render.message(line.without_gap))) for line in lines)
