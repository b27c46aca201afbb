"""`eraseResource`: all that is kept of a customer, user or project goes, for good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation.delete_thread import ThreadDeleted, delete_in
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.values import SHARED, Scope

ENDED = ("done", "failed")


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


async def erase_resource(
    graph: Graph,
    principal: Principal,
    resource: str,
    *,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Erased:
    """Take away a resource, its threads with all in them, its working memory, and the knowledge about it, in one
    transaction.

    Needs the scope admin. Raises NotFound when nothing is kept of it, and Forbidden for a key bound to another.
    """
    principal.require(Scope.ADMIN)
    about = principal.resource_for(resource)
    if about is None or about == SHARED:
        raise InvalidInput(f"{SHARED!r} stands for what is shared; name one resource", field="id")

    async def work(tx: Transaction) -> Outcome[Erased]:
        found = (await tx.run("upkeep/lock_resource", tenant=principal.tenant, resource=about))[0]
        if not (found["exists"] or found["threads"] or found["knowledge"] or found["documents"]):
            raise NotFound(f"nothing is kept of a resource {about!r}", field="id")
        return Outcome(await _erase(tx, principal, about, found), touched=[about])

    call = Call(principal, "eraseResource", {"id": resource}, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(Erased))


async def _erase(tx: Transaction, principal: Principal, about: str, found: Row) -> Erased:
    gone = [await delete_in(tx, principal, uid, about) for uid in sorted(found["threads"])]
    knowledge = [await _delete_knowledge(tx, principal, uid) for uid in sorted(found["knowledge"])]
    rest = sorted([*found["documents"], *found["links"], *found["memory"], *([about] if found["exists"] else [])])
    await tx.run("upkeep/drop_items", tenant=principal.tenant, ids=rest)
    ids = [*found["threads"], *found["knowledge"], *found["documents"]]
    jobs = await _drop_jobs(tx, principal, ids)
    return Erased(
        resource=about,
        threads=len(gone),
        turns=sum(one.turns for one in gone),
        messages=sum(one.messages for one in gone),
        chunks=sum(one.chunks for one in gone) + sum(row["chunks"] for row in knowledge),
        revisions=sum(one.revisions for one in gone) + sum(row["revisions"] for row in knowledge),
        notices=sum(one.notices for one in gone),
        knowledge=len(knowledge),
        documents=len(found["documents"]),
        jobs=jobs + sum(one.jobs for one in gone),
        kept=_kept(gone, found),
        fields=found["fields"] + sum(one.fields for one in gone),
    )


async def _delete_knowledge(tx: Transaction, principal: Principal, uid: str) -> Row:
    return (await tx.run("knowledge/delete", tenant=principal.tenant, uid=uid))[0]


async def _drop_jobs(tx: Transaction, principal: Principal, ids: Sequence[str]) -> int:
    """As ids stand in the JSON of a job."""
    written = [orjson.dumps(uid).decode() for uid in ids]
    rows = await tx.run("upkeep/drop_jobs", tenant=principal.tenant, states=list(ENDED), ids=written)
    return int(rows[0]["jobs"])


def _kept(gone: Sequence[ThreadDeleted], found: Row) -> tuple[Kept, ...]:
    log = "the change log has ids and hashes of what was done, and no words; it is the proof of this erasure too"
    waiting = "they name ids among others' and no words; they find nothing and go within days"
    keys = "a key bound to the resource reaches nothing now; revokeApiKey ends it"
    touched = len(gone) + len(found["knowledge"])
    kept = [Kept("change log", log, touched)]
    if found["knowledge"]:
        kept.append(Kept("waiting jobs", waiting, len(found["knowledge"])))
    if found["keys"]:
        kept.append(Kept("API keys", keys, found["keys"]))
    return tuple(kept)
