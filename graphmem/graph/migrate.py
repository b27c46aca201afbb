"""Brings a graph's schema to what this version needs. Numbered, checked, and done by one starter at a time."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from graphmem.errors import SchemaMismatch, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.graph.statements import Statement
from graphmem.values import new_id

_LEASE_SECONDS = 60
_NUMBERED = re.compile(r"^migrations/(?P<number>\d{4})_(?P<name>\w+)$")


@dataclass(frozen=True)
class Migration:
    number: int
    name: str
    statement: Statement

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.statement.text.encode()).hexdigest()


def migrations(graph: Graph) -> list[Migration]:
    """All that this version knows, in order; numbers run from 1 without a gap."""
    found = [
        Migration(int(match["number"]), match["name"], statement)
        for name, statement in graph.statements.items()
        if (match := _NUMBERED.match(name))
    ]
    found.sort(key=lambda migration: migration.number)
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise SchemaMismatch("cypher/migrations is not numbered 0001, 0002, … without gaps or repeats")
    return found


async def migrate(graph: Graph, wait_seconds: float = 120) -> list[str]:
    """Apply what is missing and wait for the indexes; returns the names applied.

    Raises:
        SchemaMismatch: an applied migration was changed since, or the graph is newer than this version.
        Unavailable: another starter holds the lock for longer than `wait_seconds`.
    """
    known = migrations(graph)
    applied: list[str] = []
    if await _missing(graph, known):
        async with _locked(graph, wait_seconds) as renew:
            for migration in await _missing(graph, known):
                await renew()
                await graph.run_schema(migration.statement.name)
                await graph.run(
                    "graph/note_migration", number=migration.number, name=migration.name, checksum=migration.checksum
                )
                applied.append(migration.statement.name)
    await graph.read("graph/await_indexes", seconds=int(graph.settings.statement_timeout))
    return applied


async def _missing(graph: Graph, known: list[Migration]) -> list[Migration]:
    seen = {row["number"]: row for row in await graph.read("graph/applied_migrations")}
    if newer := seen.keys() - {migration.number for migration in known}:
        raise SchemaMismatch(
            f"the graph has migration {max(newer)}, which this version does not know; upgrade graphmem"
        )
    for migration in known:
        row = seen.get(migration.number)
        if row and row["checksum"] != migration.checksum:
            raise SchemaMismatch(
                f"migration {migration.number} ({migration.name}) was applied to this graph with another text; "
                "restore the file as it was and put the change into a new migration"
            )
    return [migration for migration in known if migration.number not in seen]


@asynccontextmanager
async def _locked(graph: Graph, wait_seconds: float) -> AsyncIterator[_Renew]:
    await graph.run_schema("graph/create_migration_lock")
    owner = new_id()
    lock = _Renew(graph, owner)
    try:
        async with asyncio.timeout(wait_seconds):
            while not await lock.taken():
                await asyncio.sleep(0.2)
    except TimeoutError:
        raise Unavailable("another process is migrating this graph; try again when it is done") from None
    try:
        yield lock
    finally:
        await graph.run("graph/unlock_migrations", owner=owner)


@dataclass(frozen=True)
class _Renew:
    graph: Graph
    owner: str

    async def taken(self) -> bool:
        rows = await self.graph.run("graph/lock_migrations", owner=self.owner, seconds=_LEASE_SECONDS)
        return bool(rows[0]["owner"] == self.owner)

    async def __call__(self) -> None:
        if not await self.taken():
            raise Unavailable("the lease on migrating ran out and another process took it; start again")
