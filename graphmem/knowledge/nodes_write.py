"""Writing nodes: what `remember` and `updateKnowledge` share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_random

from graphmem.errors import Conflict
from graphmem.graph.gateway import Transaction
from graphmem.jobs import enqueue_many
from graphmem.jobs.enqueue import IDS_A_JOB
from graphmem.knowledge import state
from graphmem.ranking.lucene import tenant_token
from graphmem.ranking.moments import moment_tokens
from graphmem.values import FOREVER, Tenant, new_id

T = TypeVar("T")
EMBED = "knowledge.embed"
MENTIONS = "knowledge.mentions"
ALL = frozenset(state.STATED)


class Stale(Exception):
    """Another transaction changed a node between our look and our write."""


async def again_when_stale(call: Callable[[], Awaitable[T]]) -> T:
    """Run a call from its start for as long as other calls come between its look and its write.

    Raises Conflict when that goes on for too long.
    """
    retrying = AsyncRetrying(
        retry=retry_if_exception_type(Stale), stop=stop_after_attempt(30), wait=wait_random(0, 0.05), reraise=True
    )

    async def attempt() -> T:
        return await call()

    try:
        return await retrying(attempt)
    except Stale:
        raise Conflict("the same nodes are being changed by too many calls at once; repeat the call") from None


@dataclass(frozen=True, slots=True)
class NodeChange:
    """The properties to store, and what was there when they were worked out (None: nothing).

    `changed`: the stated properties that differ from what was there; all of a new node. `evidence`: it has one more
    source, which alone makes a new version.
    """

    properties: state.Properties
    had: Mapping[str, Any] | None
    uid: str = field(init=False)
    changed: frozenset[str] = field(init=False)
    evidence: bool = False

    def __post_init__(self) -> None:
        changed = ALL if self.had is None else frozenset(state.changed(self.properties, self.had))
        changed |= {"derivedFrom"} if self.evidence else set()
        object.__setattr__(self, "uid", str(self.properties["uid"]))
        object.__setattr__(self, "changed", changed)


async def write_nodes(
    tx: Transaction,
    tenant: Tenant,
    changes: Sequence[NodeChange],
    created: Mapping[str, datetime],
    now: datetime,
    reason: str | None = None,
) -> None:
    """Store the changes that change something, with their names, and queue what follows from them.

    The ids of new nodes must have been found free, and so locked, by this transaction; `created` is when they were
    made (those not in it: now). Each new version keeps `reason`, and the entry of the change log that it came about by.

    Raises:
        Stale: a node is not any more as it was in `had`; nothing of the transaction may be kept.
    """
    ordered = sorted((change for change in changes if change.changed), key=lambda change: change.uid)
    new = [_new_row(change, created.get(change.uid, now), now) for change in ordered if change.had is None]
    rows = [_row(change, change.had) for change in ordered if change.had is not None]
    cause = {"change": tx.change, "reason": reason}
    if new:
        token = tenant_token(tenant)
        await tx.run("knowledge/create_nodes", tenant=tenant, token=token, rows=new, open=FOREVER, now=now, **cause)
    written = await tx.run("knowledge/write_nodes", tenant=tenant, rows=rows, now=now, **cause) if rows else []
    if rows and written[0]["written"] < len(rows):
        raise Stale
    renamed = [change for change in ordered if change.changed & {"title", "aliases"}]
    if renamed:
        await tx.run(
            "knowledge/write_names",
            tenant=tenant, ids=[c.uid for c in renamed if c.had is not None], rows=_name_rows(renamed), now=now,
        )  # fmt: skip
    await queue_work(tx, tenant, ordered)


async def queue_work(tx: Transaction, tenant: Tenant, changes: Sequence[NodeChange]) -> None:
    """Have vectors and automatic edges made for these nodes once the transaction is committed."""
    embed = [change for change in changes if change.changed & {"title", "content", "aliases"}]
    link = [change for change in changes if change.changed & {"title", "content", "aliases", "status"}]
    vectors = [(EMBED, {"ids": [change.uid for change in part]}) for part in _parts(embed)]
    await enqueue_many(tx, tenant, [*vectors, *((MENTIONS, _mentions(part)) for part in _parts(link))])


async def queue_mentions(tx: Transaction, tenant: Tenant, uids: Sequence[str]) -> None:
    """Have the edges out of these nodes, whose names are as they were, put right; and the names in too many texts."""
    await enqueue_many(tx, tenant, [(MENTIONS, {"ids": part, "renamed": []}) for part in _parts(uids) or [[]]])


async def queue_entities(tx: Transaction, tenant: Tenant, uids: Sequence[str]) -> None:
    """Have the edges to these entities put right in all texts. A job has their ids: it outlives what it is about,
    which may have to be forgotten."""
    await enqueue_many(tx, tenant, [(MENTIONS, {"entities": part}) for part in _parts(uids)])


async def queue_names(tx: Transaction, tenant: Tenant, uids: Sequence[str]) -> None:
    """Have the edges put right out of all texts that contain these names."""
    await enqueue_many(tx, tenant, [(MENTIONS, {"names": part}) for part in _parts(uids)])


def _mentions(changes: Sequence[NodeChange]) -> dict[str, list[str]]:
    renamed = [change.uid for change in changes if change.changed & {"title", "aliases"}]
    return {"ids": [change.uid for change in changes], "renamed": renamed}


def _parts(items: Sequence[T]) -> list[Sequence[T]]:
    return [items[at : at + IDS_A_JOB] for at in range(0, len(items), IDS_A_JOB)]


def _new_row(change: NodeChange, created: datetime, now: datetime) -> dict[str, Any]:
    """What is the same for all nodes stands in the statement: an instant takes the driver 0.1 ms to send."""
    row = change.properties | {"createdAt": created, "facets": _facets(change, created)}
    same = {"tenantToken": row["tenantToken"], "createdAt": now, "validFrom": now, "validTo": FOREVER}
    for key, value in same.items():
        if row[key] == value:
            del row[key]
    return row


def _row(change: NodeChange, had: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "uid": change.uid,
        "properties": change.properties | {"facets": _facets(change, had["createdAt"])},
        "version": had["version"],
        "revision": new_id(),
        "newText": bool(change.changed & {"title", "content"}),
    }


def _facets(change: NodeChange, created: datetime) -> str:
    """What full text filters on, the time of creation included."""
    return " ".join([change.properties["facets"], *moment_tokens(created)])


def _name_rows(changes: Sequence[NodeChange]) -> list[dict[str, Any]]:
    rows = [
        {**row, "uid": change.uid, "new": change.had is None}
        for change in changes
        for row in state.name_rows(change.properties)
    ]
    return sorted(rows, key=lambda row: (row["key"], row["uid"]))
