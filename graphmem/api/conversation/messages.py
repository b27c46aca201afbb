"""Messages corrected and taken away, and notices, over GraphQL."""

from __future__ import annotations

from datetime import datetime

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation import loaders
from graphmem.api.conversation.inputs import MessagePartInput, parts_of
from graphmem.api.conversation.types import Message
from graphmem.conversation.delete_messages import delete_messages
from graphmem.conversation.edit_message import edit_message
from graphmem.conversation.notices import acknowledge_notices, post_notice


@strawberry.type(description="A message after an edit; `changed` is false when it said so before.")
class MessageResult:
    id: strawberry.ID
    thread_id: strawberry.ID
    version: int
    changed: bool

    @strawberry.field(description="The message as it is now.")
    async def message(self, info: Info) -> Message | None:
        found = await loaders.message(info.context, str(self.id))
        return None if found is None else Message.of(found)


@strawberry.type(description="Messages whose words are gone, with their pieces and earlier versions.")
class MessagesDeleteResult:
    ids: list[strawberry.ID]
    chunks: int
    revisions: int


@strawberry.type(description="A notice that was posted.")
class NoticeResult:
    id: strawberry.ID


@strawberry.type(description="Notices that were not acknowledged before.")
class AcknowledgeResult:
    ids: list[strawberry.ID]


@strawberry.type
class MessageMutation:
    @strawberry.mutation(description="Give a message other words; what it said before is kept.")
    async def edit_message(
        self,
        info: Info,
        id: strawberry.ID,
        text: str | None = None,
        parts: list[MessagePartInput] | None = None,
        expected_version: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> MessageResult:
        done = await edit_message(
            info.context.graph, info.context.principal, id, parts_of(text, parts, "editMessage"),
            expected_version=expected_version, resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        info.context.services.wake()
        return MessageResult(
            id=strawberry.ID(done.id), thread_id=strawberry.ID(done.thread), version=done.version, changed=done.changed
        )

    @strawberry.mutation(description="Take what messages said away for good; their places in the thread stay.")
    async def delete_messages(
        self,
        info: Info,
        ids: list[strawberry.ID],
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> MessagesDeleteResult:
        done = await delete_messages(
            info.context.graph, info.context.principal, ids, resource=resource_id, idempotency_key=idempotency_key,
            dry_run=dry_run,
        )  # fmt: skip
        return MessagesDeleteResult(
            ids=[strawberry.ID(uid) for uid in done.ids], chunks=done.chunks, revisions=done.revisions
        )

    @strawberry.mutation(description="Leave word for a thread or an agent, until it is acknowledged or over.")
    async def post_notice(
        self,
        info: Info,
        text: str,
        thread_id: strawberry.ID | None = None,
        agent: str | None = None,
        source: str | None = None,
        expires_at: datetime | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> NoticeResult:
        done = await post_notice(
            info.context.graph, info.context.principal, text, thread=thread_id, agent=agent, source=source,
            expires_at=expires_at, resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return NoticeResult(id=strawberry.ID(done.id))

    @strawberry.mutation(description="Have notices told no more.")
    async def acknowledge_notices(
        self,
        info: Info,
        ids: list[strawberry.ID],
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> AcknowledgeResult:
        done = await acknowledge_notices(
            info.context.graph, info.context.principal, ids, resource=resource_id, idempotency_key=idempotency_key,
            dry_run=dry_run,
        )  # fmt: skip
        return AcknowledgeResult(ids=[strawberry.ID(uid) for uid in done.ids])
