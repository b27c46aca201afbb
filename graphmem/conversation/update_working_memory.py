"""`updateWorkingMemory`: field by field, by a merge patch, or as a whole document; what is not named stays."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome
from graphmem.access.principal import Principal
from graphmem.conversation import memory_schema
from graphmem.conversation.document import json_values, markdown_values, rewrite_ops
from graphmem.conversation.fields import Applied, MemoryOp, apply, merge_ops
from graphmem.conversation.memory_change import MemoryChanged, said_at
from graphmem.conversation.memory_state import Stored, Where, changed
from graphmem.conversation.memory_write import Decide, Next, change, change_in
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import MemoryScope, Scope, Warning

MAX_OPS = 200


@dataclass(frozen=True, slots=True)
class MemoryUpdate:
    """What to change: `ops`, a JSON merge patch, or the whole anew as Markdown or JSON; exactly one of them.

    `source`, `as_of`, `verify_elsewhere`: for all fields that are set and don't have their own. A whole document must
    have all that is set, unless `allow_drop`.
    """

    ops: Sequence[MemoryOp] | None = None
    merge: Mapping[str, Any] | None = None
    markdown: str | None = None
    json: Mapping[str, Any] | None = None
    allow_drop: bool = False
    source: str | None = None
    as_of: datetime | None = None
    verify_elsewhere: bool | None = None


async def update_working_memory(
    graph: Graph,
    principal: Principal,
    where: Where,
    update: MemoryUpdate,
    *,
    expected_version: int | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> MemoryChanged:
    """Change fields of a working memory, which need not have been defined before.

    Raises:
        NotFound: there is no such thread, or no such message for it to rest on; or it is another resource's.
        VersionConflict: the memory or a field is not at the version expected; the current one stands in `details`.
        InvalidInput: a value does not fit, or a document would lose fields; with the field at fault.
    """
    principal.require(Scope.WRITE)
    where.check(principal, new=True)
    check_update(update)
    stated = {"where": where, "update": update, "expectedVersion": expected_version}
    call = Call(principal, "updateWorkingMemory", stated, idempotency_key, dry_run)
    return await change(graph, call, where, expected_version, _deciding(principal, update))


async def update_in(
    tx: Transaction, principal: Principal, where: Where, update: MemoryUpdate, expected_version: int | None = None
) -> Outcome[MemoryChanged]:
    """The work of `update_working_memory`, for verbs that do more in the same transaction; the update has been
    checked, and `tokens.load` has been waited for."""
    return await change_in(tx, principal, where, expected_version, _deciding(principal, update))


def _deciding(principal: Principal, update: MemoryUpdate) -> Decide:
    async def decide(tx: Transaction, stored: Stored, now: datetime) -> Next:
        # A schema may take its time, and others wait for the event loop.
        applied = await asyncio.to_thread(_applied, stored, update)
        _check_fields(stored, applied)
        sources = await _sources(tx, principal, stored, applied)
        states = changed(stored, applied.after, applied.by, sources, now)
        return Next(states, warnings=_warnings(stored, applied))

    return decide


def check_update(update: MemoryUpdate) -> None:
    """Raises InvalidInput, LimitExceeded."""
    ways = {"ops": update.ops, "merge": update.merge, "markdown": update.markdown, "json": update.json}
    if sum(way is not None for way in ways.values()) != 1:
        raise InvalidInput("give one of ops, merge, markdown and json", field="ops")
    ops = update.ops or ()
    checks.count(len(ops), MAX_OPS, "max_memory_ops", "ops")
    given = [("", update.source, update.as_of), *((f"ops[{at}].", op.source, op.as_of) for at, op in enumerate(ops))]
    for place, source, as_of in given:
        checks.zoned(as_of, f"{place}asOf")
        if source is not None:
            checks.identifier(source, f"{place}source")


def _applied(stored: Stored, update: MemoryUpdate) -> Applied:
    """What the update makes of the fields, checked against the form."""
    had, names, form = stored.values, stored.names(), stored.definition.template
    hints = form.hints if form else {}
    ops = _ops(stored, update)
    default = (update.source, update.as_of, update.verify_elsewhere)
    found = apply(had, [_with(op, *default) for op in ops], names, hints)
    schema = stored.definition.schema
    if schema is not None:
        memory_schema.check_values(schema, had, found.after)
    return found


def _ops(stored: Stored, update: MemoryUpdate) -> Sequence[MemoryOp]:
    had, names, form = stored.values, stored.names(), stored.definition.template
    if update.ops is not None:
        return update.ops
    if update.merge is not None:
        return merge_ops(update.merge, names)
    if update.markdown is not None:
        if stored.definition.schema is not None:
            raise InvalidInput("this working memory has a schema; write it anew as json", field="markdown")
        said = markdown_values(update.markdown, form, had, names)
        return rewrite_ops(had, said.items(), names, update.allow_drop)
    given = json_values(update.json or {}, names, form.hints if form else {})
    return rewrite_ops(had, given, names, update.allow_drop)


def _with(op: MemoryOp, source: str | None, as_of: datetime | None, verify: bool | None) -> MemoryOp:
    own = op.verify_elsewhere
    if op.source is None and op.as_of is None:
        return replace(op, source=source, as_of=as_of, verify_elsewhere=verify if own is None else own)
    return replace(op, verify_elsewhere=verify if own is None else own)


def _check_fields(stored: Stored, applied: Applied) -> None:
    """Raises VersionConflict where a field is not at the version that its operation expects."""
    for name, op in applied.by.items():
        had = stored.fields.get(name)
        checks.version(name, op.expected_version, had["version"] if had else 0, memoryField=name)


async def _sources(tx: Transaction, principal: Principal, stored: Stored, applied: Applied) -> dict[str, datetime]:
    """When the messages were said that fields are to rest on: of this thread, or of the resource's. Raises NotFound."""
    ids = sorted({op.source for op in applied.by.values() if op.source is not None})
    if not ids:
        return {}
    rows = await tx.run("conversation/get_messages", tenant=principal.tenant, resource=stored.resource, ids=ids)
    found = [
        row
        for row in rows
        if row["message"]["deletedAt"] is None
        and (stored.scope is MemoryScope.RESOURCE or row["message"]["thread"] == stored.owner)
    ]
    said = said_at(found)
    for uid in ids:
        if uid not in said:
            raise NotFound(f"there is no message {uid!r} of the {stored.scope} for a field to rest on", field="source")
    return said


def _warnings(stored: Stored, applied: Applied) -> list[Warning]:
    found = []
    if applied.hints:
        names = ", ".join(applied.hints)
        found.append(Warning("HINT_IS_NO_VALUE", f"only the template's hint was given for {names}; nothing was set"))
    form = stored.definition.template
    if form is not None:
        new = [name for name in applied.after if name not in stored.fields and name not in form.hints]
        if new:
            told = ", ".join(new[:10])
            found.append(Warning("FIELD_NOT_IN_TEMPLATE", f"the template has no {told}; kept under Other"))
    return found
