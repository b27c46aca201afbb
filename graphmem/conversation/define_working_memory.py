"""`defineWorkingMemory`: the form of a working memory, a Markdown template or a JSON Schema."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson

from graphmem.access.changes import Call
from graphmem.access.principal import Principal
from graphmem.conversation import memory_schema, template
from graphmem.conversation.field_names import Names, above, below
from graphmem.conversation.fields import Values
from graphmem.conversation.memory_change import MemoryChanged
from graphmem.conversation.memory_state import Definition, NewState, Stored, Where
from graphmem.conversation.memory_write import Next, change
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import MemoryKind, Scope, Warning


async def define_working_memory(
    graph: Graph,
    principal: Principal,
    where: Where,
    *,
    markdown: str | None = None,
    schema: Mapping[str, Any] | None = None,
    expected_version: int | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> MemoryChanged:
    """Give a working memory another form. Its fields stay as they are, also those that the form does not have; one that
    the form names otherwise, in other case or with headings before it, takes that name.

    Raises:
        InvalidInput: both or neither are given, the template has no field, or the schema is none.
        NotFound: there is no such thread, or it is another resource's.
        VersionConflict: the memory is not at `expected_version`; the current one stands in `details`.
    """
    principal.require(Scope.WRITE)
    where.check(principal, new=True)
    given = _definition(markdown, schema)

    async def decide(_: Transaction, stored: Stored, _now: datetime) -> Next:
        states = _renamed(given, stored)
        every = stored.values | {one.name: one.value for one in states}
        # A schema may take its time, and others wait for the event loop.
        warnings = await asyncio.to_thread(_warnings, given, every, states)
        return Next(() if given == stored.definition else states, given, warnings)

    stated = {"where": where, "definition": given, "expectedVersion": expected_version}
    call = Call(principal, "defineWorkingMemory", stated, idempotency_key, dry_run)
    return await change(graph, call, where, expected_version, decide)


def _definition(markdown: str | None, schema: Mapping[str, Any] | None) -> Definition:
    if (markdown is None) == (schema is None):
        raise InvalidInput("give template or schema", field="template")
    if markdown is not None:
        template.parse(markdown)
        return Definition(MemoryKind.TEMPLATE, markdown)
    assert schema is not None
    memory_schema.check(schema)
    return Definition(MemoryKind.SCHEMA, orjson.dumps(schema).decode())


def _renamed(given: Definition, stored: Stored) -> list[NewState]:
    """For each field that the form names otherwise: what has the new name, and that the old one is unset. A field
    keeps its name where the new one is taken, or stands above or below one that has a value."""
    names, leaves = Names(given.names, ()), set(given.names)
    states: list[NewState] = []
    taken, left = set(stored.values), set(stored.values)
    for name, value in stored.values.items():
        new, row = names.of(name), stored.fields[name]
        others = left - {name}
        if new in leaves and new not in taken and above(new, others) is None and not below(new, others):
            states.append(NewState(name, None, None, None, False))
            states.append(NewState(new, value, row["source"], row["asOf"], row["verifyElsewhere"]))
            taken.add(new)
            left = others | {new}
    return states


def _warnings(given: Definition, every: Values, states: Sequence[NewState]) -> list[Warning]:
    """What is set and has no place in the new form, or does not fit it."""
    gone = {one.name for one in states if one.as_of is None}
    schema, values = given.schema, {name: value for name, value in every.items() if name not in gone}
    if schema is not None:
        odd = memory_schema.misfits(schema, values)
    else:
        known = set(given.names)
        odd = [name for name in values if name not in known]
    if not odd:
        return []
    told = ", ".join(odd[:10])
    return [Warning("FIELDS_OUTSIDE_DEFINITION", f"kept, though they don't fit the new form: {told}")]
