from __future__ import annotations

import asyncio

import pytest

from graphmem.config import Settings
from graphmem.embedding import Embedder, Loading
from graphmem.errors import Unavailable
from tests.fakes.embedder import HashingEmbedder

SETTINGS = Settings(embedding_model="none")


class Attempts:
    """A loader that fails as often as told, waiting each time until it may go on."""

    def __init__(self, failures: int, result: Embedder | None) -> None:
        self.failures = failures
        self.result = result
        self.made = 0
        self.go = asyncio.Event()

    async def __call__(self, settings: Settings) -> Embedder | None:
        await self.go.wait()
        self.made += 1
        if self.made <= self.failures:
            raise Unavailable(f"attempt {self.made}")
        return self.result


async def test_it_is_loading_then_ready() -> None:
    attempts = Attempts(0, HashingEmbedder())
    loading = Loading(SETTINGS, attempts)
    waiting = [asyncio.create_task(loading.embedder()) for _ in range(2)]
    await asyncio.sleep(0)
    assert loading.state == "loading"
    attempts.go.set()
    assert await asyncio.gather(*waiting) == [attempts.result] * 2
    assert loading.state == "ready"
    await loading.close()


async def test_no_model_is_off() -> None:
    loading = Loading(SETTINGS)
    assert await loading.embedder() is None
    assert loading.state == "off"
    await loading.close()


async def test_a_failure_is_told_and_tried_again() -> None:
    attempts = Attempts(3, HashingEmbedder())
    loading = Loading(SETTINGS, attempts, first_pause=0)
    attempts.go.set()
    with pytest.raises(Unavailable, match="attempt 1"):
        await loading.embedder()
    assert loading.state == "failed: attempt 1"
    while loading.state != "ready":
        assert loading.state.startswith("failed: attempt")
        await asyncio.sleep(0)
    assert await loading.embedder() is attempts.result
    assert attempts.made == 4
    await loading.close()


async def test_pauses_grow_up_to_the_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr("graphmem.embedding.loading.asyncio.sleep", sleep)
    attempts = Attempts(5, None)
    attempts.go.set()
    loading = Loading(SETTINGS, attempts, first_pause=1, longest_pause=5)
    await loading._task
    assert pauses == [1, 2, 4, 5, 5]


async def test_closing_stops_a_load_and_closes_a_model() -> None:
    closed: list[str] = []

    class Closing(HashingEmbedder):
        async def close(self) -> None:
            closed.append(self.model)

    attempts = Attempts(0, Closing())
    loading = Loading(SETTINGS, attempts)
    await loading.close()
    assert (attempts.made, closed) == (0, [])
    attempts.go.set()
    loading = Loading(SETTINGS, attempts)
    await loading.embedder()
    await loading.close()
    assert closed == ["hashing"]
