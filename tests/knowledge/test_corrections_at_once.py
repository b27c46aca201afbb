"""Verbs that change the same notes and edges at once."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest

from graphmem.errors import Conflict, NotFound
from graphmem.graph.gateway import Graph
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.link import link, unlink
from graphmem.knowledge.merge import merge_knowledge
from graphmem.knowledge.remember import remember
from graphmem.knowledge.restore import restore
from graphmem.knowledge.supersede import supersede
from graphmem.knowledge.unmerge import unmerge_knowledge
from graphmem.upkeep.audits import run_audit
from graphmem.values import EdgeType, Tenant
from tests.factories import node, principal, related


@pytest.mark.parametrize("seed", range(3))
async def test_no_edge_ends_before_it_began_or_is_opened_again_where_somebody_closed_it(
    graph: Graph, tenant: Tenant, seed: int
) -> None:
    """Whoever waited for another's lock writes neither the time at which it began to wait, nor what it read before."""
    who, ids = principal(tenant), [f"n{at}" for at in range(6)]
    around = list(pairwise([*ids, ids[0]]))
    await remember(graph, who, [node(uid) for uid in ids], [edge for pair in around for edge in related(*pair)])
    verbs: list[Callable[[str, str], Awaitable[object]]] = [
        lambda one, other: merge_knowledge(graph, who, [one, other]),
        lambda one, _: unmerge_knowledge(graph, who, one),
        lambda one, other: supersede(graph, who, other, one),
        lambda _, other: restore(graph, who, other),
        lambda one, other: link(graph, who, related(one, other)),
        lambda one, other: unlink(graph, who, [EdgeKey(one, other, EdgeType.RELATED_TO)]),
    ]

    async def many(chosen: random.Random) -> None:
        for _ in range(15):
            try:
                await chosen.choice(verbs)(*chosen.choice(around))
            except (Conflict, NotFound):
                continue

    await asyncio.gather(*(many(random.Random(f"{seed} {number}")) for number in range(8)))
    for audit in ("contradictory_validity", "superseded_in_use", "revisions_out_of_order", "supersedes_cycles"):
        assert await run_audit(graph, audit, tenant) == []
