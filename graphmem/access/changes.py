"""The change log: who did what when, one entry a call, and what makes a call safe to repeat.

An entry keeps ids, hashes and the reply that a repeated call is given; texts do not belong into it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, Generic, TypeVar, cast

import orjson
from pydantic import TypeAdapter

from graphmem import checks
from graphmem.access.canonical import canonical_hash
from graphmem.access.principal import Principal
from graphmem.errors import Forbidden, IdempotencyConflict, LimitExceeded
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.values import FOREVER, Page, Scope, Tenant, checked_name, decode_moment, encode_cursor, new_id

T = TypeVar("T")
Reply = Mapping[str, object]
Dump = Callable[[T], Reply]
Load = Callable[[Reply], T]

MAX_KEY = 200
"""Characters of an idempotency key."""

_BEGINNING = datetime(1, 1, 1, tzinfo=UTC)

MAX_REPLY = 4 * 1024 * 1024
"""Bytes of a stored reply: 1,000 nodes and 5,000 edges, told by id, take a quarter of it."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that writes.

    `input`: everything that makes it another call; JSON's types, datetimes, enums, sets and dataclasses.
    `dry_run`: do it, tell what came of it, and undo it.
    """

    principal: Principal
    action: str
    input: Mapping[str, object]
    idempotency_key: str | None = None
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What a call came to. `before` and `after`: hashes of what was touched, by id."""

    value: T
    touched: Sequence[str] = ()
    before: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    """An entry of the log. `key_id` is that of the API key that was used, `resource` and `agent` what it was bound to.

    `before` and `after`: hashes of the texts of what was touched, by id; other changes, such as of an edge, have none.
    """

    id: str
    at: datetime
    action: str
    key_id: str
    key_name: str
    resource: str | None
    agent: str | None
    touched: tuple[str, ...]
    before: Mapping[str, str]
    after: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ChangeFilter:
    """Which entries: those that touched an id, of one action, by one key, from `since` on and before `until`."""

    touched: str | None = None
    action: str | None = None
    key_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None


EVERY = ChangeFilter()


class _UndoError(Exception):
    """Ends the transaction of a dry run."""

    def __init__(self, value: object) -> None:
        super().__init__("dry run")
        self.value = value


def reply_of(kind: type[T]) -> tuple[Dump[T], Load[T]]:
    """`dump` and `load` of a dataclass whose fields are all fit for the log."""
    adapter: TypeAdapter[T] = _adapter(cast(Hashable, kind))
    return partial(adapter.dump_python, mode="json"), adapter.validate_python


@cache
def _adapter(kind: type[T]) -> TypeAdapter[T]:
    return TypeAdapter(kind)


async def recorded(
    graph: Graph, call: Call, work: Callable[[Transaction], Awaitable[Outcome[T]]], dump: Dump[T], load: Load[T]
) -> T:
    """Do `work` in one transaction and note it in the log, once for each idempotency key.

    The entry is claimed first: a call with the same key waits there until this one ends, and is then given the
    stored reply. A call without a key makes one up, so that a transaction that is run again because the answer to
    its commit was lost finds its own entry; nobody can have used it the first time, and then there is nothing to claim.
    When `work` raises, nothing stays behind, the claim included.

    `dump` gives what a repeated call is answered, as JSON's types and at most `MAX_REPLY` bytes: ids, counts and
    hashes, no texts. `load` makes the value from it again.

    Raises:
        InvalidInput: the idempotency key is blank, longer than `MAX_KEY` or has a control character, or the input is
        not to be written as JSON.
        IdempotencyConflict: the key was used with another action or input.
        LimitExceeded: the reply is longer than `MAX_REPLY`; nothing was written.
        Forbidden: the principal lacks the scope write.
    """
    call.principal.require(Scope.WRITE)
    given = call.idempotency_key
    key = new_id() if given is None else checked_name(given, "idempotencyKey", MAX_KEY, new=True)
    entry = _entry(call, key)
    unclaimed = given is None

    async def attempt(tx: Transaction) -> T:
        nonlocal unclaimed
        claims, unclaimed, mine = not unclaimed, False, entry | {"uid": new_id()}
        tx.change = mine["uid"]
        if claims:
            found = (await tx.run("access/claim_change", **mine))[0]
            if found["uid"] != mine["uid"]:
                return load(_stored_reply(found, entry["inputHash"]))
        outcome = await work(tx)
        if call.dry_run:
            raise _UndoError(outcome.value)
        came = _came(outcome, _reply(dump(outcome.value)))
        if claims:
            await tx.run("access/record_change", tenant=call.principal.tenant, idempotencyKey=key, **came)
        else:
            await tx.run("access/note_change", **mine, **came)
        return outcome.value

    try:
        return await graph.write(attempt)
    except _UndoError as undone:
        return cast(T, undone.value)


def _entry(call: Call, key: str) -> dict[str, str | None]:
    """What is known of a call before it is done.

    Bindings are part of the input's hash: what they let a call reach is input as well, though it is no argument.
    """
    principal = call.principal
    stated = {"action": call.action, "input": call.input, "resource": principal.resource, "agent": principal.agent}
    return {
        "tenant": principal.tenant,
        "idempotencyKey": key,
        "inputHash": canonical_hash(stated),
        "action": call.action,
        "keyId": principal.key_id,
        "keyName": principal.name,
        "resource": principal.resource,
        "agent": principal.agent,
    }


def _stored_reply(entry: Row, input_hash: str | None) -> Reply:
    if entry["inputHash"] != input_hash:
        raise IdempotencyConflict(
            "this idempotency key was used with another input; repeat a call with exactly its input, "
            "and give a new call a new key",
            field="idempotencyKey",
        )
    return cast(Reply, orjson.loads(entry["reply"]))


def _reply(dumped: Reply) -> str:
    reply = orjson.dumps(dumped)
    if len(reply) > MAX_REPLY:
        raise LimitExceeded(
            f"the reply would have {len(reply)} bytes and at most {MAX_REPLY} can be kept; split the call",
            limit=MAX_REPLY,
        )
    return reply.decode()


def _came(outcome: Outcome[T], reply: str) -> dict[str, Any]:
    touched = list(dict.fromkeys([*outcome.touched, *outcome.before, *outcome.after]))
    return {
        "touched": touched,
        # Beside `touched`, item by item; a list in Neo4j cannot hold null.
        "before": [outcome.before.get(uid, "") for uid in touched],
        "after": [outcome.after.get(uid, "") for uid in touched],
        "reply": reply,
    }


async def changes(
    graph: Graph,
    principal: Principal,
    first: int = 50,
    after: str | None = None,
    where: ChangeFilter = EVERY,
) -> Page[Change]:
    """The tenant's log, newest first, from behind the cursor `after` on.

    Raises:
        Forbidden: the key may not read, or is bound to a resource: the log has everybody's ids.
        InvalidInput: `first` is below 1, `after` is not a cursor, or a filter is blank or a time without zone.
        LimitExceeded: `first` is above the setting `max_page`.
    """
    principal.require(Scope.READ)
    if principal.resource is not None:
        raise Forbidden("the change log is the whole tenant's; use a key that is not bound to a resource")
    checks.whole(first, 1, graph.settings.max_page, "max_page", "first")
    _check(where)
    at, uid = (FOREVER, "") if after is None else decode_moment(after, "after")
    if where.until is not None and where.until <= at:
        at, uid = where.until, ""
    span = {"tenant": principal.tenant, "since": where.since or _BEGINNING, "at": at, "uid": uid, "limit": first + 1}
    name, chosen = _statement(where, principal.tenant)
    rows = await graph.read(name, **span, **chosen)
    found = tuple(_change(row["change"]) for row in rows[:first])
    cursors = tuple(encode_cursor(change.at.isoformat(), change.id) for change in found)
    return Page(found, cursors, has_next=len(rows) > first)


def _check(where: ChangeFilter) -> None:
    for value, name in ((where.touched, "touched"), (where.action, "action"), (where.key_id, "keyId")):
        if value is not None:
            checks.identifier(value, f"filter.{name}")
    checks.zoned(where.since, "filter.since")
    checks.zoned(where.until, "filter.until")


def _statement(where: ChangeFilter, tenant: Tenant) -> tuple[str, dict[str, str | None]]:
    """The statement whose index finds the fewest entries beside those asked for, and its own parameters."""
    if where.touched is not None:
        lucene = f"+tenant:{_quoted(tenant)} +touched:{_quoted(where.touched)}"
        chosen = {"lucene": lucene, "touched": where.touched, "action": where.action, "keyId": where.key_id}
        return "access/list_changes_touched", chosen
    if where.key_id is not None:
        return "access/list_changes_key", {"keyId": where.key_id, "action": where.action}
    if where.action is not None:
        return "access/list_changes_action", {"action": where.action}
    return "access/list_changes", {}


def _quoted(value: str) -> str:
    """The value as Lucene's query syntax reads it whole; the index does not cut it into words."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _change(row: Row) -> Change:
    touched = tuple(row["touched"])
    before = {uid: digest for uid, digest in zip(touched, row["before"], strict=True) if digest}
    after = {uid: digest for uid, digest in zip(touched, row["after"], strict=True) if digest}
    return Change(
        row["uid"], row["createdAt"], row["action"], row["keyId"], row["keyName"], row["resource"], row["agent"],
        touched, before, after,
    )  # fmt: skip
