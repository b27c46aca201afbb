"""Vectors of messages, made by jobs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from graphmem.embedding import Embedder, Loading
from graphmem.embedding.vectors import unit
from graphmem.errors import InvalidInput, Unavailable
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.graph.index_state import lacking_vectors, store_vectors
from graphmem.jobs import Job, enqueue, enqueue_ids
from graphmem.jobs.enqueue import IDS_A_JOB
from graphmem.ranking.message import features
from graphmem.values import Tenant, new_id, utc_now

EMBED = "conversation.embed"
TEXTS_A_WRITE = 100
LOOKED_AT = 10_000


async def queue_vectors(tx: Transaction, tenant: Tenant, thread: str, ids: Sequence[str]) -> None:
    """Have vectors made for these messages once the transaction is committed."""
    for at in range(0, len(ids), IDS_A_JOB):
        await enqueue(tx, tenant, EMBED, {"ids": list(ids[at : at + IDS_A_JOB])}, on=thread)


def recipe_text(row: Row) -> str:
    """The text that a message's vector is made from."""
    return features(row["speaker"] or row["role"], row["content"], [], row["createdAt"]).embedded


async def embed(graph: Graph, embedding: Loading, job: Job) -> Mapping[str, Any]:
    """Handler: give the messages of a job their vectors, where their text has none yet.

    Raises Unavailable when the embedder can't be had or gives no vectors that fit, so that the job is tried again.
    """
    embedder = await embedding.embedder()
    if embedder is None:
        return {"skipped": "no embedder is configured; the texts are embedded once there is one"}
    return {"embedded": len(await make_vectors(graph.pinned(), embedder, job.tenant, job.payload["ids"]))}


async def make_vectors(graph: Graph, embedder: Embedder, tenant: Tenant, ids: Sequence[str]) -> list[str]:
    """Give messages the vectors they lack of the generation in use; returns which have a new one.

    Raises Unavailable when the embedder gives no vectors that fit, or the generation is not of its making.
    """
    rows = await graph.read("conversation/texts", tenant=tenant, ids=list(ids))
    stale = [row for row in rows if row["embeddedText"] != recipe_text(row)]
    done: list[str] = []
    for at in range(0, len(stale), TEXTS_A_WRITE):
        done += await _embed(graph, embedder, tenant, stale[at : at + TEXTS_A_WRITE])
    return done


async def _embed(graph: Graph, embedder: Embedder, tenant: Tenant, rows: Sequence[Row]) -> list[str]:
    pieces = [_pieces(embedder, row) for row in rows]
    made = await embedder.embed_texts([text for texts in pieces for text in texts])
    try:
        vectors = iter([unit(vector, graph.dimension) for vector in made])
    except InvalidInput as error:
        raise Unavailable(f"the embedder {embedder.model} is not to be trusted: {error.message}") from error
    written = [_written(row, texts, [next(vectors) for _ in texts]) for row, texts in zip(rows, pieces, strict=True)]
    written.sort(key=lambda found: str(found["uid"]))
    return await store_vectors(
        graph, "conversation/write_vectors", embedder, tenant=tenant, rows=written, now=utc_now()
    )


def _pieces(embedder: Embedder, row: Row) -> list[str]:
    """The whole text, or its parts when it is longer than the embedder reads; each begins with the speaker."""
    whole = recipe_text(row)
    spans = embedder.chunk(whole)
    if not spans:
        return [whole]
    speaker = f"{row['speaker'] or row['role']}: "
    return [
        whole[span.start : span.end] if span.start == 0 else speaker + whole[span.start : span.end] for span in spans
    ]


def _written(row: Row, texts: Sequence[str], vectors: Sequence[list[float]]) -> dict[str, Any]:
    """The message has the vector of its first piece, and a chunk each of the others."""
    return {
        "uid": row["uid"],
        "contentHash": row["contentHash"],
        "text": recipe_text(row),
        "vector": vectors[0],
        "chunks": [
            {"uid": new_id(), "order": order, "text": text, "vector": vector}
            for order, (text, vector) in enumerate(zip(texts[1:], vectors[1:], strict=True), 1)
        ],
    }


async def unembedded(graph: Graph, since: datetime) -> list[Row]:
    """Of each `tenant` the `ids` of messages that lack a vector, and how many are `settled`: not written `since`. A
    tenant may have several rows."""
    return [row async for rows in _lacking(graph, since) for row in rows]


async def backfill(graph: Graph) -> int:
    """Queue the embedding of every message that has words and no vector; returns how many."""
    count = 0
    async for rows in _lacking(graph, utc_now()):
        count += await graph.write(partial(enqueue_ids, kind=EMBED, rows=rows))
    return count


def _lacking(graph: Graph, since: datetime) -> AsyncIterator[list[Row]]:
    place = {"tenant": "", "thread": "", "seq": 0}
    return lacking_vectors(graph, "conversation/unembedded", place, since, LOOKED_AT)
