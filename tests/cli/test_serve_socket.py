"""The socket that the service listens on."""

from __future__ import annotations

import asyncio
import socket

from graphmem.cli.serve import _listen
from graphmem.config import Settings


async def test_answers_are_sent_at_once() -> None:
    """Measured without: an answer's body waited 40 ms for the acknowledgement of its head (Nagle's algorithm)."""
    off: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        off.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    with _listen(Settings(port=0)) as bound:
        async with await asyncio.start_server(accepted, sock=bound):
            _, writer = await asyncio.open_connection(*bound.getsockname())
            assert await off
            writer.close()
