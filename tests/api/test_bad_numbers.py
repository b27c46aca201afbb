"""Numbers out of range, and numbers that are none."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests import operations
from tests.client import Client
from tests.conftest import Settle
from tests.context.support import begin, user
from tests.factories import arrow, note, plants
from tests.knowledge.support import counted
from tests.operations import remember, search

THREADS = 'query ($first: Int! = 20) { threads(filter: {resourceId: "r1"}, first: $first) { nodes { id } } }'
RESOURCES = "query ($first: Int! = 20) { resources(first: $first) { nodes { id } } }"
MESSAGES = """
query ($first: Int, $last: Int) { messages(threadId: "t1", first: $first, last: $last) { nodes { id } } }
"""

CHANGES = "query ($first: Int! = 20) { changes(first: $first) { nodes { id } } }"
JOBS = "query ($first: Int! = 20) { jobs(first: $first) { nodes { id } } }"


async def nothing_changed(graph: Graph, tenant: Tenant) -> bool:
    """But for the test's own key, whose making is in the log."""
    return await counted(graph, tenant) == {"nodes": 0, "pending": 0, "edges": 0, "revisions": 0, "changes": 1}


@pytest.mark.parametrize("value", [1.2, -0.001, 1e308, 2])
async def test_a_confidence_or_weight_out_of_range_is_refused(
    client: Client, graph: Graph, tenant: Tenant, value: float
) -> None:
    for document, variables, field in (
        (operations.REMEMBER, {"nodes": [note("n", confidence=value)]}, "nodes[0].confidence"),
        (operations.LINK, {"edges": [arrow("a", "RELATED_TO", "b", weight=value)]}, "edges[0].weight"),
        (operations.LINK, {"edges": [arrow("a", "RELATED_TO", "b", confidence=value)]}, "edges[0].confidence"),
        (operations.LIST, {"filter": {"minConfidence": value}}, "filter.minConfidence"),
        (operations.SEARCH, {"input": {"query": "x", "minConfidence": value}}, "minConfidence"),
    ):
        error = await client.error(document, **variables)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
    assert await nothing_changed(graph, tenant)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
async def test_what_is_no_number_is_refused_wherever_it_stands(
    client: Client, graph: Graph, tenant: Tenant, number: str
) -> None:
    query = "mutation ($n: [KnowledgeInput!]) { remember(nodes: $n) { ids } }"
    node = '{"title": "T", "content": "C", "confidence": ' + number + "}"
    body = '{"query": "' + query + '", "variables": {"n": [' + node + "]}}"
    headers = {**client.headers, "Content-Type": "application/json"}
    response = await client.http.post("/graphql", content=body, headers=headers)
    assert response.status_code in (200, 400)
    assert response.json()["errors"][0]["extensions"]["code"] == "INVALID_INPUT"
    refused = ("INVALID_INPUT", "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_PARSE_FAILED")
    literal = 'mutation { remember(nodes: [{title: "T", content: "C", confidence: ' + number + "}]) { ids } }"
    assert (await client.errors(literal))[0]["extensions"]["code"] in refused
    for field in ("weight", "confidence"):
        edge = (
            'mutation { link(edges: [{from: "a", to: "b", type: RELATED_TO, '
            + f"{field}: {number}"
            + "}]) { created { from } } }"
        )
        assert (await client.errors(edge))[0]["extensions"]["code"] in refused
    assert await nothing_changed(graph, tenant)


@pytest.mark.parametrize(
    "vector",
    [[], [1.0], [1.0] * 63, [1.0] * 65, [0.0] * 64],
)
async def test_a_vector_that_does_not_fit_is_refused(client: Client, vector: list[float]) -> None:
    for mode in ("HYBRID", "VECTOR"):
        error = await client.error(operations.SEARCH, input={"query": "x", "vector": vector, "mode": mode})
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "vector")


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e30, 1e300])
async def test_a_vector_of_any_length_is_compared_by_its_direction(
    client: Client, settle: Settle, scale: float
) -> None:
    await remember(client, plants(3))
    await settle()
    vector = [scale * (-1) ** at for at in range(64)]
    plain = await search(client, vector=[(-1.0) ** at for at in range(64)], mode="VECTOR", expand=False)
    assert (await search(client, vector=vector, mode="VECTOR", expand=False))["hits"] == plain["hits"]
    assert (await search(client, vector=vector, expand=False))["hits"] == plain["hits"]


@pytest.mark.parametrize(
    ("document", "variables", "name", "most"),
    [
        (operations.LIST, {}, "first", 200),
        (operations.EDGES, {"id": "p0"}, "first", 200),
        (operations.TRAVERSE, {"from": "p0"}, "limit", 200),
        (operations.SEARCH, {"query": "alder"}, "limit", 200),
        (operations.SEARCH, {"query": "alder"}, "topK", 100),
        (operations.RECALL, {"query": "alder", "resourceId": "r1"}, "topK", 100),
        (THREADS, {}, "first", 200),
        (RESOURCES, {}, "first", 200),
        (MESSAGES, {}, "first", 200),
        (MESSAGES, {}, "last", 200),
        (operations.MEMORY_HISTORY, {"resourceId": "r1"}, "first", 200),
        (CHANGES, {}, "first", 200),
        (JOBS, {}, "first", 200),
    ],
)
async def test_sizes_are_within_their_limits(
    client: Client, document: str, variables: dict[str, Any], name: str, most: int
) -> None:
    """B73"""
    await remember(client, plants(1))
    await begin(client, "t1", user("An alder."))

    def asked(value: object) -> dict[str, Any]:
        given = {**variables, name: value}
        return {"input": given} if "$input" in document else given

    for value in (most + 1, 100_000, 2**31 - 1, 2**63):
        error = await client.error(document, **asked(value))
        assert (error["code"], error["value"], error["actual"]) == ("LIMIT_EXCEEDED", most, value)
        assert error["field"].endswith(name)
    for value in (0, -1, -(2**31)):
        error = await client.error(document, **asked(value))
        assert error["code"] == "INVALID_INPUT"
        assert error["field"].endswith(name)
        assert f"{name} must be from 1 to {most}, not {value:,}" in error["message"]
    for odd in ("many", "5", 1.5, True):
        assert (await client.error(document, **asked(odd)))["code"] == "INVALID_INPUT"
    assert "errors" not in (await client.post(document, asked(most))).json()


@pytest.mark.parametrize(
    ("document", "variables"),
    [
        (operations.TRAVERSE, {"from": "p0"}), (operations.PATH, {"from": "p0", "to": "p1"}),
        (operations.SEARCH, {"query": "alder"}),
    ],
)  # fmt: skip
async def test_depth_is_within_its_limit(client: Client, document: str, variables: dict[str, Any]) -> None:
    await remember(client, plants(2))

    def asked(depth: int) -> dict[str, Any]:
        given = {**variables, "maxDepth": depth}
        return {"input": given} if "$input" in document else given

    for depth in (5, 9, 1000):
        error = await client.error(document, **asked(depth))
        assert (error["code"], error["limit"], error["value"]) == ("LIMIT_EXCEEDED", "max_depth", 4)
    for depth in (-1, -9):
        error = await client.error(document, **asked(depth))
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "maxDepth")
        assert f"maxDepth must be from 0 to 4, not {depth}" in error["message"]
    for depth in (0, 4):
        assert "errors" not in (await client.post(document, asked(depth))).json()


async def test_other_numbers_out_of_range_are_refused_with_the_range(client: Client) -> None:
    await begin(client, "t1", user("An alder."))
    recall = {"query": "x", "resourceId": "r1"}
    turn = 'mutation ($n: Int!) { beginTurn(threadId: "t1", ttlSeconds: $n) { id } }'
    over, wrong = "LIMIT_EXCEEDED", "INVALID_INPUT"
    for document, variables, code, field, told in (
        (turn, {"n": 0}, wrong, "ttlSeconds", "must be from 1 to "),
        (turn, {"n": 2**31 - 1}, over, "ttlSeconds", "(max_ttl_seconds)"),
        (operations.RECALL, {"input": {**recall, "before": 51}}, over, "before", "must be from 0 to 50, not 51"),
        (operations.RECALL, {"input": {**recall, "after": -1}}, wrong, "after", "must be from 0 to 50, not -1"),
        (operations.RECALL, {"input": {**recall, "lastSessions": 0}}, wrong, "lastSessions", "from 1 to 500, not 0"),
        (operations.CONTEXT, {"input": {"threadId": "t1", "tokenBudget": 0}}, wrong, "tokenBudget", "be from 1 to "),
    ):  # fmt: skip
        error = await client.error(document, **variables)
        assert error["code"] == code
        assert error["field"].endswith(field)
        assert told in error["message"]


@pytest.mark.parametrize("number", [10**30, -(2**63) - 1, 2**64])
async def test_an_integer_that_no_column_holds_is_refused_in_variables_too(client: Client, number: int) -> None:
    query = 'mutation ($m: JSON) { remember(nodes: [{title: "t", content: "c", metadata: $m}]) { ids } }'
    refused = await client.error(query, m={"a": number})
    assert "64 bits" in refused["message"]


async def test_long_digits_in_texts_and_numbers_that_fit_stay_as_they_are(client: Client) -> None:
    query = 'mutation ($m: JSON) { remember(nodes: [{id: "n", title: "t", content: "c", metadata: $m}]) { ids } }'
    kept = {"a": 2**63 - 1, "b": -(2**63), "c": "9" * 40, "d": 0.1}
    await client.query(query, m=kept)
    assert (await client.query('{ knowledge(id: "n") { metadata } }'))["knowledge"]["metadata"] == kept
