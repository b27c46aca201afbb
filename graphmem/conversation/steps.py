"""How work on a thread of any size is cut into transactions of bounded memory and time."""

from __future__ import annotations

from graphmem.graph.gateway import Transaction
from graphmem.jobs import RESUME_AFTER, enqueue
from graphmem.values import Tenant, utc_now

MOST_A_STEP = 1000
"""Messages, with their pieces, earlier versions and hundreds of tokens, that one transaction takes on. All of 20,000
with vectors are more than half of a heap of 512 MiB."""
TURNS_A_STEP = 1000
THREADS_A_STEP = 500


async def resume(tx: Transaction, tenant: Tenant, kind: str, thread: str) -> None:
    """Have a job of `kind` go on with what is left to be done for a thread, should the caller not come to it."""
    await enqueue(tx, tenant, kind, {"thread": thread}, run_after=utc_now() + RESUME_AFTER, on=thread)
