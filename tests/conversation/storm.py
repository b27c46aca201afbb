"""Many processes write to one thread, on a server of their own: `python -m tests.conversation.storm 8 1000`, as
`make storm` does, for 8 processes and 1,000 turns of each.

Checked at the end: each turn is there once, whole and in one piece, in places from 1 on without gap or repeat, each
message is followed by the next, the thread's counters are right, and nothing of a rejected attempt is left.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from graphmem.config import Settings
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.migrate import migrate
from graphmem.values import Tenant, new_id
from tests.conversation.process import turn_texts
from tests.conversation.support import check_log, log, thread
from tests.jobs.support import addressed
from tests.own_server import own_server


@asynccontextmanager
async def process(settings: Settings, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    here = addressed(settings)
    assert here.neo4j_uri is not None
    assert here.neo4j_password is not None
    environment = os.environ | {
        "GRAPHMEM_NEO4J_URI": here.neo4j_uri,
        "GRAPHMEM_NEO4J_USER": here.neo4j_user,
        "GRAPHMEM_NEO4J_PASSWORD": here.neo4j_password.get_secret_value(),
        "GRAPHMEM_NEO4J_DATABASE": here.neo4j_database,
        "GRAPHMEM_LOG_LEVEL": "error",
    }
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.conversation.process", *arguments, env=environment, stdout=asyncio.subprocess.PIPE
    )  # fmt: skip
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


async def storm(graph: Graph, tenant: Tenant, processes: int, turns: int) -> None:
    """Have each process store `turns`, and check that each is there, whole and in one piece."""
    await thread(graph, tenant)

    async def writer(number: int) -> int | None:
        async with process(graph.settings, "write", tenant, str(number), str(turns)) as started:
            await started.wait()
            return started.returncode

    assert await asyncio.gather(*map(writer, range(processes))) == [0] * processes
    expected = [turn_texts(number, turn) for number in range(processes) for turn in range(turns)]
    await check_log(graph, tenant, "t1", expected)


async def main(processes: int, turns: int) -> None:
    tenant = Tenant(f"storm {new_id()}")
    with tempfile.TemporaryDirectory(prefix="graphmem-storm-") as folder, own_server(Path(folder)) as own:
        async with connect(own.addressed(statement_timeout=60)) as graph:
            await migrate(graph)
            began = time.monotonic()
            await storm(graph, tenant, processes, turns)
            messages, took = len(await log(graph, tenant)), time.monotonic() - began
    print(f"{processes} processes, {processes * turns} turns, {messages} messages: sound, {took:.0f} s")


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
