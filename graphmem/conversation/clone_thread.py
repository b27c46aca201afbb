"""`cloneThread`: a copy to go on from, with ids of its own.

A copy is a ThreadCopy, which nothing reads, until all its messages are there. They come some at a time, so that size
does not matter; a job goes on where a process was killed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation import state, steps, validate
from graphmem.conversation.delete_thread import empty, leave
from graphmem.conversation.messages import parts_from
from graphmem.conversation.page import END
from graphmem.conversation.threads import Thread
from graphmem.conversation.titles import retitle
from graphmem.conversation.update_thread import locked_thread
from graphmem.conversation.vectors import queue_vectors
from graphmem.errors import Conflict, InvalidInput
from graphmem.graph.gateway import Graph, Transaction
from graphmem.jobs import Job
from graphmem.values import Scope, Tenant, new_id, utc_now

COPY = "conversation.copy"


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
    said before it was corrected, are not. What is said in the thread from the first transaction on is not copied.

    Raises:
        NotFound: there is no such thread, or it is another resource's.
        Conflict: the new id is in use, or the thread was deleted, moved or corrected meanwhile; there is no copy then.
        InvalidInput: `up_to_seq` is negative, or an id is blank or too long.
    """
    principal.require(Scope.WRITE)
    _check(uid, up_to_seq, new)
    about, target = principal.resource_for(resource), new or new_id()
    stated = {"id": uid, "upToSeq": up_to_seq, "newId": new, "resource": resource}
    left = True  # a call that is repeated may have broken off

    async def work(tx: Transaction) -> Outcome[ThreadCloned]:
        nonlocal left
        had = await locked_thread(tx, principal, about, uid, "id")
        messages = await begin(tx, principal.tenant, had, target, END if up_to_seq is None else up_to_seq)
        left = await _step(tx, principal.tenant, target) is _Copy.GOES_ON
        if left:
            await steps.resume(tx, principal.tenant, COPY, target)
        return Outcome(ThreadCloned(target, uid, had.resource, messages), touched=[target])

    call = Call(principal, "cloneThread", stated, idempotency_key, dry_run)
    done = await recorded(graph, call, work, *reply_of(ThreadCloned))
    if left and not dry_run and not await finish(graph, principal.tenant, done.id):
        why = f"the thread {uid!r} was deleted, moved or corrected meanwhile"
        again = "try again" if idempotency_key is None else "try again with another idempotencyKey"
        raise Conflict(f"{why}; nothing of its copy is left: {again}", field="id")
    return done


def _check(uid: str, up_to_seq: int | None, new: str | None) -> None:
    checks.identifier(uid, "id")
    if new is not None:
        checks.identifier(new, "newId", new=True)
    if up_to_seq is not None and up_to_seq < 0:
        raise InvalidInput(f"upToSeq must be 0 or more, not {up_to_seq}", field="upToSeq")


async def begin(tx: Transaction, tenant: Tenant, had: Thread, target: str, up_to: int) -> int:
    """Make a copy of a locked thread that has no message yet; returns how many it will have. Raises Conflict."""
    (row,) = await tx.run(
        "conversation/begin_copy",
        tenant=tenant, uid=had.id, newId=target, upTo=up_to, change=tx.change, now=utc_now(),
        messageFacets=" ".join(state.thread_facets(had.resource, target)),
    )  # fmt: skip
    if not row["created"]:
        raise Conflict(f"the id {target!r} is in use; nothing was changed", field="newId")
    messages: int = row["messages"]
    return messages


class _Copy(Enum):
    GOES_ON = 0
    IS_DONE = 1
    IS_LOST = 2


async def _step(tx: Transaction, tenant: Tenant, uid: str) -> _Copy:
    """Copy what fits; with the last of it the copy becomes a thread."""
    rows = await tx.run("conversation/copy_messages", tenant=tenant, uid=uid, most=steps.MOST_A_STEP)
    if not rows:
        return _Copy.IS_DONE
    if rows[0]["lost"]:
        await tx.run("conversation/drop_copy", tenant=tenant, uid=uid, now=utc_now())
        await leave(tx, tenant, uid)
        return _Copy.IS_LOST
    if unembedded := rows[0]["unembedded"]:
        await queue_vectors(tx, tenant, uid, unembedded)
    if rows[0]["more"]:
        return _Copy.GOES_ON
    await _end(tx, tenant, uid)
    return _Copy.IS_DONE


async def _end(tx: Transaction, tenant: Tenant, uid: str) -> None:
    (row,) = await tx.run("conversation/end_copy", tenant=tenant, uid=uid, now=utc_now())
    if row["untitled"]:
        await retitle(tx, tenant, uid)
    if waiting := validate.waiting(part for parts in row["tail"] for part in parts_from(parts)):
        await tx.run("conversation/set_open_calls", tenant=tenant, uid=uid, openCalls=waiting)
    await tx.run("conversation/clone_memory", tenant=tenant, newId=uid, change=row["change"], now=utc_now())


async def finish(graph: Graph, tenant: Tenant, uid: str) -> bool:
    """End a copy that was begun; false: it was given up, by whomever, and there is none."""
    came = _Copy.GOES_ON
    while came is _Copy.GOES_ON:
        came = await graph.write(partial(_step, tenant=tenant, uid=uid))
    if came is _Copy.IS_LOST:
        await empty(graph, tenant, uid)
        return False
    return bool(await graph.read("conversation/get_threads", tenant=tenant, resource=None, ids=[uid]))


async def copy_job(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler: ends a copy that broke off."""
    await finish(graph, job.tenant, job.payload["thread"])
    return {}
