"""Ctrl-C while the demonstration's Neo4j is starting, and while the start-up cache is made."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import psutil
import pytest

from graphmem.cli import demo
from graphmem.config import Settings
from graphmem.graph import local
from graphmem.graph.local import aot


def processes(folder: Path) -> list[psutil.Process]:
    return [one for one in psutil.process_iter(["cmdline"]) if str(folder) in " ".join(one.info["cmdline"] or ())]


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
    assert not processes(settings.home)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With the real jars in it, on a machine with memory enough."""
    monkeypatch.setattr(aot, "FREE_MEMORY", 0)
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "m2").symlink_to(Settings().cache.expanduser().resolve() / "m2")
    return cache


async def test_ctrl_c_ends_the_making_of_the_start_up_cache_at_once_and_leaves_nothing(
    own_cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(home=tmp_path / "home", cache=own_cache, bolt_port=0, browser=False)
    making = asyncio.create_task(demo._make_cache(settings))
    scratch = own_cache / "training"
    while not processes(scratch):  # Neo4j on a scratch home
        await asyncio.sleep(0.02)
        assert not making.done()
    os.kill(os.getpid(), signal.SIGINT)
    async with asyncio.timeout(30):
        await making
    assert not processes(own_cache)
    assert not scratch.exists()
    assert [file.suffix for file in (own_cache / "aot").iterdir() if file.suffix != ".log"] in ([], [".lock"])
    assert "so that the next start is fast" in capsys.readouterr().err


async def test_a_start_up_cache_that_cannot_be_made_fails_nothing(
    own_cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = Settings(home=tmp_path / "home", cache=own_cache, bolt_port=0, browser=False)
    recorded = settings.home / "run" / "recorded.aotconf"
    recorded.parent.mkdir(parents=True)
    recorded.write_bytes(b"written down half")
    await demo._make_cache(settings)
    log = own_cache / "aot" / "training.log"
    assert f"It could not be made; {log} says why" in capsys.readouterr().err
    assert "Java wrote no start-up cache" in log.read_text()
    assert not recorded.exists()
    with demo._trainer(settings) as again:
        assert again is None, "it failed once"
