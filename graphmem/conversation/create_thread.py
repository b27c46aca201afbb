"""`createThread`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation import state
from graphmem.conversation.threads import json_text, no_resource
from graphmem.errors import Conflict, InvalidInput
from graphmem.graph.gateway import Graph, Transaction
from graphmem.ranking.facets import metadata_facets
from graphmem.values import SHARED, ContextType, Scope, new_id, utc_now


class IfExists(StrEnum):
    """What becomes of a call whose thread is there: it is refused, or told of the thread."""

    CONFLICT = "conflict"
    RETURN = "return"


@dataclass(frozen=True, slots=True)
class ThreadInput:
    """A thread as a caller states it."""

    resource: str | None
    id: str | None = None
    title: str | None = None
    context_type: ContextType = ContextType.GENERAL
    topic: str | None = None
    metadata: Mapping[str, Any] | None = None
    speakers: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ThreadChanged:
    id: str
    resource: str
    version: int


async def create_thread(
    graph: Graph,
    principal: Principal,
    given: ThreadInput,
    *,
    if_exists: IfExists = IfExists.CONFLICT,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> ThreadChanged:
    """Make a thread, and its resource where there is none. A title that is given is never replaced by one made up.

    With RETURN, a thread that the resource has under this id is told as it is: nothing of it changes.

    Raises:
        Conflict: the id is in use, or that of the resource is, by something else.
        InvalidInput, LimitExceeded: with the field at fault.
        Forbidden: the key is bound to another resource.
    """
    principal.require(Scope.WRITE)
    resource = owner(principal, given.resource, new=True)
    check_thread(given.title, given.topic, given.speakers, given.metadata)
    if given.id is not None:
        checks.identifier(given.id, "id", new=True)
    uid = given.id or new_id()
    now = utc_now()
    properties = _properties(given, resource, uid, now)

    async def work(tx: Transaction) -> Outcome[ThreadChanged]:
        rows = await tx.run(
            "conversation/create_thread",
            tenant=principal.tenant, resource=resource, uid=uid, properties=properties, now=now,
        )  # fmt: skip
        if not rows[0]["isResource"]:
            raise no_resource(resource, "resourceId")
        if not rows[0]["created"]:
            raise _Known(rows[0]["version"])
        return Outcome(ThreadChanged(uid, resource, 1), touched=[uid])

    call = Call(principal, "createThread", {"thread": given, "ifExists": if_exists}, idempotency_key, dry_run)
    try:
        return await recorded(graph, call, work, *reply_of(ThreadChanged))
    except _Known as known:
        if known.version is None or if_exists is IfExists.CONFLICT:
            raise Conflict(f"the id {uid!r} is in use; nothing was changed", field="id") from None
        return ThreadChanged(uid, resource, known.version)


class _Known(Exception):
    """The id is in use; nothing of the transaction may be kept. `version`: of the resource's thread that has it."""

    def __init__(self, version: int | None) -> None:
        super().__init__("known")
        self.version = version


def _properties(given: ThreadInput, resource: str, uid: str, now: datetime) -> dict[str, Any]:
    metadata = given.metadata or {}
    return {
        "title": given.title, "titlePinned": given.title is not None,
        "titleSource": None if given.title is None else "given",
        "speakers": list(dict.fromkeys(given.speakers)), "contextType": str(given.context_type), "topic": given.topic,
        "metadata": json_text(metadata), "facets": " ".join(metadata_facets(metadata)),
        "messageFacets": " ".join(state.thread_facets(resource, uid)), "lastSeq": 0, "messageCount": 0,
        "lastMessageAt": now, "openCalls": [], "version": 1, "createdAt": now, "updatedAt": now,
    }  # fmt: skip


def owner(principal: Principal, resource: str | None, field: str = "resourceId", *, new: bool = False) -> str:
    """The resource that is named, or that of a bound key. `new`: it may come to be stored."""
    about = principal.resource_for(resource, new=new)
    if about is None:
        raise InvalidInput(f"{field} is missing; name the customer, user or project that it is about", field=field)
    if about == SHARED:
        raise InvalidInput(f"{field} {SHARED!r} stands for what is shared; a thread is about one resource", field=field)
    return about


def check_thread(
    title: str | None, topic: str | None, speakers: Sequence[str] | None, metadata: Mapping[str, Any] | None
) -> None:
    for value, field in ((title, "title"), (topic, "topic")):
        if value is not None:
            checks.text(value, checks.MAX_TITLE, field, limit="max_title")
    checks.labels(speakers, "speakers", new=True)
    checks.metadata(metadata, "metadata")
