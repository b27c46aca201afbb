"""A way to Neo4j that can be shut and opened again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit


class Gate:
    """Shut, it ends every connection and takes no new one, as a server does that is down."""

    def __init__(self, uri: str) -> None:
        target = urlsplit(uri)
        self._target = (target.hostname or "127.0.0.1", target.port or 7687)
        self._port = 0
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.Task[None]] = set()

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self._port}"

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def shut(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._passing:
            task.cancel()
        if self._passing:
            await asyncio.wait(self._passing)

    async def _carry(self, caller: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        server, out = await asyncio.open_connection(*self._target)
        ways = {asyncio.create_task(_pass_on(caller, out)), asyncio.create_task(_pass_on(server, back))}
        self._passing |= ways
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.wait(ways)
        self._passing -= ways
        out.close()
        back.close()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(65536):
        target.write(data)


@asynccontextmanager
async def gate(uri: str) -> AsyncIterator[Gate]:
    """An open gate before the server at `uri`."""
    way = Gate(uri)
    await way.open()
    try:
        yield way
    finally:
        await way.shut()
