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
from pathlib import Path

from graphmem.access.keys import create_key
from graphmem.cli import console
from graphmem.cli.serve import serving
from graphmem.config import Settings
from graphmem.graph import local
from graphmem.values import Scope, Tenant

CLIENT = Path(__file__).parents[2] / "examples" / "typescript"
EXPECTED = "0 Refunds - A refund is paid within 14 days.\n1 Disputes - The finance team settles disputes.\n"


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
            browser=False, log_level="error",
        )  # fmt: skip
        local.start(settings)
        try:
            return asyncio.run(_run(settings))
        finally:
            local.stop(settings)


async def _run(settings: Settings) -> int:
    async with serving(settings) as service:
        key = await create_key(service.runtime.graph, Tenant("clients"), name="clients", scopes=[Scope.WRITE])
        for right in (key.key, "gm_wrong"):
            printed, told, status = await _client(service.address, right)
            if right == key.key and (printed, status) != (EXPECTED, 0):
                print(f"the TypeScript client ended with status {status} and printed:\n{printed}{told}")
                return 1
            if right != key.key and (status == 0 or "Error: " not in told):
                print(f"with a wrong key the TypeScript client ended with status {status}: {told}")
                return 1
    print("the TypeScript client remembers and searches")
    return 0


async def _client(address: str, key: str) -> tuple[str, str, int | None]:
    env = {**os.environ, "GRAPHMEM_URL": address, "GRAPHMEM_KEY": key}
    process = await asyncio.create_subprocess_exec(
        "node", "build/client.js", cwd=CLIENT, env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    printed, told = await process.communicate()
    return printed.decode(), told.decode(), process.returncode


if __name__ == "__main__":
    sys.exit(main())
