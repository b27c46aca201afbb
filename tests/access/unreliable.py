"""A line to Neo4j that breaks at a chosen moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

COMMIT = b"\x00\x02\xb0\x12\x00\x00"
"""The message COMMIT of the Bolt protocol in its chunk."""


@dataclass
class Line:
    """Carries bytes to and fro, but breaks at the next message that has `at` in it: before the server gets it, or
    (`answered`) after the server answered and before the caller hears of it."""

    uri: str = ""
    at: bytes | None = None
    answered: bool = True
    breaks: int = 0

    async def carry(self, host: str, port: int, caller: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        server, out = await asyncio.open_connection(host, port)
        answers = asyncio.create_task(self._pass_on(server, back))
        while data := await caller.read(65536):
            if self.at is not None and self.at in data:
                self.at, self.breaks = None, self.breaks + 1
                await _ended(answers)
                if self.answered:
                    out.write(data)
                    await server.read(65536)
                break
            out.write(data)
        await _ended(answers)
        out.close()
        back.close()

    async def _pass_on(self, server: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        while data := await server.read(65536):
            back.write(data)


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


@asynccontextmanager
async def unreliable(uri: str) -> AsyncIterator[Line]:
    """A line to the server at `uri`, open at `Line.uri`."""
    target = urlsplit(uri)
    host, port = target.hostname or "127.0.0.1", target.port or 7687
    line = Line()

    async def carry(caller: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        await line.carry(host, port, caller, back)

    async with await asyncio.start_server(carry, "127.0.0.1", 0) as listening:
        line.uri = f"bolt://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        yield line
