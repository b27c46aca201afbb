"""Vectors of messages, made by jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.embedding import Embedder, Loading
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.jobs import Job, enqueue
from graphmem.jobs.embedding import Embedded
from graphmem.jobs.enqueue import IDS_A_JOB
from graphmem.ranking.message import features
from graphmem.values import Tenant

EMBED = "conversation.embed"


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
    return {"embedded": len(await TEXTS.make_vectors(graph.pinned(), embedder, job.tenant, job.payload["ids"]))}


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


TEXTS = Embedded(
    job=EMBED, texts="conversation/texts", write="conversation/write_vectors", lacking="conversation/unembedded",
    start={"tenant": "", "thread": "", "seq": 0}, recipe=recipe_text, pieces=_pieces, first_chunk=1,
)  # fmt: skip
"""A long message stands for its first piece itself."""
