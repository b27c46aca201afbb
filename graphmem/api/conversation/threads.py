"""Making and changing threads over GraphQL."""

from __future__ import annotations

from typing import Annotated

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation import loaders
from graphmem.api.conversation.inputs import ThreadPatchInput
from graphmem.api.conversation.thread_types import Resource, Thread
from graphmem.api.enums import ContextType, IfExists
from graphmem.api.patch import stated
from graphmem.api.scalars import JSON
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.conversation.delete_thread import delete_thread
from graphmem.conversation.link_threads import link_threads
from graphmem.conversation.threads import KEPT
from graphmem.conversation.update_resource import ResourcePatch, update_resource
from graphmem.conversation.update_thread import update_thread


@strawberry.type(description="A thread after a change.")
class ThreadResult:
    id: strawberry.ID
    resource_id: strawberry.ID
    version: int

    @strawberry.field(description="The thread as it is now; null after a dry run that would make it.")
    async def thread(self, info: Info) -> Thread | None:
        found = await loaders.thread(info.context, str(self.id))
        return None if found is None else Thread.of(found)


@strawberry.type(description="A resource after a change.")
class ResourceResult:
    id: strawberry.ID
    version: int

    @strawberry.field(description="The resource as it is now; null after a dry run that would make it.")
    async def resource(self, info: Info) -> Resource | None:
        found = await loaders.resource(info.context, str(self.id))
        return None if found is None else Resource.of(found)


@strawberry.type(description="A copy of a thread, with so many messages.")
class CloneResult:
    id: strawberry.ID
    source_id: strawberry.ID
    resource_id: strawberry.ID
    messages: int

    @strawberry.field(description="The copy; null after a dry run.")
    async def thread(self, info: Info) -> Thread | None:
        found = await loaders.thread(info.context, str(self.id))
        return None if found is None else Thread.of(found)


@strawberry.type(description="Two threads that are linked, or no longer; `changed` is false when it was so before.")
class ThreadLinkResult:
    source_id: strawberry.ID = strawberry.field(name="from")
    target_id: strawberry.ID = strawberry.field(name="to")
    changed: bool


@strawberry.type(description="How much of each went with a thread.")
class ThreadDeleteResult:
    id: strawberry.ID
    turns: int
    messages: int
    chunks: int
    revisions: int
    notices: int
    jobs: int
    fields: int = strawberry.field(description="Of its working memory.")
    fields_kept: int = strawberry.field(
        description="Of its resource's working memory: they rest on what was said here, and now say that it is gone."
    )


@strawberry.type
class ThreadMutation:
    @strawberry.mutation(description="Make a thread, and its resource where there is none.")
    async def create_thread(
        self,
        info: Info,
        resource_id: strawberry.ID | None = None,
        id: strawberry.ID | None = None,
        title: str | None = None,
        context_type: ContextType = ContextType.GENERAL,
        topic: str | None = None,
        metadata: JSON | None = None,
        speakers: list[str] | None = None,
        if_exists: Annotated[
            IfExists,
            strawberry.argument(description="Where the resource has a thread of this id; RETURN changes none."),
        ] = IfExists.CONFLICT,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> ThreadResult:
        given = ThreadInput(resource_id, id, title, context_type, topic, metadata, speakers or ())
        done = await create_thread(
            info.context.graph, info.context.principal, given, if_exists=if_exists, idempotency_key=idempotency_key,
            dry_run=dry_run,
        )  # fmt: skip
        return ThreadResult(id=strawberry.ID(done.id), resource_id=strawberry.ID(done.resource), version=done.version)

    @strawberry.mutation(description="Change a thread, or move it to another resource.")
    async def update_thread(
        self,
        info: Info,
        id: strawberry.ID,
        patch: ThreadPatchInput,
        expected_version: int | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> ThreadResult:
        done = await update_thread(
            info.context.graph, info.context.principal, id, patch.value(), expected_version=expected_version,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return ThreadResult(id=strawberry.ID(done.id), resource_id=strawberry.ID(done.resource), version=done.version)

    @strawberry.mutation(description="Change what is known of a resource, which is made where there is none.")
    async def update_resource(
        self,
        info: Info,
        id: strawberry.ID | None = None,
        name: Annotated[str | None, strawberry.argument(description="null takes it away.")] = strawberry.UNSET,
        metadata: JSON | None = strawberry.UNSET,
        speakers: list[str] | None = strawberry.UNSET,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> ResourceResult:
        patch = ResourcePatch(
            name=KEPT if name is strawberry.UNSET else name,
            metadata=stated(metadata, "metadata", '{"key": null}'),
            speakers=stated(speakers, "speakers", "[]"),
        )
        done = await update_resource(
            info.context.graph, info.context.principal, id, patch, expected_version=expected_version,
            idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return ResourceResult(id=strawberry.ID(done.id), version=done.version)

    @strawberry.mutation(description="Link two threads of one resource, or take their link away.")
    async def link_threads(
        self,
        info: Info,
        source_id: Annotated[strawberry.ID, strawberry.argument(name="from")],
        target_id: Annotated[strawberry.ID, strawberry.argument(name="to")],
        reason: str | None = None,
        unlink: bool = False,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> ThreadLinkResult:
        done = await link_threads(
            info.context.graph, info.context.principal, source_id, target_id, reason, unlink=unlink,
            resource=resource_id, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return ThreadLinkResult(
            source_id=strawberry.ID(done.first), target_id=strawberry.ID(done.second), changed=done.changed
        )

    @strawberry.mutation(description="Copy a thread, up to a place in it, to go on from there.")
    async def clone_thread(
        self,
        info: Info,
        id: strawberry.ID,
        up_to_seq: int | None = None,
        new_id: strawberry.ID | None = None,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> CloneResult:
        done = await clone_thread(
            info.context.graph, info.context.principal, id, up_to_seq=up_to_seq, new=new_id, resource=resource_id,
            idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return CloneResult(
            id=strawberry.ID(done.id), source_id=strawberry.ID(done.source), resource_id=strawberry.ID(done.resource),
            messages=done.messages,
        )  # fmt: skip

    @strawberry.mutation(description="Take a thread away for good, with all that stems from it alone.")
    async def delete_thread(
        self,
        info: Info,
        id: strawberry.ID,
        resource_id: strawberry.ID | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> ThreadDeleteResult:
        done = await delete_thread(
            info.context.graph, info.context.principal, id, resource=resource_id, idempotency_key=idempotency_key,
            dry_run=dry_run,
        )  # fmt: skip
        return ThreadDeleteResult(
            id=strawberry.ID(done.id), turns=done.turns, messages=done.messages, chunks=done.chunks,
            revisions=done.revisions, notices=done.notices, jobs=done.jobs, fields=done.fields,
            fields_kept=done.fields_kept,
        )  # fmt: skip
