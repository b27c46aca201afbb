"""The whole service through its life: what it waits for, what it does without, and what it says of itself."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import numpy as np
import pytest
import uvicorn
from pydantic import SecretStr

from graphmem.access.keys import first_key
from graphmem.app import create_app
from graphmem.config import Settings
from graphmem.embedding import Embedder
from graphmem.embedding.embedder import NetworkEmbedder
from graphmem.embedding.network import Kind, Vectors
from graphmem.embedding.worker import Worker
from graphmem.errors import Unavailable
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import INDEXES, index_state
from graphmem.jobs import counts
from graphmem.runtime import running
from graphmem.values import Tenant, new_id
from tests.asgi import started
from tests.context.support import COMMIT, begin, hits, stage, user
from tests.factories import ids, note
from tests.fakes.embedder import HashingEmbedder
from tests.fakes.network import StubNetwork
from tests.graph.probing import emptied, probing
from tests.jobs.support import addressed, until
from tests.life import keyed, parts, until_ready
from tests.operations import context, recall, remember, search
from tests.own_server import OwnServer, own_server


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnServer]:
    """A Neo4j that may be killed, and whose graph is empty at first."""
    with own_server(tmp_path_factory.mktemp("own")) as server:
        yield server


@pytest.fixture
def lost() -> Iterator[None]:
    """For services that end while they try to reach Neo4j: the driver leaves a socket to the garbage collector then."""
    yield
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()


class Network384(StubNetwork):
    """Vectors of 384 dimensions; waits in each call while `open` is not set."""

    dimension = 384
    hashing = HashingEmbedder(384)

    def encode(self, texts: Sequence[str], kind: Kind) -> Vectors:
        super().encode(texts, kind)
        return np.array([self.hashing._vector(text) for text in texts], dtype=np.float32)


def made_of(network: StubNetwork, settings: Settings) -> Embedder:
    return NetworkEmbedder(network, Worker(lambda: network, 64, 4096), settings)


def named(server: OwnServer, **changes: Any) -> Settings:
    """Settings of a service on the module's own server."""
    return server.addressed(
        embedding_model="small", job_poll_seconds=0.1, retry_seconds=120, statement_timeout=60, **changes
    )


async def test_two_processes_that_start_at_once_on_an_empty_graph_share_it(own: OwnServer) -> None:
    settings = named(own, worker=False)
    one, two = made_of(Network384(window=256), settings), made_of(Network384(window=256), settings)
    async with running(settings, embedder=one) as first, running(settings, embedder=two) as second:
        for runtime in (first, second):
            await runtime.prepared.wait()
            assert await runtime.embedding.embedder() is not None
        tenant = Tenant(f"tenant {new_id()}")
        made = await asyncio.gather(first_key(first.graph, tenant), first_key(second.graph, tenant))
        (key,) = [found.key for found in made if found]
        assert (await second.services.keyring.authenticate(f"Bearer {key}")).tenant == tenant
        assert (await first.services.keyring.authenticate(f"Bearer {key}")).tenant == tenant


async def test_what_is_remembered_has_its_vector_soon_of_384_dimensions_too(own: OwnServer) -> None:
    """R29."""
    settings = named(own)
    async with started(create_app(settings, embedder=made_of(Network384(window=256), settings))) as http:
        await until_ready(http)
        async with connect(settings) as graph:
            client = await keyed(graph, http)
        await remember(client, [note("a", "Otters", "Otters swim in rivers.")])

        async def has_vector() -> bool:
            found = await search(client, "otters", mode="VECTOR")
            return ids(found["hits"]) == ["a"] and found["hits"][0]["parts"]["vector"] > 0

        await until(has_vector, 120)


async def vector_indexes(graph: Graph) -> dict[str, int]:
    """Their dimensions."""
    rows = await probing(graph).read("probe/schema")
    return {row["name"]: row["options"]["indexConfig"]["vector.dimensions"] for row in rows if row["type"] == "VECTOR"}


async def test_no_dimension_is_assumed_while_a_model_cannot_be_loaded(own: OwnServer) -> None:
    """R30: loading is tried again, and the indexes are made when there is a model."""
    settings, there = named(own, worker=False), asyncio.Event()
    async with connect(settings) as graph:
        await emptied(graph)

    async def load(_: Settings) -> Embedder:
        if not there.is_set():
            raise Unavailable("embedding_model small could not be loaded: its file is gone")
        return made_of(Network384(window=256), settings)

    async with running(settings, load=load) as runtime:
        await runtime.prepared.wait()
        with pytest.raises(Unavailable, match="its file is gone"):
            await runtime.embedding.embedder()
        assert await index_state(runtime.graph) is None
        assert await vector_indexes(runtime.graph) == {}
        there.set()

        async def ready() -> bool:
            return runtime.embedding.state == "ready"

        await until(ready, 120)
        made = [f"{of}_vector_1" for of in INDEXES]
        assert await vector_indexes(runtime.graph) == dict.fromkeys(made, 384)


async def test_what_is_said_has_its_vector_soon_and_nobody_asks_for_it(own: OwnServer) -> None:
    """R38: the service's own worker makes it of a turn that was committed, of any of its ways."""
    settings = named(own)
    async with started(create_app(settings, embedder=made_of(Network384(window=256), settings))) as http:
        await until_ready(http)
        async with connect(settings) as graph:
            client = await keyed(graph, http)
        await begin(client, "t1", user("Otters swim in rivers.", "m1"))
        await stage(client, "t1", "u1", user("Badgers dig in the woods.", "m2"))
        await client.query(COMMIT, id="u1")
        for query, uid in (("rivers otters", "m1"), ("woods badgers", "m2")):

            async def has_vector(query: str = query, uid: str = uid) -> bool:
                (hit,) = (await recall(client, query, resourceId="r1", topK=1))["hits"]
                return bool(hit["message"]["id"] == uid and hit["similarity"] and hit["parts"]["vector"] > 0)

            await until(has_vector, 120)
        bundle = await context(client, "t1", message="woods badgers", tiers=["RECALL"])
        assert (bundle["warnings"], bundle["embedCalls"]) == ([], 1)
        assert "m2" in hits(bundle)


async def test_a_slow_embedder_does_not_keep_a_search(own: OwnServer) -> None:
    settings = named(own, embedding_timeout=0.2)
    network = Network384(window=256)
    async with started(create_app(settings, embedder=made_of(network, settings))) as http:
        await until_ready(http)
        async with connect(settings) as graph:
            client = await keyed(graph, http)
        await remember(client, [note("a", "Otters", "Otters swim in rivers.")])
        network.open.clear()
        found = await search(client, "where do otters swim")
        network.open.set()
    assert ids(found["hits"]) == ["a"]
    assert [warning["code"] for warning in found["warnings"]] == ["EMBEDDER_UNAVAILABLE"]
    assert "embedding_timeout" in found["warnings"][0]["message"]


async def test_without_an_embedder_all_else_works_and_vectors_come_when_there_is_one(own: OwnServer) -> None:
    """C55."""
    settings, tenant = named(own), Tenant(f"tenant {new_id()}")
    without = settings.model_copy(update={"embedding_model": "none"})
    async with running(without) as runtime, started(create_app(without, services=runtime.services)) as http:
        await until_ready(http)
        client = await keyed(runtime.graph, http, tenant)
        await remember(client, [note("a", "Otters", "Otters swim in rivers.")])
        await runtime.worker.drain(60, tenant)
        found = await search(client, "otters")
        assert ids(found["hits"]) == ["a"]
        assert found["warnings"] == [
            {"code": "EMBEDDER_UNAVAILABLE", "message": "searched by text only: the embedder is off"}
        ]
    async with running(settings, embedder=made_of(Network384(window=256), settings), work=False) as runtime:
        await runtime.embedding.embedder()
        assert (await counts(runtime.graph, tenant))["ready"] == 0, "a process that does not work queues nothing"
    async with started(create_app(settings, embedder=made_of(Network384(window=256), settings))) as http:
        await until_ready(http)
        async with connect(settings) as graph:
            client = await keyed(graph, http, tenant)

        async def has_vector() -> bool:
            found = await search(client, "otters", mode="VECTOR")
            assert found["warnings"] == []
            return ids(found["hits"]) == ["a"] and found["hits"][0]["parts"]["vector"] > 0

        await until(has_vector, 120)


@pytest.mark.timeout(400)
async def test_the_service_starts_without_neo4j_and_is_ready_when_that_comes(own: OwnServer, lost: None) -> None:
    settings = named(own)
    own.kill()
    async with started(create_app(settings, embedder=made_of(Network384(window=256), settings))) as http:
        wrong = await parts(http)
        assert wrong["neo4j"].startswith("Neo4j does not answer")
        assert wrong["embedder"] == "loading"
        assert wrong["migrations"]
        assert (await http.get("/healthz")).json() == {"status": "alive"}
        await asyncio.to_thread(own.start)
        await until_ready(http)


@pytest.mark.timeout(400)
async def test_a_call_rides_over_a_restart_of_neo4j(own: OwnServer) -> None:
    settings = named(own)
    async with started(create_app(settings, embedder=made_of(Network384(window=256), settings))) as http:
        await until_ready(http)
        async with connect(settings) as graph:
            client = await keyed(graph, http)
            await client.query("{ me { tenant } }")
        own.kill()
        assert "neo4j" in await parts(http)
        call = asyncio.create_task(remember(client, [note("a")]))
        await asyncio.to_thread(own.start)
        assert (await call)["created"] == ["a"]
        await until_ready(http)
        assert (await http.get("/healthz")).status_code == 200


@asynccontextmanager
async def silent_port() -> AsyncIterator[int]:
    """A port where everything is accepted and nothing is answered."""
    gone = asyncio.Event()

    async def keep(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await gone.wait()
        writer.close()

    async with await asyncio.start_server(keep, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]
        gone.set()


async def test_readiness_is_told_at_once_whatever_neo4j_does(
    settings: Settings, embedder: HashingEmbedder, unused_tcp_port: int, lost: None
) -> None:
    async with silent_port() as silent:
        for port, reason in ((unused_tcp_port, "Neo4j does not answer"), (silent, "no answer within 5 s")):
            down = settings.model_copy(
                update={
                    "neo4j_uri": f"bolt://127.0.0.1:{port}", "neo4j_password": SecretStr("x"), "retry_seconds": 600,
                }
            )  # fmt: skip
            async with started(create_app(down, embedder=embedder)) as http, asyncio.timeout(30):
                assert (await parts(http))["neo4j"].startswith(reason)
                assert (await http.get("/healthz")).status_code == 200


async def test_all_is_well_when_it_is(settings: Settings, graph: Graph, embedder: HashingEmbedder) -> None:
    async with started(create_app(settings, graph, embedder)) as http:
        await until_ready(http)
        answer = (await http.get("/readyz")).json()
    assert answer["parts"].keys() == {"neo4j", "indexes", "migrations", "embedder"}
    assert answer["parts"]["embedder"] == {"ok": True, "detail": "ready"}
    assert await graph.read("graph/ping"), "a graph that was given is left open"


async def test_a_server_may_make_the_app_itself(settings: Settings, server: object) -> None:
    here = addressed(settings, embedding_model="none")
    config = uvicorn.Config(lambda: create_app(here), factory=True)
    config.load()
    async with started(config.loaded_app) as http:
        await until_ready(http)
