"""Jobs come into being together with the change that calls for them, or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Row, Transaction
from graphmem.jobs.job import MAX_KEY, MAX_KIND, to_json
from graphmem.values import Tenant, checked_name, new_id

IDS_A_JOB = 250
"""A killed worker repeats at most this many."""
RESUME_AFTER = timedelta(minutes=1)
"""After this a job looks whether the call that began work of many transactions has ended it."""


async def enqueue(
    tx: Transaction,
    tenant: Tenant,
    kind: str,
    payload: Mapping[str, Any],
    *,
    run_after: datetime | None = None,
    key: str | None = None,
    on: str | None = None,
) -> str:
    """The id of a job that starts only after `tx` was committed, and not before `run_after` (None: at once).

    With `key`, a job of that tenant, kind and key that waits and was never started is taken instead of a new one:
    it gets this payload and the earlier of the two times. No worker can take it before `tx` ends, and claimers wait
    for it, so enqueue late in the transaction. `on` is the id of the item the job is about; the two get an edge.

    Raises:
        InvalidInput: `run_after` has no time zone, the payload is not JSON, kind or key is blank or too long.
        LimitExceeded: the payload is too large.
    """
    if run_after is not None and run_after.tzinfo is None:
        raise InvalidInput("run_after needs a time zone", field="run_after")
    if key is None:
        return (await _create(tx, tenant, [(kind, payload)], run_after, on))[0]
    checked_name(kind, "kind", MAX_KIND)
    checked_name(key, "key", MAX_KEY)
    text = to_json(payload, "payload")
    while True:
        rows = await tx.run(
            "jobs/enqueue_keyed",
            tenant=tenant, uid=new_id(), kind=kind, key=key, payload=text, runAfter=run_after, on=on,
        )  # fmt: skip
        if rows[0]["waits"]:
            return str(rows[0]["uid"])


async def enqueue_many(tx: Transaction, tenant: Tenant, jobs: Iterable[tuple[str, Mapping[str, Any]]]) -> list[str]:
    """The ids of new jobs, one for each kind and payload, made in one statement; else as `enqueue`."""
    return await _create(tx, tenant, jobs, None, None)


async def enqueue_ids(tx: Transaction, kind: str, rows: Iterable[Row]) -> int:
    """Jobs for the `ids` of each row's `tenant`, some of them each; returns how many ids there are."""
    count = 0
    for row in rows:
        parts = [row["ids"][at : at + IDS_A_JOB] for at in range(0, len(row["ids"]), IDS_A_JOB)]
        await enqueue_many(tx, Tenant(row["tenant"]), [(kind, {"ids": part}) for part in parts])
        count += len(row["ids"])
    return count


def new_job(kind: str, payload: Mapping[str, Any]) -> dict[str, str]:
    """A job for a statement that makes it by `fragments/new_job.cypher`, together with what calls for it."""
    return {"uid": new_id(), "kind": checked_name(kind, "kind", MAX_KIND), "payload": to_json(payload, "payload")}


async def _create(
    tx: Transaction,
    tenant: Tenant,
    wanted: Iterable[tuple[str, Mapping[str, Any]]],
    run_after: datetime | None,
    on: str | None,
) -> list[str]:
    jobs = [new_job(kind, payload) for kind, payload in wanted]
    if jobs:
        await tx.run("jobs/enqueue", tenant=tenant, jobs=jobs, runAfter=run_after, on=on)
    return [job["uid"] for job in jobs]
