"""Limits on GraphQL operations: what is refused before anything runs, and what it says."""

from __future__ import annotations

from typing import Any

import pytest
from strawberry.types import ExecutionResult

from graphmem.api import limits
from graphmem.config import Settings
from tests.api.limited import cost_of, refused, run, schema_with


async def test_a_usual_query_passes() -> None:
    result = await run(
        '{ search(input: {query: "x"}) { hits { score node { title related { edges { node { title } } } } } } }'
    )
    assert result.errors is None
    assert result.data == {"search": {"hits": []}}


async def test_too_many_tokens_are_refused() -> None:
    error = await refused("{ " + "node { title } " * 100 + "}", max_query_tokens=100)
    assert error.extensions == {"code": "LIMIT_EXCEEDED", "limit": "max_query_tokens", "value": 100}
    assert "100 tokens" in error.message


async def test_depth_counts_fields_inside_one_another() -> None:
    assert (await run("{ node { itself { title } } }", max_query_depth=3)).errors is None
    error = await refused("{ node { itself { itself { title } } } }", max_query_depth=3)
    assert error.extensions == {"code": "LIMIT_EXCEEDED", "limit": "max_query_depth", "value": 3, "actual": 4}
    assert "4 fields inside one another; at most 3 are allowed (max_query_depth)" in error.message


@pytest.mark.parametrize(
    "query",
    [
        "{ node { ...A } } fragment A on Node { itself { ...B } } fragment B on Node { itself { title } }",
        "{ node { ... on Node { ... { itself { ... on Node { itself { title } } } } } } }",
        "query One { node { title } } query Two { node { ...A } } fragment A on Node { itself { itself { title } } }",
    ],
    ids=["fragments", "inline fragments", "another operation"],
)
async def test_depth_is_counted_through_fragments_and_operations(query: str) -> None:
    error = await refused(query, max_query_depth=3)
    assert error.extensions is not None
    assert error.extensions["actual"] == 4


async def test_aliases_are_counted_each_time_their_fragment_is_spread() -> None:
    """B123"""
    fragment = "fragment A on Node { " + " ".join(f"a{i}: title" for i in range(10)) + " }"
    assert (await run("{ node { ...A } } " + fragment, max_query_aliases=15)).errors is None
    error = await refused("{ node { ...A ... { ...A } } } " + fragment, max_query_aliases=15)
    assert error.extensions == {"code": "LIMIT_EXCEEDED", "limit": "max_query_aliases", "value": 15, "actual": 20}


@pytest.mark.parametrize(
    "query",
    [
        "{ node { ...F } } fragment F on Node { title ...G } fragment G on Node { title ...F }",
        "{ node { ...F } } fragment F on Node { itself { ...F } }",
        "{ node { ...Nowhere } }",
    ],
    ids=["cycle", "self", "unknown"],
)
async def test_fragments_that_lead_nowhere_are_a_validation_error(query: str) -> None:
    result = await run(query)
    assert result.errors
    assert {error.extensions["code"] for error in result.errors if error.extensions} == {"GRAPHQL_VALIDATION_FAILED"}


async def test_fragments_that_double_one_another_are_counted_in_no_time() -> None:
    # Walked once for each spread, this would take 2^60 steps.
    chain = " ".join(f"fragment F{i} on Node {{ ...F{i + 1} ...F{i + 1} }}" for i in range(60))
    error = await refused(f"{{ node {{ ...F0 }} }} {chain} fragment F60 on Node {{ a: title }}")
    assert error.extensions is not None
    assert error.extensions["actual"] == 2**60
    error = await refused(f"{{ node {{ ...F0 }} }} {chain} fragment F60 on Node {{ title }}")
    assert error.extensions is not None
    assert error.extensions["actual"] == 2**60 + 1


async def test_the_tools_introspection_query_is_not_too_deep() -> None:
    schema = schema_with(max_query_depth=2)
    assert schema.introspect()
    query = "{ __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } }"
    assert (await schema.execute(query)).errors is None


async def test_introspection_can_be_off() -> None:
    result = await run("{ __schema { types { name } } }", introspection=False)
    assert result.errors
    assert result.errors[0].extensions == {"code": "GRAPHQL_VALIDATION_FAILED"}


@pytest.mark.parametrize(
    ("query", "cost"),
    [
        # nodes + edges + pageInfo + hasNextPage + 50 × (node + title)
        ("{ nodes(first: 50) { pageInfo { hasNextPage } edges { node { title } } } }", 4 + 50 * 2),
        ("{ nodes(last: 60) { edges { node { title } } } }", 2 + 60 * 2),
        # no size given: a page of 20; the inner one has the schema's default of 10
        ("{ nodes { edges { node { related { edges { node { title } } } } } } }", 2 + 20 * (1 + 1 + 1 + 10 * 2)),
        ("{ nodes(first: 100) { edges { node { title tags } } } }", 2 + 100 * 3),
        # each alias counts
        ("{ a: nodes(first: 30) { edges { node { title } } } b: nodes(first: 30) { edges { node { title } } } }", 124),
        # a list that nothing bounds is taken as 10
        ("{ node { speakers { speakers { title } } } }", 1 + 1 + 10 * (1 + 10)),
        # timings stand in no list; both lists are as long as the search asks for
        (
            "{ search(input: {topK: 60, limit: 40}) "
            "{ timings { total } hits { score node { title } } edges { node { title } } } }",
            1 + 2 + (1 + 60 * 3) + (1 + 60 * 2),
        ),
        ("{ search(input: {topK: 5, maxDepth: 3, limit: 20}) { hits { node { title } } } }", 2 + 20 * 3 * 2),
        ("{ recall(input: {topK: 50, before: 3}) { node { title } } }", 1 + 50 * (1 + 3 + 1) * 2),
        ("{ byIds(ids: [" + "1, " * 70 + "]) { title tags } }", 1 + 70 * 2),
        ("mutation { remember(nodes: [" + '{title: "t"}, ' * 70 + "]) { title tags } }", 1 + 70 + 70 * 2),
        (
            "{ nodes(first: 20) { edges { ...E } } } fragment E on Edge { node { ...N ...N } } "
            "fragment N on Node { title tags }",
            2 + 20 * (1 + 2 * 2),
        ),
        ("{ nodes(first: 40) { edges { ... on Edge { node { ... { title tags } } } } } }", 2 + 40 * 3),
    ],
)
async def test_cost_is_fields_times_the_lists_they_stand_in(query: str, cost: int) -> None:
    assert await cost_of(query) == cost


@pytest.mark.parametrize(
    ("query", "variables", "cost"),
    [
        ("query($n: Int) { nodes(first: $n) { edges { node { title } } } }", {"n": 70}, 2 + 70 * 2),
        ("query($n: Int) { nodes(first: $n) { edges { node { title } } } }", {"n": 70.0}, 2 + 70 * 2),
        ("query($n: Int = 80) { nodes(first: $n) { edges { node { title } } } }", {}, 2 + 80 * 2),
        (
            "query($n: Int = 80) { nodes(first: $n) { edges { node { a: title b: title c: title d: title } } } }",
            {"n": None},
            2 + 20 * 5,
        ),
        (
            "query($i: SearchInput!) { search(input: $i) { hits { node { title } } } }",
            {"i": {"topK": 5, "maxDepth": 3, "limit": 20}},
            2 + 20 * 3 * 2,
        ),
        ("query($k: Int!) { search(input: {topK: $k}) { hits { node { title } } } }", {"k": 90}, 2 + 90 * 2),
        (
            "mutation($nodes: [NodeInput!]!) { remember(nodes: $nodes) { title } }",
            {"nodes": [{"title": "t"}] * 60},
            1 + 60 + 60,
        ),
    ],
)
async def test_cost_reads_variables(query: str, variables: dict[str, Any], cost: int) -> None:
    assert await cost_of(query, variables) == cost


async def test_the_refusal_says_what_to_do() -> None:
    error = await refused("{ nodes(first: 200) { edges { node { title } } } }", max_query_cost=100)
    assert error.extensions == {"code": "LIMIT_EXCEEDED", "limit": "max_query_cost", "value": 100, "actual": 402}
    assert error.message.startswith("The query could cost 402; at most 100 is allowed (max_query_cost). Ask for fewer")


@pytest.mark.parametrize(
    ("query", "variables", "limit", "field", "actual"),
    [
        ("{ nodes(first: 201) { edges { node { title } } } }", None, "max_page", "first", 201),
        ("{ node { related(first: 201) { pageInfo { hasNextPage } } } }", None, "max_page", "first", 201),
        ("{ search(input: {topK: 101}) { timings { total } } }", None, "max_top_k", "input.topK", 101),
        ("{ search(input: {limit: 201}) { timings { total } } }", None, "max_hits", "input.limit", 201),
        ("query($i: SearchInput!) { search(input: $i) { timings { total } } }", {"i": {"maxDepth": 5}}, "max_depth",
            "input.maxDepth", 5),
        ("query($n: Int) { nodes(last: $n) { pageInfo { hasNextPage } } }", {"n": 10**9}, "max_page", "last", 10**9),
    ],
)  # fmt: skip
async def test_an_argument_over_its_own_limit_is_named(
    query: str, variables: dict[str, Any] | None, limit: str, field: str, actual: int
) -> None:
    error = await refused(query, variables)
    assert error.extensions == {
        "code": "LIMIT_EXCEEDED",
        "field": field,
        "limit": limit,
        "value": getattr(Settings(), limit),
        "actual": actual,
    }
    assert limit in error.message
    assert error.locations


async def test_only_the_operation_that_runs_is_charged() -> None:
    query = "query Small { node { title } } query Large { nodes(first: 200) { edges { node { title } } } }"
    schema = schema_with(max_query_cost=100)
    assert (await schema.execute(query, operation_name="Small")).errors is None
    assert (await schema.execute(query, operation_name="Large")).errors


async def test_of_several_operations_one_must_be_named() -> None:
    query, schema = "query One { node { title } } query Two { node { title } }", schema_with()
    result = await schema.execute(query)
    assert result.data is None
    assert [error.extensions for error in result.errors or ()] == [{"code": "INVALID_INPUT", "field": "operationName"}]
    assert (await schema.execute(query, operation_name="Two")).errors is None


async def test_parsing_and_validation_are_done_once_for_a_query_seen_before() -> None:
    schema = schema_with()
    query = "query($n: Int) { nodes(first: $n) { edges { node { title only: tags } } } }"
    cached = next(e for e in schema.get_extensions() if isinstance(e, limits.CachedValidation)).cached_validate_document
    parsed = next(e for e in schema.get_extensions() if isinstance(e, limits.CachedParsing)).cached_parse_document
    await schema.execute(query, {"n": 1})
    validations, parses = cached.cache_info(), parsed.cache_info()
    for n in (2, 3, 500):
        await schema.execute(query, {"n": n})
    assert cached.cache_info() == validations
    assert parsed.cache_info().misses == parses.misses
    assert parsed.cache_info().hits == parses.hits + 3


async def test_a_refusal_is_not_remembered_for_other_variables() -> None:
    schema = schema_with(max_query_cost=100)
    query = "query($n: Int) { nodes(first: $n) { edges { node { title } } } }"
    assert (await schema.execute(query, {"n": 200})).errors
    assert (await schema.execute(query, {"n": 5})).errors is None
    assert (await schema.execute(query, {"n": 200})).errors


async def test_what_comes_over_a_stream_is_limited_too() -> None:
    schema = schema_with(max_query_cost=100, max_query_tokens=100)
    for query, limit in (
        ("{ nodes(first: 200) { edges { node { title } } } }", "max_query_cost"),
        ("{ " + "node { title } " * 100 + "}", "max_query_tokens"),
    ):
        (result,) = [found async for found in await schema.stream(query)]
        assert isinstance(result, ExecutionResult)
        assert result.errors is not None
        assert [(e.extensions or {})["limit"] for e in result.errors] == [limit]
