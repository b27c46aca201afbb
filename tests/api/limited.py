"""A schema with lists, arguments and inputs of all kinds that limits look at, and what is refused of it."""

from __future__ import annotations

from typing import Any

import strawberry
from graphql import GraphQLError
from strawberry.types import ExecutionResult

from graphmem.api import errors, limits
from graphmem.config import Settings


@strawberry.type
class Node:
    title: str = "t"
    tags: list[str] = strawberry.field(default_factory=list)

    @strawberry.field
    def related(self, first: int = 10, after: str | None = None) -> Page:
        return Page()

    @strawberry.field
    def itself(self) -> Node:
        return self

    @strawberry.field
    def speakers(self) -> list[Node]:
        return []


@strawberry.type
class Edge:
    node: Node


@strawberry.type
class PageInfo:
    has_next_page: bool = False


@strawberry.type
class Page:
    edges: list[Edge] = strawberry.field(default_factory=list)
    page_info: PageInfo = strawberry.field(default_factory=PageInfo)


@strawberry.type
class Hit:
    score: float
    node: Node


@strawberry.type
class Timings:
    total: float = 0.0


@strawberry.type
class Found:
    hits: list[Hit] = strawberry.field(default_factory=list)
    edges: list[Edge] = strawberry.field(default_factory=list)
    timings: Timings = strawberry.field(default_factory=Timings)


@strawberry.input
class SearchInput:
    query: str = ""
    top_k: int = 5
    max_depth: int = 1
    limit: int | None = None


@strawberry.input
class RecallInput:
    top_k: int = 3
    before: int = 2
    after: int = 1


@strawberry.input
class NodeInput:
    title: str


@strawberry.type
class Query:
    @strawberry.field
    def node(self) -> Node:
        return Node()

    @strawberry.field
    def nodes(self, first: int | None = None, last: int | None = None) -> Page:
        return Page()

    @strawberry.field
    def by_ids(self, ids: list[strawberry.ID]) -> list[Node]:
        return []

    @strawberry.field
    def search(self, input: SearchInput) -> Found:
        return Found()

    @strawberry.field
    def recall(self, input: RecallInput) -> list[Hit]:
        return []


@strawberry.type
class Mutation:
    @strawberry.mutation
    def remember(self, nodes: list[NodeInput]) -> list[Node]:
        return []


def schema_with(**settings: Any) -> errors.Schema:
    chosen = Settings(**settings)
    extensions = [errors.extension(chosen), *limits.extensions(chosen)]
    return errors.Schema(Query, Mutation, extensions=extensions)


async def run(query: str, variables: dict[str, Any] | None = None, **settings: Any) -> ExecutionResult:
    return await schema_with(**settings).execute(query, variables)


async def refused(query: str, variables: dict[str, Any] | None = None, **settings: Any) -> GraphQLError:
    result = await run(query, variables, **settings)
    assert result.data is None
    assert result.errors is not None
    assert len(result.errors) == 1
    assert result.errors[0].extensions is not None
    assert result.errors[0].extensions["code"] == "LIMIT_EXCEEDED"
    return result.errors[0]


async def cost_of(query: str, variables: dict[str, Any] | None = None) -> int:
    """The computed cost, from the refusal of a schema that allows less."""
    error = await refused(query, variables, max_query_cost=100)
    assert error.extensions is not None
    assert error.extensions["limit"] == "max_query_cost"
    return int(error.extensions["actual"])
