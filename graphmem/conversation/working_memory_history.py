"""`workingMemoryHistory`: what fields said, when, and by whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import orjson

from graphmem.access.principal import Principal
from graphmem.conversation.field_names import Names
from graphmem.conversation.memory_state import Where
from graphmem.conversation.working_memory import working_memory
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph, Row
from graphmem.values import Page, decode_cursor, encode_cursor

END = 2**62


@dataclass(frozen=True, slots=True)
class FieldState:
    """What a field said from `recorded_from` until `recorded_to` (None: it still does). `as_of` is None while it was
    unset. `key_name` and `agent` are None where another's key did it and the reader's is bound to a resource."""

    name: str
    value: object
    text: str | None
    source: str | None
    as_of: datetime | None
    verify_elsewhere: bool
    version: int
    at: int
    recorded_from: datetime
    recorded_to: datetime | None
    action: str | None
    key_name: str | None
    agent: str | None


async def working_memory_history(
    graph: Graph, principal: Principal, where: Where, field: str | None, first: int, after: str | None
) -> Page[FieldState]:
    """States of all fields, or of one and those below it, the latest first, from behind `after` on.

    Raises NotFound, and InvalidInput for a cursor of another list.
    """
    at, name = (END, "") if after is None else _place(after)
    memory = await working_memory(graph, principal, where)
    if memory.profile is None:
        return Page((), (), False)
    wanted = None if field is None else Names(memory.definition.names, [one.name for one in memory.fields]).of(field)
    rows = await graph.read(
        "conversation/memory_history",
        tenant=principal.tenant, uid=memory.profile, field=wanted, bound=principal.resource, at=at, name=name,
        count=first + 1,
    )  # fmt: skip
    found = [_state(row["state"], row["change"] or {}) for row in rows]
    cursors = tuple(encode_cursor("memory", str(one.at), one.name) for one in found[:first])
    return Page(tuple(found[:first]), cursors, len(found) > first)


def _place(cursor: str) -> tuple[int, str]:
    kind, at, name = decode_cursor(cursor, 3, "after")
    if kind != "memory" or not (at.isascii() and at.isdigit() and len(at) < 19):
        raise InvalidInput("after is not a cursor of this list; take one from an earlier page of it", field="after")
    return int(at), name


def _state(row: Row, change: Row) -> FieldState:
    return FieldState(
        name=row["name"], value=None if row["value"] is None else orjson.loads(row["value"]), text=row["text"],
        source=row["source"], as_of=row["asOf"], verify_elsewhere=row["verifyElsewhere"], version=row["version"],
        at=row["at"], recorded_from=row["recordedFrom"], recorded_to=row["recordedTo"], action=change.get("action"),
        key_name=change.get("keyName"), agent=change.get("agent"),
    )  # fmt: skip
