"""The short way through plain fields gives what GraphQL's own way gives, values and errors alike."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any

import pytest
import strawberry
from graphql import GraphQLResolveInfo
from strawberry.extensions import ParserCache, SchemaExtension
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from graphmem.api.execution import Executor


@strawberry.enum
class Colour(StrEnum):
    RED = "red"


@strawberry.type
class Thing:
    name: str
    size: int
    colour: Colour
    note: str | None
    tags: list[str]
    good: bool = True
    share: float | None = 0.25

    @strawberry.field
    async def twice(self) -> int:
        return 2 * self.size


THINGS = [
    Thing(name="one", size=1, colour=Colour.RED, note=None, tags=["a", "b"], share=3),
    Thing(name="two", size=2, colour=Colour.RED, note="n", tags=[], share=None),
]
SHARES = [
    *THINGS,
    Thing(name="third", size=3, colour=Colour.RED, note="n", tags=[], share=True),
    Thing(name="last", size=4, colour=Colour.RED, note="n", tags=[]),
]
BAD = Thing(name="bad", size="many", colour="blue", note="n", tags=[], share=float("nan"))  # type: ignore[arg-type]


@strawberry.type
class Query:
    @strawberry.field
    def things(self) -> list[Thing]:
        return THINGS

    @strawberry.field
    def shares(self) -> list[Thing]:
        return SHARES

    @strawberry.field
    def bad(self) -> Thing | None:
        return BAD


QUERIES = [
    "{ shares { share } }",
    "{ bad { share } }",
    "{ things { name size colour note good } }",
    "{ things { size again: name colour tags twice note name } }",
    "{ things { __typename name ... on Thing { size } } }",
    "query ($no: Boolean = false) { things { name size @include(if: $no) colour @skip(if: $no) } }",
    "{ bad { name size } }",
    "{ bad { name colour } }",
    "{ bad { name note } }",
]


async def answer(query: str, executor: type[Any], **more: Any) -> tuple[Any, list[tuple[str, Any, Any]]]:
    schema = strawberry.Schema(Query, execution_context_class=executor, **more)
    found = await schema.execute(query)
    errors = [(error.message, error.path, error.locations) for error in found.errors or ()]
    return found.data, errors


@pytest.mark.parametrize("query", QUERIES)
async def test_answers_are_those_of_the_general_way(query: str) -> None:
    general, short = await answer(query, StrawberryGraphQLCoreExecutionContext), await answer(query, Executor)
    assert short == general
    assert repr(short[0]) == repr(general[0])  # the order of fields too


@pytest.mark.parametrize(
    "query",
    [
        "query ($some: Boolean!) { things { name size @include(if: $some) } }",
        "query ($some: Boolean!) { things { ...T @include(if: $some) name } } fragment T on Thing { size }",
        "query ($some: Boolean!) { things { ...T name } } fragment T on Thing { size @include(if: $some) }",
        "query ($some: Boolean!) { things { ... on Thing @include(if: $some) { size } name } }",
    ],
)
async def test_what_a_directive_leaves_out_depends_on_each_calls_variables(query: str) -> None:
    schema = strawberry.Schema(Query, execution_context_class=Executor, extensions=[ParserCache()])
    for some in (True, False, True):
        found = await schema.execute(query, {"some": some})
        assert found.errors is None
        assert found.data is not None
        assert [thing.get("size") for thing in found.data["things"]] == ([1, 2] if some else [None, None])


async def test_an_operation_asked_again_answers_what_is_there_then() -> None:
    schema = strawberry.Schema(Query, execution_context_class=Executor, extensions=[ParserCache()])
    for name in ("one", "other"):
        THINGS[0].name = name
        found = await schema.execute("{ things { name } }")
        assert found.data == {"things": [{"name": name}, {"name": "two"}]}
    THINGS[0].name = "one"


async def test_a_value_that_the_schema_forbids_is_an_error_with_its_place() -> None:
    data, errors = await answer("{ bad { name size } }", Executor)
    assert data == {"bad": None}
    assert [path for _, path, _ in errors] == [["bad", "size"]]


async def test_plain_fields_go_the_short_way() -> None:
    seen: list[str] = []

    class Watching(Executor):
        def build_resolve_info(self, field_def: Any, field_nodes: Any, parent_type: Any, path: Any) -> Any:
            seen.append(field_nodes[0].name.value)
            return super().build_resolve_info(field_def, field_nodes, parent_type, path)

    await answer("{ things { name size colour good note tags } }", Watching)
    assert seen == ["things"]
    await answer("{ things { name twice tags } }", Watching)
    assert set(seen) == {"things", "twice"}


async def test_an_extension_that_wraps_resolvers_sees_every_field() -> None:
    seen: list[str] = []

    class Wrapping(SchemaExtension):
        def resolve(self, _next: Any, root: Any, info: GraphQLResolveInfo, *args: Any, **kwargs: Any) -> Any:
            seen.append(info.field_name)
            return _next(root, info, *args, **kwargs)

        def on_execute(self) -> Iterator[None]:
            yield

    await answer("{ things { name } }", Executor, extensions=[Wrapping])
    assert seen.count("name") == 2
