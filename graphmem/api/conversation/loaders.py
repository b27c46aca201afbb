"""What threads and messages of an answer ask for, one trip a level."""

from __future__ import annotations

from typing import cast

from graphmem.api.batching import batched
from graphmem.api.context import Context
from graphmem.conversation import get
from graphmem.conversation.messages import Message, Revision
from graphmem.conversation.threads import Resource, Thread
from graphmem.conversation.turns import Turn
from graphmem.conversation.working_memory import WorkingMemory


async def thread(context: Context, uid: str) -> Thread | None:
    """As it is now: a request may change it several times, so that nothing here is cached."""

    async def fetch(ids: get.Ids) -> dict[str, Thread]:
        return await get.threads_by_id(context.graph, context.principal, ids)

    loader = batched(context, "threads", fetch, cast(Thread, None), cache=False)
    return cast(Thread | None, await loader.load(uid))


async def resource(context: Context, uid: str) -> Resource | None:
    async def fetch(ids: get.Ids) -> dict[str, Resource]:
        return await get.resources_by_id(context.graph, context.principal, ids)

    loader = batched(context, "resources", fetch, cast(Resource, None), cache=False)
    return cast(Resource | None, await loader.load(uid))


async def turn(context: Context, uid: str) -> Turn | None:
    async def fetch(ids: get.Ids) -> dict[str, Turn]:
        return await get.turns_by_id(context.graph, context.principal, ids)

    loader = batched(context, "turns", fetch, cast(Turn, None), cache=False)
    return cast(Turn | None, await loader.load(uid))


async def message(context: Context, uid: str) -> Message | None:
    async def fetch(ids: get.Ids) -> dict[str, Message]:
        return await get.messages_by_id(context.graph, context.principal, ids)

    loader = batched(context, "messages", fetch, cast(Message, None), cache=False)
    return cast(Message | None, await loader.load(uid))


async def threads_of(context: Context, uid: str, count: int) -> list[Thread]:
    async def fetch(ids: get.Ids) -> dict[str, list[Thread]]:
        return await get.threads_of(context.graph, context.principal, ids, count)

    none: list[Thread] = []
    return cast(list[Thread], await batched(context, ("threads of", count), fetch, none, cache=False).load(uid))


async def memory(context: Context, uid: str) -> WorkingMemory | None:
    """Of a resource or a thread."""

    async def fetch(ids: get.Ids) -> dict[str, WorkingMemory]:
        return await get.memories_of(context.graph, context.principal, ids)

    loader = batched(context, "memories", fetch, cast(WorkingMemory, None), cache=False)
    return cast(WorkingMemory | None, await loader.load(uid))


async def related(context: Context, uid: str) -> list[Thread]:
    async def fetch(ids: get.Ids) -> dict[str, list[Thread]]:
        return await get.related_threads(context.graph, context.principal, ids)

    none: list[Thread] = []
    return cast(list[Thread], await batched(context, "related", fetch, none, cache=False).load(uid))


async def said_in(context: Context, uid: str, count: int) -> list[Message]:
    async def fetch(ids: get.Ids) -> dict[str, list[Message]]:
        return await get.said_in(context.graph, context.principal, ids, count)

    none: list[Message] = []
    return cast(list[Message], await batched(context, ("said in", count), fetch, none, cache=False).load(uid))


async def newest(context: Context, uid: str, count: int) -> list[Message]:
    async def fetch(ids: get.Ids) -> dict[str, list[Message]]:
        return await get.last_messages(context.graph, context.principal, ids, count)

    none: list[Message] = []
    return cast(list[Message], await batched(context, ("newest", count), fetch, none, cache=False).load(uid))


async def revisions(context: Context, uid: str, count: int) -> list[Revision]:
    async def fetch(ids: get.Ids) -> dict[str, list[Revision]]:
        return await get.revisions(context.graph, context.principal, ids, count)

    none: list[Revision] = []
    return cast(list[Revision], await batched(context, ("revisions", count), fetch, none, cache=False).load(uid))
