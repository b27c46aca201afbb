"""Opens the driver, on a Neo4j of one's own or on the managed local server."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from neo4j import AsyncDriver, AsyncGraphDatabase, NotificationMinimumSeverity
from neo4j.exceptions import ConfigurationError

from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.graph import local
from graphmem.graph.gateway import Graph

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
CONNECT_SECONDS = 5.0
"""How long one connection may take to be made; a host that drops packets costs this much at each try."""


@asynccontextmanager
async def connect(settings: Settings, server: Awaitable[local.Server] | None = None) -> AsyncIterator[Graph]:
    """A graph on `neo4j_uri`, else on the managed server, which is started if need be.

    `server`: the managed one, where somebody has begun to start it already.

    Connections are opened at the first statement, so a server that is down is reported there and not here.

    Raises:
        InvalidInput: `neo4j_uri` is not an address of Neo4j, or `neo4j_ca_file` is of no use with it.
        ServerError: the managed server could not be started.
    """
    async with await _driver(settings, server) as driver:
        yield Graph(driver, settings)


async def _driver(settings: Settings, server: Awaitable[local.Server] | None) -> AsyncDriver:
    if settings.neo4j_uri is None:
        # Whoever has begun the start sees to its end, too: it isn't called off here.
        found = await (asyncio.to_thread(local.start, settings) if server is None else asyncio.shield(server))
        return _open(settings, found.uri, (found.user, found.password))
    uri = settings.neo4j_uri
    trust: dict[str, Any] = {}
    _check(uri)
    if settings.neo4j_ca_file is not None:
        uri, trust = _trusting(settings, uri)
    password = settings.neo4j_password
    auth = (settings.neo4j_user, password.get_secret_value()) if password else None
    try:
        return _open(settings, uri, auth, **trust)
    except (ConfigurationError, ValueError) as error:
        raise InvalidInput(f"GRAPHMEM_NEO4J_URI is not an address of Neo4j: {error}", field="neo4j_uri") from error


def _check(uri: str) -> None:
    parts = urlsplit(uri)
    try:
        named = parts.scheme in SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number, or too large
        named = False
    if not named:
        raise InvalidInput(
            f"GRAPHMEM_NEO4J_URI must be of the form scheme://host:port, its scheme one of {', '.join(SCHEMES)}",
            field="neo4j_uri",
        )


def _trusting(settings: Settings, uri: str) -> tuple[str, dict[str, Any]]:
    """The driver takes an authority of one's own only beside the plain scheme."""
    scheme, separator, rest = uri.partition("://")
    plain = scheme.removesuffix("+s")
    if plain == scheme:
        raise InvalidInput(
            "GRAPHMEM_NEO4J_CA_FILE would not be used: it needs a GRAPHMEM_NEO4J_URI that begins with bolt+s:// or "
            "neo4j+s://",
            field="neo4j_ca_file",
        )
    try:
        context = ssl.create_default_context(cafile=settings.neo4j_ca_file)
    except OSError as error:  # ssl.SSLError is one
        raise InvalidInput(
            f"GRAPHMEM_NEO4J_CA_FILE={settings.neo4j_ca_file} cannot be used ({error}); name a PEM file",
            field="neo4j_ca_file",
        ) from error
    return f"{plain}{separator}{rest}", {"ssl_context": context}


def _open(settings: Settings, uri: str, auth: tuple[str, str] | None, **trust: Any) -> AsyncDriver:
    return AsyncGraphDatabase.driver(
        uri,
        auth=auth,
        max_connection_pool_size=settings.neo4j_pool,
        connection_acquisition_timeout=settings.statement_timeout,
        connection_timeout=CONNECT_SECONDS,
        notifications_min_severity=NotificationMinimumSeverity.OFF,
        telemetry_disabled=True,
        user_agent="graphmem",
        **trust,
    )
