"""The frame in which jobs give texts their vectors, whatever the texts are of."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from graphmem.embedding import Embedder
from graphmem.embedding.vectors import unit
from graphmem.errors import InvalidInput, Unavailable
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.index_state import lacking_vectors, store_vectors
from graphmem.jobs.enqueue import enqueue_ids
from graphmem.values import Tenant, new_id, utc_now

TEXTS_A_WRITE = 100
LOOKED_AT = 10_000


@dataclass(frozen=True, slots=True)
class Embedded:
    """What has vectors. `job`: the kind that makes them; `texts`, `write` and `lacking`: statements that read what they
    are made from, store them, and tell what has none, from a `start` on.

    `recipe`: the text that a row's vector is made from; `pieces`: that text, or its parts when it is longer than the
    embedder reads. The first one's vector is the item's own; chunks are made of those from `first_chunk` on, where
    there are several. `past`: does the same for what items said before.
    """

    job: str
    texts: str
    write: str
    lacking: str
    start: Mapping[str, Any]
    recipe: Callable[[Row], str]
    pieces: Callable[[Embedder, Row], list[str]]
    first_chunk: int
    past: Callable[[Graph, Embedder, Tenant, Sequence[str]], Awaitable[None]] | None = None

    async def make_vectors(self, graph: Graph, embedder: Embedder, tenant: Tenant, ids: Sequence[str]) -> list[str]:
        """Give items the vectors they lack of the generation in use; returns which have a new one.

        Raises Unavailable when the embedder gives no vectors that fit, or the generation is not of its making.
        """
        rows = await graph.read(self.texts, tenant=tenant, ids=list(ids))
        stale = [row for row in rows if row["embeddedText"] != self.recipe(row)]
        done: list[str] = []
        for at in range(0, len(stale), TEXTS_A_WRITE):
            done += await self._embed(graph, embedder, tenant, stale[at : at + TEXTS_A_WRITE])
        if self.past is not None:
            await self.past(graph, embedder, tenant, ids)
        return done

    async def unembedded(self, graph: Graph, since: datetime) -> list[Row]:
        """Of each `tenant` the `ids` of items that lack a vector, and how many are `settled`: not written `since`. A
        tenant may have several rows."""
        return [row async for rows in self._lacking(graph, since) for row in rows]

    async def backfill(self, graph: Graph) -> int:
        """Queue the embedding of all texts without a vector, for the moment an embedder appears; returns how many."""
        count = 0
        async for rows in self._lacking(graph, utc_now()):
            count += await graph.write(partial(enqueue_ids, kind=self.job, rows=rows))
        return count

    def _lacking(self, graph: Graph, since: datetime) -> AsyncIterator[list[Row]]:
        return lacking_vectors(graph, self.lacking, self.start, since, LOOKED_AT)

    async def _embed(self, graph: Graph, embedder: Embedder, tenant: Tenant, rows: Sequence[Row]) -> list[str]:
        pieces = [self.pieces(embedder, row) for row in rows]
        vectors = iter(await embedded(graph, embedder, [text for texts in pieces for text in texts]))
        made = zip(rows, pieces, strict=True)
        written = [self._written(row, texts, [next(vectors) for _ in texts]) for row, texts in made]
        written.sort(key=lambda found: str(found["uid"]))
        return await store_vectors(graph, self.write, embedder, tenant=tenant, rows=written, now=utc_now())

    def _written(self, row: Row, texts: Sequence[str], vectors: Sequence[list[float]]) -> dict[str, Any]:
        several = enumerate(zip(texts, vectors, strict=True)) if len(texts) > 1 else ()
        return {
            "uid": row["uid"],
            "contentHash": row["contentHash"],
            "text": self.recipe(row),
            "vector": vectors[0],
            "chunks": [
                {"uid": new_id(), "order": order, "text": text, "vector": vector}
                for order, (text, vector) in several
                if order >= self.first_chunk
            ],
        }


async def embedded(graph: Graph, embedder: Embedder, texts: Sequence[str]) -> list[list[float]]:
    """The texts' vectors, of length 1. Raises Unavailable where they are none of the graph's."""
    made = await embedder.embed_texts(texts)
    try:
        return [unit(vector, graph.dimension) for vector in made]
    except InvalidInput as error:
        raise Unavailable(f"the embedder {embedder.model} is not to be trusted: {error.message}") from error
