import asyncio

import pytest

from graphmem.access.view import View
from graphmem.errors import Forbidden, InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.knowledge.edges_write import EdgeKey
from graphmem.knowledge.link import link, unlink
from graphmem.knowledge.remember import remember
from graphmem.values import EXPLICIT_EDGES, FOREVER, EdgeType, Tenant
from tests.factories import edge, node, principal, related
from tests.knowledge.support import open_edges, stored_edges


async def test_an_edge_is_closed_and_kept(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")], [edge("a", kind, "b") for kind in EXPLICIT_EDGES])
    key = EdgeKey("a", "b", EdgeType.DEPENDS_ON)
    assert (await unlink(graph, who, [key, key])).closed == (key,)
    assert len(await open_edges(graph, View(tenant), "a")) == 3
    (kept,) = await stored_edges(graph, tenant, "a", "DEPENDS_ON", "b")
    assert kept["recordedFrom"] < kept["recordedTo"] == kept["validTo"] < FOREVER
    assert (await unlink(graph, who, [key])).absent == (key,)


async def test_an_edge_opened_again_is_another_one(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")], related("a", "b", weight=0.2))
    key = EdgeKey("a", "b", EdgeType.RELATED_TO)
    await unlink(graph, who, [key])
    assert (await link(graph, who, related("a", "b"))).created == [key]
    kept = await stored_edges(graph, tenant, "a", "RELATED_TO", "b")
    assert [(one["weight"], one["recordedTo"] == FOREVER) for one in kept] == [(0.2, False), (1.0, True)]


async def test_only_the_direction_that_is_named_is_closed(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")], [*related("a", "b"), *related("b", "a")])
    await unlink(graph, who, [EdgeKey("b", "a", EdgeType.RELATED_TO)])
    assert await open_edges(graph, View(tenant), "a") == [("a", "RELATED_TO", "b")]


async def test_a_conflict_is_closed_from_either_end(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")], [edge("a", EdgeType.CONFLICTS_WITH, "b")])
    done = await unlink(graph, who, [EdgeKey("b", "a", EdgeType.CONFLICTS_WITH)])
    assert done.closed == (EdgeKey("a", "b", EdgeType.CONFLICTS_WITH),)


async def test_ids_that_are_not_there_or_not_seen_are_all_absent(graph: Graph, tenant: Tenant) -> None:
    who, other = principal(tenant), principal(Tenant(f"{tenant} other"))
    await remember(graph, other, [node("a"), node("b")], related("a", "b"))
    await remember(graph, who, [node("c", resource="r1"), node("d", resource="r1")], related("c", "d"))
    keys = tuple(EdgeKey(*ends, EdgeType.RELATED_TO) for ends in (("a", "b"), ("c", "d"), ("x", "y")))
    assert (await unlink(graph, who, keys)).absent == keys
    assert await open_edges(graph, View(other.tenant), "a") == [("a", "RELATED_TO", "b")]
    assert len((await unlink(graph, who, keys, resource="r1")).closed) == 1


async def test_a_key_bound_to_a_customer_parts_no_shared_knowledge(graph: Graph, tenant: Tenant) -> None:
    nodes = [node("s1"), node("s2"), node("ours", resource="r1")]
    await remember(graph, principal(tenant), nodes, [*related("s1", "s2"), *related("s1", "ours")])
    bound = principal(tenant, resource="r1")
    keys = [EdgeKey("s1", end, EdgeType.RELATED_TO) for end in ("ours", "s2")]
    with pytest.raises(Forbidden, match="shared knowledge"):
        await unlink(graph, bound, keys)
    assert len(await open_edges(graph, View(tenant, ("r1",)), "s1")) == 2
    assert len((await unlink(graph, bound, keys[:1])).closed) == 1


async def test_ten_calls_at_once_close_an_edge_once(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")], related("a", "b"))
    key = EdgeKey("a", "b", EdgeType.RELATED_TO)
    done = await asyncio.gather(*(unlink(graph, who, [key]) for _ in range(10)))
    assert sorted(len(one.closed) for one in done) == [0] * 9 + [1]


async def test_automatic_edges_are_not_closed_by_hand(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(InvalidInput, match="made automatically"):
        await unlink(graph, principal(tenant), [EdgeKey("a", "b", EdgeType.MENTIONS)])
