"""`cloneThread`: a copy to go on from, with ids of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation import state, validate
from graphmem.conversation.messages import parts_from
from graphmem.conversation.page import END
from graphmem.conversation.threads import Thread
from graphmem.conversation.titles import retitle
from graphmem.conversation.update_thread import locked_thread
from graphmem.conversation.vectors import queue_vectors
from graphmem.errors import Conflict, InvalidInput
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.values import Scope, Tenant, new_id, utc_now


@dataclass(frozen=True, slots=True)
class ThreadCloned:
    """`source`: what was copied, with so many messages."""

    id: str
    source: str
    resource: str
    messages: int


async def clone_thread(
    graph: Graph,
    principal: Principal,
    uid: str,
    *,
    up_to_seq: int | None = None,
    new: str | None = None,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> ThreadCloned:
    """Copy a thread for the same resource: its committed messages as they are now, up to a place, with their vectors.

    The thread's working memory is copied too, but what rests on a message that is not. Notices, links, and what was
    said before it was corrected, are not.

    Raises:
        NotFound: there is no such thread, or it is another resource's.
        Conflict: the new id is in use.
        InvalidInput: `up_to_seq` is negative, or an id is blank or too long.
    """
    principal.require(Scope.WRITE)
    _check(uid, up_to_seq, new)
    about, target = principal.resource_for(resource), new or new_id()
    stated = {"id": uid, "upToSeq": up_to_seq, "newId": new, "resource": resource}

    async def work(tx: Transaction) -> Outcome[ThreadCloned]:
        had = await locked_thread(tx, principal, about, uid, "id")
        row = await _copy(tx, principal.tenant, had, target, END if up_to_seq is None else up_to_seq)
        if waiting := _waiting(row["tail"]):
            await tx.run("conversation/set_open_calls", tenant=principal.tenant, uid=target, openCalls=waiting)
        if unembedded := row["unembedded"]:
            await queue_vectors(tx, principal.tenant, target, unembedded)
        memory = {"newId": target, "change": tx.change, "now": utc_now()}
        await tx.run("conversation/clone_memory", tenant=principal.tenant, **memory)
        return Outcome(ThreadCloned(target, uid, had.resource, row["messages"]), touched=[target])

    call = Call(principal, "cloneThread", stated, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(ThreadCloned))


def _check(uid: str, up_to_seq: int | None, new: str | None) -> None:
    checks.identifier(uid, "id")
    if new is not None:
        checks.identifier(new, "newId", new=True)
    if up_to_seq is not None and up_to_seq < 0:
        raise InvalidInput(f"upToSeq must be 0 or more, not {up_to_seq}", field="upToSeq")


async def _copy(tx: Transaction, tenant: Tenant, had: Thread, target: str, up_to: int) -> Row:
    old, new = (state.thread_facets(had.resource, one)[1] for one in (had.id, target))
    rows = await tx.run(
        "conversation/clone_thread",
        tenant=tenant, uid=had.id, newId=target, upTo=up_to, oldFacet=old, newFacet=new, now=utc_now(),
    )  # fmt: skip
    if not rows[0]["created"]:
        raise Conflict(f"the id {target!r} is in use; nothing was changed", field="newId")
    if rows[0]["untitled"]:
        await retitle(tx, tenant, target)
    return rows[0]


def _waiting(tail: Sequence[str]) -> list[str]:
    """The calls without a result in the turn that was copied last."""
    return validate.waiting(part for parts in tail for part in parts_from(parts))
