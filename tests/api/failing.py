"""A schema whose fields fail in all ways."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime
from enum import Enum
from typing import Any, NewType

import strawberry
from strawberry.extensions import SchemaExtension
from strawberry.schema.config import StrawberryConfig

from graphmem.api import errors, limits
from graphmem.api.scalars import SCALARS
from graphmem.config import Settings
from graphmem.errors import Forbidden, NotFound, VersionConflict

SECRET = "/srv/secret/app.py: MATCH (n) RETURN n; bolt://db.internal:7687; neo4j.exceptions.ClientError"

Broken = NewType("Broken", str)


def break_down(value: object) -> Broken:
    raise RuntimeError(SECRET)


BROKEN = strawberry.scalar(name="Broken", serialize=str, parse_value=break_down)


@strawberry.enum
class Form(Enum):
    ROUND = "round"
    FLAT = "flat"


@strawberry.input
class Wanted:
    index: int
    form: Form | None = None
    at: datetime | None = None
    below: list[Wanted] | None = None


@strawberry.type
class Item:
    index: int

    @strawberry.field
    def title(self) -> str:
        if self.index == 1:
            raise NotFound("No node 'n1'.", field="id")
        return f"t{self.index}"

    @strawberry.field
    async def loaded(self, info: strawberry.Info) -> str:
        raise info.context["failure"]

    @strawberry.field
    def failed(self) -> str:
        raise ValueError(SECRET)


@strawberry.type
class Query:
    @strawberry.field
    def items(self) -> list[Item | None]:
        return [Item(index=i) for i in range(3)]

    @strawberry.field
    def conflict(self) -> int | None:
        raise VersionConflict("The node is at version 4, not 3; read it again.", field="expectedVersion", version=4)

    @strawberry.field
    async def bug(self) -> int | None:
        raise RuntimeError(SECRET)

    @strawberry.field
    def caused(self) -> int | None:
        try:
            raise RuntimeError(SECRET)
        except RuntimeError as error:
            raise Forbidden("The key may only read.") from error

    @strawberry.field
    def large(self) -> int | None:
        return 3_000_000_000

    @strawberry.field
    def nothing(self) -> int:
        return None  # type: ignore[return-value]

    @strawberry.field
    def double(self, number: int) -> int:
        return 2 * number

    @strawberry.field
    def wanted(self, all: list[Wanted]) -> int:
        return len(all)

    @strawberry.field
    def broken(self, value: Broken) -> str:
        return value


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def numbers(self, upto: int) -> AsyncIterator[int]:
        for number in range(upto):
            yield number
        raise RuntimeError(SECRET)

    @strawberry.subscription
    async def items(self) -> AsyncIterator[Item]:
        yield Item(index=1)
        yield Item(index=2)


def schema_with(*more: type[SchemaExtension], **settings: Any) -> errors.Schema:
    chosen = Settings(**settings)
    return errors.Schema(
        Query,
        subscription=Subscription,
        config=StrawberryConfig(scalar_map={**SCALARS, Broken: BROKEN}),
        extensions=[errors.extension(chosen), *limits.extensions(chosen), *more],
    )
