"""What a change of working memory came to: told at once, or read again for a call that is repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import cast

import orjson

from graphmem.access.canonical import canonical_hash
from graphmem.access.changes import Outcome, Reply, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.fields import written
from graphmem.conversation.memory_state import NewState, Stored
from graphmem.graph.gateway import Graph
from graphmem.graph.instants import at_microsecond
from graphmem.values import MemoryScope, Warning


@dataclass(frozen=True, slots=True)
class FieldChange:
    """`before`, `after`: the field's value; None: unset."""

    name: str
    before: object
    after: object
    version: int


@dataclass(frozen=True, slots=True)
class MemoryChanged:
    """`version`: of the working memory; `changes`: field by field, with values, which the change log does not keep.

    `changed` is False when everything was so before.
    """

    scope: MemoryScope
    owner: str
    resource: str
    profile: str
    version: int
    changed: bool
    defined: bool = False
    changes: tuple[FieldChange, ...] | None = None
    warnings: tuple[Warning, ...] = ()


@dataclass(frozen=True, slots=True)
class _Kept:
    """The part of it that the change log keeps."""

    scope: MemoryScope
    owner: str
    resource: str
    profile: str
    version: int
    changed: bool
    defined: bool


_dump, _load = reply_of(_Kept)


def dump(done: MemoryChanged) -> Reply:
    kept = (done.scope, done.owner, done.resource, done.profile, done.version, done.changed, done.defined)
    return _dump(_Kept(*kept))


def load(reply: Reply) -> MemoryChanged:
    kept = _load(reply)
    return MemoryChanged(kept.scope, kept.owner, kept.resource, kept.profile, kept.version, kept.changed, kept.defined)


def outcome(
    stored: Stored, version: int, states: Sequence[NewState], ids: Sequence[str], *,
    defined: bool = False, warnings: Sequence[Warning] = (),
) -> Outcome[MemoryChanged]:  # fmt: skip
    """`ids`: of the fields that were given `states`; nothing at all: everything was so before."""
    before = {name: row["value"] for name, row in stored.fields.items()}
    changes = tuple(
        FieldChange(
            state.name, _read(before.get(state.name)), state.value if state.as_of else None,
            (stored.fields[state.name]["version"] if state.name in stored.fields else 0) + 1,
        )
        for state in states
    )  # fmt: skip
    is_changed = version != stored.version
    done = MemoryChanged(
        stored.scope, stored.owner, stored.resource, stored.profile, version, is_changed, defined, changes,
        tuple(warnings),
    )  # fmt: skip
    hashes = {uid: canonical_hash(written(state.value)) for uid, state in zip(ids, states, strict=True) if state.as_of}
    had = {uid: before.get(state.name) for uid, state in zip(ids, states, strict=True)}
    old = {uid: canonical_hash(value) for uid, value in had.items() if value is not None}
    touched = [stored.profile, *ids] if is_changed else []
    return Outcome(done, touched=touched, before=old, after=hashes)


async def told_again(graph: Graph, principal: Principal, done: MemoryChanged) -> MemoryChanged:
    """With the changes, which a repeated call is told from what the graph still knows of them."""
    if done.changes is not None:
        return done
    if not done.changed:
        return replace(done, changes=())
    rows = await graph.read(
        "conversation/memory_changes", tenant=principal.tenant, uid=done.profile, version=done.version
    )
    changes = [FieldChange(row["name"], _read(row["before"]), _read(row["after"]), row["version"]) for row in rows]
    return replace(done, changes=tuple(changes))


def _read(value: str | None) -> object:
    return None if value is None else cast(object, orjson.loads(value))


def said_at(rows: Sequence[Mapping[str, Mapping[str, object]]]) -> dict[str, datetime]:
    """When messages were said, by id."""
    return {str(row["message"]["uid"]): at_microsecond(cast(int, row["message"]["createdAt"])) for row in rows}
