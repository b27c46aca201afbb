"""The commands that run until they are stopped, each in a process of its own."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpx
import psutil
import pytest

from graphmem.graph.gateway import Graph
from graphmem.jobs import find
from graphmem.knowledge.nodes_write import MENTIONS
from graphmem.values import Tenant
from tests.cli.conftest import Cli
from tests.jobs.support import put, until

SECONDS = 60


class Process:
    """A command that runs; `line` waits for one that begins so."""

    def __init__(self, inner: asyncio.subprocess.Process) -> None:
        self.inner = inner

    async def line(self, beginning: str) -> str:
        assert self.inner.stdout is not None
        async with asyncio.timeout(SECONDS):
            while True:
                line = (await self.inner.stdout.readline()).decode()
                assert line, "it ended"
                if line.startswith(beginning):
                    return line.strip()

    async def stop(self, number: signal.Signals) -> tuple[int, str, str]:
        """Exit status and what else it said. Nothing that it started may be left."""
        below = psutil.Process(self.inner.pid).children(recursive=True)
        self.inner.send_signal(number)
        async with asyncio.timeout(SECONDS):
            out, err = await self.inner.communicate()
        assert [child for child in below if child.is_running()] == []
        assert self.inner.returncode is not None
        return self.inner.returncode, out.decode(), err.decode()


@asynccontextmanager
async def running(environment: Mapping[str, str], *args: str, **more: object) -> AsyncIterator[Process]:
    named = {f"GRAPHMEM_{name.upper()}": str(value) for name, value in {**environment, **more}.items()}
    inner = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "graphmem", *args, env=os.environ | named,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Process(inner)
    finally:
        if inner.returncode is None:
            inner.kill()
            await inner.communicate()


async def address(process: Process) -> str:
    found = re.fullmatch(r"graphmem answers at (\S+)/graphql", await process.line("graphmem answers"))
    assert found
    return found[1]


@pytest.mark.usefixtures("empty_queue")
async def test_serve_prints_the_first_key_once_answers_and_stops_at_a_signal(
    graph: Graph, environment: dict[str, str], tenant: Tenant
) -> None:
    async with running(environment, "serve") as process:
        base = await address(process)
        key = (await process.line("first API key, shown once: ")).rpartition(" ")[2]
        async with httpx.AsyncClient(base_url=base, headers={"Authorization": f"Bearer {key}"}) as http:
            assert (await http.get("/readyz")).status_code == 200
            answer = await http.post("/graphql", json={"query": "{ me { tenant scopes } }"})
            assert answer.json()["data"]["me"] == {"tenant": tenant, "scopes": ["ADMIN"]}
            assert "server" not in answer.headers
            assert await process.stop(signal.SIGTERM) == (0, "", "")
    async with running(environment, "serve", log_level="info") as process:
        base = await address(process)
        async with httpx.AsyncClient(base_url=base, headers={"Authorization": f"Bearer {key}"}) as http:
            assert (await http.post("/graphql", json={"query": "{ me { tenant } }"})).status_code == 200
            too_large = await http.post("/graphql", content=b" " * (17 << 20))
            assert (too_large.status_code, too_large.json()["errors"][0]["extensions"]["code"]) == (
                413,
                "LIMIT_EXCEEDED",
            )
        status, out, err = await process.stop(signal.SIGINT)
    assert (status, out) == (0, ""), "the key is not shown again"
    assert err.count('"event":"request"') == 2
    assert key not in err


async def test_serve_answers_and_stops_while_neo4j_is_away(environment: dict[str, str], unused_tcp_port: int) -> None:
    async with running(environment, "serve", neo4j_uri=f"bolt://127.0.0.1:{unused_tcp_port}") as process:
        base = await address(process)
        async with httpx.AsyncClient(base_url=base) as http:
            assert (await http.get("/healthz")).status_code == 200
            assert (await http.get("/readyz")).status_code == 503
        assert await process.stop(signal.SIGTERM) == (0, "", "")


@pytest.mark.usefixtures("empty_queue")
async def test_serve_stops_while_the_model_loads(graph: Graph, environment: dict[str, str]) -> None:
    async with running(environment, "serve", embedding_model="all-MiniLM-L6-v2", log_level="error") as process:
        await address(process)
        assert (await process.stop(signal.SIGTERM))[0] == 0


@pytest.mark.usefixtures("empty_queue")
async def test_serve_with_open_access_says_so(graph: Graph, environment: dict[str, str]) -> None:
    async with running(environment, "serve", open_access="true", host="::1") as process:
        base = await address(process)
        assert base.startswith("http://[::1]:")
        await process.line("open access: no key is needed")
        async with httpx.AsyncClient(base_url=base) as http:
            answer = await http.post("/graphql", json={"query": "{ me { keyId } }"})
            assert answer.json()["data"]["me"]["keyId"] == "open"
        assert (await process.stop(signal.SIGINT))[:2] == (0, "")


@pytest.mark.usefixtures("empty_queue")
async def test_work_does_jobs_and_stops_at_a_signal(graph: Graph, environment: dict[str, str], tenant: Tenant) -> None:
    async with running(environment, "work") as process:
        await process.line("working on jobs")
        # Due before all that other tests have left in the queue.
        job = await put(graph, tenant, MENTIONS, {"ids": []}, run_after=datetime(2020, 1, 1, tzinfo=UTC))

        async def done() -> bool:
            return (await find(graph, tenant, job)).state == "done"

        await until(done)
        assert await process.stop(signal.SIGINT) == (0, "", "")


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_port_in_use_is_told_in_one_line(cli: Cli, host: str) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as taken:
        taken.bind((host, 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = cli("serve", port=port, host=host)
    assert (done.status, done.out) == (2, "")
    why = "(Address already in use); set GRAPHMEM_PORT to another"
    assert done.told == f"graphmem: {host}:{port} can't be listened on {why}"


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host"])
def test_an_address_of_no_machine_or_another_is_told_in_one_line(cli: Cli, host: str) -> None:
    done = cli("serve", host=host)
    assert (done.status, done.out) == (2, "")
    assert done.told.endswith("set GRAPHMEM_HOST to an address of this machine")


def test_open_access_to_others_is_refused_in_one_line(cli: Cli) -> None:
    done = cli("serve", open_access="true", host="0.0.0.0")
    assert (done.status, done.out) == (2, "")
    assert "open_access needs a loopback host" in done.told
