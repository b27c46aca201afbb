"""`recall`: what was said that a question is about, with what was said around it, in three round trips.

The first finds out where to look and who speaks there; the second gathers candidates from both indexes, with the
exact cosine of all of them, and what stands beside them; `ranking/recall.py` makes one list of it; the third fetches
the messages that are shown. The question is embedded while the first is under way, unless it seems to name somebody.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from graphmem import checks
from graphmem.access.principal import Principal, local_principal
from graphmem.config import Settings
from graphmem.conversation.messages import Message
from graphmem.conversation.recall_gather import BEST, between, gathering, plain, rows_of
from graphmem.conversation.recall_scope import MAX_THREADS, RecallScope, Scope, Where, find_scope
from graphmem.conversation.threads import Thread
from graphmem.embedding import Loading
from graphmem.embedding.vectors import query_vector, unit
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.ranking import recall as ranking
from graphmem.ranking.question import Asked, full_text, prepare
from graphmem.ranking.ranges import Range, ranges
from graphmem.values import Scope as KeyScope
from graphmem.values import Tenant, Warning, utc_now

MAX_QUERY = 8_000
MAX_AROUND = 50
MAX_EXCLUDED = 500
_NAME = re.compile(r"\S\s+(?!I\b)[^\W\d_a-z]\w")
"""A word behind the first that begins with a capital, as names do."""


class RecallGroup(StrEnum):
    THREAD = "thread"


@dataclass(frozen=True, slots=True)
class RecallInput:
    """`vector` replaces the embedding of `query`. `top_k` hits, or threads where grouped; `before` and `after` each:
    messages around them. `now`: what relative words are seen from; None: when the newest message was said.
    `threshold`: the least cosine of a hit, from 0 to 1; 0 bars nothing."""

    query: str = ""
    vector: Sequence[float] | None = None
    where: Where = field(default_factory=Where)
    top_k: int = 3
    before: int = 2
    after: int = 1
    now: datetime | None = None
    threshold: float | None = None
    group: RecallGroup | None = None


@dataclass(frozen=True, slots=True)
class RecallHit:
    """`similarity`: the cosine of message and question; None: it has no vector yet, or was found for what stands
    beside it."""

    message: Message
    thread: Thread
    rank: ranking.Recalled
    similarity: float | None


@dataclass(frozen=True, slots=True)
class RecallRange:
    """A run of messages of one thread; `hits` are the ids of those that were recalled, best first."""

    thread: Thread
    messages: tuple[Message, ...]
    hits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RecallResult:
    """`hits` best first; where grouped, the best of each thread. `thread`: the one that the caller named."""

    hits: tuple[RecallHit, ...]
    ranges: tuple[RecallRange, ...]
    scope: RecallScope
    resource: str
    thread: str | None
    now: datetime
    warnings: tuple[Warning, ...]


def check(wanted: RecallInput, settings: Settings) -> None:
    """Raises InvalidInput or LimitExceeded naming the field."""
    checks.text(wanted.query, MAX_QUERY, "query", limit="max_query", blank=wanted.vector is not None)
    checks.whole(wanted.top_k, 1, settings.max_top_k, "max_top_k", "topK")
    checks.whole(wanted.before, 0, MAX_AROUND, "max_around", "before")
    checks.whole(wanted.after, 0, MAX_AROUND, "max_around", "after")
    if wanted.where.last_sessions is not None:
        checks.whole(wanted.where.last_sessions, 1, MAX_THREADS, "max_threads", "lastSessions")
    checks.fraction(wanted.threshold, "threshold")
    checks.zoned(wanted.now, "now")
    _check_where(wanted.where)


def _check_where(where: Where) -> None:
    checks.count(len(where.exclude), MAX_EXCLUDED, "max_excluded", "excludeIds")
    for at, uid in enumerate(where.exclude):
        checks.identifier(uid, f"excludeIds[{at}]")
    if where.thread is not None:
        checks.identifier(where.thread, "threadId")
    checks.metadata(where.metadata, "metadata")
    checks.zoned(where.since, "since")
    checks.zoned(where.until, "until")
    if where.since and where.until and where.since >= where.until:
        raise InvalidInput("since must be before until", field="since")
    if not where.roles:
        raise InvalidInput("roles is empty; name one, or leave it out", field="roles")
    if where.scope is RecallScope.THREAD:
        for value, field in ((where.last_sessions, "lastSessions"), (where.metadata, "metadata")):
            if value is not None:
                raise InvalidInput(f"{field} chooses among threads; it goes with the scope RESOURCE alone", field=field)
        if where.thread is None:
            raise InvalidInput("threadId is missing; the scope THREAD needs it", field="threadId")


async def recall(graph: Graph, embedding: Loading, principal: Principal, wanted: RecallInput) -> RecallResult:
    """The messages that a question is about, ranked, each with those around it.

    Raises:
        InvalidInput, LimitExceeded: what is wanted can't be; the field is named.
        NotFound: there is no such thread, or it is another resource's.
        Forbidden: the key is bound to another resource or agent.
    """
    principal.require(KeyScope.READ)
    check(wanted, graph.settings)
    if wanted.vector is not None:
        unit(wanted.vector, graph.dimension)

    async def vector_of(text: str) -> tuple[Graph, list[float] | None, list[Warning]]:
        """With the graph whose vectors it may be compared with: others may come into use while it is waited for."""
        pinned = graph.pinned()
        return pinned, *await query_vector(embedding, text, wanted.vector, pinned.dimension)

    if _NAME.search(wanted.query):
        scope = await find_scope(graph, principal, wanted.where, wanted.query)
        asked = _asked(wanted, scope)
        pinned, vector, warnings = await vector_of(asked.dense)
    else:
        scope, (pinned, vector, warnings) = await asyncio.gather(
            find_scope(graph, principal, wanted.where, wanted.query), vector_of(wanted.query)
        )
        asked = _asked(wanted, scope)
        if asked.dense != wanted.query and wanted.vector is None:
            pinned, vector, warnings = await vector_of(asked.dense)
    return await recall_in(pinned, scope, wanted, vector, warnings)


async def recall_in(
    graph: Graph, scope: Scope, wanted: RecallInput, vector: list[float] | None, warnings: Sequence[Warning] = ()
) -> RecallResult:
    """The second and third trip. `vector`: of what `dense_text` gives; None: by text only. `scope.where` counts, not
    that of `wanted`."""
    told = [*scope.warnings, *warnings]
    found = [] if scope.is_empty else await _ranked(graph, scope, wanted, _asked(wanted, scope), vector, told)
    hits, shown = await _fetch(graph, scope, wanted, found) if found else ((), ())
    where = scope.where
    return RecallResult(hits, shown, where.scope, scope.resource, where.thread, _now(wanted, scope), tuple(told))


def dense_text(wanted: RecallInput, scope: Scope) -> str:
    """What is embedded of the question: it without the name of the participant that it is about."""
    return _asked(wanted, scope).dense


def _now(wanted: RecallInput, scope: Scope) -> datetime:
    present = utc_now()
    return wanted.now or min(scope.newest_at or present, present)


def _asked(wanted: RecallInput, scope: Scope) -> Asked:
    return prepare(wanted.query, scope.speakers, _now(wanted, scope))


async def _ranked(
    graph: Graph, scope: Scope, wanted: RecallInput, asked: Asked, vector: list[float] | None, warnings: list[Warning]
) -> list[ranking.Recalled]:
    """At most `top_k`, of as many threads where grouped; the second trip. May add a warning."""
    words = full_text(wanted.query)
    if vector is None and words is None:
        warnings.append(Warning("NOTHING_TO_LOOK_FOR", "the query has no words that full text could look for"))
        return []
    # Of 0 it would still leave out what points away from the question.
    threshold = wanted.threshold or None
    best = None if asked.window or threshold or wanted.group else max(BEST, 4 * wanted.top_k)
    name, params = gathering(graph, scope, words, vector, asked.named, best)
    gathered = (await graph.read(name, **params))[0]
    rows, barred = rows_of(gathered, scope.where, threshold if vector is not None else None)
    if threshold is not None and vector is None:
        warnings.append(Warning("THRESHOLD_NOT_APPLIED", "there are no vectors to compare with the threshold"))
    found = ranking.rank(
        rows, asked, sessions=scope.sessions, exclude={*scope.where.exclude, *barred},
        cosines=between(map(plain, gathered["cosines"])), lexicals=between(gathered["lexicals"]),
    )  # fmt: skip
    if wanted.group is RecallGroup.THREAD:
        found = [thread.best for thread in ranking.threads(found)]
    return found[: wanted.top_k]


async def _fetch(
    graph: Graph, scope: Scope, wanted: RecallInput, found: Sequence[ranking.Recalled]
) -> tuple[tuple[RecallHit, ...], tuple[RecallRange, ...]]:
    """What is shown; the third trip. A hit that has been deleted meanwhile is passed over."""
    around = ranges(found, wanted.before, wanted.after)
    rows = await graph.read("conversation/recall_fetch", **_fetching(scope, around))
    hits: dict[str, RecallHit] = {}
    shown: list[RecallRange] = []
    for row in rows:
        stretch, thread = around[row["at"]], Thread.from_row(row["thread"])
        messages = {message["uid"]: Message.from_row(message) for message in row["messages"]}
        own = [hit for hit in stretch.hits if hit.row.id in messages]
        hits |= {hit.row.id: RecallHit(messages[hit.row.id], thread, hit, hit.row.cosine) for hit in own}
        if own:
            shown.append(RecallRange(thread, tuple(messages.values()), tuple(hit.row.id for hit in own)))
    return tuple(hits[one.row.id] for one in found if one.row.id in hits), tuple(shown)


def _fetching(scope: Scope, around: Sequence[Range]) -> Mapping[str, Any]:
    return {
        "tenant": scope.tenant,
        "resource": scope.resource,
        "agent": scope.agent,
        "ranges": [{"thread": one.thread, "first": one.first, "last": one.last} for one in around],
        "excluded": list(scope.where.exclude),
    }


async def plan_recalls(graph: Graph) -> None:
    """Have the server plan the statements of a recall, so that the first caller need not wait for that."""
    scope = await find_scope(graph, local_principal(Tenant("nobody")), Where(resource="nobody"), "plan")
    vector = None if graph.dimension is None else [1.0] * graph.dimension
    name, params = gathering(graph, scope, full_text("plan"), vector, None, BEST)
    await graph.plan(name, **params)
    await graph.plan("conversation/recall_fetch", **_fetching(scope, [Range("none", 0, 1, ())]))
