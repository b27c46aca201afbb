"""`make clients`: the TypeScript client, type-checked and run in Node.js on a real service.

The Python client is run by pytest. Needs Node.js 18 or newer with npm.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from graphmem.access.keys import create_key
from graphmem.cli import console
from graphmem.cli.serve import serving
from graphmem.config import Settings
from graphmem.graph import local
from graphmem.values import Scope, Tenant

CLIENT = Path(__file__).parents[2] / "examples" / "typescript"
EXPECTED = "0 Refunds - A refund is paid within 14 days.\n1 Disputes - The finance team settles disputes.\n"


@dataclass(frozen=True)
class Ended:
    """How the client ended, and what it said."""

    status: int | None
    printed: str
    told: str


def main() -> int:
    if shutil.which("npm") is None:
        print("make clients needs npm; install Node.js")
        return 1
    console.configure_logging("error")
    quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(["npm", "ci", *quiet], cwd=CLIENT, check=True)
    subprocess.run(["npm", "run", "--silent", "build"], cwd=CLIENT, check=True)
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(
            home=Path(home) / "neo4j", bolt_port=0, http_port=0, port=0, embedding_model="none", fast_start="use",
            browser=False, log_level="error", short_lived=True,
            statement_timeout=120.0,  # planning is part of a first search, and other checks run beside this one
        )  # fmt: skip
        local.start(settings)
        try:
            return asyncio.run(_run(settings))
        finally:
            local.stop(settings)


async def _run(settings: Settings) -> int:
    async with serving(settings) as service:
        key = await create_key(service.runtime.graph, Tenant("clients"), name="clients", scopes=[Scope.WRITE])
        done = await _client(service.address, key.key)
        refused = await _client(service.address, "gm_wrong")
    if (done.status, done.printed) != (0, EXPECTED):
        print(f"the TypeScript client ended with {done}")
        return 1
    if refused.status == 0 or "Error: " not in refused.told:
        print(f"with a wrong key the TypeScript client ended with {refused}")
        return 1
    print("the TypeScript client remembers and searches, and tells when its key is wrong")
    return 0


async def _client(address: str, key: str) -> Ended:
    env = {**os.environ, "GRAPHMEM_URL": address, "GRAPHMEM_KEY": key}
    process = await asyncio.create_subprocess_exec(
        "node", "build/client.js", cwd=CLIENT, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    printed, told = await process.communicate()
    return Ended(process.returncode, printed.decode(), told.decode())


if __name__ == "__main__":
    sys.exit(main())
