"""`defineWorkingMemory`: the form of a working memory, a Markdown template or a JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded
from graphmem.access.principal import Principal
from graphmem.conversation import memory_schema, template
from graphmem.conversation.memory_change import MemoryChanged, dump, load, outcome, told_again
from graphmem.conversation.memory_state import Definition, Stored, Where, locked, write_definition, write_version
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import MemoryKind, Scope, Warning, utc_now


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
    """Give a working memory another form. Its fields stay as they are, also those that the form does not have.

    Raises:
        InvalidInput: both or neither are given, the template has no field, or the schema is none.
        NotFound: there is no such thread, or it is another resource's.
        VersionConflict: the memory is not at `expected_version`; the current one stands in `details`.
    """
    principal.require(Scope.WRITE)
    about = where.check(principal)
    given = _definition(markdown, schema)

    async def work(tx: Transaction) -> Outcome[MemoryChanged]:
        now = utc_now()
        stored = await locked(tx, principal, where, about, now)
        checks.version(stored.owner, expected_version, stored.version)
        warnings = _warnings(given, stored)
        if given == stored.definition:
            return outcome(stored, stored.version, (), (), warnings=warnings)
        version = await write_version(tx, principal, stored, now)
        await write_definition(tx, principal, stored, given, version, now)
        return outcome(stored, version, (), (), defined=True, warnings=warnings)

    stated = {"where": where, "definition": given, "expectedVersion": expected_version}
    call = Call(principal, "defineWorkingMemory", stated, idempotency_key, dry_run)
    return await told_again(graph, principal, await recorded(graph, call, work, dump, load))


def _definition(markdown: str | None, schema: Mapping[str, Any] | None) -> Definition:
    if (markdown is None) == (schema is None):
        raise InvalidInput("give template or schema", field="template")
    if markdown is not None:
        template.parse(markdown)
        return Definition(MemoryKind.TEMPLATE, markdown)
    assert schema is not None
    memory_schema.check(schema)
    return Definition(MemoryKind.SCHEMA, orjson.dumps(schema).decode())


def _warnings(given: Definition, stored: Stored) -> list[Warning]:
    """What is set and has no place in the new form, or does not fit it."""
    schema, values = given.schema, stored.values
    if schema is not None:
        odd = memory_schema.misfits(schema, values)
    else:
        known = set(given.names)
        odd = [name for name in values if name not in known]
    if not odd:
        return []
    told = ", ".join(odd[:10])
    return [Warning("FIELDS_OUTSIDE_DEFINITION", f"kept, though they don't fit the new form: {told}")]
