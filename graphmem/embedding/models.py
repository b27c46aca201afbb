"""The models of a process: one as a rule, two while a graph's vectors are made anew by another."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager

from graphmem.config import Settings
from graphmem.embedding.contract import Embedder
from graphmem.embedding.loading import Load
from graphmem.errors import Unavailable


class Models:
    """Embedders by the name of their model, each loaded once.

    `own`: the model that the process was started for. Without `load`, only the `given` one can be had.
    """

    def __init__(self, settings: Settings, load: Load | None, given: Embedder | None = None) -> None:
        self.own = settings.embedding_model if given is None else given.model
        self._settings = settings
        self._load = load
        self._given = given
        self._tasks: dict[str, asyncio.Task[Embedder | None]] = {}
        self._borrowers = Counter[str]()

    async def named(self, model: str) -> Embedder | None:
        """None: `model` is `none`. Raises Unavailable where it can't be loaded; the next call tries again."""
        # A caller that gives up leaves the load to those who come after.
        return await asyncio.shield(self.prefetch(model))

    def prefetch(self, model: str) -> asyncio.Task[Embedder | None]:
        """Begin to load a model that is needed soon."""
        task = self._tasks.get(model)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._tasks[model] = asyncio.create_task(self._loaded(model), name=f"load {model}")
        return task

    @asynccontextmanager
    async def borrowed(self, model: str) -> AsyncIterator[Embedder | None]:
        """As `named`, of a model that may be in use nowhere else: it is not closed meanwhile."""
        self._borrowers[model] += 1
        try:
            yield await self.named(model)
        finally:
            self._borrowers[model] -= 1

    @property
    def names(self) -> set[str]:
        """Those that are loaded, or being loaded."""
        return set(self._tasks)

    async def keep(self, models: Collection[str]) -> None:
        """Close all others, but those that are borrowed."""
        for model in self.names - set(models):
            if not self._borrowers[model] and (self._given is None or model != self._given.model):
                await self.forget(model)

    async def forget(self, model: str) -> None:
        task = self._tasks.pop(model, None)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])
            await _close(task)

    async def close(self) -> None:
        for model in list(self._tasks):
            await self.forget(model)
        if self._given is not None:
            await self._given.close()

    async def _loaded(self, model: str) -> Embedder | None:
        if self._given is not None and self._given.model == model:
            return self._given
        if self._load is None:
            raise Unavailable(f"{model} could not be loaded: this process has only {self.own}", field="model")
        return await self._load(self._settings.model_copy(update={"embedding_model": model}))


async def _close(task: asyncio.Task[Embedder | None]) -> None:
    if not task.cancelled() and task.exception() is None and (embedder := task.result()) is not None:
        await embedder.close()
