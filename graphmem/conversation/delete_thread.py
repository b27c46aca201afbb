"""`deleteThread`: nothing that stems from it alone is left."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem import checks
from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.threads import no_thread
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import Scope


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
    """Take a thread away for good. Raises NotFound."""
    principal.require(Scope.WRITE)
    checks.identifier(uid, "id")
    about = principal.resource_for(resource)

    async def work(tx: Transaction) -> Outcome[ThreadDeleted]:
        return Outcome(await delete_in(tx, principal, uid, about), touched=[uid])

    call = Call(principal, "deleteThread", {"id": uid, "resource": resource}, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(ThreadDeleted))


async def delete_in(tx: Transaction, principal: Principal, uid: str, resource: str | None) -> ThreadDeleted:
    """The work of `deleteThread`, for verbs that do more in the same transaction."""
    rows = await tx.run("conversation/delete_thread", tenant=principal.tenant, resource=resource, uid=uid)
    if not rows:
        raise no_thread(uid, "id")
    counts = ("turns", "messages", "chunks", "revisions", "notices", "jobs", "fields", "fieldsKept")
    return ThreadDeleted(uid, *(rows[0][name] for name in counts))
