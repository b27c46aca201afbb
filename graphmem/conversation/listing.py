"""`threads` and `resources`: filtered pages, stable under inserts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from graphmem import checks
from graphmem.access.principal import Principal
from graphmem.conversation.threads import Resource, Thread
from graphmem.errors import Forbidden, InvalidInput
from graphmem.graph.gateway import Graph, Row
from graphmem.ranking.facets import metadata_facets
from graphmem.values import ContextType, Page, Scope, decode_moment, encode_cursor


class ThreadOrder(StrEnum):
    CREATED_DESC = "created"
    ACTIVE_DESC = "active"


@dataclass(frozen=True, slots=True)
class ThreadFilter:
    """What a thread must have; None or empty: anything. `metadata` is equality of the pairs given."""

    resource: str | None = None
    context_types: Sequence[ContextType] = ()
    topic: str | None = None
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ResourceFilter:
    """What a resource must have; as `ThreadFilter`."""

    name: str | None = None
    metadata: Mapping[str, Any] | None = None

    @property
    def facets(self) -> list[str] | None:
        return metadata_facets(self.metadata or {}) or None

    def passes(self, one: Resource) -> bool:
        return self.name in (None, one.name) and set(self.facets or ()) <= set(metadata_facets(one.metadata))


async def threads(
    graph: Graph, principal: Principal, wanted: ThreadFilter, order: ThreadOrder, first: int, after: str | None
) -> Page[Thread]:
    """A resource's threads from behind `after` on, newest first.

    Without a resource: all of the tenant's, by creation, for a key with the scope admin that is not bound.

    Raises:
        InvalidInput: no resource is named, or `after` is a cursor of another list or order.
        Forbidden: the key is bound to another resource.
    """
    principal.require(Scope.READ)
    about = principal.resource_for(wanted.resource)
    checks.metadata(wanted.metadata, "filter.metadata")
    if about is None:
        _whole_tenant(principal, order)
    time, uid = (None, None) if after is None else decode_moment(after, "after", order)
    params = {
        "tenant": principal.tenant, "contextTypes": [str(kind) for kind in wanted.context_types] or None,
        "topic": wanted.topic, "facets": metadata_facets(wanted.metadata or {}) or None, "afterTime": time,
        "afterId": uid, "count": first + 1,
    }  # fmt: skip
    if about is None:
        rows = await graph.read("conversation/list_threads_tenant", **params)
    else:
        rows = await graph.read(f"conversation/list_threads_{order}", resource=about, **params)
    found = [Thread.from_row(row["thread"]) for row in rows]
    return Page(tuple(found[:first]), tuple(_cursor(one, order) for one in found[:first]), len(found) > first)


async def resources(
    graph: Graph, principal: Principal, wanted: ResourceFilter, first: int, after: str | None
) -> Page[Resource]:
    """The tenant's resources, newest first; for a bound key its own. Raises InvalidInput for another list's cursor."""
    principal.require(Scope.READ)
    checks.metadata(wanted.metadata, "filter.metadata")
    time, uid = (None, None) if after is None else decode_moment(after, "after", "resources")
    if principal.resource is not None:
        # Behind the only one there is none.
        own = [principal.resource] if after is None else []
        rows = await graph.read("conversation/get_resources", tenant=principal.tenant, ids=own)
    else:
        rows = await graph.read(
            "conversation/list_resources",
            tenant=principal.tenant, name=wanted.name, facets=wanted.facets, afterTime=time, afterId=uid,
            count=first + 1,
        )  # fmt: skip
    found = [one for one in map(_resource, rows) if wanted.passes(one)]
    cursors = [encode_cursor("resources", one.created_at.isoformat(), one.id) for one in found[:first]]
    return Page(tuple(found[:first]), tuple(cursors), len(found) > first)


def _resource(row: Row) -> Resource:
    return Resource.from_row(row["resource"])


def _whole_tenant(principal: Principal, order: ThreadOrder) -> None:
    try:
        principal.require(Scope.ADMIN)
    except Forbidden:
        raise InvalidInput(
            "filter.resourceId is missing; only a key with the scope admin may list the threads of all resources",
            field="filter.resourceId",
        ) from None
    if order is not ThreadOrder.CREATED_DESC:
        raise InvalidInput("without filter.resourceId, orderBy must be CREATED_DESC", field="orderBy")


def _cursor(thread: Thread, order: ThreadOrder) -> str:
    time = thread.created_at if order is ThreadOrder.CREATED_DESC else thread.last_message_at
    return encode_cursor(str(order), time.isoformat(), thread.id)
