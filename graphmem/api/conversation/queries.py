"""Reading conversations over GraphQL."""

from __future__ import annotations

from typing import Annotated

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation.inputs import MessageFilterInput, ResourceFilterInput, ThreadFilterInput
from graphmem.api.conversation.thread_types import Resource, Thread, Turn
from graphmem.api.conversation.types import Message, Notice
from graphmem.api.enums import ThreadOrder
from graphmem.api.paging import Connection, bounded, page_size
from graphmem.conversation import get, listing
from graphmem.conversation.notices import notices
from graphmem.conversation.page import messages
from graphmem.conversation.threads import no_thread


@strawberry.type
class ConversationQuery:
    @strawberry.field(description="The tenant's resources, newest first; a bound key sees its own.")
    async def resources(
        self, info: Info, filter: ResourceFilterInput | None = None, first: int = 20, after: str | None = None
    ) -> Connection[Resource]:
        size = page_size(first, info.context.settings)
        wanted = (filter or ResourceFilterInput()).value()
        page = await listing.resources(info.context.graph, info.context.principal, wanted, size, after)
        return Connection.of([Resource.of(one) for one in page.items], list(page.cursors), page.has_next)

    @strawberry.field(description="A resource by its id; null when there is none that you may see.")
    async def resource(self, info: Info, id: strawberry.ID) -> Resource | None:
        found = (await get.resources_by_id(info.context.graph, info.context.principal, [id])).get(id)
        return None if found is None else Resource.of(found)

    @strawberry.field(description="A thread by its id; null when there is none that you may see.")
    async def thread(self, info: Info, id: strawberry.ID, resource_id: strawberry.ID | None = None) -> Thread | None:
        found = await get.threads_by_id(info.context.graph, info.context.principal, [id], resource_id)
        return Thread.of(found[id]) if id in found else None

    @strawberry.field(description="A resource's threads, newest first.")
    async def threads(
        self,
        info: Info,
        filter: ThreadFilterInput | None = None,
        order_by: ThreadOrder = ThreadOrder.CREATED_DESC,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[Thread]:
        wanted = (filter or ThreadFilterInput()).value()
        size = page_size(first, info.context.settings)
        page = await listing.threads(info.context.graph, info.context.principal, wanted, order_by, size, after)
        return Connection.of([Thread.of(one) for one in page.items], list(page.cursors), page.has_next)

    @strawberry.field(description="The threads that one is linked with, either way.")
    async def related_threads(
        self, info: Info, id: strawberry.ID, resource_id: strawberry.ID | None = None
    ) -> list[Thread]:
        graph, principal = info.context.graph, info.context.principal
        if not await get.threads_by_id(graph, principal, [id], resource_id):
            raise no_thread(id, "id")
        found = await get.related_threads(graph, principal, [id], resource_id)
        return [Thread.of(one) for one in found.get(id, ())]

    @strawberry.field(description="A turn by its id; null when there is none that you may see.")
    async def turn(self, info: Info, id: strawberry.ID, resource_id: strawberry.ID | None = None) -> Turn | None:
        found = await get.turns_by_id(info.context.graph, info.context.principal, [id], resource_id)
        return Turn.of(found[id]) if id in found else None

    @strawberry.field(
        description="A thread's messages in order: `first` behind `after`, or `last` before `before`; by default the "
        "newest. `around` a message: that, `last` before it and `first` after it, 10 each by default. `filter` "
        "passes over all others."
    )
    async def messages(
        self,
        info: Info,
        thread_id: strawberry.ID,
        first: int | None = None,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
        around: Annotated[strawberry.ID | None, strawberry.argument(description="The id of a message.")] = None,
        filter: MessageFilterInput | None = None,
        resource_id: strawberry.ID | None = None,
    ) -> Connection[Message]:
        settings = info.context.settings
        for count, field in ((first, "first"), (last, "last")):
            if count is not None:
                bounded(count, 1 if around is None else 0, settings.max_page, "max_page", field)
        page = await messages(
            info.context.graph, info.context.principal, thread_id, first=first, after=after, last=last, before=before,
            around=around, wanted=(filter or MessageFilterInput()).value(), resource=resource_id,
        )  # fmt: skip
        items = [Message.of(one) for one in page.items]
        return Connection.of(items, list(page.cursors), page.has_next, page.has_previous)

    @strawberry.field(description="What is still to be told in a thread, and to an agent, oldest first; at most 100.")
    async def notices(
        self,
        info: Info,
        thread_id: strawberry.ID | None = None,
        agent: str | None = None,
        resource_id: strawberry.ID | None = None,
    ) -> list[Notice]:
        found = await notices(
            info.context.graph, info.context.principal, thread=thread_id, agent=agent, resource=resource_id
        )
        return [Notice.of(one) for one in found]
