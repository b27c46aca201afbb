"""`make browser`: a real service and a real Neo4j Browser, opened in a real browser.

Needs Node.js with npm and Chromium (`CHROMIUM` names it where it is not /usr/bin/chromium).
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
from graphmem.access.principal import local_principal
from graphmem.cli.serve import serving
from graphmem.config import Settings
from graphmem.graph import local
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.knowledge.remember import remember
from graphmem.values import EdgeType, Scope, Tenant

HERE = Path(__file__).parent
TENANT = Tenant("browser")
CYPHER = "CYPHER 25 MATCH p = (:Knowledge)-[:DEPENDS_ON]->(:Knowledge) RETURN p"


def main() -> int:
    for tool in ("npm", os.environ.get("CHROMIUM", "chromium")):
        if shutil.which(tool) is None:
            print(f"make browser needs {tool}; install Node.js and Chromium (Debian: apt-get install chromium)")
            return 1
    if not (HERE / "node_modules").is_dir():
        subprocess.run(["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"], cwd=HERE, check=True)
    with tempfile.TemporaryDirectory() as home:
        settings = Settings(
            home=Path(home) / "neo4j", bolt_port=0, http_port=0, port=0, embedding_model="none", fast_start="use",
            log_level="error", short_lived=True,
            statement_timeout=120.0,  # planning is part of a first search, and other checks run beside this one
        )  # fmt: skip
        server = local.start(settings)
        try:
            return asyncio.run(_run(settings, server.password))
        finally:
            local.stop(settings)


async def _run(settings: Settings, password: str) -> int:
    async with serving(settings) as service:
        graph = service.runtime.graph
        nodes = [
            NodeInput("Orders", "Orders need a customer.", id="orders"),
            NodeInput("Customers", "Who buys.", id="c"),
        ]
        await remember(graph, local_principal(TENANT), nodes, [EdgeInput("orders", "c", EdgeType.DEPENDS_ON)])
        key = await create_key(graph, TENANT, name="browser", scopes=[Scope.READ])
        env = {
            **os.environ,
            "GRAPHMEM_URL": service.address,
            "GRAPHMEM_KEY": key.key,
            "GRAPHMEM_QUERY": '{ knowledge(id: "orders") { title dependsOn { title } } }',
            "GRAPHMEM_EXPECT": "Customers",
            "NEO4J_BROWSER_URL": local.browser_url(settings, CYPHER),
            "NEO4J_PASSWORD": password,
        }
        process = await asyncio.create_subprocess_exec("npm", "test", cwd=HERE, env=env)
        return await process.wait()


if __name__ == "__main__":
    sys.exit(main())
