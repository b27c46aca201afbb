"""Automatic edges: a node whose text has another's title or alias in it MENTIONS that one.

The edges depend on the texts alone and not on the order in which they came: a new name sends the texts it
stands in through the same look-up again. Nor do they depend on what a reader can't see: a customer's names hide
no shorter ones from others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.jobs import Job
from graphmem.ranking import lucene, names
from graphmem.values import FOREVER, SHARED, Tenant, utc_now

TEXTS_A_NAME = 1000
NAMES_A_LOOK = 50
NODES_A_WRITE = 200

Known = Mapping[str, Collection[str]]
"""Names, each with what the nodes that bear it are about."""


async def mentions(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler: bring the mentions out of the job's nodes, and those of their names elsewhere, up to date."""
    ids = list(job.payload["ids"])
    rows = await graph.read("knowledge/mention_texts", tenant=job.tenant, ids=ids, open=FOREVER, count=TEXTS_A_NAME)
    # A name that is new may stand in texts already there; one that is gone, in those that mention the node now.
    elsewhere = await _texts_with(graph, job.tenant, sorted({key for row in rows for key in row["own"]}))
    elsewhere |= {uid for row in rows for uid in row["mentionedIn"]}
    opened, closed = await _relink(graph, job.tenant, sorted({*ids, *elsewhere}))
    return {"opened": opened, "closed": closed}


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
        answer = await graph.write(partial(_relink_in, tenant=tenant, ids=ids[at : at + NODES_A_WRITE]))
        opened += answer["opened"]
        closed += answer["closed"]
    return opened, closed


async def _relink_in(tx: Transaction, tenant: Tenant, ids: Sequence[str]) -> Row:
    """Locked before they are read, so that of two jobs with one text the later has seen all that the earlier saw."""
    await tx.run("knowledge/lock_nodes", tenant=tenant, ids=ids)
    texts = await tx.run("knowledge/mention_texts", tenant=tenant, ids=ids, open=FOREVER, count=0)
    words = sorted({word for row in texts for part in row["parts"] for word in names.words(part)})
    bearers = await tx.run("knowledge/names_by_first", tenant=tenant, words=words)
    known = {row["key"]: row["resources"] for row in bearers}
    rows = [
        {"uid": row["id"], "names": sorted(named(row["parts"], row["resource"], set(row["own"]), known))}
        for row in texts
    ]
    return (await tx.run("knowledge/write_mentions", tenant=tenant, rows=rows, open=FOREVER, now=utc_now()))[0]


def named(parts: Sequence[str], about: str, own: Collection[str], known: Known) -> set[tuple[str, str]]:
    """The names that a text about `about` mentions, each with what the nodes that are meant are about.

    At each place the longest name counts, of those that one reader may see: shared ones, and one customer's.
    """
    found: set[tuple[str, str]] = set()
    for resources, seen in _readers(parts, about, known):
        for key in {key for part in parts for key in names.mentioned(part, seen)}:
            found |= {(key, resource) for resource in resources if resource in known[key] and key not in own}
    return found


def _readers(parts: Sequence[str], about: str, known: Known) -> Iterator[tuple[list[str], set[str]]]:
    """Sets of names that somebody may see, and whose nodes are to be taken from what is found with them."""
    shared = {key for key, resources in known.items() if SHARED in resources}
    if about != SHARED:
        yield [SHARED, about], shared | {key for key, resources in known.items() if about in resources}
        return
    yield [SHARED], shared
    private = {key for key, resources in known.items() if set(resources) - {SHARED}}
    standing = {run.key for part in parts for run in names.runs(part, len(part))} & private if private else set()
    customers: dict[frozenset[str], list[str]] = {}
    for resource in sorted({resource for key in standing for resource in known[key]} - {SHARED}):
        customers.setdefault(frozenset(key for key in standing if resource in known[key]), []).append(resource)
    for keys, resources in customers.items():
        yield resources, shared | keys
