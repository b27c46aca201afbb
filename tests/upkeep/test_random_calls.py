"""Many calls in no order, some of which break off: nothing is left half done."""

from __future__ import annotations

from random import Random

from graphmem.access.view import View
from graphmem.errors import Conflict, GraphmemError, InvalidInput, NotFound, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.knowledge.archive import archive
from graphmem.knowledge.delete import delete
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.link import link, unlink
from graphmem.knowledge.listing import Filter, Order, knowledge_nodes
from graphmem.knowledge.merge import merge_knowledge
from graphmem.knowledge.remember import remember
from graphmem.knowledge.restore import restore
from graphmem.knowledge.search import Mode, SearchInput, search
from graphmem.knowledge.supersede import supersede
from graphmem.knowledge.unmerge import unmerge_knowledge
from graphmem.knowledge.update import Patch, update
from graphmem.runtime import Runtime
from graphmem.upkeep.audits import run_audits
from graphmem.values import EdgeType, Tenant
from tests.conftest import Settle
from tests.factories import PLANTS, edge, node, principal
from tests.knowledge.support import Broken

WISHES = {"dangling_links", "duplicate_content", "over_long_notes"}
"""Audits of what callers may do."""


async def call(graph: Graph, tenant: Tenant, rng: Random) -> None:
    who = principal(tenant)
    one, other = rng.sample([f"n{at}" for at in range(20)], 2)
    kind = rng.choice([EdgeType.RELATED_TO, EdgeType.DEPENDS_ON, EdgeType.CONFLICTS_WITH])
    text = " ".join(rng.sample(PLANTS, 4))
    match rng.choice(["remember"] * 3 + ["link"] * 4 + ["merge", "supersede", "delete", "update"] * 2
                     + ["archive", "restore", "unlink", "unmerge"]):  # fmt: skip
        case "remember":
            await remember(graph, who, [node(one, f"{text} {one}", text)], [edge(one, kind, other)])
        case "link":
            await link(graph, who, [edge(one, kind, other, weight=rng.choice([0.5, 1.0]))])
        case "unlink":
            await unlink(graph, who, [EdgeKey(one, other, kind)])
        case "merge":
            await merge_knowledge(graph, who, [one, other])
        case "unmerge":
            await unmerge_knowledge(graph, who, one)
        case "supersede":
            await supersede(graph, who, one, other)
        case "update":
            await update(graph, who, one, Patch(content=text))
        case "archive":
            await archive(graph, who, one)
        case "restore":
            await restore(graph, who, one)
        case "delete":
            await delete(graph, who, one)


async def test_no_sequence_of_calls_leaves_a_part_without_its_whole(
    graph: Graph, runtime: Runtime, tenant: Tenant, settle: Settle
) -> None:
    """B54"""
    rng = Random(1)
    await remember(graph, principal(tenant), [node(f"n{at}") for at in range(20)])
    refused: list[type[GraphmemError]] = []
    for at in range(100):
        line = Broken(graph, rng.randrange(1, 8)) if rng.random() < 0.2 else graph
        try:
            await call(line, tenant, rng)
        except (Conflict, InvalidInput, NotFound, Unavailable) as error:
            refused.append(type(error))
        if at % 25 == 0:
            await settle()
    await settle()
    assert Unavailable in refused
    assert len(refused) < 80
    assert [(name, rows) async for name, rows in run_audits(graph, tenant) if rows and name not in WISHES] == []
    page = await knowledge_nodes(graph, View(tenant), Filter(), Order.CREATED_ASC, 100, None)
    wanted = SearchInput("alder birch", mode=Mode.VECTOR, top_k=100, limit=100, expand=False)
    found = await search(graph, runtime.embedding, View(tenant), wanted)
    assert sorted(hit.node.id for hit in found.hits) == sorted(one.id for one in page.items)
