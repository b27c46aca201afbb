"""`stageMessages`: messages of an open turn, which nobody else sees until it is committed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation import state, validate
from graphmem.conversation.append_turn import check_same, message_rows, speakers
from graphmem.conversation.messages import MessageInput
from graphmem.conversation.turns import TurnChanged, locked, not_open
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.ranking import tokens
from graphmem.values import Scope, Tenant, TurnState, utc_now

Rows = Sequence[Mapping[str, Any]]


async def stage_messages(
    graph: Graph,
    principal: Principal,
    turn: str,
    messages: Sequence[MessageInput],
    *,
    attempt: int | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> TurnChanged:
    """Add messages to an open turn, in the order of the calls.

    A message whose id this turn has staged with the same content stays as it is. `attempt`: the one that the caller
    is at; messages of an earlier one are refused.

    Raises:
        NotFound: there is no such turn, or it is not the caller's.
        Conflict: the turn is not open or at another attempt, or an id is in use elsewhere or with other content.
        InvalidInput, LimitExceeded: with the field at fault.
    """
    principal.require(Scope.WRITE)
    checks.identifier(turn, "turnId")
    validate.messages(messages, graph.settings)
    about = principal.resource_for(resource)
    await tokens.load()
    now = utc_now()
    stated = {"turn": turn, "messages": messages, "attempt": attempt, "resource": resource}

    async def work(tx: Transaction) -> Outcome[TurnChanged]:
        found = await locked(tx, principal, about, turn)
        at = found["turn"]
        _check_turn(at, attempt)
        checks.count(at["staged"] + len(messages), graph.settings.max_staged, "max_staged", "messages")
        rows = message_rows(messages, at["agent"], now, None)
        after = await _stage_new(tx, principal.tenant, found, messages, rows)
        done = TurnChanged(turn, at["thread"], TurnState.OPEN, at["attempt"], tuple(row["uid"] for row in rows))
        return Outcome(done, touched=[turn, *after], after=after)

    call = Call(principal, "stageMessages", stated, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(TurnChanged))


def _check_turn(turn: Row, attempt: int | None) -> None:
    if turn["state"] != TurnState.OPEN:
        raise not_open(turn["uid"], turn["state"])
    if attempt is not None and attempt != turn["attempt"]:
        raise Conflict(
            f"turn {turn['uid']!r} is at attempt {turn['attempt']}, not {attempt}: what was staged before is gone",
            field="attempt", attempt=turn["attempt"],
        )  # fmt: skip


async def _stage_new(
    tx: Transaction, tenant: Tenant, found: Row, messages: Sequence[MessageInput], rows: Rows
) -> dict[str, str]:
    """Stages those that the turn hasn't staged yet; their hashes of content, by id."""
    known = await _known(tx, tenant, found["turn"]["uid"], messages)
    new = []
    for at, row in enumerate(rows):
        if row["uid"] in known:
            check_same(known[row["uid"]], row["properties"]["contentHash"], f"messages[{at}].id")
        else:
            new.append(at)
    if new:
        await _stage(tx, tenant, found, [messages[at] for at in new], [rows[at] for at in new])
    return {rows[at]["uid"]: rows[at]["properties"]["contentHash"] for at in new}


async def _known(tx: Transaction, tenant: Tenant, turn: str, messages: Sequence[MessageInput]) -> dict[str, Row]:
    ids = [message.id for message in messages if message.id]
    if not ids:
        return {}
    rows = await tx.run("conversation/known_staged", tenant=tenant, turn=turn, ids=ids)
    return {row["uid"]: row for row in rows}


async def _stage(tx: Transaction, tenant: Tenant, found: Row, messages: Sequence[MessageInput], rows: Rows) -> None:
    known = found["answeredCalls"]
    parts = (part for message in messages for part in message.parts)
    opened, answered = validate.calls(parts, found["openCalls"], known)
    missing = [call for call in answered if call not in known]
    validate.answered(missing, found["threadCalls"])
    staged = await tx.run(
        "conversation/stage_messages",
        tenant=tenant, turn=found["turn"]["uid"], rows=list(rows), title=state.title_of(messages, rows),
        speakers=speakers(messages), openCalls=opened, answered=missing, now=utc_now(),
    )  # fmt: skip
    if not staged[0]["fresh"]:
        raise Conflict("another call used one of the ids at the same time; repeat the call", field="messages")
