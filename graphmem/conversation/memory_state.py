"""Working memory as it is stored: what the verbs read and lock, and the states that its fields are to have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson

from graphmem import checks
from graphmem.access.principal import Principal
from graphmem.conversation import memory_schema, template
from graphmem.conversation.create_thread import owner
from graphmem.conversation.field_names import Names
from graphmem.conversation.fields import MemoryOp, Values, written
from graphmem.conversation.template import Template
from graphmem.conversation.threads import no_resource, no_thread
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Row, Transaction
from graphmem.graph.instants import at_microsecond
from graphmem.values import MemoryKind, MemoryScope, new_id


@dataclass(frozen=True, slots=True)
class Where:
    """Whose working memory: of a resource, or of a thread that is named."""

    scope: MemoryScope = MemoryScope.RESOURCE
    resource: str | None = None
    thread: str | None = None

    def check(self, principal: Principal, *, new: bool = False) -> str | None:
        """The resource that is named, if one is; `new`: it may come to be stored. Raises InvalidInput, Forbidden."""
        if self.thread is not None:
            checks.identifier(self.thread, "threadId")
            return principal.resource_for(self.resource)
        if self.scope is MemoryScope.THREAD:
            raise InvalidInput("threadId is missing; name the thread whose working memory it is", field="threadId")
        return owner(principal, self.resource, new=new)


@dataclass(frozen=True, slots=True)
class MemoryField:
    """What working memory says of one thing. `source`: the message that it rests on; `source_gone`: which was taken
    away; `verify_elsewhere`: another system knows better; `at`: the version of the working memory that brought it."""

    id: str
    name: str
    value: object
    text: str
    tokens: int
    source: str | None
    source_gone: bool
    as_of: datetime
    verify_elsewhere: bool
    version: int
    at: int
    created_at: datetime
    recorded_from: datetime

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> MemoryField:
        """From a map of `working_memory.cypher`, of a field that is set."""
        return cls(
            id=row["uid"], name=row["name"], value=orjson.loads(row["value"]), text=row["text"], tokens=row["tokens"],
            source=row["source"], source_gone=bool(row["sourceGone"]), as_of=at_microsecond(row["asOf"]),
            verify_elsewhere=row["verifyElsewhere"], version=row["version"], at=row["at"],
            created_at=at_microsecond(row["createdAt"]), recorded_from=at_microsecond(row["recordedFrom"]),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Definition:
    """A template or a JSON Schema, as it is stored; neither: any field goes."""

    kind: MemoryKind | None = None
    text: str | None = None

    @classmethod
    def from_row(cls, row: Mapping[str, Any] | None) -> Definition:
        kind = row["kind"] if row else None
        return cls(MemoryKind(kind), row["definition"]) if row and kind else cls()

    @property
    def template(self) -> Template | None:
        return template.parse(self.text) if self.kind is MemoryKind.TEMPLATE and self.text else None

    @property
    def schema(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = orjson.loads(self.text) if self.kind is MemoryKind.SCHEMA and self.text else None
        return found

    @property
    def names(self) -> list[str]:
        """The fields that it names, in its order."""
        form, schema = self.template, self.schema
        return form.names if form else memory_schema.leaves(schema) if schema else []


@dataclass(frozen=True, slots=True)
class Stored:
    """A working memory that is locked. `fields`: rows, those of fields that are unset too, by name; `profile`: the
    id that it has or will have."""

    owner: str
    resource: str
    scope: MemoryScope
    profile: str
    version: int
    definition: Definition
    fields: Mapping[str, Row]

    @property
    def values(self) -> dict[str, object]:
        """What is set, by name."""
        rows = self.fields.values()
        return {row["name"]: orjson.loads(row["value"]) for row in rows if row["value"] is not None}

    def names(self) -> Names:
        return Names(self.definition.names, self.values)


async def locked(tx: Transaction, principal: Principal, where: Where, about: str | None, now: datetime) -> Stored:
    """The working memory, locked until the transaction ends. Raises NotFound, Conflict."""
    if where.scope is MemoryScope.THREAD:
        rows = await tx.run(
            "conversation/lock_thread_memory", tenant=principal.tenant, resource=about, thread=where.thread
        )
        if not rows:
            raise no_thread(str(where.thread))
    else:
        resource = await _resource(tx, principal, where, about)
        rows = await tx.run("conversation/lock_resource_memory", tenant=principal.tenant, resource=resource, now=now)
        if not rows[0]["isOwner"]:
            raise no_resource(str(resource), "resourceId")
    row = rows[0]
    profile = row["profile"] or {"uid": new_id(), "version": 0, "kind": None}
    return Stored(
        row["owner"], row["resource"], where.scope, profile["uid"], profile["version"], Definition.from_row(profile),
        {found["name"]: found for found in row["fields"]},
    )  # fmt: skip


async def _resource(tx: Transaction, principal: Principal, where: Where, about: str | None) -> str | None:
    if where.thread is None:
        return about
    rows = await tx.run("conversation/get_threads", tenant=principal.tenant, resource=about, ids=[where.thread])
    if not rows:
        raise no_thread(where.thread)
    return str(rows[0]["thread"]["resource"])


@dataclass(frozen=True, slots=True)
class NewState:
    """What a field becomes; without `as_of` it is unset."""

    name: str
    value: object
    source: str | None
    as_of: datetime | None
    verify_elsewhere: bool


def changed(
    stored: Stored, after: Values, by: Mapping[str, MemoryOp], sources: Mapping[str, datetime], now: datetime
) -> list[NewState]:
    """The states of the fields that differ from what is stored, in the order in which operations met them.

    `sources`: when the messages were said that the operations rest on; what is to come counts as now.
    """
    states = []
    for name, op in by.items():
        had = stored.fields.get(name)
        was = had if had is not None and had["value"] is not None else None
        if name not in after:
            state = NewState(name, None, op.source, None, False) if was else None
        else:
            state = _set_state(was, name, after[name], op, op.as_of or min(sources.get(op.source or "", now), now))
        if state is not None:
            states.append(state)
    return states


def _set_state(was: Row | None, name: str, value: object, op: MemoryOp, as_of: datetime) -> NewState | None:
    """The state of a field that is set; None where it says so already, as known from there and then."""
    verify = op.verify_elsewhere
    if was is None:
        return NewState(name, value, op.source, as_of, bool(verify))
    verify = was["verifyElsewhere"] if verify is None else verify
    if was["value"] != written(value):
        return NewState(name, value, op.source, as_of, bool(verify))
    source = was["source"] if op.source is None else op.source
    as_of = was["asOf"] if op.source is None and op.as_of is None else as_of
    if (source, as_of, verify) == (was["source"], was["asOf"], was["verifyElsewhere"]):
        return None
    return NewState(name, value, source, as_of, bool(verify))
