"""What threads and messages of an answer ask for, one trip a level."""

from __future__ import annotations

from typing import TypeVar, cast

from graphmem.api.batching import batched
from graphmem.api.context import Context
from graphmem.conversation import get
from graphmem.conversation.messages import Message, Revision
from graphmem.conversation.threads import Resource, Thread
from graphmem.conversation.turns import Turn

V = TypeVar("V")


async def thread(context: Context, uid: str) -> Thread | None:
    """As it is now: it may have been changed earlier in this request."""
    loader = batched(
        context, "threads", lambda ids: get.threads_by_id(context.graph, context.principal, ids), cast(Thread, None)
    )
    loader.clear(uid)
    return cast(Thread | None, await loader.load(uid))


async def resource(context: Context, uid: str) -> Resource | None:
    absent = cast(Resource, None)
    loader = batched(
        context, "resources", lambda ids: get.resources_by_id(context.graph, context.principal, ids), absent
    )
    loader.clear(uid)
    return cast(Resource | None, await loader.load(uid))


async def turn(context: Context, uid: str) -> Turn | None:
    """As it is now, as `thread`."""
    loader = batched(
        context, "turns", lambda ids: get.turns_by_id(context.graph, context.principal, ids), cast(Turn, None)
    )
    loader.clear(uid)
    return cast(Turn | None, await loader.load(uid))


async def message(context: Context, uid: str) -> Message | None:
    """As it is now, as `thread`."""
    loader = batched(
        context, "messages", lambda ids: get.messages_by_id(context.graph, context.principal, ids), cast(Message, None)
    )
    loader.clear(uid)
    return cast(Message | None, await loader.load(uid))


async def related(context: Context, uid: str) -> list[Thread]:
    none: list[Thread] = []
    loader = batched(context, "related", lambda ids: get.related_threads(context.graph, context.principal, ids), none)
    return cast(list[Thread], await loader.load(uid))


async def newest(context: Context, uid: str, count: int) -> list[Message]:
    none: list[Message] = []
    loader = batched(
        context, ("newest", count),
        lambda ids: get.last_messages(context.graph, context.principal, ids, count), none,
    )  # fmt: skip
    return cast(list[Message], await loader.load(uid))


async def revisions(context: Context, uid: str) -> list[Revision]:
    none: list[Revision] = []
    loader = batched(context, "revisions", lambda ids: get.revisions(context.graph, context.principal, ids), none)
    return cast(list[Revision], await loader.load(uid))
