"""Pairs of nodes that seem to say the same, kept by the job that finds them until they are merged or dismissed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphmem.graph.gateway import Graph
from graphmem.ranking.agreement import AGREE, agreement
from graphmem.values import Tenant, utc_now


async def keep_similar(
    graph: Graph, tenant: Tenant, ids: Sequence[str], pairs: Sequence[tuple[str, str, float]]
) -> int:
    """Keep the pairs (smaller id, other id, cosine) that agree by their words; returns how many do.

    What was kept of `ids` and is no longer true of their texts goes. A dismissed pair stays dismissed.
    """
    ends = sorted({uid for one, other, _ in pairs for uid in (one, other)})
    texts = {row["uid"]: row for row in await graph.read("knowledge/texts", tenant=tenant, ids=ends)}
    rows: list[dict[str, Any]] = []
    for one, other, cosine in pairs:
        if one not in texts or other not in texts:
            continue
        lexical = agreement(*(f"{texts[uid]['title']}\n{texts[uid]['content']}" for uid in (one, other)))
        if lexical >= AGREE:
            hashes = [texts[uid]["contentHash"] for uid in (one, other)]
            rows.append({"from": one, "to": other, "cosine": cosine, "lexical": round(lexical, 4), "hashes": hashes})
    rows.sort(key=lambda row: (row["from"], row["to"]))
    await graph.run("knowledge/write_similar", tenant=tenant, ids=sorted(ids), rows=rows, now=utc_now())
    return len(rows)
