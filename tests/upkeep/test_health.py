from __future__ import annotations

from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.runtime import Runtime
from graphmem.upkeep.health import health
from graphmem.values import Scope, Tenant
from tests.client import Client
from tests.conftest import Connect
from tests.jobs.support import put_many

HEALTH = "{ health { ok parts { name ok detail } } }"


async def test_over_graphql_each_part_is_told_with_the_callers_own_jobs(
    client: Client, connect_as: Connect, graph: Graph, tenant: Tenant
) -> None:
    await put_many(graph, tenant, "some work", 3)
    found = (await client.query(HEALTH))["health"]
    assert found["ok"]
    parts = {part["name"]: part["detail"] for part in found["parts"]}
    assert list(parts) == ["neo4j", "indexes", "jobs", "migrations", "embedder"]
    assert parts.pop("neo4j").startswith("version ")
    assert parts == {
        "indexes": "online", "jobs": "3 ready, 0 leased, 0 done, 0 failed", "migrations": "applied", "embedder": "ready"
    }  # fmt: skip
    other = await connect_as(Scope.READ, tenant=Tenant(f"{tenant} other"))
    theirs = (await other.query(HEALTH))["health"]["parts"]
    assert [part["detail"] for part in theirs if part["name"] == "jobs"] == ["0 ready, 0 leased, 0 done, 0 failed"]


async def test_what_is_not_ready_is_told_with_a_reason(runtime: Runtime) -> None:
    parts = await health(runtime.graph, runtime.embedding, ["the schema is newer"])
    assert {part.name: part.detail for part in parts if not part.ok} == {"migrations": "the schema is newer"}


async def test_a_neo4j_that_is_away_is_told(runtime: Runtime, settings: Settings, unused_tcp_port: int) -> None:
    away = settings.model_copy(
        update={"neo4j_uri": f"bolt://127.0.0.1:{unused_tcp_port}", "neo4j_password": SecretStr("x")}
    )
    async with connect(away) as graph:
        parts = await health(graph, runtime.embedding, [])
    assert {part.name: part.ok for part in parts} == {"neo4j": False, "migrations": True, "embedder": True}
