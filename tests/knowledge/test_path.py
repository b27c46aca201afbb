from datetime import UTC, datetime

import pytest

from graphmem.access.view import View
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.gateway import Graph
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.path import path
from graphmem.knowledge.remember import remember
from graphmem.values import Direction, EdgeType, Tenant
from tests.factories import edge, node, principal, related
from tests.knowledge.support import join, replace_in_use, set_status

Steps = list[tuple[str, str, bool, str]]


async def steps(
    graph: Graph,
    view: View,
    start: str,
    end: str,
    depth: int = 4,
    *kinds: EdgeType,
    direction: Direction | None = None,
) -> Steps | None:
    found = await path(graph, view, start, end, depth, Directions.of(kinds or None, direction))
    if found is None:
        return None
    nodes, made = found
    assert [one.id for one in nodes] == [start, *(step.target for step in made)]
    assert nodes[-1].id == end
    return [(step.source, str(step.type), step.forward, step.target) for step in made]


async def test_the_shortest_way_is_told_with_the_types_and_directions_of_its_edges(
    graph: Graph, tenant: Tenant
) -> None:
    given = [
        edge("b", EdgeType.RELATED_TO, "a"), edge("b", EdgeType.DEPENDS_ON, "c"),
        *related("a", "x", "y", "z", "d"),
    ]  # fmt: skip
    await remember(graph, principal(tenant), [node(uid) for uid in "abcdxyz"], given)
    await replace_in_use(graph, tenant, ("d", "c"))
    assert await steps(graph, View(tenant), "a", "d") == [
        ("a", "RELATED_TO", False, "b"), ("b", "DEPENDS_ON", True, "c"), ("c", "SUPERSEDES", False, "d"),
    ]  # fmt: skip
    assert len(await steps(graph, View(tenant), "a", "d", 4, EdgeType.RELATED_TO) or []) == 4
    assert await steps(graph, View(tenant), "a", "d", 2) is None
    assert await steps(graph, View(tenant), "a", "d", 4, EdgeType.DEPENDS_ON) is None


async def test_edges_are_walked_their_own_way_unless_told_otherwise(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a"), node("b")], [edge("a", EdgeType.DEPENDS_ON, "b")])
    view = View(tenant)
    assert await steps(graph, view, "a", "b") == [("a", "DEPENDS_ON", True, "b")]
    assert await steps(graph, view, "b", "a") is None
    assert await steps(graph, view, "b", "a", direction=Direction.BOTH) == [("b", "DEPENDS_ON", False, "a")]
    assert await steps(graph, view, "b", "a", direction=Direction.IN) == [("b", "DEPENDS_ON", False, "a")]
    assert await steps(graph, view, "b", "a", direction=Direction.OUT) is None


async def test_a_node_is_no_step_from_itself(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a")])
    assert await steps(graph, View(tenant), "a", "a", 0) == []


async def test_a_way_is_as_long_as_asked_for_and_no_longer(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node(uid) for uid in "abcde"], related(*"abcde"))
    for depth in range(5):
        found = await steps(graph, View(tenant), "a", "e", depth)
        assert (len(found) if found else None) == (4 if depth == 4 else None)


async def test_the_ends_may_be_out_of_use_and_nothing_between(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node(uid) for uid in "abc"], related("a", "b", "c"))
    await set_status(graph, tenant, "c", "superseded")
    assert len(await steps(graph, View(tenant), "a", "c") or []) == 2
    assert len(await steps(graph, View(tenant), "c", "a") or []) == 2
    await set_status(graph, tenant, "b", "retracted")
    assert await steps(graph, View(tenant), "a", "c") is None


async def test_a_way_leads_through_nothing_whose_time_is_over(graph: Graph, tenant: Tenant) -> None:
    times = {"valid_from": datetime(2019, 1, 1, tzinfo=UTC), "valid_to": datetime(2020, 1, 1, tzinfo=UTC)}
    await remember(graph, principal(tenant), [node("a"), node("b", **times), node("c")], related("a", "b", "c"))
    assert await steps(graph, View(tenant), "a", "c") is None
    assert len(await steps(graph, View(tenant), "a", "b") or []) == 1


async def test_a_way_leads_through_nothing_foreign(graph: Graph, tenant: Tenant) -> None:
    other = Tenant(f"{tenant} other")
    nodes = [node("a"), node("b"), node("one", resource="r1")]
    await remember(graph, principal(tenant), nodes, related("a", "one", "b"))
    await remember(graph, principal(other), [node("x")])
    await join(graph, (tenant, "a"), "RELATED_TO", (other, "x"))
    await join(graph, (other, "x"), "RELATED_TO", (tenant, "b"))
    assert await steps(graph, View(tenant), "a", "b") is None
    through = await steps(graph, View(tenant, ("r1",)), "a", "b")
    assert [step[3] for step in through or []] == ["one", "b"]


async def test_both_ends_must_be_seen_and_the_missing_one_is_named(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a"), node("one", resource="r1")])
    await remember(graph, principal(Tenant(f"{tenant} other")), [node("theirs")])
    said = set()
    for uid in ("nowhere", "one", "theirs"):
        for ends, field in (((uid, "a"), "from"), (("a", uid), "to"), ((uid, uid), "from")):
            with pytest.raises(NotFound) as refused:
                await steps(graph, View(tenant), *ends)
            assert refused.value.field == field
            said.add(refused.value.message.replace(uid, "ID"))
    assert len(said) == 1
    with pytest.raises(InvalidInput):
        await steps(graph, View(tenant), "a", "")
