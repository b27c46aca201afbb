"""Working memory over GraphQL."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation.memory_types import (
    WorkingMemory,
    WorkingMemoryOp,
    WorkingMemoryResult,
    WorkingMemoryState,
)
from graphmem.api.enums import MemoryScope
from graphmem.api.paging import Connection, page_size
from graphmem.api.scalars import JSON
from graphmem.conversation import memory_state, working_memory_history
from graphmem.conversation import working_memory as reading
from graphmem.conversation.define_working_memory import define_working_memory
from graphmem.conversation.undo_working_memory import undo_working_memory
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory

Verify = Annotated[
    bool | None, strawberry.argument(description="Another system knows better: ask that before anything depends on it.")
]


@strawberry.type
class WorkingMemoryQuery:
    @strawberry.field(
        description="What is to be known in every turn: of a resource, which its threads name too, or of a thread."
    )
    async def working_memory(
        self,
        info: Info,
        resource_id: strawberry.ID | None = None,
        thread_id: strawberry.ID | None = None,
        scope: MemoryScope = MemoryScope.RESOURCE,
        as_of: Annotated[datetime | None, strawberry.argument(description="As it was then.")] = None,
    ) -> WorkingMemory:
        where = memory_state.Where(scope, resource_id, thread_id)
        return WorkingMemory.of(await reading.working_memory(info.context.graph, info.context.principal, where, as_of))

    @strawberry.field(description="What fields said, the latest first: all, or one with those below it.")
    async def working_memory_history(
        self,
        info: Info,
        resource_id: strawberry.ID | None = None,
        thread_id: strawberry.ID | None = None,
        scope: MemoryScope = MemoryScope.RESOURCE,
        field: str | None = None,
        first: int = 20,
        after: str | None = None,
    ) -> Connection[WorkingMemoryState]:
        where = memory_state.Where(scope, resource_id, thread_id)
        size = page_size(first, info.context.settings)
        page = await working_memory_history.working_memory_history(
            info.context.graph, info.context.principal, where, field, size, after
        )
        return Connection.of([WorkingMemoryState.of(one) for one in page.items], list(page.cursors), page.has_next)


@strawberry.type
class WorkingMemoryMutation:
    @strawberry.mutation(
        description="Give working memory a form: a Markdown template or a JSON Schema. What is set stays set."
    )
    async def define_working_memory(
        self,
        info: Info,
        template: Annotated[
            str | None, strawberry.argument(description="Headings, and fields as `- Name: (a hint)`.")
        ] = None,
        schema: JSON | None = None,
        resource_id: strawberry.ID | None = None,
        thread_id: strawberry.ID | None = None,
        scope: MemoryScope = MemoryScope.RESOURCE,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> WorkingMemoryResult:
        done = await define_working_memory(
            info.context.graph, info.context.principal, memory_state.Where(scope, resource_id, thread_id),
            markdown=template, schema=schema, expected_version=expected_version, idempotency_key=idempotency_key,
            dry_run=dry_run,
        )  # fmt: skip
        return WorkingMemoryResult.of(done)

    @strawberry.mutation(
        description="Change working memory by `ops`, by `merge`, or by the whole anew as `markdown` or `json`. What is "
        "not named stays."
    )
    async def update_working_memory(
        self,
        info: Info,
        ops: list[WorkingMemoryOp] | None = None,
        merge: Annotated[
            JSON | None,
            strawberry.argument(
                description="Members to set (RFC 7396): those left out stay, null unsets, a list is replaced."
            ),
        ] = None,
        markdown: Annotated[
            str | None, strawberry.argument(description="The whole, as `markdown` of workingMemory, edited.")
        ] = None,
        json: Annotated[
            JSON | None, strawberry.argument(description="The whole, as `json` of workingMemory, edited.")
        ] = None,
        allow_drop: Annotated[
            bool, strawberry.argument(description="Unset what a whole document leaves out; else that is an error.")
        ] = False,
        source_message_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="The message that says so, for all of it.")
        ] = None,
        as_of: datetime | None = None,
        verify_elsewhere: Verify = None,
        resource_id: strawberry.ID | None = None,
        thread_id: strawberry.ID | None = None,
        scope: MemoryScope = MemoryScope.RESOURCE,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> WorkingMemoryResult:
        given = None if ops is None else [one.value_of() for one in ops]
        update = MemoryUpdate(given, merge, markdown, json, allow_drop, source_message_id, as_of, verify_elsewhere)
        done = await update_working_memory(
            info.context.graph, info.context.principal, memory_state.Where(scope, resource_id, thread_id), update,
            expected_version=expected_version, idempotency_key=idempotency_key, dry_run=dry_run,
        )  # fmt: skip
        return WorkingMemoryResult.of(done)

    @strawberry.mutation(
        description="Make fields and form what they were before the last change, or at a version. Undone again, it is "
        "done again."
    )
    async def undo_working_memory(
        self,
        info: Info,
        to_version: Annotated[
            int | None, strawberry.argument(description="0: as it was before the first change.")
        ] = None,
        resource_id: strawberry.ID | None = None,
        thread_id: strawberry.ID | None = None,
        scope: MemoryScope = MemoryScope.RESOURCE,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        dry_run: bool = False,
    ) -> WorkingMemoryResult:
        done = await undo_working_memory(
            info.context.graph, info.context.principal, memory_state.Where(scope, resource_id, thread_id),
            to_version=to_version, expected_version=expected_version, idempotency_key=idempotency_key,
            dry_run=dry_run,
        )  # fmt: skip
        return WorkingMemoryResult.of(done)
