"""Claiming jobs: a lease on each, for one claimer only."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem import checks
from graphmem.errors import InvalidInput, LimitExceeded
from graphmem.graph.gateway import Graph
from graphmem.jobs.job import MAX_KIND, Job, job_from
from graphmem.values import Tenant, checked_name, new_id

MAX_CLAIM = 100
MAX_LEASE_SECONDS = 86_400.0
_MAX_WIDTH = 512


async def claim(
    graph: Graph, kinds: Sequence[str], *, limit: int, lease_seconds: float, tenant: Tenant | None = None
) -> list[Job]:
    """Up to `limit` jobs, those longest due first, each the caller's until its `lease_until` by the database's clock.

    Jobs whose lease ran out are due again; one that this happened to in its last attempt is failed instead.
    Without `tenant`, jobs of all tenants. Empty only when nothing was due.

    Raises:
        InvalidInput, LimitExceeded: a kind is not a name, `limit` or `lease_seconds` is out of range.
    """
    _check(limit, lease_seconds)
    scope = {} if tenant is None else {"tenant": tenant}
    wanted = sorted({checked_name(kind, "kinds", MAX_KIND) for kind in kinds})
    width = limit
    while wanted:
        (row,) = await graph.run(
            "jobs/claim" if tenant is None else "jobs/claim_tenant",
            kinds=wanted,
            limit=limit,
            width=width,
            lease=new_id(),
            seconds=lease_seconds,
            attempts=graph.settings.job_attempts,
            **scope,
        )
        if row["jobs"] or not row["seen"]:
            return [job_from(job) for job in row["jobs"]]
        # Others won all that was seen, so the queue moves on. Looking at more of it finds some that they left.
        width = max(limit, min(width * 4, _MAX_WIDTH))
    return []


def _check(limit: int, lease_seconds: float) -> None:
    checks.whole(limit, 1, MAX_CLAIM, "max_claim", "limit")
    if not lease_seconds > 0:
        raise InvalidInput("the lease must be longer than 0 seconds", field="lease_seconds")
    if lease_seconds > MAX_LEASE_SECONDS:
        raise LimitExceeded(
            f"a lease lasts at most {MAX_LEASE_SECONDS:.0f} seconds; renew it",
            field="lease_seconds",
            limit=MAX_LEASE_SECONDS,
        )
