"""Automatic edges: a node whose text has another's title or alias in it MENTIONS that one.

The edges depend on the texts alone and not on the order in which they came: a new name sends the texts it
stands in through the same look-up again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.graph.gateway import Graph, Row
from graphmem.jobs import Job
from graphmem.ranking import lucene, names
from graphmem.values import FOREVER, Tenant, utc_now

TEXTS_A_NAME = 1000
NAMES_A_LOOK = 50
NODES_A_WRITE = 200


async def mentions(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler: bring the mentions out of the job's nodes, and those of their names elsewhere, up to date."""
    ids = list(job.payload["ids"])
    rows = await _texts(graph, job.tenant, ids)
    # A name that is new may stand in texts already there; one that is gone, in those that mention the node now.
    elsewhere = await _texts_with(graph, job.tenant, sorted({key for row in rows for key in row["own"]}))
    elsewhere |= {uid for row in rows for uid in row["mentionedIn"]}
    opened, closed = await _relink(graph, job.tenant, [*ids, *sorted(elsewhere - set(ids))])
    return {"opened": opened, "closed": closed}


async def _texts(graph: Graph, tenant: Tenant, ids: Sequence[str]) -> list[Row]:
    return await graph.read("knowledge/mention_texts", tenant=tenant, ids=list(ids), open=FOREVER, count=TEXTS_A_NAME)


async def _texts_with(graph: Graph, tenant: Tenant, keys: Sequence[str]) -> set[str]:
    token = lucene.tenant_token(tenant)
    found: set[str] = set()
    for at in range(0, len(keys), NAMES_A_LOOK):
        rows = [lucene.phrase(key, token) for key in keys[at : at + NAMES_A_LOOK]]
        answer = await graph.read("knowledge/texts_with_names", tenant=tenant, rows=rows, count=TEXTS_A_NAME)
        found.update(answer[0]["ids"])
    return found


async def _relink(graph: Graph, tenant: Tenant, ids: Sequence[str]) -> tuple[int, int]:
    opened = closed = 0
    for at in range(0, len(ids), NODES_A_WRITE):
        texts = await _texts(graph, tenant, ids[at : at + NODES_A_WRITE])
        words = sorted({word for row in texts for word in names.words(row["text"])})
        known = {row["key"] for row in await graph.read("knowledge/names_by_first", tenant=tenant, words=words)}
        rows = [
            {"uid": row["id"], "keys": sorted(names.mentioned(row["text"], known) - set(row["own"]))} for row in texts
        ]
        rows.sort(key=lambda row: str(row["uid"]))
        answer = await graph.run("knowledge/write_mentions", tenant=tenant, rows=rows, open=FOREVER, now=utc_now())
        opened += answer[0]["opened"]
        closed += answer[0]["closed"]
    return opened, closed
