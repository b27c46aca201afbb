"""Opens the driver, on a Neo4j of one's own or on the managed local server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from neo4j import AsyncDriver, AsyncGraphDatabase, NotificationMinimumSeverity, TrustCustomCAs

from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.graph import local
from graphmem.graph.gateway import Graph

_SCHEMES = {"bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"}
_ENCRYPTED = {"bolt+s": "bolt", "neo4j+s": "neo4j"}


@asynccontextmanager
async def connect(settings: Settings) -> AsyncIterator[Graph]:
    """A graph on `neo4j_uri`, else on the managed server, which is started if need be.

    Connections are opened at the first statement, so a server that is down is reported there and not here.

    Raises:
        InvalidInput: `neo4j_uri` is not an address of Neo4j.
        ServerError: the managed server could not be started.
    """
    async with await _driver(settings) as driver:
        yield Graph(driver, settings)


async def _driver(settings: Settings) -> AsyncDriver:
    if settings.neo4j_uri is None:
        server = await asyncio.to_thread(local.start, settings)
        return _open(settings, server.uri, (server.user, server.password))
    password = settings.neo4j_password
    return _open(settings, settings.neo4j_uri, (settings.neo4j_user, password.get_secret_value()) if password else None)


def _open(settings: Settings, uri: str, auth: tuple[str, str] | None) -> AsyncDriver:
    scheme = urlsplit(uri).scheme
    if scheme not in _SCHEMES:
        raise InvalidInput(
            f"GRAPHMEM_NEO4J_URI must begin with one of {', '.join(sorted(_SCHEMES))}", field="neo4j_uri"
        )
    trust: dict[str, Any] = {}
    if settings.neo4j_ca_file and scheme in _ENCRYPTED:
        # The driver takes an authority of one's own only beside the plain scheme.
        uri = uri.replace(scheme, _ENCRYPTED[scheme], 1)
        trust = {"encrypted": True, "trusted_certificates": TrustCustomCAs(str(settings.neo4j_ca_file))}
    return AsyncGraphDatabase.driver(
        uri,
        auth=auth,
        max_connection_pool_size=settings.neo4j_pool,
        connection_acquisition_timeout=settings.statement_timeout,
        connection_timeout=10,
        notifications_min_severity=NotificationMinimumSeverity.OFF,
        telemetry_disabled=True,
        user_agent="graphmem",
        **trust,
    )
