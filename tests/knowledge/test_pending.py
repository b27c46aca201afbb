"""Edges that wait for an end."""

import asyncio

import pytest

from graphmem.access.view import View
from graphmem.errors import Forbidden
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge.edges_write import EdgeKey, EdgesWritten, write_edges
from graphmem.knowledge.link import link, unlink
from graphmem.knowledge.remember import Remembered, remember
from graphmem.upkeep.audits import run_audit
from graphmem.values import EdgeType, Source, Tenant, utc_now
from tests.factories import edge, node, principal, related
from tests.knowledge.support import counted, done_or_blocked, open_edges, stored_edges, triples


async def dangling(graph: Graph, tenant: Tenant) -> list[str]:
    return [row.detail for row in await run_audit(graph, "dangling_links", tenant)]


@pytest.mark.parametrize("order", [["a", "b"], ["b", "a"]])
@pytest.mark.parametrize("kind", [EdgeType.RELATED_TO, EdgeType.SUPERSEDES, EdgeType.CONFLICTS_WITH])
async def test_an_edge_waits_for_both_ends_in_either_order(
    graph: Graph, tenant: Tenant, order: list[str], kind: EdgeType
) -> None:
    who = principal(tenant)
    given = edge("a", kind, "b", weight=0.3, confidence=0.4, source=Source.INFERRED, reason="why")
    assert triples((await link(graph, who, [given])).pending) == [("a", str(kind), "b")]
    await remember(graph, who, [node(order[0])])
    assert await dangling(graph, tenant) == [f"a -{kind}-> b waits for {order[1]}"]
    assert await open_edges(graph, View(tenant), order[0]) == []
    done = await remember(graph, who, [node(order[1])])
    assert done.edges_created == 1
    assert await dangling(graph, tenant) == []
    (stored,) = await stored_edges(graph, tenant, "a", str(kind), "b")
    assert {name: stored[name] for name in ("weight", "confidence", "source", "reason")} == {
        "weight": 0.3, "confidence": 0.4, "source": "inferred", "reason": "why",
    }  # fmt: skip


async def test_an_edge_that_waits_can_be_asked_for_again_and_taken_back(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a", connections=["ghost"])])
    await link(graph, who, related("a", "ghost"))
    assert (await counted(graph, tenant))["pending"] == 1
    done = await unlink(graph, who, [EdgeKey("a", "ghost", EdgeType.RELATED_TO)])
    assert triples(done.closed) == [("a", "RELATED_TO", "ghost")]
    await remember(graph, who, [node("ghost")])
    assert await open_edges(graph, View(tenant), "ghost") == []


async def test_a_waiting_edge_that_would_close_a_circle_does_not_keep_the_node_away(
    graph: Graph, tenant: Tenant
) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")], [edge("a", EdgeType.SUPERSEDES, "b")])
    await link(graph, who, [edge("b", EdgeType.SUPERSEDES, "c"), edge("c", EdgeType.SUPERSEDES, "a")])
    done = await remember(graph, who, [node("c")])
    assert done.created == ("c",)
    assert [found.code for found in done.warnings] == ["PENDING_LINK_DROPPED"]
    assert done.edges_created == 1
    assert await dangling(graph, tenant) == []


async def test_what_a_customers_note_waits_for_may_come_as_shared_knowledge(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("note", resource="r1", connections=["guide"])], resource="r1")
    await remember(graph, who, [node("guide")])
    seen = await open_edges(graph, View(tenant, ("r1",)), "note")
    assert seen == [("note", "RELATED_TO", "guide")]
    assert await open_edges(graph, View(tenant), "guide") == []
    assert await dangling(graph, tenant) == []


async def test_a_waiting_edge_shows_nobody_what_its_asker_could_not_see(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    await remember(graph, who, [node("secret", resource="r1")])
    assert len((await link(graph, who, related("a", "secret"))).pending) == 1
    assert len((await link(graph, who, related("a", "ghost"))).pending) == 1
    await remember(graph, principal(tenant), [node("ghost", resource="r2")])
    for view in (View(tenant), View(tenant, ("r1",)), View(tenant, ("r2",))):
        assert await open_edges(graph, view, "a") == []
    assert len((await link(graph, who, related("a", "secret"), resource="r1")).created) == 1
    assert await dangling(graph, tenant) == ["a -RELATED_TO-> ghost waits for ghost"]


async def test_a_waiting_edge_between_two_customers_does_not_keep_the_node_away(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    both = [node("one", resource="r1"), node("two", resource="r2")]
    await remember(graph, who, both, related("one", "late"))
    done = await remember(graph, who, [node("late", resource="r2"), node("more", resource="r1")])
    assert set(done.created) == {"late", "more"}
    assert [found.code for found in done.warnings] == ["PENDING_LINK_DROPPED"]
    assert (await counted(graph, tenant))["edges"] == 0


async def test_a_bound_key_joins_no_shared_knowledge_by_asking_before_it_is_there(graph: Graph, tenant: Tenant) -> None:
    bound = principal(tenant, resource="r1")
    await remember(graph, principal(tenant), [node("s1")])
    assert len((await link(graph, bound, related("s1", "s2"))).pending) == 1
    await remember(graph, principal(tenant), [node("s2")])
    assert await open_edges(graph, View(tenant), "s1") == []
    await link(graph, bound, related("s1", "ours"))
    await remember(graph, bound, [node("ours")])
    assert await open_edges(graph, View(tenant, ("r1",)), "s1") == [("s1", "RELATED_TO", "ours")]


async def test_a_bound_key_neither_changes_nor_takes_back_what_waits_of_others(graph: Graph, tenant: Tenant) -> None:
    anybody, bound = principal(tenant), principal(tenant, resource="r1")
    await remember(graph, anybody, [node("s1"), node("ours", resource="r1")])
    await link(graph, anybody, [*related("s1", "s2"), *related("ours", "s2")])
    heavy = [edge("s1", EdgeType.RELATED_TO, "s2", weight=0.25)]
    with pytest.raises(Forbidden):
        await link(graph, bound, heavy)
    with pytest.raises(Forbidden):
        await unlink(graph, bound, [EdgeKey("s1", "s2", EdgeType.RELATED_TO)])
    assert len((await link(graph, bound, related("s1", "s2"))).pending) == 1, "nothing of it would be changed"
    assert (await unlink(graph, bound, [EdgeKey("ours", "s2", EdgeType.RELATED_TO)])).closed
    await remember(graph, anybody, [node("s2")])
    assert await open_edges(graph, View(tenant), "s1") == [("s1", "RELATED_TO", "s2")]
    again = await link(graph, anybody, related("s1", "s2"))
    assert (len(again.unchanged), len(again.updated)) == (1, 0), "it has the weight that was first asked for"


async def test_only_those_who_see_what_its_asker_saw_take_a_waiting_edge_back(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("ours", resource="r1")])
    key = EdgeKey("ours", "ghost", EdgeType.RELATED_TO)
    await link(graph, principal(tenant, resource="r1"), related("ours", "ghost"))
    for who in (principal(tenant), principal(tenant, resource="r2")):
        assert (await unlink(graph, who, [key])).absent == (key,)
    assert (await unlink(graph, principal(tenant, resource="r1"), [key])).closed == (key,)


async def test_an_end_that_arrives_while_the_edge_is_being_asked_for_is_joined(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a")])
    arriving: list[asyncio.Task[Remembered]] = []

    async def ask(tx: Transaction) -> EdgesWritten:
        written = await write_edges(tx, View(tenant), related("a", "b"), utc_now())
        if not arriving:
            arriving.append(asyncio.create_task(remember(graph, who, [node("b")])))
            await done_or_blocked(graph, arriving[0])
        return written

    await graph.write(ask)
    await asyncio.gather(*arriving)
    assert await open_edges(graph, View(tenant), "b") == [("a", "RELATED_TO", "b")]
    assert await dangling(graph, tenant) == []


async def test_notes_that_link_to_one_another_may_all_arrive_at_once(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    ids = [f"n{at}" for at in range(8)]
    await asyncio.gather(
        *(remember(graph, who, [node(uid, connections=[other for other in ids if other != uid])]) for uid in ids)
    )
    found = await counted(graph, tenant)
    assert (found["edges"], found["pending"]) == (56, 0)
