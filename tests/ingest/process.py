"""Ingests a folder in a process of its own: `python -m tests.ingest.process TENANT FOLDER`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from graphmem.config import Settings
from graphmem.graph.connect import connect
from graphmem.ingest.files import ingest_folder
from graphmem.values import Tenant
from tests.factories import principal


async def main(tenant: str, folder: str) -> None:
    async with connect(Settings()) as graph:
        done = await ingest_folder(
            graph, principal(Tenant(tenant)), Path(folder), tell=lambda done, *_: print(done, flush=True)
        )
    assert not done.failed, done.failed


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
