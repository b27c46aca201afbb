"""The service: settings in, an ASGI application out."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from graphmem.api.http import Endpoint
from graphmem.api.schema import make_schema
from graphmem.config import Settings
from graphmem.embedding import Embedder
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.runtime import Services, running
from graphmem.upkeep.health import health
from graphmem.web.pages import routes


def create_app(
    settings: Settings,
    graph: Graph | None = None,
    embedder: Embedder | None = None,
    services: Services | None = None,
) -> Starlette:
    """The service. What is not given is made at start; all but a given graph is closed at the end.

    `services`: those of a `running` process that the app is a part of.

    Raises what `check_access` raises.
    """
    check_access(settings)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[Mapping[str, object]]:
        if services is not None:
            yield {"services": services}
            return
        async with running(settings, graph, embedder) as runtime:
            yield {"services": runtime.services}

    return Starlette(
        routes=[
            Route("/graphql", Endpoint(make_schema(settings))),
            Route("/healthz", _healthz),
            Route("/readyz", _readyz),
            *routes(settings),
        ],
        middleware=list(_middleware(settings)),
        lifespan=lifespan,
    )


def check_access(settings: Settings) -> None:
    """Raises InvalidInput when the graph would be open to others without a key."""
    if not settings.open_access:
        return
    if not _is_loopback(settings.host):
        raise InvalidInput(
            f"open_access needs a loopback host, not {settings.host}; use keys, or host 127.0.0.1", field="open_access"
        )
    if "*" in settings.allowed_origins:
        raise InvalidInput(
            "with open_access, allowed_origins must name each origin: any web page could read the graph otherwise",
            field="allowed_origins",
        )


def _middleware(settings: Settings) -> Iterator[Middleware]:
    if settings.open_access:
        # A page whose host name is made to lead to this machine is of the service's own origin to a browser.
        own = ["localhost", "127.0.0.1", "[::1]", settings.host]
        yield Middleware(TrustedHostMiddleware, allowed_hosts=own, www_redirect=False)
    if settings.allowed_origins:
        yield Middleware(
            CORSMiddleware,
            allow_origins=settings.allowed_origins,
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type"],
            expose_headers=["X-Request-Id"],
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _healthz(_: Request) -> JSONResponse:
    """The process is alive; says nothing about what it stands on."""
    return JSONResponse({"status": "alive"})


async def _readyz(request: Request) -> JSONResponse:
    """Whether requests can be answered, and what is missing if not."""
    services: Services = request.state.services
    parts = await health(services.graph, services.embedding, services.problems())
    ready = all(part.ok for part in parts)
    body = {part.name: {"ok": part.ok, "detail": part.detail} for part in parts}
    return JSONResponse({"ready": ready, "parts": body}, 200 if ready else 503)
