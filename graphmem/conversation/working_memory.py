"""`workingMemory`: what is to be known in every turn, of a resource and of a thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.config import Settings
from graphmem.conversation.fields import nested
from graphmem.conversation.memory_state import Definition, MemoryField, Where
from graphmem.conversation.template import labelled, render
from graphmem.conversation.threads import no_thread
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.instants import at_microsecond
from graphmem.ranking import tokens
from graphmem.values import MemoryScope, Scope, Warning

NAMED = 5
"""How many of the largest fields a warning names."""


@dataclass(frozen=True, slots=True)
class WorkingMemory:
    """`fields`: what is set, in the order of the form, then the others as they came; `missing`: what the form has and
    is not set. `markdown`: the template filled in, hints where nothing is set; `tokens`: of it. `version` 0: there is
    nothing yet, and `profile` is None. It is a note, never the system of record."""

    scope: MemoryScope
    owner: str
    resource: str
    profile: str | None
    version: int
    definition: Definition
    fields: tuple[MemoryField, ...]
    missing: tuple[str, ...]
    markdown: str
    json: dict[str, object]
    tokens: int
    updated_at: datetime | None
    warnings: tuple[Warning, ...]


async def working_memory(
    graph: Graph, principal: Principal, where: Where, as_of: datetime | None = None
) -> WorkingMemory:
    """As it is, or was at `as_of`; empty where nothing was ever written.

    Raises:
        NotFound: there is no such thread, or it is another resource's.
        InvalidInput: the thread or resource is missing, or `as_of` is to come.
    """
    about = where.check(principal)
    found = await memories(graph, principal, about, where.thread, as_of)
    if where.thread is not None and not found:
        raise no_thread(where.thread)
    nothing = Row(owner=about, resource=about, scope=str(where.scope), profile=None, fields=[])
    return next((one for one in found if one.scope is where.scope), None) or memory_from_row(graph.settings, nothing)


async def memories(
    graph: Graph, principal: Principal, resource: str | None, thread: str | None, as_of: datetime | None = None
) -> list[WorkingMemory]:
    """That of a thread and that of its resource, or of a resource alone, in one trip. None: there is no such owner."""
    principal.require(Scope.READ)
    at = View.of(principal).at(as_of, None).as_of
    await tokens.load()
    whose = {"tenant": principal.tenant, "resource": principal.resource_for(resource), "thread": thread}
    if at is None:
        rows = await graph.read("conversation/working_memory", **whose)
    else:
        rows = await graph.read("conversation/working_memory_as_of", **whose, asOf=at)
    return [memory_from_row(graph.settings, row) for row in rows]


def memory_from_row(settings: Settings, row: Row) -> WorkingMemory:
    """From a row of `working_memory.cypher`. The tokenizer must be loaded."""
    profile: dict[str, Any] = row["profile"] or {"uid": None, "version": 0, "kind": None, "updatedAt": None}
    form = Definition.from_row(profile)
    order = {name: at for at, name in enumerate(form.names)}
    every = [MemoryField.from_row(one) for one in row["fields"]]
    fields = sorted(every, key=lambda one: order.get(one.name, len(order)))
    values = {one.name: one.value for one in fields}
    markdown = render(form.template, values)
    size, updated = tokens.count(markdown), profile["updatedAt"]
    return WorkingMemory(
        MemoryScope(row["scope"]), row["owner"], row["resource"], profile["uid"], profile["version"], form,
        tuple(fields), tuple(name for name in order if name not in values), markdown, nested(values), size,
        None if updated is None else at_microsecond(updated), tuple(_warnings(fields, size, settings.memory_tokens)),
    )  # fmt: skip


def first_fields(one: WorkingMemory, count: int) -> WorkingMemory:
    """With its first fields alone, as a list, where all of it is too much: the form's own text stays away."""
    fields = one.fields[:count]
    markdown = "\n".join(f"- {labelled(field.name)}: {field.text}" for field in fields)
    return replace(
        one, fields=fields, markdown=markdown, json=nested({field.name: field.value for field in fields}),
        tokens=tokens.count(markdown),
    )  # fmt: skip


def _warnings(fields: Sequence[MemoryField], size: int, most: int) -> list[Warning]:
    found = []
    if size > most:
        largest = sorted(fields, key=lambda one: -one.tokens)[:NAMED]
        told = ", ".join(f"{one.name} {one.tokens}" for one in largest)
        found.append(
            Warning(
                "WORKING_MEMORY_LARGE",
                f"it has {size} tokens, which every turn pays for; {most} are enough. The largest: {told}",
                tuple(one.id for one in largest),
            )
        )
    gone = [one for one in fields if one.source_gone]
    if gone:
        told = ", ".join(one.name for one in gone[:NAMED])
        found.append(
            Warning("SOURCE_GONE", f"the message was deleted that this rests on: {told}", tuple(one.id for one in gone))
        )
    return found
