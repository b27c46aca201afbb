"""`linkThreads`: two conversations belong together."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.threads import Thread, no_thread
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import FOREVER, Scope, utc_now


@dataclass(frozen=True, slots=True)
class ThreadsLinked:
    """`changed` is False when it was so before."""

    first: str
    second: str
    changed: bool


async def link_threads(
    graph: Graph,
    principal: Principal,
    first: str,
    second: str,
    reason: str | None = None,
    *,
    unlink: bool = False,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> ThreadsLinked:
    """Link two threads of one resource, or take their link away; it counts both ways.

    Raises:
        NotFound: one of them is not there, or it is another resource's than the one named.
        InvalidInput: they are the same, or of two resources.
    """
    principal.require(Scope.WRITE)
    for uid, field in ((first, "from"), (second, "to")):
        checks.identifier(uid, field)
    if first == second:
        raise InvalidInput(f"{first!r} can't be linked to itself; name two threads", field="to")
    if reason is not None:
        checks.text(reason, checks.MAX_TITLE, "reason", limit="max_reason", blank=True)
    about = principal.resource_for(resource)
    stated = {"from": first, "to": second, "reason": reason, "unlink": unlink, "resource": resource}

    async def work(tx: Transaction) -> Outcome[ThreadsLinked]:
        await _both(tx, principal, about, first, second)
        ends = {"tenant": principal.tenant, "from": first, "to": second, "open": FOREVER, "now": utc_now()}
        if unlink:
            changed = (await tx.run("conversation/unlink_threads", **ends))[0]["closed"] > 0
        else:
            changed = (await tx.run("conversation/link_threads", reason=reason, **ends))[0]["created"]
        return Outcome(ThreadsLinked(first, second, changed), touched=[first, second] if changed else [])

    call = Call(principal, "linkThreads", stated, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(ThreadsLinked))


async def _both(tx: Transaction, principal: Principal, resource: str | None, first: str, second: str) -> None:
    rows = await tx.run(
        "conversation/lock_threads", tenant=principal.tenant, resource=resource, ids=sorted([first, second])
    )
    found = {row["thread"]["uid"]: Thread.from_row(row["thread"]) for row in rows}
    for uid, field in ((first, "from"), (second, "to")):
        if uid not in found:
            raise no_thread(uid, field)
    if found[first].resource != found[second].resource:
        raise InvalidInput("from and to are threads of two resources; link those of one", field="to")
