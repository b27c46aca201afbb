"""Working memory as GraphQL shows and takes it."""

from __future__ import annotations

from datetime import datetime

import strawberry

from graphmem.api.context import Info
from graphmem.api.conversation import loaders
from graphmem.api.conversation.types import Message
from graphmem.api.enums import MemoryKind, MemoryOpKind, MemoryScope
from graphmem.api.knowledge.types import WarningType
from graphmem.api.scalars import JSON, JSONValue
from graphmem.conversation import memory_change, memory_state, working_memory_history
from graphmem.conversation import working_memory as reading
from graphmem.conversation.fields import MemoryOp
from graphmem.conversation.update_working_memory import MemoryUpdate
from graphmem.conversation.with_turn import TurnMemory


@strawberry.input(
    description="What to do to a field. SET gives it `value`: of an object, each member; UNSET takes it and all below "
    "it away; APPEND adds to a list what it does not have, REMOVE takes items off it. null is no value."
)
class WorkingMemoryOp:
    op: MemoryOpKind
    field: str = strawberry.field(
        description="Its name, with a dot before each further part, as `work.stage`; the last part alone where only "
        "one field of the template or schema ends so."
    )
    value: JSONValue | None = None
    expected_version: int | None = strawberry.field(
        default=None, description="The field's version; 0: it was never set."
    )
    source_message_id: strawberry.ID | None = strawberry.field(default=None, description="The message that says so.")
    as_of: datetime | None = strawberry.field(
        default=None, description="When it was so; left out: when the message was said, or now."
    )
    verify_elsewhere: bool | None = None

    def value_of(self) -> MemoryOp:
        return MemoryOp(
            self.op, self.field, self.value, self.expected_version, self.source_message_id, self.as_of,
            self.verify_elsewhere,
        )  # fmt: skip


@strawberry.input(
    description="What a turn makes known: fields of its resource's working memory, or of its thread's. Give `ops` or "
    "`merge`, as updateWorkingMemory takes them; both may rest on messages of the turn."
)
class TurnMemoryInput:
    ops: list[WorkingMemoryOp] | None = None
    merge: JSON | None = None
    scope: MemoryScope = MemoryScope.RESOURCE
    source_message_id: strawberry.ID | None = None
    as_of: datetime | None = None
    verify_elsewhere: bool | None = None
    expected_version: int | None = None

    def value_of(self) -> TurnMemory:
        ops = None if self.ops is None else [one.value_of() for one in self.ops]
        update = MemoryUpdate(
            ops, self.merge, source=self.source_message_id, as_of=self.as_of, verify_elsewhere=self.verify_elsewhere
        )
        return TurnMemory(update, self.scope, self.expected_version)


@strawberry.type(description="What working memory says of one thing: a note, never the system of record.")
class WorkingMemoryField:
    id: strawberry.ID
    name: str
    value: JSONValue
    text: str = strawberry.field(description="The value in words; items of a list in a row.")
    tokens: int
    as_of: datetime
    source_message_id: strawberry.ID | None
    source_gone: bool = strawberry.field(description="The message that it rests on was deleted, or is elsewhere now.")
    verify_elsewhere: bool = strawberry.field(
        description="Another system knows better: ask that before anything depends on it."
    )
    version: int
    created_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, one: memory_state.MemoryField) -> WorkingMemoryField:
        return cls(
            id=strawberry.ID(one.id), name=one.name, value=JSONValue(one.value), text=one.text, tokens=one.tokens,
            as_of=one.as_of, source_message_id=None if one.source is None else strawberry.ID(one.source),
            source_gone=one.source_gone, verify_elsewhere=one.verify_elsewhere, version=one.version,
            created_at=one.created_at, updated_at=one.recorded_from,
        )  # fmt: skip

    @strawberry.field(description="The message that it rests on; null when there is none, or it is gone.")
    async def source_message(self, info: Info) -> Message | None:
        if self.source_message_id is None or self.source_gone:
            return None
        found = await loaders.message(info.context, str(self.source_message_id))
        return None if found is None else Message.of(found)


@strawberry.type(description="What is to be known in every turn, of a resource or of a thread.")
class WorkingMemory:
    scope: MemoryScope
    resource_id: strawberry.ID
    thread_id: strawberry.ID | None
    kind: MemoryKind | None
    template: str | None
    schema: JSON | None
    version: int = strawberry.field(description="Counts every change; 0: there is nothing yet.")
    fields: list[WorkingMemoryField] = strawberry.field(
        description="What is set, in the order of the template or schema, then the others."
    )
    missing: list[str] = strawberry.field(description="Names that the template or schema has and that are not set.")
    markdown: str = strawberry.field(description="The template filled in; hints stand where nothing is set.")
    json: JSONValue
    tokens: int = strawberry.field(description="Of `markdown`.")
    updated_at: datetime | None
    warnings: list[WarningType]

    @classmethod
    def of(cls, one: reading.WorkingMemory) -> WorkingMemory:
        form, is_template = one.definition, one.definition.kind is MemoryKind.TEMPLATE
        return cls(
            scope=one.scope, resource_id=strawberry.ID(one.resource),
            thread_id=strawberry.ID(one.owner) if one.scope is MemoryScope.THREAD else None, kind=form.kind,
            template=form.text if is_template else None, schema=None if form.schema is None else JSON(form.schema),
            version=one.version, fields=[WorkingMemoryField.of(each) for each in one.fields],
            missing=list(one.missing), markdown=one.markdown, json=JSONValue(one.json), tokens=one.tokens,
            updated_at=one.updated_at, warnings=[WarningType.of(each) for each in one.warnings],
        )  # fmt: skip


@strawberry.type(description="What a field said for a while; without a value it was unset.")
class WorkingMemoryState:
    name: str
    value: JSONValue | None
    text: str | None
    source_message_id: strawberry.ID | None
    as_of: datetime | None
    verify_elsewhere: bool
    version: int
    memory_version: int = strawberry.field(description="The version of the working memory that brought it.")
    recorded_from: datetime
    recorded_to: datetime | None = strawberry.field(description="null: it still says so.")
    action: str | None = strawberry.field(description="The operation that brought it.")
    key_name: str | None
    agent: str | None

    @classmethod
    def of(cls, one: working_memory_history.FieldState) -> WorkingMemoryState:
        return cls(
            name=one.name, value=None if one.value is None else JSONValue(one.value), text=one.text,
            source_message_id=None if one.source is None else strawberry.ID(one.source), as_of=one.as_of,
            verify_elsewhere=one.verify_elsewhere, version=one.version, memory_version=one.at,
            recorded_from=one.recorded_from, recorded_to=one.recorded_to, action=one.action, key_name=one.key_name,
            agent=one.agent,
        )  # fmt: skip


@strawberry.type(description="A field that changed; null: unset.")
class WorkingMemoryChange:
    name: str
    before: JSONValue | None
    after: JSONValue | None
    version: int = strawberry.field(description="The field's.")


@strawberry.type(description="Working memory after a change; `changed` is false when all was so before.")
class WorkingMemoryResult:
    scope: MemoryScope
    resource_id: strawberry.ID
    thread_id: strawberry.ID | None
    version: int
    changed: bool
    defined: bool = strawberry.field(description="Its template or schema is another one now.")
    changes: list[WorkingMemoryChange]
    warnings: list[WarningType]

    @classmethod
    def of(cls, done: memory_change.MemoryChanged) -> WorkingMemoryResult:
        return cls(
            scope=done.scope, resource_id=strawberry.ID(done.resource),
            thread_id=strawberry.ID(done.owner) if done.scope is MemoryScope.THREAD else None, version=done.version,
            changed=done.changed, defined=done.defined, warnings=[WarningType.of(each) for each in done.warnings],
            changes=[
                WorkingMemoryChange(
                    name=one.name, before=None if one.before is None else JSONValue(one.before),
                    after=None if one.after is None else JSONValue(one.after), version=one.version,
                )
                for one in done.changes or ()
            ],
        )  # fmt: skip

    @strawberry.field(description="The working memory as it is now.")
    async def memory(self, info: Info) -> WorkingMemory:
        where = memory_state.Where(self.scope, str(self.resource_id), self.thread_id and str(self.thread_id))
        return WorkingMemory.of(await reading.working_memory(info.context.graph, info.context.principal, where))
