"""Nested fields: one trip a level, lists that end, and nothing twice."""

from __future__ import annotations

import httpx
import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests import operations
from tests.client import Client
from tests.conftest import Settle
from tests.factories import arrow, chain, ids, note, plants
from tests.knowledge.support import replace_in_use
from tests.operations import remember, trips

EVERY = """
relatedTo { id } dependsOn { id } dependents { id } supersedes { id } supersededBy { id } conflictsWith { id }
mentions { id } mentionedIn { id } derivedFrom { path }
"""


async def fan(client: Client, settle: Settle, count: int) -> None:
    """`count` nodes, each with five neighbours of its own, one of them in turn with a neighbour."""
    kinds = ["RELATED_TO", "DEPENDS_ON", "SUPERSEDES", "CONFLICTS_WITH", "RELATED_TO"]
    nodes = [note(f"n{at:03}", f"Paper {at:03}", tags=["root"]) for at in range(count)]
    nodes += [note(f"n{at:03}-{to}") for at in range(count) for to in range(6)]
    joined = [arrow(f"n{at:03}", kind, f"n{at:03}-{to}") for at in range(count) for to, kind in enumerate(kinds)]
    await remember(
        client, nodes, [*joined, *(arrow(f"n{at:03}-0", "DEPENDS_ON", f"n{at:03}-5") for at in range(count))]
    )
    await settle()


async def test_trips_do_not_grow_with_the_nodes(client: Client, settle: Settle) -> None:
    """B129"""
    query = (
        'query ($first: Int!) { knowledgeNodes(filter: {tags: ["root"]}, first: $first) { nodes { id '
        "edges(first: 5) { edges { node { id dependsOn(first: 5) { id } } } } derivedFrom { path } } } }"
    )
    await fan(client, settle, 50)
    await client.query(query, first=1)
    made = {first: await trips(client, query, first=first) for first in (1, 5, 50)}
    counts = {count for count, _ in made.values()}
    assert len(counts) == 1
    assert counts == {4}
    nodes = made[50][1]["knowledgeNodes"]["nodes"]
    assert len(nodes) == 50
    for one in nodes:
        assert len(one["edges"]["edges"]) == 5
        (first,) = [found["node"] for found in one["edges"]["edges"] if found["node"]["id"] == f"{one['id']}-0"]
        assert ids(first["dependsOn"]) == [f"{one['id']}-5"]


async def test_each_field_costs_one_trip_a_level(client: Client, settle: Settle) -> None:
    await fan(client, settle, 5)
    one = '{ search(input: {query: "paper", topK: 5}) { roundTrips hits { node { id } } } }'
    base, _ = await trips(client, one)
    every = '{ search(input: {query: "paper", topK: 5}) { hits { node { id ' + EVERY + " } } } }"
    assert (await trips(client, every))[0] == base + 9
    two = '{ search(input: {query: "paper", topK: 5}) { hits { node { relatedTo(first: 5) { id ' + EVERY + " } } } } }"
    assert (await trips(client, two))[0] == base + 1 + 9
    aliases = "a: relatedTo(first: 3) { id } b: relatedTo(first: 3) { id } c: relatedTo(first: 4) { id }"
    same = '{ search(input: {query: "paper", topK: 5}) { hits { node { ' + aliases + " } } } }"
    assert (await trips(client, same))[0] == base + 2


async def test_the_named_fields_are_the_edges_by_type_and_direction(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    kinds = ["RELATED_TO", "DEPENDS_ON", "SUPERSEDES", "CONFLICTS_WITH"]
    given = [arrow("p0", kind, f"p{at}") for at, kind in enumerate(kinds, 1)]
    given += [arrow(f"p{at}", kind, "p0") for at, kind in enumerate(kinds, 5) if kind != "SUPERSEDES"]
    await remember(
        client, [*plants(9)[1:], note("p0", "Alder", "see Spruce"), note("spruce", "Spruce", "of Alder")], given
    )
    await replace_in_use(graph, tenant, ("p7", "p0"))
    await settle()
    found = (await client.query('{ knowledge(id: "p0") { ' + EVERY + " } }"))["knowledge"]
    assert {name: sorted(ids(nodes)) for name, nodes in found.items() if name != "derivedFrom"} == {
        "relatedTo": ["p1", "p5"], "dependsOn": ["p2"], "dependents": ["p6"], "supersedes": ["p3"],
        "supersededBy": ["p7"], "conflictsWith": ["p4", "p8"], "mentions": ["spruce"], "mentionedIn": ["spruce"],
    }  # fmt: skip


async def test_a_neighbour_with_an_edge_each_way_is_one_neighbour(client: Client) -> None:
    both = [arrow("p0", "RELATED_TO", f"p{at}") for at in range(1, 5)]
    both += [arrow(f"p{at}", "RELATED_TO", "p0") for at in range(1, 5)]
    await remember(client, plants(5), both)
    for first, expected in ((20, 4), (4, 4), (3, 3), (1, 1)):
        query = 'query ($first: Int!) { knowledge(id: "p0") { relatedTo(first: $first) { id } } }'
        found = ids((await client.query(query, first=first))["knowledge"]["relatedTo"])
        assert found == [f"p{at}" for at in range(1, expected + 1)]


async def test_pages_of_edges_put_together_are_all_edges(client: Client) -> None:
    given = [arrow("p0", kind, f"p{at}") for at in range(1, 6) for kind in ("RELATED_TO", "DEPENDS_ON")]
    given += [arrow(f"p{at}", "RELATED_TO", "p0") for at in range(1, 6)]
    await remember(client, plants(6), given)
    for first in (1, 4, 7):
        found: list[tuple[str, str, str]] = []
        after = None
        while True:
            page = (await client.query(operations.EDGES, id="p0", first=first, after=after))["knowledge"]["edges"]
            found += [(one["edge"]["from"], one["edge"]["type"], one["edge"]["to"]) for one in page["edges"]]
            after = page["pageInfo"]["endCursor"]
            if not page["pageInfo"]["hasNextPage"]:
                break
        assert sorted(found) == sorted((one["from"], one["type"], one["to"]) for one in given)


async def test_a_nested_list_has_its_limits(client: Client) -> None:
    await remember(client, plants(2), chain("p0", "p1"))
    query = 'query ($first: Int!) { knowledge(id: "p0") { relatedTo(first: $first) { id } } }'
    assert (await client.error(query, first=201))["code"] == "LIMIT_EXCEEDED"
    for first in (0, -1):
        error = await client.error(query, first=first)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "first")


async def test_a_query_that_could_cost_too_much_is_refused_before_it_runs(client: Client) -> None:
    wide = "relatedTo(first: 200) { relatedTo(first: 200) { relatedTo(first: 200) { id } } }"
    error = await client.error('{ knowledge(id: "p0") { ' + wide + " } }")
    assert (error["code"], error["limit"]) == ("LIMIT_EXCEEDED", "max_query_cost")


@pytest.mark.parametrize("depth", [0, 1, 4])
async def test_a_search_over_http_takes_three_trips_at_most(client: Client, settle: Settle, depth: int) -> None:
    """Candidates, then what was asked for of the winners; the credential's look-up is the third."""
    await remember(client, plants(5), chain("p0", "p1", "p2", "p3", "p4"))
    await settle()
    found = await operations.search(client, "alder", topK=1, maxDepth=depth)
    assert len(found["hits"]) == depth + 1
    assert found["roundTrips"] <= 3


async def test_only_what_is_asked_for_is_fetched(client: Client, settle: Settle, http: httpx.AsyncClient) -> None:
    """Fields of the hits' nodes through fragments and aliases are still found."""
    await remember(client, [note("n", "Tide tables", "High water", tags=["x"], confidence=0.8)])
    await settle()
    query = """
    query { search(input: {query: "tide"}) { hits { ...Hit } again: hits { node { band resourceId } } } }
    fragment Hit on SearchHit { node { ... on KnowledgeNode { heading: title } ...More } }
    fragment More on KnowledgeNode { tags metadata validTo }
    """
    found = (await client.query(query))["search"]
    assert found["hits"] == [{"node": {"heading": "Tide tables", "tags": ["x"], "metadata": {}, "validTo": None}}]
    assert found["again"] == [{"node": {"band": "HIGH", "resourceId": None}}]
