"""A worker in a process of its own: `python -m tests.jobs.process work|hang KIND`, settings in the environment.

`work` works all that is due, writing each effect in the transaction that completes its job. `hang` tells on its
output that a job has begun, and never ends it.
"""

from __future__ import annotations

import asyncio
import sys

from graphmem.cli import console
from graphmem.config import Settings
from graphmem.graph.connect import connect
from graphmem.jobs import Job, Worker
from tests.jobs.support import with_effect


async def hang(job: Job) -> None:
    print(job.id, flush=True)
    await asyncio.Event().wait()


async def main(what: str, kind: str) -> None:
    settings = Settings()
    async with connect(settings) as graph:
        handler = with_effect(graph) if what == "work" else hang
        await Worker(graph, {kind: handler}, settings).drain(120)


if __name__ == "__main__":
    console.configure_logging("warning")  # on standard error: the output is for what is waited for
    asyncio.run(main(*sys.argv[1:]))
