"""`appendTurn`: a whole turn in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation import state, validate
from graphmem.conversation.messages import MessageInput
from graphmem.conversation.threads import no_thread
from graphmem.conversation.vectors import EMBED
from graphmem.conversation.with_turn import ALONE, WithTurn, do_with
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.jobs import new_job
from graphmem.ranking import lucene, tokens
from graphmem.values import Scope, Tenant, new_id, utc_now


@dataclass(frozen=True, slots=True)
class Appended:
    """`ids` are those of the messages given, in their order; `unchanged` those that were stored before."""

    thread: str
    turn: str
    first_seq: int
    last_seq: int
    ids: tuple[str, ...]
    unchanged: tuple[str, ...] = ()


class _Known(Exception):
    """An id is in use already; nothing of the transaction may be kept."""


@dataclass(frozen=True, slots=True)
class _Given:
    """What is to be stored, ready to be sent."""

    tenant: Tenant
    thread: str
    resource: str | None
    turn: str
    agent: str | None
    principal: Principal
    beside: WithTurn
    messages: Sequence[MessageInput]
    rows: Sequence[Mapping[str, Any]]
    now: datetime

    @property
    def hashes(self) -> dict[str, str]:
        return {row["uid"]: row["properties"]["contentHash"] for row in self.rows}

    def without(self, known: set[str]) -> _Given:
        left = [at for at, row in enumerate(self.rows) if row["uid"] not in known]
        return replace(self, messages=[self.messages[at] for at in left], rows=[self.rows[at] for at in left])


async def append_turn(
    graph: Graph,
    principal: Principal,
    thread: str,
    messages: Sequence[MessageInput],
    *,
    turn: str | None = None,
    agent: str | None = None,
    beside: WithTurn = ALONE,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Appended:
    """Store messages as one committed turn at the end of a thread.

    A message whose id is stored in this thread with the same content stays as it is. `beside`: done with
    it, and not again where all messages are stored already, by a turn that did the same.

    Raises:
        NotFound: there is no such thread or notice, or it is another resource's.
        Conflict: an id is in use elsewhere, or with other content, or all is stored without this `memory`; nothing was
            stored.
        InvalidInput, LimitExceeded: with the field at fault.
    """
    principal.require(Scope.WRITE)
    checks.identifier(thread, "threadId")
    validate.messages(messages, graph.settings)
    beside.check(graph.settings)
    about, who = principal.resource_for(resource), principal.agent_for(agent, new=True)
    if turn is not None:
        checks.identifier(turn, "turnId", new=True)
    await tokens.load()
    now = utc_now()
    uid = turn or new_id()
    rows = message_rows(messages, who, now, turn)
    given = _Given(principal.tenant, thread, about, uid, who, principal, beside, messages, rows, now)
    stated = {"thread": thread, "messages": messages, "turn": turn, "agent": agent, "resource": resource}
    call = Call(principal, "appendTurn", stated | {"beside": beside}, idempotency_key, dry_run)
    try:
        return await recorded(graph, call, lambda tx: _append(tx, given), *reply_of(Appended))
    except _Known:
        return await recorded(graph, call, lambda tx: _append_rest(tx, given), *reply_of(Appended))


def message_rows(
    messages: Sequence[MessageInput], agent: str | None, now: datetime, turn: str | None
) -> list[dict[str, Any]]:
    """`turn`: its id where the caller chose it."""
    return [
        {
            "uid": message.id or (new_id() if turn is None else state.made_id(turn, at)),
            "properties": state.properties(message, agent, now),
        }
        for at, message in enumerate(messages)
    ]


def speakers(messages: Sequence[MessageInput]) -> list[str]:
    return list(dict.fromkeys(message.speaker for message in messages if message.speaker))


async def _append(tx: Transaction, given: _Given) -> Outcome[Appended]:
    opened, missing = validate.calls(part for message in given.messages for part in message.parts)
    ids = [row["uid"] for row in given.rows]
    rows = await tx.run(
        "conversation/append_turn",
        tenant=given.tenant, thread=given.thread, resource=given.resource, turn=given.turn, agent=given.agent,
        memory=given.beside.known, rows=list(given.rows),
        title=state.title_of(given.messages, given.rows), speakers=speakers(given.messages),
        opened=opened, answered=missing, tenantToken=lucene.tenant_token(given.tenant),
        job=new_job(EMBED, {"ids": ids}), runAfter=None, now=given.now,
    )  # fmt: skip
    if not rows:
        raise no_thread(given.thread)
    if not rows[0]["fresh"]:
        raise _Known
    validate.answered(missing, rows[0]["openCalls"])
    base = rows[0]["base"]
    done = Appended(given.thread, given.turn, base + 1, base + len(ids), tuple(ids))
    stored = Outcome(done, touched=[given.thread, given.turn, *ids], after=given.hashes)
    return await do_with(
        tx, given.principal, given.resource, given.turn, given.thread, given.beside, given.now, stored
    )  # fmt: skip


async def _append_rest(tx: Transaction, given: _Given) -> Outcome[Appended]:
    """The same where some of the ids are in use."""
    ids = [row["uid"] for row in given.rows]
    found = await tx.run(
        "conversation/known_messages",
        tenant=given.tenant, thread=given.thread, resource=given.resource, turn=given.turn, ids=ids,
    )  # fmt: skip
    if not found:
        raise no_thread(given.thread)
    known = {row["uid"]: row for row in found[0]["messages"]}
    for at, uid in enumerate(ids):
        if uid in known:
            check_same(known[uid], given.hashes[uid], f"messages[{at}].id")
    rest = given.without(set(known))
    _check_turn(found[0]["turn"], given.turn, bool(rest.rows))
    if rest.rows:
        made = await _append(tx, rest)
        done = replace(made.value, ids=tuple(ids), unchanged=tuple(uid for uid in ids if uid in known))
        return replace(made, value=done)
    last = max(known.values(), key=lambda row: int(row["seq"]))
    _check_turn(found[0]["turn"], given.turn, last["turn"] != given.turn)
    given.beside.check_known(last["memory"])
    places = [row["seq"] for row in known.values()]
    return Outcome(Appended(given.thread, last["turn"], min(places), max(places), tuple(ids), tuple(ids)))


def check_same(known: Row, content_hash: str, field: str) -> None:
    """Raises Conflict unless what is stored under the id is the same message of the same thread."""
    if not known["isHere"]:
        raise Conflict(f"{field} {known['uid']!r} is in use elsewhere; nothing was stored", field=field)
    if known["contentHash"] != content_hash:
        raise Conflict(
            f"{field} {known['uid']!r} is stored with other content; nothing was stored, and editMessage changes it",
            field=field,
        )


def _check_turn(known: Row | None, uid: str, wanted: bool) -> None:
    if known is None:
        return
    if not known["isHere"]:
        raise Conflict(f"turnId {uid!r} is in use elsewhere; nothing was stored", field="turnId")
    if known["state"] != "committed":
        raise Conflict(
            f"turn {uid!r} is {known['state']}; stageMessages and commitTurn go on with an open one",
            field="turnId", state=known["state"],
        )  # fmt: skip
    if wanted:
        raise Conflict(
            f"turn {uid!r} is committed with other messages; give a new turn another id",
            field="turnId", state=known["state"],
        )  # fmt: skip
