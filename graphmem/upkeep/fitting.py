"""The embedder that fits the graph's vectors, now and when those are made anew by another model."""

from __future__ import annotations

import asyncio

import structlog

from graphmem.config import Settings
from graphmem.conversation import vectors as said
from graphmem.embedding import Embedder, Loading, Models
from graphmem.errors import GraphmemError, IndexMismatch, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import Generation, Maker, ensure_vectors, index_state
from graphmem.knowledge import vectors
from graphmem.upkeep import reembed
from graphmem.values import Tenant

log = structlog.get_logger(__name__)


class Fitting:
    """Hands out, as `loading`, the embedder that made the vectors in use, and follows when others come into use."""

    def __init__(
        self, settings: Settings, graph: Graph, models: Models, prepared: asyncio.Event, *, works: bool
    ) -> None:
        """Begins to load. In a process that `works`, what lacks a vector is queued once there is an embedder."""
        self._settings = settings
        self._graph = graph
        self._models = models
        self._prepared = prepared
        self._works = works
        self._model = models.own
        self._left: str | None = None
        # Whoever decides which vectors are in use decides which embedder is, too.
        self._deciding = asyncio.Lock()
        self.loading = Loading(settings, load=self._load)

    async def _load(self, _: Settings) -> Embedder | None:
        """Raises Unavailable, after which it may be called again."""
        found = await self._models.named(self._model)
        if found is None:
            return None
        await self._prepared.wait()
        try:
            async with self._deciding:
                return await self._fit(found)
        except GraphmemError as error:
            raise Unavailable(error.message) from error
        except Exception as error:
            log.exception("vectors not prepared")
            raise Unavailable("the graph's vectors could not be prepared; the log says why") from error

    async def _fit(self, found: Embedder) -> Embedder:
        try:
            await ensure_vectors(self._graph, *Maker.of(found))
        except IndexMismatch as mismatch:
            found = await self._of_the_graph(mismatch, found.model)
            await ensure_vectors(self._graph, *Maker.of(found))
            log.warning("the model that made the graph's vectors is used", model=found.model, set_to=self._model)
            self._model, self._left = found.model, self._model
        if self._works:
            await reembed.resume(self._graph, Tenant(self._settings.default_tenant))
            await vectors.TEXTS.backfill(self._graph)
            await said.TEXTS.backfill(self._graph)
        return found

    async def _of_the_graph(self, mismatch: IndexMismatch, had: str) -> Embedder:
        """The model that made the vectors. Raises what is given where this process can't have it."""
        model = mismatch.details["model"]
        try:
            found = await self._models.named(model) if model != had else None
        except Unavailable:
            raise mismatch from None
        if found is None:
            raise mismatch
        return found

    async def watch(self) -> None:
        """Follow what the graph says of its vectors, for as long as the process lives."""
        await self._prepared.wait()
        while True:
            await asyncio.sleep(self._settings.vectors_poll_seconds)
            try:
                await self.notice()
            except GraphmemError as error:
                log.warning("vectors in use not looked up; trying again", reason=error.message)

    async def notice(self) -> None:
        """Follow what the graph says now; a model that will be needed is loaded before it is."""
        async with self._deciding:
            state = await index_state(self._graph)
            if state is None:
                return
            if state.live.number != self._graph.generation or self._graph.dimension is None:
                await self._follow(state.live)
                return
            if state.building and self.loading.state == "ready":
                self._models.prefetch(state.building.maker.model)
            if not state.retired:
                self._left = None
            building = state.building.maker.model if state.building else None
            await self._models.keep({one for one in (self._model, building, self._left) if one})

    async def _follow(self, live: Generation) -> None:
        before = await self.loading.embedder() if self.loading.state == "ready" else None
        embedder = await self._able(live.maker) if before is not None else None
        # Nothing may be awaited from here on: a search that begins in between would compare vectors of two models.
        self._graph.generation, self._graph.dimension = live.number, live.maker.dimension
        self._model = live.maker.model
        if before is not None and before.model != self._model:
            self._left = before.model
        if embedder is not None:
            self.loading.use(embedder)
        elif self.loading.state not in ("off", "loading"):
            self.loading.reload(f"the vectors in use are made by {self._model} now, which is not loaded yet")

    async def _able(self, maker: Maker) -> Embedder | None:
        """The embedder that makes such vectors, if it can be had in time."""
        try:
            async with asyncio.timeout(reembed.LOAD_SECONDS):
                found = await self._models.named(maker.model)
        except (Unavailable, TimeoutError) as error:
            log.warning("the model of the vectors in use is not loaded", model=maker.model, reason=str(error))
            return None
        return found if found is not None and Maker.of(found) == maker else None
