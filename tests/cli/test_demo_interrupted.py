"""Ctrl-C while the demonstration's Neo4j is starting."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil
import pytest

from graphmem.cli import demo
from graphmem.config import Settings
from graphmem.graph import local


async def test_a_start_that_is_called_off_leaves_no_server(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home", bolt_port=0, http_port=0, browser=False, fast_start="use")
    events, begun = asyncio.get_running_loop(), asyncio.Event()

    class Bars:
        def __call__(self, _: str, done: int, total: int) -> None:
            events.call_soon_threadsafe(begun.set)

    async def hold() -> None:
        async with demo._neo4j(settings, Bars()):  # type: ignore[arg-type]
            await asyncio.Event().wait()

    task = asyncio.create_task(hold())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert local.status(settings) is None
    home = str(settings.home)
    assert not [one for one in psutil.process_iter(["cmdline"]) if home in " ".join(one.info["cmdline"] or ())]
