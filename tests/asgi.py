"""An app as a server runs it: its lifespan driven, requests over ASGI."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from starlette.types import ASGIApp, Message, Receive, Scope, Send


@asynccontextmanager
async def started(app: ASGIApp, base_url: str = "http://service") -> AsyncIterator[httpx.AsyncClient]:
    """A client of the app between its startup and its shutdown; what fails there is raised here."""
    state: dict[str, Any] = {}
    events: asyncio.Queue[Message] = asyncio.Queue()
    answers: asyncio.Queue[Message] = asyncio.Queue()
    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": state}
    lifespan = asyncio.create_task(app(scope, events.get, answers.put))  # type: ignore[arg-type]
    await events.put({"type": "lifespan.startup"})
    await _answered(answers, lifespan)

    async def with_state(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope | {"state": dict(state)}, receive, send)

    try:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(with_state), base_url=base_url) as client:
            yield client
    finally:
        await events.put({"type": "lifespan.shutdown"})
        await _answered(answers, lifespan)
        await lifespan


async def _answered(answers: asyncio.Queue[Message], lifespan: asyncio.Task[None]) -> None:
    answer = asyncio.create_task(answers.get())
    await asyncio.wait({answer, lifespan}, return_when=asyncio.FIRST_COMPLETED)
    if not answer.done():
        answer.cancel()
        lifespan.result()
        raise AssertionError("the lifespan ended without a word")
    assert answer.result()["type"].endswith(".complete"), answer.result()
