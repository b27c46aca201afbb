"""Keeping a lease, or giving it back."""

from __future__ import annotations

from graphmem.graph.gateway import Graph
from graphmem.jobs.job import Job


async def renew(graph: Graph, job: Job, lease_seconds: float) -> bool:
    """Hold the job for `lease_seconds` from now; False when it was taken over, ended or deleted.

    A lease that ran out is still renewed as long as nobody else has claimed the job.
    """
    return bool(await graph.run("jobs/renew", tenant=job.tenant, uid=job.id, lease=job.lease, seconds=lease_seconds))


async def release(graph: Graph, job: Job) -> bool:
    """Give the job back as if it had not been claimed, due at once; False when the lease was lost."""
    return bool(await graph.run("jobs/release", tenant=job.tenant, uid=job.id, lease=job.lease))
