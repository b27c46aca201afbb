"""The frame of all that changes a working memory: it is locked, compared with the version that the caller knows, and
written as a whole, with the form if that changes too."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded
from graphmem.access.principal import Principal
from graphmem.conversation.fields import written
from graphmem.conversation.memory_change import MemoryChanged, dump, load, outcome, told_again
from graphmem.conversation.memory_state import Definition, NewState, Stored, Where, locked
from graphmem.conversation.template import told
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.ranking import tokens
from graphmem.values import Tenant, Warning, new_id, utc_now


@dataclass(frozen=True, slots=True)
class Next:
    """What a working memory becomes: fields get `states`, and it gets another form; None: it keeps its own."""

    states: Sequence[NewState] = ()
    definition: Definition | None = None
    warnings: Sequence[Warning] = ()


Decide = Callable[[Transaction, Stored, datetime], Awaitable[Next]]
"""What comes next, from what is stored and the time that it is now."""


async def change(graph: Graph, call: Call, where: Where, expected_version: int | None, decide: Decide) -> MemoryChanged:
    """What came of a call that changes a working memory.

    Raises:
        NotFound: there is no such thread, or it is another resource's.
        Conflict: the resource's id is in use by something else.
        VersionConflict: the memory is not at `expected_version`; the current one stands in `details`.
        What `decide` and `recorded` raise.
    """
    await tokens.load()

    async def work(tx: Transaction) -> Outcome[MemoryChanged]:
        return await change_in(tx, call.principal, where, expected_version, decide)

    return await told_again(graph, call.principal, await recorded(graph, call, work, dump, load))


async def change_in(
    tx: Transaction, principal: Principal, where: Where, expected_version: int | None, decide: Decide
) -> Outcome[MemoryChanged]:
    """The work of `change`, for verbs that do more in the same transaction; `tokens.load` has been waited for."""
    stored = await locked(tx, principal, where, where.check(principal), utc_now())
    checks.version(stored.owner, expected_version, stored.version)
    # Read after the wait for the lock, and not before what another machine's clock has written.
    now = max([utc_now(), *(row["recordedFrom"] for row in stored.fields.values())])
    to_be = await decide(tx, stored, now)
    form = to_be.definition if to_be.definition != stored.definition else None
    if not to_be.states and form is None:
        return outcome(stored, stored.version, (), (), warnings=to_be.warnings)
    version = await _write_version(tx, principal.tenant, stored, now)
    ids = await _write_fields(tx, principal.tenant, stored, to_be.states, version, now)
    if form is not None:
        await _write_definition(tx, principal.tenant, stored, form, version, now)
    return outcome(stored, version, to_be.states, ids, defined=form is not None, warnings=to_be.warnings)


async def _write_version(tx: Transaction, tenant: Tenant, stored: Stored, now: datetime) -> int:
    """Give the working memory its next version, and make it where there is none."""
    version = stored.version + 1
    await tx.run(
        "conversation/write_profile",
        tenant=tenant, owner=stored.owner, uid=stored.profile, scope=str(stored.scope), version=version, now=now,
    )  # fmt: skip
    return version


async def _write_definition(
    tx: Transaction, tenant: Tenant, stored: Stored, given: Definition, version: int, now: datetime
) -> None:
    await tx.run(
        "conversation/write_definition",
        tenant=tenant, uid=stored.profile, revision=new_id(), kind=given.kind and str(given.kind),
        definition=given.text, version=version, now=now,
    )  # fmt: skip


async def _write_fields(
    tx: Transaction, tenant: Tenant, stored: Stored, states: Sequence[NewState], version: int, now: datetime
) -> list[str]:
    """Give fields their next states; returns their ids."""
    rows = [_row(stored.fields.get(state.name), state) for state in states]
    if rows:
        await tx.run(
            "conversation/write_fields",
            tenant=tenant, uid=stored.profile, resource=stored.resource, rows=rows, version=version,
            change=tx.change, now=now,
        )  # fmt: skip
    return [row["uid"] for row in rows]


def _row(had: Row | None, state: NewState) -> dict[str, Any]:
    text = told(state.value) if state.as_of is not None else None
    return {
        "uid": had["uid"] if had else new_id(),
        "revision": new_id() if had else None,
        "name": state.name,
        "source": state.source,
        "properties": {
            "value": written(state.value) if state.as_of is not None else None,
            "text": text,
            "tokens": 0 if text is None else tokens.count(f"- {state.name}: {text}\n"),
            "asOf": state.as_of,
            "verifyElsewhere": state.verify_elsewhere,
        },
    }
