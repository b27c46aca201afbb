"""Automatic edges: a node whose text has another's title or alias in it MENTIONS that one.

The edges depend on the texts alone and not on the order in which they came: a new name sends the texts it
stands in through the same look-up again. Nor do they depend on what a reader can't see: a customer's names hide
no shorter ones from others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.jobs import Job
from graphmem.knowledge.entity_edges import Text, found, write_entities
from graphmem.knowledge.nodes import SHARED
from graphmem.knowledge.nodes_write import queue_entities, queue_mentions
from graphmem.ranking import lucene, names
from graphmem.values import FOREVER, Tenant, utc_now

NAMES_A_LOOK = 50
NODES_A_WRITE = 200

Known = Mapping[str, Collection[str]]
"""Names, each with what the nodes that bear it are about."""


async def mentions(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler. Of `ids`, nodes: brings the mentions out of them up to date, and where they are `renamed` those of
    their names elsewhere; of `entities`: those of texts everywhere."""
    ids = list(job.payload.get("ids", ()))
    done = Counter(await _relink(graph, job.tenant, ids))
    # A name that is new may stand in texts already there; one that is gone, in those that mention the node now.
    for part in _parts(job.payload.get("renamed", ids), NAMES_A_LOOK):
        rows = await graph.read("knowledge/names_of", tenant=job.tenant, ids=part, open=FOREVER)
        stale = {uid for row in rows for uid in row["mentionedIn"]} - set(ids)
        done += await _relink(graph, job.tenant, sorted(stale | await _texts_with_names(graph, job.tenant, rows)))
    for part in _parts(job.payload.get("entities", ()), NAMES_A_LOOK):
        done += await _relink(graph, job.tenant, sorted(await _texts_with_entities(graph, job.tenant, part)))
    return {"opened": done["opened"], "closed": done["closed"]}


def _parts(items: Sequence[str], most: int) -> Iterator[list[str]]:
    return (list(items[at : at + most]) for at in range(0, len(items), most))


async def _texts_with_names(graph: Graph, tenant: Tenant, named: Sequence[Row]) -> set[str]:
    token = lucene.tenant_token(tenant)
    rows = [{"uid": row["id"], "lucene": lucene.phrase(key, token)} for row in named for key in row["keys"]]
    answer = await graph.read("knowledge/texts_with_names", tenant=tenant, rows=rows, open=FOREVER)
    return set(answer[0]["ids"])


async def _texts_with_entities(graph: Graph, tenant: Tenant, ids: Sequence[str]) -> set[str]:
    """The nodes whose edges to these entities may be missing, or must go."""
    token = lucene.tenant_token(tenant)
    stored = await graph.read("knowledge/entities_shown", tenant=tenant, ids=ids, open=FOREVER)
    rows = [{"key": row["key"], "lucene": lucene.phrase(row["key"], token)} for row in stored if row["shown"]]
    answer = await graph.read("knowledge/texts_with_entities", tenant=tenant, rows=rows, open=FOREVER)
    return {*answer[0]["ids"], *(uid for row in stored for uid in row["mentionedIn"])}


async def _relink(graph: Graph, tenant: Tenant, ids: Sequence[str]) -> Counter[str]:
    done: Counter[str] = Counter()
    for part in _parts(sorted(ids), NODES_A_WRITE):
        done += await graph.write(partial(relink, tenant=tenant, ids=part))
    return done


async def relink(tx: Transaction, tenant: Tenant, ids: Sequence[str]) -> Counter[str]:
    """Make the automatic edges out of the nodes, whose ids are in order, what their texts and all names call for.

    Locked before they are read, so that of two jobs with one text the later has seen all that the earlier saw.
    """
    now = utc_now()
    await tx.run("knowledge/lock_nodes", tenant=tenant, ids=ids)
    texts = await tx.run("knowledge/mention_texts", tenant=tenant, ids=ids, open=FOREVER)
    parts = [part for row in texts if row["inUse"] for part in row["parts"]]
    bearers = await tx.run(
        "knowledge/names_by_first", tenant=tenant, words=sorted({word for part in parts for word in names.words(part)})
    )
    known = {row["key"]: row["resources"] for row in bearers}
    rows = [{"uid": row["id"], "names": sorted(_named(row, known))} for row in texts]
    done = (await tx.run("knowledge/write_mentions", tenant=tenant, rows=rows, open=FOREVER, now=now))[0]
    starts = sorted({start for part in parts for start in names.starts(part)})
    shown = {row["key"] for row in await tx.run("knowledge/entities_by_start", tenant=tenant, starts=starts)}
    written = await write_entities(tx, tenant, [_text(row, shown) for row in texts], now)
    await queue_entities(tx, tenant, written.turned)
    return Counter(opened=done["opened"] + written.opened, closed=done["closed"] + written.closed)


async def forget(tx: Transaction, tenant: Tenant, uid: str, now: datetime) -> None:
    """Take a node, which is locked, out of what its entities count, and have the texts that mention it looked at again:
    its names hid shorter ones. To be called before the node is deleted."""
    texts = await tx.run("knowledge/mention_texts", tenant=tenant, ids=[uid], open=FOREVER)
    written = await write_entities(tx, tenant, [Text(uid, {}, dict(row["entities"])) for row in texts], now)
    await queue_entities(tx, tenant, written.turned)
    for row in await tx.run("knowledge/mentioned_in", tenant=tenant, uid=uid, open=FOREVER):
        await queue_mentions(tx, tenant, row["ids"])


def _named(row: Row, known: Known) -> set[tuple[str, str]]:
    return named(row["parts"], row["resource"], set(row["own"]), known) if row["inUse"] else set()


def _text(row: Row, shown: set[str]) -> Text:
    return Text(row["id"], found(row["parts"], shown) if row["inUse"] else {}, dict(row["entities"]))


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
