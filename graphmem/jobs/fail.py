"""Failed attempts: another one later, or a failed job that stays visible."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom

from graphmem.errors import LimitExceeded
from graphmem.graph.gateway import Graph
from graphmem.jobs.job import MAX_ERROR, Job
from graphmem.values import Tenant

LOST = "lost"
_LONGEST_PAUSE = 900.0
_MAX_RETRIED = 10_000
_RANDOM = SystemRandom()


async def fail(graph: Graph, job: Job, error: str, *, retry: bool = True) -> str:
    """Note a failed attempt; the state that the job has now, or `LOST` when somebody else has claimed it since.

    With `retry` and attempts left (`Settings.job_attempts`) the job is `ready` again after `pause` seconds, else
    `failed`. A job that this lease has already ended is left as it is. Long texts are cut.
    """
    rows = await graph.run(
        "jobs/fail",
        tenant=job.tenant,
        uid=job.id,
        lease=job.lease,
        # A text that UTF-8 cannot carry must not keep the job from failing.
        error=error[:MAX_ERROR].encode(errors="replace").decode(),
        again=retry and job.attempts < graph.settings.job_attempts,
        seconds=pause(job.attempts),
    )
    return str(rows[0]["state"]) if rows else LOST


def pause(attempts: int) -> float:
    """Seconds until the next attempt: 1, 4, 16, 64 … up to 900, less up to a fifth, so that jobs which failed
    together do not come back together."""
    return min(4.0 ** min(attempts - 1, 10), _LONGEST_PAUSE) * _RANDOM.uniform(0.8, 1.0)


async def retry_failed(graph: Graph, tenant: Tenant, ids: Sequence[str] = (), kinds: Sequence[str] = ()) -> int:
    """Give failed jobs all their attempts again; how many there were.

    Without `ids` all of the tenant's, without `kinds` of every kind; at most 10,000 in a call.
    """
    if len(ids) > _MAX_RETRIED:
        raise LimitExceeded(f"at most {_MAX_RETRIED} ids in a call", field="ids", limit=_MAX_RETRIED)
    rows = await graph.run("jobs/retry", tenant=tenant, ids=list(ids), kinds=list(kinds), limit=_MAX_RETRIED)
    return int(rows[0]["count"])
