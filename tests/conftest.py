"""One managed Neo4j for the whole run; a fresh tenant for each test."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import httpx
import hypothesis
import pytest
from starlette.applications import Starlette
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from graphmem.access.keys import create_key
from graphmem.app import create_app
from graphmem.config import Settings
from graphmem.graph import local
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import ensure_vectors
from graphmem.graph.migrate import migrate
from graphmem.jobs import claim
from graphmem.jobs.attempt import attempt
from graphmem.runtime import Runtime, handlers, running
from graphmem.values import Scope, Tenant, new_id
from tests.client import Client
from tests.fakes.embedder import HashingEmbedder
from tests.jobs.support import probing
from tests.spoilt import SPOILT, faults, tenants

# A busy machine is slow, and no test looks at the time.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")


# For the servers that child processes start, too.
os.environ["GRAPHMEM_SHORT_LIVED"] = "true"

LONG = ("test_demo.py", "test_reembed.py", "test_examples.py")
"""Minutes each; begun last, one of them would keep one worker busy while the other has nothing left."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in LONG)


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of the test server: its own home, free ports, nothing of the user's.

    `GRAPHMEM_TEST_HOME` names a home whose server is left running, so that a developer's next run starts at once.
    """
    home = Path(os.environ.get("GRAPHMEM_TEST_HOME") or tmp_path_factory.mktemp("neo4j") / "home")
    return Settings(home=home, bolt_port=0, http_port=0, browser=False, worker=False, fast_start="use")


@pytest.fixture(scope="session")
def server(settings: Settings) -> Iterator[local.Server]:
    yield local.start(settings)
    if "GRAPHMEM_TEST_HOME" not in os.environ:
        local.stop(settings)


@pytest.fixture(scope="session")
def embedder() -> HashingEmbedder:
    return HashingEmbedder()


@pytest.fixture(scope="session")
async def graph(server: local.Server, settings: Settings, embedder: HashingEmbedder) -> AsyncIterator[Graph]:
    """When all tests have run, audits find nothing in it but what tests have spoilt; earlier runs' tenants apart."""
    async with connect(settings) as graph:
        await asyncio.gather(migrate(graph), migrate(graph))
        await ensure_vectors(graph, embedder.model, embedder.dimension, embedder.recipe)
        earlier = set(await tenants(graph))
        yield graph
        found = await faults(graph, earlier | {""} if earlier else set())
        assert not found, f"{len(found)} rows that no test has planted, among them {found[:20]}"


@pytest.fixture
async def empty_queue(graph: Graph) -> None:
    """For tests that let a whole worker work: what other tests left to be done took its time, and a worker without an
    embedder leaves their items without vectors."""
    SPOILT.update(row["tenant"] for row in await probing(graph).run("probe/drop_due"))


@pytest.fixture
def tenant() -> Tenant:
    return Tenant(f"tenant {new_id()}")


@pytest.fixture(scope="session")
async def runtime(graph: Graph, settings: Settings, embedder: HashingEmbedder) -> AsyncIterator[Runtime]:
    """The parts of a process without its worker: tests let it work when they say so (`settle`)."""
    async with running(settings, graph, embedder) as runtime:
        await runtime.prepared.wait()
        await runtime.embedding.embedder()
        yield runtime


@pytest.fixture(scope="session")
async def http(runtime: Runtime, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    """The whole service over ASGI, on the test graph."""
    app = create_app(settings, runtime.graph)
    transport = httpx.ASGITransport(Services(app, runtime.services))
    async with httpx.AsyncClient(transport=transport, base_url="http://service") as client:
        yield client


class Services:
    """The app with its lifespan already begun: requests get the services of `runtime`."""

    def __init__(self, app: Starlette, services: object) -> None:
        self.app = app
        self.services = services

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        scope["state"] = {"services": self.services}
        await self.app(scope, receive, send)


Settle = Callable[..., Awaitable[None]]
Connect = Callable[..., Awaitable[Client]]


@pytest.fixture
async def connect_as(http: httpx.AsyncClient, graph: Graph, tenant: Tenant) -> Connect:
    """Makes a client with a key of its own; a fresh tenant's admin unless told otherwise."""

    async def make(*scopes: Scope, tenant: Tenant = tenant, resource: str | None = None) -> Client:
        made = await create_key(graph, tenant, name="test", scopes=scopes or [Scope.ADMIN], resource=resource)
        return Client(http, made.key)

    return make


@pytest.fixture
async def client(connect_as: Connect) -> Client:
    return await connect_as()


@pytest.fixture
def settle(runtime: Runtime, tenant: Tenant) -> Settle:
    """Lets all background work of the test's own tenant, or another, be done."""
    known = handlers(runtime.graph, runtime.embedding)

    async def work(tenant: Tenant = tenant) -> None:
        while jobs := await claim(runtime.graph, list(known), limit=100, lease_seconds=600, tenant=tenant):
            for job in jobs:
                await attempt(runtime.graph, job, known[job.kind], 600)

    return work
