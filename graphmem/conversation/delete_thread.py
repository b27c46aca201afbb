"""`deleteThread`: nothing that stems from it alone is left.

One transaction hides the thread and takes away what fits into it. What is left goes some at a time, so that size does
not matter; a job goes on where a process was killed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation import steps
from graphmem.conversation.threads import no_thread
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.jobs import Job
from graphmem.values import Scope, Tenant, utc_now

EMPTY = "conversation.empty"


@dataclass(frozen=True, slots=True)
class ThreadDeleted:
    """How much of each went with the thread. The change log keeps ids and hashes, no words.

    `fields`: of its working memory; `fields_kept`: of its resource's that rest on what was said in it; they are the
    resource's, and say that their source is gone.
    """

    id: str
    turns: int
    messages: int
    chunks: int
    revisions: int
    notices: int
    jobs: int
    fields: int = 0
    fields_kept: int = 0


async def delete_thread(
    graph: Graph,
    principal: Principal,
    uid: str,
    *,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> ThreadDeleted:
    """Take a thread away for good. Nothing finds it from the first transaction on; its id is in use until all is gone.
    Raises NotFound."""
    principal.require(Scope.WRITE)
    checks.identifier(uid, "id")
    about = principal.resource_for(resource)
    left = True  # a call that is repeated may have broken off

    async def work(tx: Transaction) -> Outcome[ThreadDeleted]:
        nonlocal left
        rows = await tx.run(
            "conversation/delete_thread", tenant=principal.tenant, resource=about, uid=uid, now=utc_now()
        )
        if not rows:
            raise no_thread(uid, "id")
        left = await leave(tx, principal.tenant, uid)
        return Outcome(_deleted(uid, rows[0]), touched=[uid])

    call = Call(principal, "deleteThread", {"id": uid, "resource": resource}, idempotency_key, dry_run)
    done = await recorded(graph, call, work, *reply_of(ThreadDeleted))
    if left and not dry_run:
        await empty(graph, principal.tenant, uid)
    return done


def _deleted(uid: str, row: Row) -> ThreadDeleted:
    counts = ("turns", "messages", "chunks", "revisions", "notices", "jobs", "fields", "fieldsKept")
    return ThreadDeleted(uid, *(row[name] for name in counts))


async def leave(tx: Transaction, tenant: Tenant, uid: str) -> bool:
    """Take away what a transaction can of a thread that it has hidden; returns whether there is more for `empty` when
    it is committed."""
    _, threads = await _erase(tx.run, tenant, uid, 1)
    if threads:
        return False
    await steps.resume(tx, tenant, EMPTY, uid)
    return True


async def empty(graph: Graph, tenant: Tenant, uid: str) -> None:
    """Take away a thread that is hidden, or those of a resource that is, with all they have."""
    while any(await _erase(graph.run, tenant, uid, steps.THREADS_A_STEP)):
        pass


async def _erase(run: Callable[..., Awaitable[list[Row]]], tenant: Tenant, uid: str, threads: int) -> tuple[int, int]:
    """One step; returns how many turns, and threads without any, it found."""
    what = {"tenant": tenant, "uid": uid}
    (turns,) = await run("conversation/erase_turns", **what, count=steps.TURNS_A_STEP, most=steps.MOST_A_STEP)
    (emptied,) = await run("conversation/erase_threads", **what, count=threads)
    return turns["found"], emptied["found"]


async def empty_job(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler: takes away what is still left of a thread."""
    await empty(graph, job.tenant, job.payload["thread"])
    return {}
