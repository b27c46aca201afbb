import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.errors import Conflict, Forbidden, IdempotencyConflict, InvalidInput, LimitExceeded
from graphmem.graph.gateway import Graph
from graphmem.knowledge.edges_write import EdgesWritten
from graphmem.knowledge.link import link
from graphmem.knowledge.remember import remember
from graphmem.values import EXPLICIT_EDGES, FOREVER, Direction, EdgeType, Scope, Source, Tenant
from tests.factories import edge, node, principal, related
from tests.knowledge.support import counted, open_edges, stored_edges, triples


async def test_the_same_edge_again_changes_nothing(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")])
    for kind in EXPLICIT_EDGES:
        one = edge("a", kind, "b", weight=0.5, confidence=0.5, source=Source.INFERRED, reason="why")
        assert len((await link(graph, who, [one, one])).created) == 1
        again = await link(graph, who, [one])
        assert (triples(again.unchanged), again.created, again.updated) == ([("a", str(kind), "b")], [], [])
    assert (await counted(graph, tenant))["edges"] == 4


@pytest.mark.parametrize(
    "other",
    [
        {"weight": 0.4}, {"confidence": 0.4}, {"reason": "because"}, {"reason": None}, {"source": Source.INFERRED},
        {"valid_to": datetime(2090, 1, 1, tzinfo=UTC)}, {"valid_from": datetime(2000, 1, 1, tzinfo=UTC)},
    ],
)  # fmt: skip
async def test_an_edge_with_another_property_is_told_as_updated(
    graph: Graph, tenant: Tenant, other: dict[str, Any]
) -> None:
    who = principal(tenant)
    given = {"weight": 0.5, "confidence": 0.5, "reason": "why", "source": Source.DOCS}
    await remember(graph, who, [node("a"), node("b")], [edge("a", EdgeType.DEPENDS_ON, "b", **given)])
    done = await link(graph, who, [edge("a", EdgeType.DEPENDS_ON, "b", **given | other)])
    assert triples(done.updated) == [("a", "DEPENDS_ON", "b")]
    was, now = await stored_edges(graph, tenant, "a", "DEPENDS_ON", "b")
    assert (was["recordedTo"], now["recordedTo"]) == (now["recordedFrom"], FOREVER)
    assert (was["weight"], was["reason"], was["source"]) == (0.5, "why", "docs")


async def test_a_conflict_is_one_edge_whichever_end_it_is_told_from(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")])
    done = await link(graph, who, [edge("b", EdgeType.CONFLICTS_WITH, "a"), edge("a", EdgeType.CONFLICTS_WITH, "b")])
    assert triples(done.created) == [("a", "CONFLICTS_WITH", "b")]
    assert await open_edges(graph, View(tenant), "b") == [("a", "CONFLICTS_WITH", "b")]


async def test_one_edge_given_twice_with_different_properties_is_refused(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")])
    for first, second in (
        (edge("a", EdgeType.RELATED_TO, "b", weight=0.1), edge("a", EdgeType.RELATED_TO, "b", weight=0.2)),
        (edge("a", EdgeType.CONFLICTS_WITH, "b"), edge("b", EdgeType.CONFLICTS_WITH, "a", reason="why")),
    ):
        with pytest.raises(InvalidInput, match=r"edges\[2\] is edges\[0\] with other properties"):
            await link(graph, who, [first, edge("b", EdgeType.DEPENDS_ON, "a"), second])
    assert (await counted(graph, tenant))["edges"] == 0


async def test_an_edge_of_a_node_to_itself_is_refused_with_all_others(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")])
    for kind in EXPLICIT_EDGES:
        with pytest.raises(InvalidInput, match=r"edges\[1\] joins 'a' to itself"):
            await link(graph, who, [edge("a", kind, "b"), edge("a", kind, "a")])
    assert (await counted(graph, tenant))["edges"] == 0


@pytest.mark.parametrize(
    ("other", "field"),
    [
        ({"weight": 1.2}, "edges[0].weight"), ({"weight": float("inf")}, "edges[0].weight"),
        ({"confidence": float("nan")}, "edges[0].confidence"), ({"reason": "x" * 501}, "edges[0].reason"),
        ({"valid_from": datetime(2020, 1, 1, tzinfo=UTC), "valid_to": datetime(2019, 1, 1, tzinfo=UTC)},
         "edges[0].validTo"),
    ],
)  # fmt: skip
async def test_a_bad_property_is_refused_with_its_field(
    graph: Graph, tenant: Tenant, other: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await link(graph, principal(tenant), [edge("a", EdgeType.RELATED_TO, "b", **other)])
    assert refused.value.field == field


async def test_automatic_edges_cannot_be_made_by_hand(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(InvalidInput, match="MENTIONS is made automatically"):
        await link(graph, principal(tenant), [edge("a", EdgeType.MENTIONS, "b")])


async def test_edges_have_a_limit_of_their_own(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    many = [edge("hub", EdgeType.RELATED_TO, f"n{at}") for at in range(5001)]
    with pytest.raises(LimitExceeded) as refused:
        await link(graph, who, many)
    assert refused.value.details["limit"] == "max_edges"
    with pytest.raises(LimitExceeded):
        await remember(graph, who, [node("a", connections=[f"n{at}" for at in range(5001)])])
    assert set((await counted(graph, tenant)).values()) == {0}


async def test_superseding_never_runs_in_a_circle(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node(uid) for uid in "abcd"])

    async def supersede(*pairs: str) -> EdgesWritten:
        return await link(graph, who, [edge(a, EdgeType.SUPERSEDES, b) for a, b in pairs])

    with pytest.raises(Conflict):
        await supersede("ab", "ba")
    await supersede("ab", "bc")
    for closing in (["ca"], ["cb"], ["cd", "da"]):
        with pytest.raises(Conflict, match="circle"):
            await supersede(*closing)
    await supersede("ac", "dc")
    assert (await counted(graph, tenant))["edges"] == 4


@pytest.mark.parametrize("pairs", [["ab", "ba"], ["ab", "bc", "ca"], ["ax", "xa"]])
async def test_new_nodes_that_supersede_one_another_in_a_circle_are_refused_whole(
    graph: Graph, tenant: Tenant, pairs: list[str]
) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("x")])
    before = await counted(graph, tenant)
    edges = [edge(a, EdgeType.SUPERSEDES, b) for a, b in pairs]
    with pytest.raises(Conflict, match="circle"):
        await remember(graph, who, [node(uid) for uid in "abc"], edges)
    assert await counted(graph, tenant) == before


async def test_knowledge_about_two_customers_is_not_joined(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    nodes = [node("shared"), node("one", resource="r1"), node("two", resource="r2")]
    with pytest.raises(InvalidInput, match="two different resources"):
        await remember(graph, who, nodes, [edge("one", EdgeType.RELATED_TO, "two")])
    done = await remember(graph, who, nodes, [*related("shared", "one"), *related("shared", "two")])
    assert done.edges_created == 2


async def test_ten_calls_at_once_open_one_edge(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")])
    done = await asyncio.gather(*(link(graph, who, related("a", "b")) for _ in range(10)))
    assert sorted(len(one.created) for one in done) == [0] * 9 + [1]
    assert len(await stored_edges(graph, tenant, "a", "RELATED_TO", "b")) == 1


async def test_edges_crossing_at_once_are_all_opened(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    ring = [f"n{at}" for at in range(8)]
    await remember(graph, who, [node(uid) for uid in ring])
    sets = [related(*ring), related(*reversed(ring)), related(*ring[::2], *ring[1::2])] * 3
    await asyncio.gather(*(link(graph, who, edges) for edges in sets))
    expected = {(one.source_id, one.target_id) for edges in sets for one in edges}
    assert (await counted(graph, tenant))["edges"] == len(expected)


async def test_a_repeated_key_is_given_the_first_answer(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")])
    first = await link(graph, who, related("a", "b"), idempotency_key="k")
    assert await link(graph, who, related("a", "b"), idempotency_key="k") == first
    with pytest.raises(IdempotencyConflict):
        await link(graph, who, related("b", "a"), idempotency_key="k")


async def test_a_trial_run_opens_nothing(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a"), node("b")])
    before = await counted(graph, tenant)
    done = await link(graph, who, [*related("a", "b"), *related("b", "ghost")], dry_run=True)
    assert (len(done.created), len(done.pending)) == (1, 1)
    assert await counted(graph, tenant) == before


async def test_a_key_that_may_only_read_opens_nothing(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(Forbidden):
        await link(graph, principal(tenant, Scope.READ), related("a", "b"))


async def test_a_key_bound_to_a_customer_joins_only_what_is_about_that_one(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("s1"), node("s2"), node("ours", resource="r1")])
    bound = principal(tenant, resource="r1")
    with pytest.raises(Forbidden, match="shared knowledge"):
        await link(graph, bound, [*related("ours", "s1"), *related("s1", "s2")])
    assert (await counted(graph, tenant))["edges"] == 0
    assert len((await link(graph, bound, [*related("ours", "s1"), *related("s2", "ours")])).created) == 2
    assert await open_edges(graph, View(tenant), "s1") == []
    seen = await open_edges(graph, View(tenant, ("r1",)), "ours", direction=Direction.OUT)
    assert seen == [("ours", "RELATED_TO", "s1")]
