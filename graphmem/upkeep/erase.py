"""`eraseResource`: all that is kept of a customer, user or project goes, for good.

One transaction hides it: the resource and its threads are found by nothing any more, and nothing can be written to
them. What they have then goes in many small ones, so that size does not matter; a job goes on where a process was
killed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import orjson

from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.delete_thread import empty
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.jobs import RESUME_AFTER, Job, enqueue
from graphmem.knowledge.delete import clear, delete_in
from graphmem.upkeep.named_jobs import drop_ended, waiting
from graphmem.values import SHARED, Scope, Tenant, utc_now

ERASE = "upkeep.erase"
NODES_A_STEP = 100
NODES_AT_ONCE = 200
"""So many notes go in the transaction that hides the resource: a reader sees all of them or none."""
ITEMS_A_STEP = 1000


@dataclass(frozen=True, slots=True)
class Kept:
    """What is still there after an erasure, and why."""

    what: str
    why: str
    count: int


@dataclass(frozen=True, slots=True)
class Erased:
    """How much of each is gone."""

    resource: str
    threads: int
    turns: int
    messages: int
    chunks: int
    revisions: int
    notices: int
    knowledge: int
    documents: int
    jobs: int
    kept: tuple[Kept, ...]
    fields: int = 0


_dump, _load = reply_of(Erased)


async def erase_resource(
    graph: Graph,
    principal: Principal,
    resource: str,
    *,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Erased:
    """Take away a resource, its threads with all in them, its working memory, and the knowledge about it.

    Needs the scope admin. From the first moment on, no call finds the resource or what was said, nor the knowledge
    about it, unless that is more than `NODES_AT_ONCE`: then it goes some notes at a time. Where this breaks off, a job
    goes on, or the same call.

    Raises NotFound when nothing is kept of it, and Forbidden for a key bound to another.
    """
    principal.require(Scope.ADMIN)
    about = principal.resource_for(resource)
    if about is None or about == SHARED:
        raise InvalidInput(f"{SHARED!r} stands for what is shared; name one resource", field="id")
    begun = False
    left: list[str] = []

    async def work(tx: Transaction) -> Outcome[Erased]:
        nonlocal begun, left
        done, left = await begin(tx, principal.tenant, about)
        begun = True
        return Outcome(done, touched=[about])

    call = Call(principal, "eraseResource", {"id": resource}, idempotency_key, dry_run)
    done = await recorded(graph, call, work, _dump, _load)
    # A call that is only told again must not touch what was written since.
    if not dry_run and (begun or await graph.read("upkeep/erasing", tenant=principal.tenant, resource=about)):
        await clear(graph, principal.tenant, left)
        await finish(graph, principal.tenant, about)
    return done


async def erase(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler: goes on with an erasure that broke off."""
    about = job.payload["resource"]
    if await graph.read("upkeep/erasing", tenant=job.tenant, resource=about):
        await finish(graph, job.tenant, about)
    return {}


async def begin(tx: Transaction, tenant: Tenant, about: str) -> tuple[Erased, list[str]]:
    """Hide the resource and tell what will be gone, or was told when this was begun, and what is left to be cleared.
    Raises NotFound."""
    now = utc_now()
    (found,) = await tx.run("upkeep/begin_erasure", tenant=tenant, resource=about, now=now)
    if found["told"] is not None:
        return _load(orjson.loads(found["told"])), []
    (rest,) = await tx.run("upkeep/about_resource", tenant=tenant, resource=about)
    if not (found["exists"] or rest["knowledge"] or rest["documents"] or rest["links"]):
        raise NotFound(f"nothing is kept of a resource {about!r}", field="id")
    named = {*found["threads"], *rest["knowledge"], *rest["documents"]}
    few = sorted(rest["knowledge"]) if len(rest["knowledge"]) <= NODES_AT_ONCE else []
    left = await _forget(tx, tenant, about, few)
    jobs = await drop_ended(tx, tenant, named)
    done = _erased(about, found, rest, jobs, await waiting(tx, tenant, named))
    told = orjson.dumps(_dump(done)).decode()
    await tx.run("upkeep/note_erasure", tenant=tenant, resource=about, told=told)
    await enqueue(tx, tenant, ERASE, {"resource": about}, run_after=now + RESUME_AFTER, on=about)
    return done, left


def _erased(about: str, found: Row, rest: Row, jobs: int, waiting: int) -> Erased:
    return Erased(
        resource=about,
        threads=len(found["threads"]),
        turns=found["turns"],
        messages=found["messages"],
        chunks=found["chunks"] + rest["chunks"],
        revisions=found["revisions"] + rest["revisions"],
        notices=found["notices"],
        knowledge=len(rest["knowledge"]),
        documents=len(rest["documents"]),
        jobs=found["jobs"] + jobs,
        kept=_kept(len(found["threads"]) + len(rest["knowledge"]), waiting, rest["keys"]),
        fields=found["fields"],
    )


def _kept(touched: int, waiting: int, keys: int) -> tuple[Kept, ...]:
    log = "the change log has ids and hashes of what was done, and no words; it is the proof of this erasure too"
    later = "they name ids among others' and no words; they find nothing and go within days"
    bound = "a key bound to the resource reaches nothing now; revokeApiKey ends it"
    found = (Kept("change log", log, touched), Kept("waiting jobs", later, waiting), Kept("API keys", bound, keys))
    return tuple(kept for kept in found if kept.count)


async def finish(graph: Graph, tenant: Tenant, about: str) -> None:
    """Take away all that hangs on a resource that is hidden, and last what hides it."""
    what = {"tenant": tenant, "resource": about}
    await empty(graph, tenant, about)
    while True:
        (rest,) = await graph.read("upkeep/about_resource", **what)
        items = [*rest["documents"], *rest["links"]]
        if not (rest["knowledge"] or items):
            break
        for ids in _parts(sorted(rest["knowledge"]), NODES_A_STEP):
            await clear(graph, tenant, await graph.write(partial(_forget, tenant=tenant, about=about, ids=ids)))
        for ids in _parts(sorted(items), ITEMS_A_STEP):
            await graph.run("upkeep/drop_items", tenant=tenant, ids=ids)
    await graph.run("upkeep/end_erasure", **what)


async def _forget(tx: Transaction, tenant: Tenant, about: str, ids: Sequence[str]) -> list[str]:
    """Returns what is left to be cleared."""
    (row,) = await tx.run("upkeep/lock_about", tenant=tenant, resource=about, ids=ids)
    return list((await delete_in(tx, tenant, row["ids"]))["left"]) if row["ids"] else []


def _parts(ids: Sequence[str], most: int) -> list[Sequence[str]]:
    return [ids[at : at + most] for at in range(0, len(ids), most)]
