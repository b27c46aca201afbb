"""`undoWorkingMemory`: fields and form are again what they were at an earlier version."""

from __future__ import annotations

from datetime import datetime

import orjson

from graphmem.access.changes import Call
from graphmem.access.principal import Principal
from graphmem.conversation.memory_change import MemoryChanged
from graphmem.conversation.memory_state import Definition, NewState, Stored, Where
from graphmem.conversation.memory_write import Next, change
from graphmem.errors import Conflict, InvalidInput
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.values import Scope


async def undo_working_memory(
    graph: Graph,
    principal: Principal,
    where: Where,
    *,
    to_version: int | None = None,
    expected_version: int | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> MemoryChanged:
    """Undo the last change, or all since `to_version`; 0: as it was before the first. It is a change too: undone, it
    is done again.

    Raises:
        Conflict: nothing was ever written.
        InvalidInput: there is no such earlier version.
        NotFound, VersionConflict: as with an update.
    """
    principal.require(Scope.WRITE)
    where.check(principal)

    async def decide(tx: Transaction, stored: Stored, _: datetime) -> Next:
        target = _target(stored, to_version)
        rows = await tx.run(
            "conversation/memory_at_version", tenant=principal.tenant, uid=stored.profile, version=target
        )
        return Next(_states(stored, rows[0]["fields"]), Definition.from_row(rows[0]["definition"]))

    stated = {"where": where, "toVersion": to_version, "expectedVersion": expected_version}
    call = Call(principal, "undoWorkingMemory", stated, idempotency_key, dry_run)
    return await change(graph, call, where, expected_version, decide)


def _target(stored: Stored, to_version: int | None) -> int:
    if stored.version == 0:
        raise Conflict(f"the working memory of {stored.owner!r} was never written; there is nothing to undo")
    target = stored.version - 1 if to_version is None else to_version
    if not 0 <= target < stored.version:
        raise InvalidInput(
            f"toVersion must be from 0 to {stored.version - 1}, earlier than the current one, not {target}",
            field="toVersion",
        )
    return target


def _states(stored: Stored, then: list[Row]) -> list[NewState]:
    """What fields must become to be as they were then."""
    was = {row["name"]: row for row in then if row["value"] is not None}
    states = []
    for name, row in stored.fields.items():
        old = was.get(name)
        if old is None:
            if row["value"] is not None:
                states.append(NewState(name, None, None, None, False))
        elif any(old[key] != row[key] for key in ("value", "source", "asOf", "verifyElsewhere")):
            value = orjson.loads(old["value"])
            states.append(NewState(name, value, old["source"], old["asOf"], old["verifyElsewhere"]))
    return states
