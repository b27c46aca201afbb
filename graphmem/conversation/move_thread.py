"""A thread that goes to another resource with all that was said in it.

One transaction gives it to the other: whose a message is, its thread says, so that from then on nobody else is shown
one. By what recall finds them they are brought over some at a time, so that size does not matter; a job goes on where a
process was killed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphmem.access.principal import Principal
from graphmem.conversation import state, steps
from graphmem.conversation.threads import Thread, no_resource
from graphmem.errors import Conflict, Forbidden
from graphmem.graph.gateway import Graph, Transaction
from graphmem.jobs import Job
from graphmem.values import FOREVER, Tenant, utc_now

BRING = "conversation.bring"


async def move(tx: Transaction, principal: Principal, had: Thread, target: str) -> bool:
    """Give a locked thread to another resource; links to threads that stay are closed. Returns whether there is more
    for `bring` when `tx` is committed."""
    if principal.resource is not None:
        raise Forbidden("this key is bound to a resource and can't move a thread to another", field="patch.resourceId")
    tenant = principal.tenant
    (row,) = await tx.run(
        "conversation/move_thread",
        tenant=tenant, uid=had.id, resource=target, open=FOREVER, now=utc_now(),
        messageFacets=" ".join(state.thread_facets(target, had.id)),
    )  # fmt: skip
    if not row["isResource"]:
        raise no_resource(target, "patch.resourceId")
    if row["moving"]:
        raise Conflict(f"the thread {had.id!r} is still being moved; try again in a moment", field="patch.resourceId")
    (brought,) = await tx.run("conversation/bring_messages", tenant=tenant, uid=had.id, most=steps.MOST_A_STEP)
    if brought["more"]:
        await steps.resume(tx, tenant, BRING, had.id)
    return bool(brought["more"])


async def bring(graph: Graph, tenant: Tenant, thread: str) -> None:
    """End the move of a thread, if one has been begun."""
    more = True
    while more:
        rows = await graph.run("conversation/bring_messages", tenant=tenant, uid=thread, most=steps.MOST_A_STEP)
        more = any(row["more"] for row in rows)


async def bring_job(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler: ends a move that broke off."""
    await bring(graph, job.tenant, job.payload["thread"])
    return {}
