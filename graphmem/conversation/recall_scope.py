"""Where a recall looks, and what may be recalled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from graphmem.access.principal import Principal
from graphmem.conversation.threads import no_thread
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph, Row
from graphmem.ranking import lucene
from graphmem.ranking.facets import metadata_facets
from graphmem.ranking.moments import between_clause
from graphmem.ranking.sessions import Sessions, sessions
from graphmem.ranking.timewords import MAX_READ
from graphmem.values import Role, Tenant, Warning

MAX_THREADS = 500
"""Threads that a filter may name: each is a clause of the full-text query, of which Lucene takes 1,024."""
MAX_HIDDEN = 2_000
"""Candidates, at most, that are taken beside the usual ones in place of messages that are excluded."""
DAWN, DUSK = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


class RecallScope(StrEnum):
    RESOURCE = "resource"
    THREAD = "thread"


@dataclass(frozen=True, slots=True)
class Where:
    """What narrows a recall. `thread`: with the scope RESOURCE the conversation that goes on; its resource is meant.

    `metadata`: of the thread. `last_sessions`: in the newest threads but `thread`.
    """

    resource: str | None = None
    thread: str | None = None
    scope: RecallScope = RecallScope.RESOURCE
    agent: str | None = None
    roles: Sequence[Role] = (Role.USER, Role.ASSISTANT)
    since: datetime | None = None
    until: datetime | None = None
    last_sessions: int | None = None
    metadata: Any = None
    exclude: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look. `threads` None: all of the resource's. `sessions`: ids of threads, oldest first, as far as the
    question counts them; `hidden`: vectors of excluded messages, which must take no candidate's place."""

    tenant: Tenant
    resource: str
    agent: str | None
    where: Where
    speakers: tuple[str, ...]
    newest_at: datetime | None
    threads: tuple[str, ...] | None
    sessions: tuple[str, ...]
    hidden: int
    warnings: tuple[Warning, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is no message to be found."""
        return self.newest_at is None or self.threads == ()

    def text_filter(self) -> str:
        """The clauses that a full-text query begins with."""
        own = ("thread", self.threads) if self.threads is not None else ("resource", (self.resource,))
        groups = [own, ("role", tuple(self.where.roles)), ("agent", (self.agent,) if self.agent else ())]
        tokens = [[lucene.facet_token(name, value) for value in values] for name, values in groups if values]
        clauses = [lucene.filter_query(lucene.tenant_token(self.tenant), tokens)]
        if self.where.since or self.where.until:
            clauses.append(between_clause(self.where.since or DAWN, self.where.until or DUSK))
        return " ".join(clauses)

    def params(self) -> dict[str, Any]:
        """Of the statements that gather: what may be recalled."""
        return {
            "tenant": self.tenant,
            "resource": self.resource,
            "threads": list(self.threads or ()),
            "agent": self.agent,
            "roles": [str(role) for role in self.where.roles],
            "since": self.where.since or DAWN,
            "until": self.where.until or DUSK,
        }

    @property
    def narrow(self) -> str:
        """Which of the vector searches has to run."""
        if self.threads is not None:
            return "threads and agent" if self.agent else "threads"
        if self.agent:
            return "agent"
        return "time" if self.where.since or self.where.until else "resource"


async def find_scope(graph: Graph, principal: Principal, where: Where, question: str) -> Scope:
    """One trip.

    Raises:
        InvalidInput: neither a resource nor a thread is named.
        NotFound: there is no such thread, or it is another resource's.
        Forbidden: the key is bound to another resource or agent.
    """
    about, agent = principal.resource_for(where.resource), principal.agent_for(where.agent)
    if about is None and where.thread is None:
        raise InvalidInput("resourceId is missing; name whose messages to recall, or a threadId", field="resourceId")
    counted = _counted(where, question)
    rows = await graph.read("conversation/recall_scope", **_asking(principal.tenant, about, where, counted))
    if not rows:
        assert where.thread is not None
        raise no_thread(where.thread)
    row = rows[0]
    newest = [uid for uid in row["newestThreads"] if uid != where.thread or where.last_sessions is None]
    threads, warnings = _threads(where, newest)
    over = [uid for uid in row["newestThreads"] if uid != where.thread]
    ordered = row["oldestThreads"] if counted and counted.first > 0 else over[::-1]
    scope = scope_of(principal.tenant, agent, where, row["scope"])
    return replace(
        scope, threads=threads, sessions=tuple(ordered) if counted else (), hidden=min(row["hidden"], MAX_HIDDEN),
        warnings=(*scope.warnings, *warnings),
    )  # fmt: skip


def scope_of(tenant: Tenant, agent: str | None, where: Where, row: Row) -> Scope:
    """From the map that `fragments/recall_scope.cypher` gives, where `looks_for_threads` says no."""
    threads, _ = _threads(where, [])
    return Scope(
        tenant, row["resource"], agent, where, tuple(row["speakers"]), row["newestAt"], threads, (), 0, _unknown(row)
    )


def looks_for_threads(where: Where, question: str) -> bool:
    """Whether it takes a trip to find out which threads are meant."""
    return where.last_sessions is not None or bool(where.metadata) or _counted(where, question) is not None


def _unknown(row: Row) -> tuple[Warning, ...]:
    """A mistyped resource would pass for one that never said anything."""
    if row["known"]:
        return ()
    told = f"there is no conversation of the resource {row['resource']!r}; check resourceId"
    return (Warning("UNKNOWN_RESOURCE", told),)


def _counted(where: Where, question: str) -> Sessions | None:
    """The sessions that the question counts, where there may be several."""
    return sessions(question[:MAX_READ]) if where.scope is RecallScope.RESOURCE else None


def _asking(tenant: Tenant, resource: str | None, where: Where, counted: Sessions | None) -> dict[str, Any]:
    most = max(-counted.first, -counted.last, 0) if counted else 0
    if where.last_sessions is not None:
        most = max(most, where.last_sessions)
    if where.metadata:
        most = max(most, MAX_THREADS)
    return {
        "tenant": tenant,
        "resource": resource,
        "thread": where.thread,
        "inThread": where.scope is RecallScope.THREAD,
        "facets": metadata_facets(where.metadata or {}),
        "newest": most + 1 if most else 0,
        "oldest": counted.last if counted and counted.last > 0 else 0,
        "excluded": list(where.exclude),
    }


def _threads(where: Where, newest: list[str]) -> tuple[tuple[str, ...] | None, tuple[Warning, ...]]:
    """The only threads to look into, and what is to be said of others."""
    if where.scope is RecallScope.THREAD:
        assert where.thread is not None
        return (where.thread,), ()
    if where.last_sessions is not None:
        return tuple(newest[: where.last_sessions]), ()
    if not where.metadata:
        return None, ()
    if len(newest) <= MAX_THREADS:
        return tuple(newest), ()
    told = f"more than {MAX_THREADS} threads have this metadata; those with the newest messages were searched"
    return tuple(newest[:MAX_THREADS]), (Warning("THREADS_LEFT_OUT", told),)
