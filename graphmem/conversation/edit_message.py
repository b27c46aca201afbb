"""`editMessage`: what was said is corrected, and what it was before is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation import state, validate
from graphmem.conversation.messages import Message, Part
from graphmem.conversation.titles import retitle
from graphmem.conversation.vectors import queue_vectors
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.ranking import tokens
from graphmem.values import Scope, Tenant, new_id, utc_now


@dataclass(frozen=True, slots=True)
class MessageChanged:
    """`changed` is False when it said so before."""

    id: str
    thread: str
    version: int
    changed: bool


async def edit_message(
    graph: Graph,
    principal: Principal,
    uid: str,
    parts: Sequence[Part],
    *,
    expected_version: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> MessageChanged:
    """Give a message other parts. Its place, speaker and time stay; so must its tool calls and results.

    A title that was taken from it is taken anew.

    Raises:
        NotFound: there is no such message, or it is another resource's.
        Conflict: it was deleted.
        VersionConflict: it is not at `expected_version`; the current one stands in `details`.
        InvalidInput, LimitExceeded: with the field at fault.
    """
    principal.require(Scope.WRITE)
    checks.identifier(uid, "id")
    validate.parts(parts, graph.settings, "parts")
    about = principal.resource_for(resource)
    await tokens.load()
    stated = {"id": uid, "parts": parts, "expectedVersion": expected_version, "resource": resource}

    async def work(tx: Transaction) -> Outcome[MessageChanged]:
        row = (await locked_messages(tx, principal, about, [uid]))[uid]
        had = Message.from_row(row["message"])
        _check(had, parts, expected_version)
        return await _edit(tx, principal.tenant, had, row["contentHash"], parts)

    call = Call(principal, "editMessage", stated, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(MessageChanged))


async def _edit(
    tx: Transaction, tenant: Tenant, had: Message, content_hash: str, parts: Sequence[Part]
) -> Outcome[MessageChanged]:
    uid, said = had.id, state.said(had.role, had.speaker, parts, had.created_at)
    if said["contentHash"] == content_hash:
        return Outcome(MessageChanged(uid, had.thread, had.version, False))
    rows = await tx.run(
        "conversation/edit_message", tenant=tenant, uid=uid, revision=new_id(), properties=said, now=utc_now()
    )
    if rows[0]["untitled"]:
        await retitle(tx, tenant, had.thread)
    await queue_vectors(tx, tenant, had.thread, [uid])
    done = MessageChanged(uid, had.thread, rows[0]["version"], True)
    return Outcome(done, touched=[uid], before={uid: content_hash}, after={uid: said["contentHash"]})


async def locked_messages(
    tx: Transaction, principal: Principal, resource: str | None, ids: Sequence[str], field: str = "id"
) -> dict[str, Row]:
    """Messages by id, with their threads locked. Raises NotFound."""
    rows = await tx.run("conversation/lock_messages", tenant=principal.tenant, resource=resource, ids=list(ids))
    found = {row["message"]["uid"]: row for row in rows}
    for uid in ids:
        if uid not in found:
            raise NotFound(f"there is no message {uid!r}", field=field)
    return found


def _check(had: Message, parts: Sequence[Part], expected: int | None) -> None:
    if had.deleted_at is not None:
        raise Conflict(f"the message {had.id!r} was deleted and can't be edited", field="id")
    checks.version(had.id, expected, had.version)
    if _calls(had.parts) != _calls(parts):
        raise InvalidInput("parts has other tool calls or results than the message; they must stay", field="parts")


def _calls(parts: Sequence[Part]) -> list[tuple[str, str]]:
    return [(part.type, part.call_id) for part in parts if part.call_id is not None]
