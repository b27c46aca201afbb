"""Jobs that name items by id, in what they are about or in what came of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Iterator

import orjson

from graphmem.graph.gateway import Transaction
from graphmem.jobs import State
from graphmem.values import Tenant

JOBS_A_READ = 1000


async def drop_ended(tx: Transaction, tenant: Tenant, ids: Collection[str]) -> int:
    """Delete the jobs that are done or failed and name one of the ids; returns how many."""
    found = [uid async for uid in _named(tx, tenant, ids, State.DONE, State.FAILED)]
    await tx.run("upkeep/drop_items", tenant=tenant, ids=found)
    return len(found)


async def waiting(tx: Transaction, tenant: Tenant, ids: Collection[str]) -> int:
    """How many jobs that are not done yet name one of the ids."""
    return len([uid async for uid in _named(tx, tenant, ids, State.READY, State.LEASED)])


async def _named(tx: Transaction, tenant: Tenant, ids: Collection[str], *states: State) -> AsyncIterator[str]:
    for state in states:
        what, after = {"tenant": tenant, "state": str(state), "count": JOBS_A_READ}, ""
        while rows := await tx.run("upkeep/jobs_by_id", **what, after=after):
            for row in rows:
                if any(text in ids for part in (row["payload"], row["result"]) if part for text in _texts(part)):
                    yield row["uid"]
            after = rows[-1]["uid"]


def _texts(json: str) -> Iterator[str]:
    """All texts that stand in a JSON document."""
    left = [orjson.loads(json)]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
