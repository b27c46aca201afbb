"""Vectors of nodes, made by jobs."""

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
from graphmem.jobs import Job, enqueue_ids, enqueue_many
from graphmem.knowledge.as_of import BEGINNING
from graphmem.knowledge.nodes_write import EMBED
from graphmem.knowledge.similar import keep_similar
from graphmem.values import Tenant, new_id, utc_now

DUPLICATES = "knowledge.duplicates"
NEAR = 0.95
"""Cosine from which two texts are proposed as one (`design.md` §7); they are never merged by this alone."""
NEIGHBOURS = 6
TEXTS_A_WRITE = 100
MAX_PAIRS = 200
LOOKED_AT = 10_000


def recipe_text(title: str, content: str) -> str:
    """The text that a node's vector is made from (`retrieval.md` §2)."""
    return f"{title}\n{content}"


async def embed(graph: Graph, embedding: Loading, job: Job) -> Mapping[str, Any]:
    """Handler: give the nodes of a job their vectors, where their text has none yet.

    Raises Unavailable when the embedder can't be had or gives no vectors that fit, so that the job is tried again.
    """
    embedder = await embedding.embedder()
    if embedder is None:
        return {"skipped": "no embedder is configured; the texts are embedded once there is one"}
    done = await make_vectors(graph.pinned(), embedder, job.tenant, job.payload["ids"])

    async def follow(tx: Transaction) -> None:
        await enqueue_many(tx, job.tenant, [(DUPLICATES, {"ids": done})])

    if done:
        await graph.write(follow)
    return {"embedded": len(done)}


async def make_vectors(graph: Graph, embedder: Embedder, tenant: Tenant, ids: Sequence[str]) -> list[str]:
    """Give nodes, and what they were, the vectors they lack of the generation in use; returns which nodes have one.

    Raises Unavailable when the embedder gives no vectors that fit, or the generation is not of its making.
    """
    rows = await graph.read("knowledge/texts", tenant=tenant, ids=list(ids))
    stale = [row for row in rows if row["embeddedText"] != recipe_text(row["title"], row["content"])]
    done: list[str] = []
    for at in range(0, len(stale), TEXTS_A_WRITE):
        done += await _embed(graph, embedder, tenant, stale[at : at + TEXTS_A_WRITE])
    await _embed_past(graph, embedder, tenant, ids)
    return done


async def _embed(graph: Graph, embedder: Embedder, tenant: Tenant, rows: Sequence[Row]) -> list[str]:
    pieces = [_pieces(embedder, row["title"], row["content"]) for row in rows]
    made = await embedder.embed_texts([text for texts in pieces for text in texts])
    try:
        vectors = iter([unit(vector, graph.dimension) for vector in made])
    except InvalidInput as error:
        raise Unavailable(f"the embedder {embedder.model} is not to be trusted: {error.message}") from error
    written = [_written(row, texts, [next(vectors) for _ in texts]) for row, texts in zip(rows, pieces, strict=True)]
    written.sort(key=lambda found: str(found["uid"]))
    return await store_vectors(graph, "knowledge/write_vectors", embedder, tenant=tenant, rows=written, now=utc_now())


async def _embed_past(graph: Graph, embedder: Embedder, tenant: Tenant, ids: Sequence[str]) -> None:
    """Vectors for the texts that were changed before they had any, so that reads of the past find them."""
    rows = await graph.read("knowledge/revision_texts", tenant=tenant, ids=list(ids))
    for at in range(0, len(rows), TEXTS_A_WRITE):
        texts = [recipe_text(row["title"], row["content"]) for row in rows[at : at + TEXTS_A_WRITE]]
        made = await embedder.embed_texts(texts)
        written = [
            {"uid": row["id"], "text": text, "vector": unit(vector, graph.dimension)}
            for row, text, vector in zip(rows[at:], texts, made, strict=False)
        ]
        await store_vectors(graph, "knowledge/write_revision_vectors", embedder, tenant=tenant, rows=written)


def _pieces(embedder: Embedder, title: str, content: str) -> list[str]:
    """The whole text, or its parts when it is longer than the embedder reads; each begins with the title."""
    whole = recipe_text(title, content)
    spans = embedder.chunk(whole)
    if not spans:
        return [whole]
    start = len(title) + 1
    return [recipe_text(title, whole[max(span.start, start) : span.end]) for span in spans if span.end > start]


def _written(row: Row, texts: Sequence[str], vectors: Sequence[list[float]]) -> dict[str, Any]:
    return {
        "uid": row["id"],
        "contentHash": row["contentHash"],
        "text": recipe_text(row["title"], row["content"]),
        "vector": vectors[0],
        "chunks": [
            {"uid": new_id(), "order": order, "text": text, "vector": vector}
            for order, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ]
        if len(texts) > 1
        else [],
    }


async def near_duplicates(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler: tell which nodes of a job are nearly the same as others; `pairs` are [id, id, cosine].

    Those that say the same by their words too are kept for `suggestions`, and stale ones of these nodes dropped.
    """
    rows = await graph.read(
        "knowledge/near_duplicates",
        tenant=job.tenant, ids=list(job.payload["ids"]), neighbours=NEIGHBOURS, threshold=NEAR,
    )  # fmt: skip
    pairs = {_pair(row["id"], row["other"]): row["score"] for row in rows}
    ranked = sorted(pairs.items(), key=lambda pair: (-pair[1], pair[0]))
    found = [(one, other, min(1.0, round(score, 4))) for (one, other), score in ranked[:MAX_PAIRS]]
    same = await keep_similar(graph, job.tenant, list(job.payload["ids"]), found)
    return {"pairs": [list(pair) for pair in found], "found": len(ranked), "same": same}


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


async def unembedded(graph: Graph, since: datetime) -> list[Row]:
    """Of each `tenant` the `ids` of nodes that lack a vector, and how many are `settled`: not written `since`. A tenant
    may have several rows."""
    return [row async for rows in _lacking(graph, since) for row in rows]


async def backfill(graph: Graph) -> int:
    """Queue the embedding of every text that has no vector; returns how many. For the moment an embedder appears."""
    count = 0
    async for rows in _lacking(graph, utc_now()):
        count += await graph.write(partial(enqueue_ids, kind=EMBED, rows=rows))
    return count


def _lacking(graph: Graph, since: datetime) -> AsyncIterator[list[Row]]:
    place = {"tenant": "", "afterTime": BEGINNING, "afterId": ""}
    return lacking_vectors(graph, "knowledge/unembedded", place, since, LOOKED_AT)
