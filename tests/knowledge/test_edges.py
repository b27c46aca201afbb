import pytest

from graphmem.access.view import View
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.knowledge.edges import EdgeQuery, edges_of
from graphmem.knowledge.remember import remember
from graphmem.values import Direction, EdgeType, Status, Tenant, encode_cursor
from tests.factories import edge, node, principal, related
from tests.jobs.support import changed
from tests.knowledge.support import join, open_edges, set_status

BOTH = Direction.BOTH


async def pages(graph: Graph, tenant: Tenant, uid: str, first: int) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    after = None
    while True:
        query = EdgeQuery.of(None, BOTH, first, after)
        got = (await edges_of(graph, View(tenant), query, [uid]))[uid].found
        found += [(one.edge.source_id, str(one.edge.type), one.edge.target_id) for one in got[:first]]
        if len(got) <= first:
            return found
        after = got[first - 1].cursor


async def test_edges_are_told_by_type_and_direction_strongest_first(graph: Graph, tenant: Tenant) -> None:
    given = [
        edge("a", EdgeType.RELATED_TO, "b", weight=0.2), edge("c", EdgeType.DEPENDS_ON, "a", weight=0.9),
        edge("a", EdgeType.DEPENDS_ON, "b", weight=0.5), edge("a", EdgeType.RELATED_TO, "c", weight=0.2),
    ]  # fmt: skip
    await remember(graph, principal(tenant), [node(uid) for uid in "abc"], given)
    view = View(tenant)
    strongest = [("c", "DEPENDS_ON", "a"), ("a", "DEPENDS_ON", "b"), ("a", "RELATED_TO", "b"), ("a", "RELATED_TO", "c")]
    assert await open_edges(graph, view, "a") == strongest
    assert await open_edges(graph, view, "a", direction=Direction.OUT) == strongest[1:]
    assert await open_edges(graph, view, "a", EdgeType.DEPENDS_ON, direction=Direction.IN) == strongest[:1]
    assert await open_edges(graph, view, "a", EdgeType.SUPERSEDES) == []


@pytest.mark.parametrize("first", [1, 2, 3, 5])
async def test_pages_put_together_are_all_edges(graph: Graph, tenant: Tenant, first: int) -> None:
    """Edges each way between two nodes are of equal weight, type and neighbour."""
    others = ["b", "c", "d"]
    given = [one for other in others for one in (*related("a", other), *related(other, "a"))]
    given += [edge("a", EdgeType.DEPENDS_ON, other) for other in others]
    await remember(graph, principal(tenant), [node(uid) for uid in ["a", *others]], given)
    found = await pages(graph, tenant, "a", first)
    assert len(found) == len(set(found)) == 9
    assert set(found) == {(one.source_id, str(one.type), one.target_id) for one in given}


async def test_neighbours_of_every_status_are_told(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a"), node("b")], related("a", "b"))
    for status in Status:
        await set_status(graph, tenant, "b", str(status))
        assert await open_edges(graph, View(tenant), "a") == [("a", "RELATED_TO", "b")]


async def test_edges_to_what_is_not_to_be_seen_are_not_told(graph: Graph, tenant: Tenant) -> None:
    other = Tenant(f"{tenant} other")
    nodes = [node("a"), node("one", resource="r1"), node("two", resource="r2")]
    await remember(graph, principal(tenant), nodes, [*related("a", "one"), *related("two", "a")])
    await remember(graph, principal(other), [node("theirs")])
    await join(graph, (tenant, "a"), "RELATED_TO", (other, "theirs"))
    await join(graph, (other, "theirs"), "DEPENDS_ON", (tenant, "a"))
    assert await open_edges(graph, View(tenant), "a") == []
    assert await open_edges(graph, View(tenant, ("r1",)), "a") == [("a", "RELATED_TO", "one")]
    assert await open_edges(graph, View(tenant, ("r2",)), "a") == [("two", "RELATED_TO", "a")]
    hidden = await edges_of(graph, View(tenant), EdgeQuery.of(None, BOTH, 10), ["one", "theirs", "nowhere"])
    assert all(not one.found for one in hidden.values())


async def test_a_hub_of_one_type_does_not_hide_edges_of_another(graph: Graph, tenant: Tenant) -> None:
    few = changed(graph, scan_cap=10)
    few.generation = graph.generation
    spokes = [node(f"n{at:02}") for at in range(30)]
    await remember(
        graph, principal(tenant), [node("hub"), node("one"), *spokes], [edge("hub", EdgeType.DEPENDS_ON, "one")]
    )
    await remember(graph, principal(tenant), [], [edge(one.id or "", EdgeType.RELATED_TO, "hub") for one in spokes])
    found = await edges_of(few, View(tenant), EdgeQuery.of(None, BOTH, 100), ["hub", "one"])
    assert (len(found["hub"].found), found["hub"].capped) == (11, True)
    assert ("hub", "one") in {(one.edge.source_id, one.edge.target_id) for one in found["hub"].found}
    assert not found["one"].capped
    only = await edges_of(few, View(tenant), EdgeQuery.of([EdgeType.DEPENDS_ON], BOTH, 100), ["hub"])
    assert (len(only["hub"].found), only["hub"].capped) == (1, False)
    whole = await edges_of(graph, View(tenant), EdgeQuery.of(None, BOTH, 100), ["hub"])
    assert (len(whole["hub"].found), whole["hub"].capped) == (31, False)


async def test_the_edges_of_many_nodes_come_in_one_trip(graph: Graph, tenant: Tenant) -> None:
    ids = [f"n{at}" for at in range(20)]
    await remember(graph, principal(tenant), [node(uid) for uid in ids], related(*ids))
    with count_trips() as trips:
        found = await edges_of(graph, View(tenant), EdgeQuery.of(None, BOTH, 10), ids)
    assert trips.count == 1
    assert [len(found[uid].found) for uid in ids] == [1, *[2] * 18, 1]


@pytest.mark.parametrize("cursor", ["", "x", "☃", encode_cursor("a", "b"), encode_cursor()])
async def test_a_cursor_of_something_else_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput, match="after is not a cursor"):
        EdgeQuery.of(None, BOTH, 10, cursor)
