"""Edges from nodes to those whose title or alias stands in their texts, and how many texts a name stands in.

A name that stands in too many of a large tenant's texts links nothing, and hides no shorter one either. Which names
stand in a text is noted all the same, so that the counts stay right and the edges can come back. Nor do the edges
depend on what a reader can't see: a customer's names hide no shorter ones from others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from graphmem.graph.gateway import Row, Transaction
from graphmem.ranking import names
from graphmem.values import FOREVER, SHARED, Tenant

Known = Mapping[str, Collection[str]]
"""Names, each with what the nodes that bear it are about."""


async def write_names(tx: Transaction, tenant: Tenant, texts: Sequence[Row], now: datetime) -> Counter[str]:
    """Make the open edges of nodes, which are locked, just those that their texts call for.

    `texts`: rows of `mention_texts`. Returns how many edges were `opened` and `closed`.
    """
    used = [part for row in texts if row["inUse"] for part in row["parts"]]
    starts = sorted({start for part in used for start in names.starts(part)})
    bearers = await tx.run("knowledge/names_by_start", tenant=tenant, starts=starts)
    known = {row["key"]: row for row in bearers[0]["names"]}
    common = {key for key, row in known.items() if row["common"]}
    keys = names.Keys(known)
    standing = {
        row["id"]: {key for part in row["parts"] for key in keys.standing(part)} for row in texts if row["inUse"]
    }
    # Of those whose number of texts changes, the answer is the one that holds until the end of this transaction.
    for row in await _write_contained(tx, tenant, texts, standing, now):
        (common.add if row["common"] else common.discard)(row["key"])
    links = {
        uid: {key: known[key]["resources"] for key in found if key not in common} for uid, found in standing.items()
    }
    rows = [
        {"uid": row["id"], "names": sorted(named(row["parts"], row["resource"], row["own"], links.get(row["id"], {})))}
        for row in texts
    ]
    done = await tx.run("knowledge/write_mentions", tenant=tenant, rows=rows, open=FOREVER, now=now)
    return Counter(done[0])


async def _write_contained(
    tx: Transaction, tenant: Tenant, texts: Sequence[Row], standing: Mapping[str, set[str]], now: datetime
) -> list[Row]:
    more: Counter[str] = Counter()
    rows = []
    for row in texts:
        there, before = standing.get(row["id"], set()) - set(row["own"]), set(row["names"])
        come, gone = sorted(there - before), sorted(before - there)
        more.update(come)
        more.subtract(gone)
        if come or gone:
            rows.append({"uid": row["id"], "come": come, "gone": gone})
    counts = [{"key": key, "more": more[key]} for key in sorted(more)]
    if not rows:
        return []
    return await tx.run("knowledge/write_contained", tenant=tenant, rows=rows, counts=counts, now=now)


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
    standing = {key for part in parts for key in names.Keys(private).standing(part)}
    customers: dict[frozenset[str], list[str]] = {}
    for resource in sorted({resource for key in standing for resource in known[key]} - {SHARED}):
        customers.setdefault(frozenset(key for key in standing if resource in known[key]), []).append(resource)
    for keys, resources in customers.items():
        yield resources, shared | keys
