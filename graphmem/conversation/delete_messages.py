"""`deleteMessages`: the words go, the place stays, so that the log has no gap."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass

import orjson

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.edit_message import locked_messages
from graphmem.conversation.messages import Message
from graphmem.conversation.titles import retitle
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.values import PartType, Scope, Tenant, utc_now

AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class MessagesDeleted:
    """`ids`: those that this call deleted. The change log keeps them and hashes of what they said."""

    ids: tuple[str, ...]
    chunks: int
    revisions: int


async def delete_messages(
    graph: Graph,
    principal: Principal,
    ids: Sequence[str],
    *,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> MessagesDeleted:
    """Take what was said in messages away for good: earlier versions, vectors, a title taken from them, and the context
    of later ones included.

    Raises:
        NotFound: one of them is not there, or is another resource's; nothing was deleted.
        InvalidInput: a tool call would go whose result stays.
        LimitExceeded: too many ids.
    """
    principal.require(Scope.WRITE)
    checks.some(ids, "message", "ids")
    wanted = list(dict.fromkeys(ids))
    checks.count(len(wanted), graph.settings.max_messages, "max_messages", "ids")
    for at, uid in enumerate(wanted):
        checks.identifier(uid, f"ids[{at}]")
    about = principal.resource_for(resource)

    async def work(tx: Transaction) -> Outcome[MessagesDeleted]:
        found = await locked_messages(tx, principal, about, wanted, "ids")
        left = {uid: row for uid, row in found.items() if row["message"]["deletedAt"] is None}
        by_thread: dict[str, dict[str, Row]] = {}
        for uid, row in left.items():
            by_thread.setdefault(row["message"]["thread"], {})[uid] = row
        counts = [await _delete(tx, principal, thread, rows) for thread, rows in sorted(by_thread.items())]
        done = MessagesDeleted(tuple(left), sum(c["chunks"] for c in counts), sum(c["revisions"] for c in counts))
        before = {uid: row["contentHash"] for uid, row in left.items()}
        return Outcome(done, touched=[*by_thread, *left], before=before)

    call = Call(principal, "deleteMessages", {"ids": wanted, "resource": resource}, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(MessagesDeleted))


async def _delete(tx: Transaction, principal: Principal, thread: str, rows: Mapping[str, Row]) -> Row:
    gone = [Message.from_row(row["message"]) for row in rows.values()]
    calls = [part.call_id for one in gone for part in one.parts if part.type is PartType.TOOL_CALL and part.call_id]
    if calls:
        calls = await _check_results(tx, principal, thread, gone, calls)
    found = await tx.run(
        "conversation/delete_messages",
        tenant=principal.tenant, thread=thread, ids=list(rows), calls=calls, now=utc_now(),
    )  # fmt: skip
    if found[0]["untitled"]:
        await retitle(tx, principal.tenant, thread)
    return found[0]


async def _check_results(
    tx: Transaction, principal: Principal, thread: str, gone: Sequence[Message], calls: Sequence[str]
) -> list[str]:
    """Those of the calls that no later one has the id of. Raises InvalidInput where the result of a call would stay
    behind: a result is that of the last call before it that has its id."""
    places, ids = [one.seq or 0 for one in gone], {one.id for one in gone}
    goes: dict[str, bool] = {}
    async for later in _naming(tx, principal.tenant, thread, min(places) - 1, calls):
        if (later.seq or 0) > max(places) and not any(goes.values()):
            break
        for part in later.parts:
            call = part.call_id or ""
            if part.type is PartType.TOOL_CALL:
                goes[call] = later.id in ids
            elif part.type is PartType.TOOL_RESULT and goes.get(call) and later.id not in ids:
                raise InvalidInput(
                    f"a tool call would be deleted whose result stays in {later.id!r}; delete both",
                    field="ids", messages=[later.id],
                )  # fmt: skip
    return [call for call in calls if goes.get(call)]


async def _naming(
    tx: Transaction, tenant: Tenant, thread: str, at: int, calls: Sequence[str]
) -> AsyncIterator[Message]:
    """The messages behind a place that name one of the calls, in their order; read some at a time, because there may be
    as many as the thread is long."""
    written = [orjson.dumps(call).decode() for call in calls]
    while True:
        rows = await tx.run(
            "conversation/results_after", tenant=tenant, thread=thread, at=at, calls=written, count=AT_ONCE
        )
        found = [Message.from_row(row["message"]) for row in rows]
        for one in found:
            yield one
        if len(found) < AT_ONCE:
            return
        at = found[-1].seq or 0
