"""A model that loads while other things start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from graphmem.config import Settings
from graphmem.embedding.contract import Embedder
from graphmem.embedding.load import load
from graphmem.errors import Unavailable

log = structlog.get_logger()

Load = Callable[[Settings], Awaitable[Embedder | None]]


class Loading:
    """Starts at once, so it needs a running loop. A failed load is tried again, each time after a longer pause."""

    def __init__(
        self, settings: Settings, load: Load = load, first_pause: float = 1.0, longest_pause: float = 60.0
    ) -> None:
        self._settings = settings
        self._load = load
        self._pause = first_pause
        self._longest_pause = longest_pause
        self._embedder: Embedder | None = None
        self._failure: Unavailable | None = None
        self._settled = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="load the embedding model")

    @property
    def state(self) -> str:
        """`off`, `loading`, `ready`, or `failed: reason` (which it stays while the load is tried again)."""
        if self._failure is not None:
            return f"failed: {self._failure.message}"
        if not self._settled.is_set():
            return "loading"
        return "off" if self._embedder is None else "ready"

    async def embedder(self) -> Embedder | None:
        """The embedder once it is loaded, or none when it is off. Raises `Unavailable` while loading fails."""
        await self._settled.wait()
        if self._failure is not None:
            raise self._failure
        return self._embedder

    def use(self, embedder: Embedder) -> None:
        """Hand out this one from now on, whatever was loaded or tried before."""
        self._task.cancel()
        self._embedder, self._failure = embedder, None
        self._settled.set()

    def reload(self, reason: str) -> None:
        """Load anew, now; until that succeeds the embedder is `failed` for this reason."""
        self._task.cancel()
        self._failure = Unavailable(reason)
        self._settled.set()
        self._task = asyncio.create_task(self._run(), name="load the embedding model")

    async def close(self) -> None:
        """Stop trying, and close the embedder."""
        self._task.cancel()
        await asyncio.wait([self._task])
        if self._embedder is not None:
            await self._embedder.close()

    async def _run(self) -> None:
        while True:
            try:
                self._embedder = await self._load(self._settings)
            except Unavailable as error:
                self._failure = error
                log.warning("embedding_model_failed", reason=error.message, again_in_seconds=self._pause)
            else:
                self._failure = None
            self._settled.set()
            if self._failure is None:
                return
            await asyncio.sleep(self._pause)
            self._pause = min(self._longest_pause, self._pause * 2)
