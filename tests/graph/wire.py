"""A way to Neo4j that can be listened to, cut and stopped."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LIMIT = re.compile(rb"\x8atx_timeout(?:([\x01-\x7f])|\xc9(..)|\xca(....))", re.DOTALL)
"""A transaction's time limit in Bolt: the key, and a positive number of milliseconds in one of its lengths."""


@dataclass
class Wire:
    """`sent` is what went to the server since it was last emptied; `connections` were opened so far. While `flows` is
    not set nothing passes, and nobody is told, as with a machine that is frozen."""

    uri: str = ""
    flows: asyncio.Event = field(default_factory=asyncio.Event)
    sent: bytearray = field(default_factory=bytearray)
    connections: int = 0
    is_open: bool = True
    _carrying: set[asyncio.Task[None]] = field(default_factory=set)

    def limits(self) -> list[int]:
        """The time limits that were sent, in milliseconds."""
        return [int.from_bytes(b"".join(found.groups(b""))) for found in LIMIT.finditer(bytes(self.sent))]

    async def cut(self) -> None:
        """End every connection and take no new one until `is_open` is set again."""
        self.is_open = False
        for task in self._carrying:
            task.cancel()
        if self._carrying:
            await asyncio.wait(self._carrying)

    async def carry(self, target: tuple[str, int], caller: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        self.connections += 1
        if not self.is_open:
            back.close()
            return
        server, out = await asyncio.open_connection(*target)
        ways = {asyncio.create_task(self._pass_on(caller, out, listen=True))}
        ways.add(asyncio.create_task(self._pass_on(server, back, listen=False)))
        self._carrying |= ways
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.wait(ways)
        self._carrying -= ways
        out.close()
        back.close()

    async def _pass_on(self, source: asyncio.StreamReader, target: asyncio.StreamWriter, *, listen: bool) -> None:
        while data := await source.read(65536):
            await self.flows.wait()
            if listen:
                self.sent += data
            target.write(data)


@asynccontextmanager
async def wire(uri: str) -> AsyncIterator[Wire]:
    """A wire to the server at `uri`, to be reached at `Wire.uri`."""
    parts = urlsplit(uri)
    target = (parts.hostname or "127.0.0.1", parts.port or 7687)
    made = Wire()
    made.flows.set()

    async def carry(caller: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        await made.carry(target, caller, back)

    async with await asyncio.start_server(carry, "127.0.0.1", 0) as listening:
        made.uri = f"bolt://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
        yield made
        await made.cut()
