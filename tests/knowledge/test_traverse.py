from datetime import UTC, datetime

import pytest

from graphmem.access.view import View
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.remember import remember
from graphmem.knowledge.search import SearchResult
from graphmem.knowledge.traverse import traverse
from graphmem.values import Direction, EdgeType, Tenant
from tests.factories import edge, node, principal, related
from tests.jobs.support import changed
from tests.knowledge.support import join, replace_in_use, set_status


async def walk(
    graph: Graph,
    tenant: Tenant,
    start: str,
    depth: int = 1,
    *kinds: EdgeType,
    direction: Direction | None = None,
    limit: int = 100,
    view: View | None = None,
) -> SearchResult:
    ways = Directions.of(kinds or None, direction)
    return await traverse(graph, view or View(tenant), start, depth, ways, limit, ("title",), edges=True)


def depths(found: SearchResult) -> dict[str, int]:
    assert len({hit.node.id for hit in found.hits}) == len(found.hits)
    return {hit.node.id: hit.rank.depth for hit in found.hits}


async def test_the_node_comes_first_and_each_path_leads_to_its_node(graph: Graph, tenant: Tenant) -> None:
    given = [*related("a", "b", "c"), edge("c", EdgeType.DEPENDS_ON, "e")]
    await remember(graph, principal(tenant), [node(uid) for uid in "abcde"], given)
    await replace_in_use(graph, tenant, ("d", "c"))
    found = await walk(graph, tenant, "a", 3)
    assert depths(found) == {"a": 0, "b": 1, "c": 2, "d": 3, "e": 3}
    assert found.hits[0].node.title == "Title of a"
    ends = {(one.source_id, one.target_id, str(one.type)) for one in given} | {("d", "c", "SUPERSEDES")}
    for hit in found.hits:
        at = "a"
        for step in hit.rank.path:
            assert step.source == at
            pair = (step.source, step.target) if step.forward else (step.target, step.source)
            assert (*pair, step.type) in ends
            at = step.target
        assert (at, len(hit.rank.path)) == (hit.node.id, hit.rank.depth)


@pytest.mark.parametrize(
    ("kind", "both", "forward", "backward"),
    [
        (EdgeType.RELATED_TO, {"out", "in"}, {"out"}, {"in"}),
        (EdgeType.DEPENDS_ON, {"out"}, {"out"}, {"in"}),
        (EdgeType.SUPERSEDES, {"in"}, {"out"}, {"in"}),
        (EdgeType.CONFLICTS_WITH, {"out", "in"}, {"out"}, {"in"}),
    ],
)
async def test_each_type_has_its_own_ways_and_a_direction_overrides_them(
    graph: Graph, tenant: Tenant, kind: EdgeType, both: set[str], forward: set[str], backward: set[str]
) -> None:
    """A conflict goes from the smaller id."""
    await remember(graph, principal(tenant), [node(uid) for uid in ("in", "me", "out")])
    for pair in (("in", "me"), ("me", "out")):
        await join(graph, (tenant, pair[0]), kind, (tenant, pair[1]))

    async def reached(*kinds: EdgeType, direction: Direction | None = None) -> set[str]:
        return set(depths(await walk(graph, tenant, "me", 1, *kinds, direction=direction))) - {"me"}

    assert await reached() == both
    assert await reached(kind) == both
    assert await reached(direction=Direction.OUT) == forward
    assert await reached(kind, direction=Direction.IN) == backward
    assert await reached(direction=Direction.BOTH) == {"in", "out"}
    assert await reached(*(other for other in EdgeType if other is not kind)) == set()


async def test_a_node_out_of_use_is_left_but_not_entered(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node(uid) for uid in "abc"], related("a", "b", "c"))
    for status in ("draft", "superseded", "retracted", "archived"):
        await set_status(graph, tenant, "b", status)
        assert depths(await walk(graph, tenant, "a", 2)) == {"a": 0}
        assert depths(await walk(graph, tenant, "b", 1)) == {"b": 0, "a": 1, "c": 1}


async def test_a_node_whose_time_is_over_is_not_entered(graph: Graph, tenant: Tenant) -> None:
    times = {"valid_from": datetime(2019, 1, 1, tzinfo=UTC), "valid_to": datetime(2020, 1, 1, tzinfo=UTC)}
    await remember(graph, principal(tenant), [node("a"), node("b", **times)], related("a", "b"))
    assert depths(await walk(graph, tenant, "a")) == {"a": 0}
    assert depths(await walk(graph, tenant, "b")) == {"b": 0, "a": 1}


async def test_a_strong_edge_comes_before_a_weak_one(graph: Graph, tenant: Tenant) -> None:
    given = [
        edge("hub", EdgeType.RELATED_TO, uid, weight=weight) for uid, weight in (("w", 0.1), ("s", 0.9), ("m", 0.5))
    ]
    await remember(graph, principal(tenant), [node(uid) for uid in ("hub", "w", "s", "m")], given)
    found = await walk(graph, tenant, "hub")
    assert [hit.node.id for hit in found.hits] == ["hub", "s", "m", "w"]
    assert [round(hit.rank.graph, 6) for hit in found.hits] == [0, 0.72, 0.4, 0.08]


async def test_of_two_ways_of_least_depth_the_stronger_is_told(graph: Graph, tenant: Tenant) -> None:
    given = [
        *related("a", "x", weight=0.2), *related("x", "z"), *related("a", "y", weight=0.8),
        *related("y", "z", weight=0.5), edge("a", EdgeType.DEPENDS_ON, "x", weight=0.9), *related("a", "q", "r", "z"),
    ]  # fmt: skip
    await remember(graph, principal(tenant), [node(uid) for uid in "axyzqr"], given)
    found = {hit.node.id: hit.rank for hit in (await walk(graph, tenant, "a", 3)).hits}
    assert [(step.source, step.type, step.target) for step in found["z"].path] == [
        ("a", "DEPENDS_ON", "x"), ("x", "RELATED_TO", "z"),
    ]  # fmt: skip
    assert found["z"].graph == pytest.approx(0.8**2 * 0.9)


async def test_caps_cut_a_hub_and_say_so(graph: Graph, tenant: Tenant) -> None:
    spokes = [f"n{at:02}" for at in range(40)]
    given = [edge("hub", EdgeType.RELATED_TO, uid) for uid in spokes]
    await remember(graph, principal(tenant), [node("hub"), *map(node, spokes)], given)
    found = await walk(graph, tenant, "hub")
    assert [hit.node.id for hit in found.hits] == ["hub", *spokes[:25]]
    assert [(cap.name, cap.depth, cap.node) for cap in found.caps] == [("fan", 1, "hub")]
    assert len((await walk(graph, tenant, "hub", limit=3)).hits) == 3
    hub = changed(graph, scan_cap=10, hub_sample=10)
    hub.generation = graph.generation
    found = await walk(hub, tenant, "hub")
    assert len(found.hits) == 11
    assert [(cap.name, cap.depth, cap.node) for cap in found.caps] == [("scan", 1, "hub")]
    level = changed(graph, level_cap=5)
    level.generation = graph.generation
    found = await walk(level, tenant, "hub")
    assert [hit.node.id for hit in found.hits] == ["hub", *spokes[:5]]
    assert ("level", 1, None) in [(cap.name, cap.depth, cap.node) for cap in found.caps]


async def test_nothing_foreign_is_entered_or_named(graph: Graph, tenant: Tenant) -> None:
    other = Tenant(f"{tenant} other")
    await remember(graph, principal(tenant), [node("a1"), node("a2"), node("one", resource="r1")], related("a1", "one"))
    await remember(graph, principal(other), [node("x")])
    await join(graph, (tenant, "a1"), "RELATED_TO", (other, "x"))
    await join(graph, (other, "x"), "RELATED_TO", (tenant, "a2"))
    found = await walk(graph, tenant, "a1", 3)
    assert (depths(found), found.edges) == ({"a1": 0}, ())
    found = await walk(graph, tenant, "a1", 3, view=View(tenant, ("r1",)))
    assert (depths(found), found.edges) == ({"a1": 0, "one": 1}, (("a1", "one", EdgeType.RELATED_TO),))


async def test_only_a_node_that_is_seen_can_be_started_from(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("one", resource="r1")])
    await remember(graph, principal(Tenant(f"{tenant} other")), [node("theirs")])
    said = set()
    for uid in ("nowhere", "one", "theirs"):
        with pytest.raises(NotFound) as refused:
            await walk(graph, tenant, uid)
        said.add(refused.value.message.replace(uid, "ID"))
    assert len(said) == 1
    with pytest.raises(InvalidInput):
        await walk(graph, tenant, " ")


@pytest.mark.parametrize("depth", [0, 1, 4])
async def test_a_walk_takes_two_trips_however_deep(graph: Graph, tenant: Tenant, depth: int) -> None:
    await remember(graph, principal(tenant), [node(uid) for uid in "abcde"], related(*"abcde"))
    with count_trips() as trips:
        assert len((await walk(graph, tenant, "a", depth)).hits) == depth + 1
    assert trips.count == 2
