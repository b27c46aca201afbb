"""Automatic edges: a node MENTIONS the nodes whose title or alias stands in its text, and the entities in it.

The edges depend on the texts alone and not on the order in which they came: a new name sends the texts it
stands in through the same look-up again. Only nodes in use (draft, active) have them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.jobs import Job
from graphmem.knowledge.entity_edges import Text, found, write_entities
from graphmem.knowledge.name_edges import write_names
from graphmem.knowledge.nodes_write import queue_entities, queue_mentions, queue_names
from graphmem.ranking import lucene, names
from graphmem.values import FOREVER, Tenant, utc_now

NAMES_A_LOOK = 250
"""Each is two clauses of a full-text query, which has at most 1,024."""
TEXTS_A_READ = 1000
NODES_A_WRITE = 200
TURNED = 500


async def mentions(graph: Graph, job: Job) -> Mapping[str, Any]:
    """Handler. Of `ids`, nodes: brings the edges out of them up to date, and where they are `renamed` those of texts
    that have their names; of `names` and `entities`: those of the texts that have them."""
    ids = list(job.payload.get("ids", ()))
    done = Counter(await _relink(graph, job.tenant, ids))
    for part in _parts(job.payload.get("renamed", ids), NAMES_A_LOOK):
        done += await _relink(graph, job.tenant, await _texts_about_names(graph, job.tenant, part) - set(ids))
    for part in _parts(job.payload.get("names", ()), NAMES_A_LOOK):
        (row,) = await graph.read("knowledge/texts_containing", tenant=job.tenant, ids=part)
        done += await _relink(graph, job.tenant, row["ids"])
    for part in _parts(job.payload.get("entities", ()), NAMES_A_LOOK):
        done += await _relink(graph, job.tenant, await _texts_about_entities(graph, job.tenant, part))
    await _turn_names(graph, job.tenant)
    return {"opened": done["opened"], "closed": done["closed"]}


def _parts(items: Sequence[str], most: int) -> Iterator[list[str]]:
    return (list(items[at : at + most]) for at in range(0, len(items), most))


async def _texts_about_names(graph: Graph, tenant: Tenant, ids: Sequence[str]) -> set[str]:
    """A name that is new may stand in texts already there; one that is gone, in those that mention the node now."""
    named = await graph.read("knowledge/names_of", tenant=tenant, ids=ids, open=FOREVER)
    keys = sorted({key for row in named for key in row["keys"]})
    known = {uid for row in named for uid in (*row["mentionedIn"], *row["lacking"])}
    return known | await _texts_lacking(graph, tenant, keys, lambda row: {*row["own"], *row["names"]})


async def _texts_about_entities(graph: Graph, tenant: Tenant, ids: Sequence[str]) -> set[str]:
    """The nodes whose edges to these entities may be missing, or must go."""
    stored = await graph.read("knowledge/entities_shown", tenant=tenant, ids=ids, open=FOREVER)
    keys = [row["key"] for row in stored if row["shown"]]
    known = {uid for row in stored for uid in row["mentionedIn"]}
    return known | await _texts_lacking(graph, tenant, keys, lambda row: {key for key, _ in row["entities"]})


async def _texts_lacking(
    graph: Graph, tenant: Tenant, keys: Sequence[str], noted: Callable[[Row], set[str]]
) -> set[str]:
    """The nodes in use in whose texts some of the keys stand that are not noted of them."""
    found: list[str] = []
    token = lucene.tenant_token(tenant)
    for part in _parts(keys, NAMES_A_LOOK):
        query = lucene.phrases(part, token)
        found += (await graph.read("knowledge/texts_with_phrases", tenant=tenant, lucene=query))[0]["ids"]
    wanted = names.Keys(keys)
    lacking: set[str] = set()
    for ids in _parts(sorted(set(found)), TEXTS_A_READ):
        rows = await graph.read("knowledge/mention_texts", tenant=tenant, ids=ids, open=FOREVER)
        lacking |= {row["id"] for row in rows if any(wanted.standing(part) - noted(row) for part in row["parts"])}
    return lacking


async def _relink(graph: Graph, tenant: Tenant, ids: Iterable[str]) -> Counter[str]:
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
    done = await write_names(tx, tenant, texts, now)
    parts = [part for row in texts if row["inUse"] for part in row["parts"]]
    starts = sorted({start for part in parts for start in names.starts(part)})
    shown = await tx.run("knowledge/entities_by_start", tenant=tenant, starts=starts)
    keys = names.Keys(shown[0]["keys"])
    written = await write_entities(tx, tenant, [_text(row, keys) for row in texts], now)
    await queue_entities(tx, tenant, written.turned)
    return done + Counter(opened=written.opened, closed=written.closed)


async def _turn_names(graph: Graph, tenant: Tenant) -> None:
    """Have the edges closed of names that stand in too many texts by now, and opened of those that do so no more."""
    while True:
        nodes = (await graph.read("knowledge/count_nodes", tenant=tenant))[0]["nodes"]
        most = names.most_texts(nodes)
        ids = (await graph.read("knowledge/names_to_turn", tenant=tenant, most=most, count=TURNED))[0]["ids"]
        if not ids:
            return
        await graph.write(partial(_turn, tenant=tenant, ids=ids, most=most))


async def _turn(tx: Transaction, tenant: Tenant, ids: Sequence[str], most: int | None) -> None:
    turned = await tx.run("knowledge/turn_names", tenant=tenant, ids=ids, most=most, now=utc_now())
    await queue_names(tx, tenant, [row["id"] for row in turned])


async def forget(tx: Transaction, tenant: Tenant, ids: Sequence[str], now: datetime) -> None:
    """Take nodes, which are locked, out of what names and entities count, and have the texts that mention them looked
    at again, because their names hid shorter ones. To be called before the nodes are deleted."""
    rows = await tx.run("knowledge/mention_texts", tenant=tenant, ids=ids, open=FOREVER)
    texts = [row | {"inUse": False} for row in rows]
    await write_names(tx, tenant, texts, now)
    written = await write_entities(tx, tenant, [_text(row, names.Keys(())) for row in texts], now)
    await queue_entities(tx, tenant, written.turned)
    (row,) = await tx.run("knowledge/mentioned_in", tenant=tenant, ids=ids, open=FOREVER)
    await queue_mentions(tx, tenant, row["ids"])


def _text(row: Row, shown: names.Keys) -> Text:
    return Text(row["id"], found(row["parts"], shown) if row["inUse"] else {}, dict(row["entities"]))
