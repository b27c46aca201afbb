"""What filters find and cost: nearest neighbours in tenants of every size, and the few nodes that pass a narrow one."""

from __future__ import annotations

import numpy as np

from bench.data import TENANTS, NodeRow, corpus
from bench.filtered import RARE, filtered, filtered_questions, marked
from bench.questions import Question, questions
from bench.report import at_least
from bench.stage import SEED, Caller, Stage, http_client

K = 10


async def run(stage: Stage) -> None:
    nodes = list(marked(corpus(stage.sizes.recall_nodes, SEED)))
    await stage.store(nodes, [])
    asked = {
        tenant: questions([row for row in nodes if row["tenant"] == tenant], stage.sizes.calls, SEED)
        for tenant in TENANTS
    }
    narrow = filtered_questions(nodes)
    few = frozenset(row["uid"] for row in nodes if RARE in row["tags"])
    async with (
        stage.service([*narrow, *(question for own in asked.values() for question in own)]) as address,
        http_client(address) as http,
    ):
        for tenant, share in TENANTS.items():
            caller = Caller(http, await stage.key(tenant))
            own = [row for row in nodes if row["tenant"] == tenant]
            found = await recall(caller, own, asked[tenant])
            name = f"recall@{K}, tenant of {share:.0%} of {len(nodes):,} nodes"
            stage.figures.append(at_least(name, found, 1.0, "exact", "", 0.985))
        await filtered(stage, caller, narrow, few)


async def recall(caller: Caller, rows: list[NodeRow], asked: list[Question]) -> float:
    """The share of the `K` nearest nodes, by exact cosine, that a search by vector brings."""
    vectors = np.stack([row["vector"] for row in rows])
    hit = total = 0
    for question in asked:
        nearest = np.argsort(-(vectors @ np.array(question.vector, dtype=np.float32)))[:K]
        exact = {rows[at]["uid"] for at in nearest}
        found = await caller.search(question, mode="VECTOR", expand=False, topK=K, limit=K)
        hit += len(exact & {hit["node"]["id"] for hit in found["hits"]})
        total += len(exact)
    return hit / total
