"""The service as its callers reach it, under settings of a test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx

from graphmem.access.keyring import Keyring
from graphmem.app import create_app
from graphmem.graph.gateway import Graph
from graphmem.runtime import Runtime
from tests.asgi import started

ME = "{ me { tenant keyId } }"


@asynccontextmanager
async def service(
    runtime: Runtime, base_url: str = "http://service", *, graph: Graph | None = None, **changes: Any
) -> AsyncIterator[httpx.AsyncClient]:
    """The service under changed settings, on the test graph or another."""
    settings = runtime.services.settings.model_copy(update=changes)
    services = replace(runtime.services, settings=settings)
    if graph is not None:
        services = replace(services, graph=graph, keyring=Keyring(graph, settings))
    async with started(create_app(settings, services=services), base_url) as client:
        yield client


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def only_error(answer: httpx.Response) -> dict[str, Any]:
    """Code and message of an answer that is one error."""
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-request-id"]
    body = answer.json()
    assert body["data"] is None
    (error,) = body["errors"]
    return {"message": error["message"], **error["extensions"]}
