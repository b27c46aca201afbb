"""Brings a graph's schema to what this version needs. Numbered, checked, and done by one starter at a time."""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from graphmem.errors import SchemaMismatch, Unavailable
from graphmem.graph.gateway import Graph
from graphmem.graph.indexes import await_indexes
from graphmem.graph.statements import Statement
from graphmem.values import new_id

OLDEST = (2026, 6)
"""The first Neo4j whose Cypher 25 has all that the statements use."""

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


async def migrate(graph: Graph, wait_seconds: float = 120, lease_seconds: float = 60) -> list[str]:
    """Apply what is missing and wait for the indexes; returns the names applied.

    One starter works at a time, under a lease that it renews; that of one which died ends after `lease_seconds`.

    Raises:
        SchemaMismatch: Neo4j is too old, an applied migration was changed since, the graph is newer than this
            version, or an index failed.
        Unavailable: another starter holds the lease for longer than `wait_seconds`.
    """
    check_server(await graph.server())
    known = migrations(graph)
    applied: list[str] = []
    if await _missing(graph, known):
        async with lease(graph, wait_seconds, lease_seconds):
            for migration in await _missing(graph, known):
                await _apply(graph, migration)
                applied.append(migration.statement.name)
    await await_indexes(graph)
    return applied


def check_server(agent: str) -> None:
    """`agent` as Neo4j tells it: `Neo4j/2026.08.1`, or `Neo4j/5.26.1` of a version from before 2025."""
    found = re.match(r"Neo4j/(\d+)\.(\d+)", agent)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        raise SchemaMismatch(
            f"graphmem needs Neo4j {OLDEST[0]}.{OLDEST[1]:02} or newer, and this is {agent}; upgrade it"
        )


async def _apply(graph: Graph, migration: Migration) -> None:
    await graph.run_schema(migration.statement.name)
    await graph.run("graph/note_migration", number=migration.number, name=migration.name, checksum=migration.checksum)


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
async def lease(graph: Graph, wait_seconds: float, seconds: float) -> AsyncIterator[None]:
    """Keeps other starters out. Raises Unavailable when another has the lease for longer than `wait_seconds`."""
    await graph.run_schema("graph/create_migration_lock")
    owner = new_id()
    try:
        async with asyncio.timeout(wait_seconds):
            while not await _taken(graph, owner, seconds):
                await asyncio.sleep(0.2)
    except TimeoutError:
        raise Unavailable("another process is migrating this graph; try again when it is done") from None
    ended = asyncio.Event()
    keeper = asyncio.create_task(_keep(graph, owner, seconds, ended))
    try:
        yield
    finally:
        # Not cancelled, because that would cost its connection.
        ended.set()
        try:
            await keeper
        finally:
            await graph.run("graph/unlock_migrations", owner=owner)


async def _keep(graph: Graph, owner: str, seconds: float, ended: asyncio.Event) -> None:
    """Renews the lease: one statement may take longer than it lasts. If it is lost nevertheless, two starters work
    at once, which takes longer but does no harm: every migration says IF NOT EXISTS."""
    while True:
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), seconds / 3)
        if ended.is_set():
            return
        await _taken(graph, owner, seconds)


async def _taken(graph: Graph, owner: str, seconds: float) -> bool:
    rows = await graph.run("graph/lock_migrations", owner=owner, seconds=seconds)
    return bool(rows[0]["owner"] == owner)
