"""Looking at the queue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from graphmem import checks
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.gateway import Graph
from graphmem.jobs.job import MAX_KIND, Job, State, job_from
from graphmem.values import Page, Tenant, checked_name, decode_cursor, encode_cursor

_BEYOND = "~"
"""Sorts after every id."""


async def jobs(
    graph: Graph,
    tenant: Tenant,
    *,
    states: Sequence[str] = (),
    kinds: Sequence[str] = (),
    first: int = 50,
    after: str | None = None,
) -> Page[Job]:
    """A tenant's jobs, newest first, from behind the cursor `after` on; without `states` or `kinds`, of every one.

    Raises:
        InvalidInput: a state is unknown, `first` is below 1, or `after` is not a cursor.
        LimitExceeded: `first` is more than `Settings.max_page`.
    """
    for state in states:
        if state not in set(State):
            raise InvalidInput(f"{state!r} is not one of {', '.join(State)}", field="states")
    checks.whole(first, 1, graph.settings.max_page, "max_page", "first")
    rows = await graph.read(
        "jobs/list",
        tenant=tenant,
        states=sorted(set(states)) or list(State),
        kinds=[checked_name(kind, "kinds", MAX_KIND) for kind in kinds],
        after=_BEYOND if after is None else decode_cursor(after, 1, "after")[0],
        limit=first + 1,
    )
    found = tuple(job_from(row["job"]) for row in rows[:first])
    return Page(found, tuple(encode_cursor(job.id) for job in found), has_next=len(rows) > first)


async def find(graph: Graph, tenant: Tenant, id: str) -> Job:
    """One job; raises NotFound."""
    rows = await graph.read("jobs/find", tenant=tenant, uid=id)
    if not rows:
        raise NotFound(f"there is no job {id}", field="id")
    return job_from(rows[0]["job"])


async def counts(graph: Graph, tenant: Tenant | None = None, states: Iterable[State] = State) -> dict[str, int]:
    """How many jobs there are in each of the `states`; without `tenant`, in the whole graph."""
    states = list(states)
    if tenant is None:
        rows = await graph.read("jobs/counts", states=states)
    else:
        rows = await graph.read("jobs/counts_tenant", tenant=tenant, states=states)
    return {row["state"]: row["count"] for row in rows}
