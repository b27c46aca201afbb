"""`postNotice`, `acknowledgeNotices`: what a thread or an agent is to be told until it is acknowledged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.threads import no_thread
from graphmem.errors import Forbidden, InvalidInput, NotFound
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import Scope, new_id, utc_now

MAX_NOTICE = 4000
MAX_OPEN = 100


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to be told in a thread, or to an agent."""

    id: str
    text: str
    source: str | None
    thread: str | None
    agent: str | None
    created_at: datetime
    expires_at: datetime | None

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Notice:
        """From the map that `fragments/notice.cypher` returns."""
        return cls(
            row["uid"], row["text"], row["source"], row["thread"], row["agent"], row["createdAt"], row["expiresAt"]
        )


@dataclass(frozen=True, slots=True)
class NoticeChanged:
    id: str


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """`ids`: those that were not acknowledged before."""

    ids: tuple[str, ...]


async def post_notice(
    graph: Graph,
    principal: Principal,
    text: str,
    *,
    thread: str | None = None,
    agent: str | None = None,
    source: str | None = None,
    expires_at: datetime | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> NoticeChanged:
    """Leave word for a thread, or for an agent.

    Raises:
        NotFound: there is no such thread, or it is another resource's.
        InvalidInput: both or neither are named, an agent with a resource, or the time is over already.
        Forbidden: the key is bound to a resource and may not speak to an agent, or to another agent.
    """
    principal.require(Scope.WRITE)
    now, uid = utc_now(), new_id()
    _check(text, thread, agent, source, expires_at, now)
    if thread is not None:
        checks.identifier(thread, "threadId")
    about = principal.resource_for(resource)
    if agent is not None and about is not None:
        if principal.resource is None:
            raise InvalidInput("a notice for an agent is of no resource; leave resourceId out", field="resourceId")
        raise Forbidden("a notice for an agent reaches all its threads; it can't be of one resource", field="agent")
    what = {"uid": uid, "text": text, "source": source, "expiresAt": expires_at, "now": now}
    who = principal.agent_for(agent, new=True) if agent is not None else None

    async def work(tx: Transaction) -> Outcome[NoticeChanged]:
        if thread is None:
            await tx.run("conversation/post_agent_notice", tenant=principal.tenant, agent=who, **what)
        elif not await tx.run(
            "conversation/post_notice", tenant=principal.tenant, thread=thread, resource=about, **what
        ):
            raise no_thread(thread)
        return Outcome(NoticeChanged(uid), touched=[uid])

    stated = {"text": text, "thread": thread, "agent": agent, "source": source, "expiresAt": expires_at}
    call = Call(principal, "postNotice", stated | {"resource": resource}, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(NoticeChanged))


def _check(
    text: str, thread: str | None, agent: str | None, source: str | None, expires_at: datetime | None, now: datetime
) -> None:
    checks.text(text, MAX_NOTICE, "text", limit="max_notice")
    if (thread is None) == (agent is None):
        raise InvalidInput("give threadId or agent: whom the notice is for", field="threadId")
    if source is not None:
        checks.identifier(source, "source", new=True)
    checks.zoned(expires_at, "expiresAt")
    if expires_at is not None and expires_at <= now:
        raise InvalidInput("expiresAt is over already; give a later time", field="expiresAt")


async def acknowledge_notices(
    graph: Graph,
    principal: Principal,
    ids: Sequence[str],
    *,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Acknowledged:
    """Have notices told no more. Raises NotFound for one that is not there; then none is acknowledged."""
    principal.require(Scope.WRITE)
    checks.some(ids, "notice", "ids")
    wanted = sorted(set(ids))
    checks.count(len(wanted), graph.settings.max_messages, "max_messages", "ids")
    for at, uid in enumerate(ids):
        checks.identifier(uid, f"ids[{at}]")
    about = principal.resource_for(resource)

    async def work(tx: Transaction) -> Outcome[Acknowledged]:
        rows = await tx.run(
            "conversation/acknowledge_notices",
            tenant=principal.tenant, resource=about, agent=principal.agent, ids=wanted, now=utc_now(),
        )  # fmt: skip
        for uid in wanted:
            if uid not in {row["uid"] for row in rows}:
                raise NotFound(f"there is no notice {uid!r}", field="ids")
        changed = tuple(row["uid"] for row in rows if row["changed"])
        return Outcome(Acknowledged(changed), touched=changed)

    call = Call(principal, "acknowledgeNotices", {"ids": wanted, "resource": resource}, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(Acknowledged))


def check_hears(principal: Principal) -> None:
    """Raises Forbidden for a key that may not be told what was left for an agent."""
    if not principal.hears_agents:
        raise Forbidden("this key is bound to a resource, and what an agent is told is of none", field="agent")


async def notices(
    graph: Graph,
    principal: Principal,
    *,
    thread: str | None = None,
    agent: str | None = None,
    resource: str | None = None,
) -> list[Notice]:
    """What is still to be told in a thread, and to an agent, oldest first; at most `MAX_OPEN`.

    Raises Forbidden: the key is bound to a resource and not to the agent, whose notices are of no resource.
    """
    principal.require(Scope.READ)
    if thread is not None:
        checks.identifier(thread, "threadId")
    if agent is not None:
        check_hears(principal)
    rows = await graph.read(
        "conversation/notices",
        tenant=principal.tenant, thread=thread, agent=principal.agent_for(agent),
        resource=principal.resource_for(resource), count=MAX_OPEN,
    )  # fmt: skip
    return [Notice.from_row(row["notice"]) for row in rows]
