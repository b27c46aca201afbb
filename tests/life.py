"""A service that comes to life: when it is ready, and a caller of it."""

from __future__ import annotations

import httpx

from graphmem.access.keys import create_key
from graphmem.graph.gateway import Graph
from graphmem.values import Scope, Tenant, new_id
from tests.client import Client
from tests.jobs.support import until


async def keyed(graph: Graph, http: httpx.AsyncClient, tenant: Tenant | None = None) -> Client:
    made = await create_key(graph, tenant or Tenant(f"tenant {new_id()}"), name="test", scopes=[Scope.ADMIN])
    return Client(http, made.key)


async def parts(http: httpx.AsyncClient) -> dict[str, str]:
    """What `/readyz` says is wrong, by part."""
    answer = await http.get("/readyz")
    found = answer.json()
    wrong = {name: part["detail"] for name, part in found["parts"].items() if not part["ok"]}
    assert (answer.status_code, found["ready"]) == ((503, False) if wrong else (200, True))
    return wrong


async def until_ready(http: httpx.AsyncClient) -> None:
    async def ready() -> bool:
        return not await parts(http)

    await until(ready, 150)
