"""Many processes write to one thread: `python -m tests.conversation.storm 8 1000` (processes, turns of all).

Needs `GRAPHMEM_HOME`, whose managed server runs.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from graphmem.config import Settings
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.values import Tenant, new_id
from tests.conversation.process import turn_texts
from tests.conversation.support import check_log, log, thread
from tests.jobs.support import addressed


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
    """Have `turns` stored in all, and check that each is there, whole and in one piece."""
    await thread(graph, tenant)
    share = turns // processes

    async def writer(number: int) -> int | None:
        async with process(graph.settings, "write", tenant, str(number), str(share)) as started:
            await started.wait()
            return started.returncode

    assert await asyncio.gather(*map(writer, range(processes))) == [0] * processes
    expected = [turn_texts(number, turn) for number in range(processes) for turn in range(share)]
    await check_log(graph, tenant, "t1", expected)


async def main(processes: int, turns: int) -> None:
    async with connect(Settings()) as graph:
        tenant = Tenant(f"storm {new_id()}")
        began = time.monotonic()
        await storm(graph, tenant, processes, turns)
        messages = len(await log(graph, tenant))
        print(f"{processes} processes, {turns} turns, {messages} messages: sound, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:])))
