"""Vectors of nodes, made by jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.embedding import Embedder, Loading
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.graph.index_state import store_vectors
from graphmem.jobs import Job, enqueue_many
from graphmem.jobs.embedding import TEXTS_A_WRITE, Embedded, embedded
from graphmem.knowledge.as_of import BEGINNING
from graphmem.knowledge.nodes_write import EMBED
from graphmem.knowledge.similar import keep_similar
from graphmem.values import Tenant

DUPLICATES = "knowledge.duplicates"
NEAR = 0.95
"""Cosine from which two texts are proposed as one (`design.md` §7); they are never merged by this alone."""
NEIGHBOURS = 6
MAX_PAIRS = 200


def recipe_text(title: str, content: str) -> str:
    """The text that a node's vector is made from (`retrieval.md` §2)."""
    return f"{title}\n{content}"


def _recipe(row: Row) -> str:
    return recipe_text(row["title"], row["content"])


def _pieces(embedder: Embedder, row: Row) -> list[str]:
    """The whole text, or its parts when it is longer than the embedder reads; each begins with the title."""
    title, whole = row["title"], _recipe(row)
    spans = embedder.chunk(whole)
    if not spans:
        return [whole]
    start = len(title) + 1
    return [recipe_text(title, whole[max(span.start, start) : span.end]) for span in spans if span.end > start]


async def _embed_past(graph: Graph, embedder: Embedder, tenant: Tenant, ids: Sequence[str]) -> None:
    """Vectors for the texts that were changed before they had any, so that reads of the past find them."""
    rows = await graph.read("knowledge/revision_texts", tenant=tenant, ids=list(ids))
    for at in range(0, len(rows), TEXTS_A_WRITE):
        texts = [recipe_text(row["title"], row["content"]) for row in rows[at : at + TEXTS_A_WRITE]]
        made = await embedded(graph, embedder, texts)
        written = [
            {"uid": row["id"], "text": text, "vector": vector}
            for row, text, vector in zip(rows[at:], texts, made, strict=False)
        ]
        await store_vectors(graph, "knowledge/write_revision_vectors", embedder, tenant=tenant, rows=written)


TEXTS = Embedded(
    job=EMBED, texts="knowledge/texts", write="knowledge/write_vectors", lacking="knowledge/unembedded",
    start={"tenant": "", "afterTime": BEGINNING, "afterId": ""}, recipe=_recipe, pieces=_pieces, first_chunk=0,
    past=_embed_past,
)  # fmt: skip
"""A long node's first piece is a chunk, too: as one it has the title and no more than fits."""


async def embed(graph: Graph, embedding: Loading, job: Job) -> Mapping[str, Any]:
    """Handler: give the nodes of a job their vectors, where their text has none yet.

    Raises Unavailable when the embedder can't be had or gives no vectors that fit, so that the job is tried again.
    """
    embedder = await embedding.embedder()
    if embedder is None:
        return {"skipped": "no embedder is configured; the texts are embedded once there is one"}
    done = await TEXTS.make_vectors(graph.pinned(), embedder, job.tenant, job.payload["ids"])

    async def follow(tx: Transaction) -> None:
        await enqueue_many(tx, job.tenant, [(DUPLICATES, {"ids": done})])

    if done:
        await graph.write(follow)
    return {"embedded": len(done)}


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
