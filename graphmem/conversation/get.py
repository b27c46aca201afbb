"""Resources, threads, turns and messages by their ids; each as many as wanted in one trip."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.access.principal import Principal
from graphmem.conversation.messages import Message, Revision, parts_from
from graphmem.conversation.threads import Resource, Thread
from graphmem.conversation.turns import Turn
from graphmem.conversation.working_memory import WorkingMemory, memory_from_row
from graphmem.graph.gateway import Graph
from graphmem.ranking import tokens
from graphmem.values import FOREVER, Scope

Ids = Sequence[str]

MAX_RELATED = 100


async def threads_by_id(graph: Graph, principal: Principal, ids: Ids, resource: str | None = None) -> dict[str, Thread]:
    """Those that the caller may see, by id. Raises Forbidden for a resource that the key may not name."""
    principal.require(Scope.READ)
    about = principal.resource_for(resource)
    rows = await graph.read("conversation/get_threads", tenant=principal.tenant, resource=about, ids=list(ids))
    return {row["thread"]["uid"]: Thread.from_row(row["thread"]) for row in rows}


async def resources_by_id(graph: Graph, principal: Principal, ids: Ids) -> dict[str, Resource]:
    """Those that the caller may see, by id."""
    principal.require(Scope.READ)
    own = [uid for uid in ids if principal.resource in (None, uid)]
    rows = await graph.read("conversation/get_resources", tenant=principal.tenant, ids=own)
    return {row["resource"]["uid"]: Resource.from_row(row["resource"]) for row in rows}


async def threads_of(graph: Graph, principal: Principal, ids: Ids, count: int) -> dict[str, list[Thread]]:
    """The threads of each resource, those with the newest messages first, at most `count`."""
    principal.require(Scope.READ)
    own = [uid for uid in ids if principal.resource in (None, uid)]
    rows = await graph.read("conversation/threads_of", tenant=principal.tenant, ids=own, count=count)
    found: dict[str, list[Thread]] = {}
    for row in rows:
        found.setdefault(row["id"], []).append(Thread.from_row(row["thread"]))
    return found


async def memories_of(graph: Graph, principal: Principal, ids: Ids) -> dict[str, WorkingMemory]:
    """The working memories of resources and threads, by the ids of these; empty ones too."""
    principal.require(Scope.READ)
    await tokens.load()
    rows = await graph.read(
        "conversation/memories_of", tenant=principal.tenant, resource=principal.resource, ids=list(ids)
    )
    return {row["owner"]: memory_from_row(graph.settings, row) for row in rows}


async def turns_by_id(graph: Graph, principal: Principal, ids: Ids, resource: str | None = None) -> dict[str, Turn]:
    """Those that the caller may see, by id; a key bound to an agent sees that agent's."""
    principal.require(Scope.READ)
    about = principal.resource_for(resource)
    rows = await graph.read(
        "conversation/turns", tenant=principal.tenant, resource=about, agent=principal.agent, ids=list(ids)
    )
    return {row["turn"]["uid"]: Turn.from_row(row["turn"]) for row in rows}


async def said_in(graph: Graph, principal: Principal, ids: Ids, count: int) -> dict[str, list[Message]]:
    """The first `count` messages of each turn in order, staged ones while it is open; seen by who sees the turn."""
    principal.require(Scope.READ)
    rows = await graph.read(
        "conversation/said_in",
        tenant=principal.tenant, resource=principal.resource, agent=principal.agent, ids=list(ids), count=count,
    )  # fmt: skip
    found: dict[str, list[Message]] = {}
    for row in rows:
        found.setdefault(row["id"], []).append(Message.from_row(row["message"]))
    return found


async def messages_by_id(
    graph: Graph, principal: Principal, ids: Ids, resource: str | None = None
) -> dict[str, Message]:
    """Those that the caller may see, by id; staged ones are not among them."""
    principal.require(Scope.READ)
    about = principal.resource_for(resource)
    rows = await graph.read("conversation/get_messages", tenant=principal.tenant, resource=about, ids=list(ids))
    return {row["message"]["uid"]: Message.from_row(row["message"]) for row in rows}


async def related_threads(
    graph: Graph, principal: Principal, ids: Ids, resource: str | None = None
) -> dict[str, list[Thread]]:
    """The threads that each is linked with, whichever way, at most `MAX_RELATED`, those with the newest messages."""
    principal.require(Scope.READ)
    about = principal.resource_for(resource)
    rows = await graph.read(
        "conversation/related_threads",
        tenant=principal.tenant, resource=about, ids=list(ids), open=FOREVER, count=MAX_RELATED,
    )  # fmt: skip
    found: dict[str, list[Thread]] = {}
    for row in rows:
        found.setdefault(row["id"], []).append(Thread.from_row(row["thread"]))
    return found


async def last_messages(
    graph: Graph, principal: Principal, ids: Ids, count: int, resource: str | None = None
) -> dict[str, list[Message]]:
    """The newest `count` messages of each thread, in order."""
    principal.require(Scope.READ)
    about = principal.resource_for(resource)
    rows = await graph.read(
        "conversation/last_messages", tenant=principal.tenant, resource=about, ids=list(ids), count=count
    )
    found: dict[str, list[Message]] = {}
    for row in rows:
        found.setdefault(row["id"], []).append(Message.from_row(row["message"]))
    return found


async def revisions(
    graph: Graph, principal: Principal, ids: Ids, count: int, resource: str | None = None
) -> dict[str, list[Revision]]:
    """What each message said before, the latest first, at most `count` of each."""
    principal.require(Scope.READ)
    about = principal.resource_for(resource)
    rows = await graph.read(
        "conversation/revisions", tenant=principal.tenant, resource=about, ids=list(ids), count=count
    )
    found: dict[str, list[Revision]] = {}
    for row in rows:
        had = row["revision"]
        said = parts_from(had["parts"]), had["content"] or ""
        state = Revision(had["version"], *said, had["recordedFrom"], had["recordedTo"])
        found.setdefault(row["id"], []).append(state)
    return found
