"""Calls that leave something to count."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from graphmem.access.changes import Call, Outcome, changes, recorded, reply_of
from graphmem.access.keys import list_keys
from graphmem.access.principal import Principal
from graphmem.graph.gateway import Graph, Transaction
from graphmem.values import Scope, Tenant, new_id

KEY = "order 66 ☃"


@dataclass(frozen=True)
class Done:
    """A reply with all that is awkward in JSON."""

    id: str
    at: datetime
    parts: tuple[int, ...]
    scopes: frozenset[Scope]
    note: str | None = None


Work = Callable[[Transaction], Awaitable[Outcome[Done]]]


def principal(tenant: Tenant, scope: Scope = Scope.WRITE, resource: str | None = None) -> Principal:
    return Principal(tenant, "key 1", "writer", frozenset({scope}), resource)


def call(tenant: Tenant, key: str | None = KEY, **input: object) -> Call:
    return Call(principal(tenant), "remember", input or {"text": "hello"}, key)


def adding(tenant: Tenant, *, fails: list[Exception] | None = None) -> Work:
    """Adds one node a run (an API key: the room has no other), then fails with the next of `fails`."""
    waiting = fails or []

    async def work(tx: Transaction) -> Outcome[Done]:
        made = Done(new_id(), datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC), (1, 2), frozenset({Scope.READ}))
        properties = {"name": "n", "hash": "", "scopes": [], "createdAt": made.at, "updatedAt": made.at}
        await tx.run("access/create_key", tenant=tenant, keyId=made.id, properties=properties)
        if waiting:
            raise waiting.pop()
        return Outcome(made, [made.id], {}, {made.id: "hash"})

    return work


async def do(graph: Graph, given: Call, work: Work) -> Done:
    return await recorded(graph, given, work, *reply_of(Done))


async def added(graph: Graph, tenant: Tenant) -> list[str]:
    return [key.id for key in await list_keys(graph, tenant)]


async def logged(graph: Graph, tenant: Tenant) -> int:
    return len((await changes(graph, principal(tenant))).items)


async def never(tx: Transaction) -> Outcome[Done]:
    raise AssertionError("the work was done again")
