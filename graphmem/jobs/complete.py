"""Completing a job, once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphmem.graph.gateway import Graph, Transaction
from graphmem.jobs.job import Job, to_json


async def complete(where: Graph | Transaction, job: Job, result: Mapping[str, Any] | None = None) -> bool:
    """Mark the job as done if `job.lease` still holds it; False when it was taken over, and nothing changes.

    Given a graph, completing again under the same lease is True and changes nothing, so that a caller who missed the
    answer can repeat the call. Given a transaction, it is False: a handler that calls this first, and writes its
    effect in the same transaction only if the answer is True, writes it exactly once, whatever is run again.

    Raises:
        InvalidInput, LimitExceeded: the result is not JSON or too large.
    """
    text = None if result is None else to_json(result, "result")
    if isinstance(where, Transaction):
        return (await _complete(where, job, text))[0]
    return any(await where.write(lambda tx: _complete(tx, job, text)))


async def _complete(tx: Transaction, job: Job, result: str | None) -> tuple[bool, bool]:
    rows = await tx.run("jobs/complete", tenant=job.tenant, uid=job.id, lease=job.lease, result=result)
    return (bool(rows[0]["held"]), bool(rows[0]["already"])) if rows else (False, False)
