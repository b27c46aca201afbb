"""The only way to Neo4j: named statements in, plain rows out."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from copy import copy
from datetime import UTC
from typing import Any, TypeVar

import structlog
from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncResult,
    AsyncSession,
    AsyncTransaction,
    Bookmarks,
    Query,
)
from neo4j.exceptions import ServiceUnavailable
from neo4j.time import DateTime

from graphmem.config import Settings
from graphmem.graph import trips
from graphmem.graph.patience import Patience
from graphmem.graph.statements import Statement, load

Row = dict[str, Any]
T = TypeVar("T")
log = structlog.get_logger(__name__)

SCHEMA_SECONDS = 600.0
"""How long one schema statement may run: a constraint on a full graph reads all of it."""
PLAN_SECONDS = 120.0
"""How long a statement may take that is run for its plan."""
SILENT_SECONDS = 5.0
"""How much longer than a connection and a statement may take an answer is waited for."""


class UnexpectedParameters(TypeError):
    """A statement was called with other parameters than its header declares."""


class Transaction:
    """An open write transaction; what it ran is kept or undone as a whole."""

    def __init__(self, graph: Graph, inner: AsyncTransaction) -> None:
        self._graph = graph
        self._inner = inner
        self.change: str | None = None
        """Id of the change log's entry for this transaction, once it has one."""

    async def run(self, name: str, /, **params: Any) -> list[Row]:
        statement = self._graph.statement(name, params)
        return await self._graph.timed(statement, self._inner.run(self._graph.text(statement), statement.bound(params)))


class Graph:
    """Runs statements by name on one driver, counts them, retries and translates their failures.

    Reads go to READ sessions (the server refuses writes there) as single auto-commit statements: one network
    round trip. Writes are transactions. Every call carries a positive time limit, because the server's own
    is only a default. How long a failed call is repeated, `Patience` says.

    `generation` and `dimension` are those of the vectors in use; None: the graph has no vector index yet. `origin`: the
    graph that this one was bound from, or itself; by it others remember what holds for all of them.
    """

    def __init__(
        self,
        driver: AsyncDriver,
        settings: Settings,
        statements: Mapping[str, Statement] | None = None,
        bookmarks: Iterable[str] = (),
    ) -> None:
        """`bookmarks`: those of another graph on the same cluster, whose writes this one is to see."""
        self.driver = driver
        self.settings = settings
        self.statements = statements or load()
        self.origin = self
        self.generation = 1
        self.dimension: int | None = None
        self._texts: dict[tuple[str, int], str] = {}
        self._patience = Patience(settings.retry_seconds, managed=settings.neo4j_uri is None)
        self._bookmarks = AsyncGraphDatabase.bookmark_manager(Bookmarks.from_raw_values(bookmarks))

    def bound(self, generation: int, dimension: int | None) -> Graph:
        """The same graph, bound to one generation of vectors, whichever is in use later."""
        found = copy(self)
        found.generation, found.dimension = generation, dimension
        return found

    def pinned(self) -> Graph:
        """The same graph for the length of one call, in which the vectors in use may change."""
        return self.bound(self.generation, self.dimension)

    async def bookmarks(self) -> frozenset[str]:
        """What a graph in another process needs in order to see all that this one has written or seen."""
        return frozenset(await self._bookmarks.get_bookmarks())

    def statement(self, name: str, params: Mapping[str, Any]) -> Statement:
        """The statement of that name, whose parameters are exactly `params`."""
        statement = self.statements[name]
        if statement.params != params.keys():
            odd = sorted(statement.params.symmetric_difference(params))
            raise UnexpectedParameters(f"{name}: missing or unknown parameters: {', '.join(odd)}")
        return statement

    def text(self, statement: Statement) -> str:
        """What is sent for a statement, for the generation of vectors in use."""
        key = statement.name, self.generation
        if key not in self._texts:
            self._texts[key] = statement.sent(self.generation)
        return self._texts[key]

    async def read(self, name: str, /, **params: Any) -> list[Row]:
        """Run a read statement; raises Unavailable, TimedOut or OverMemory."""
        return await self._patience.repeated(self._alone(READ_ACCESS, self.settings.statement_timeout, name, params))

    async def plan(self, name: str, /, **params: Any) -> None:
        """Run a read statement for its plan alone, which the server keeps; planning a long one may take seconds."""
        await self._patience.once(self._alone(READ_ACCESS, PLAN_SECONDS, name, params))

    async def probe(self, name: str, /, **params: Any) -> list[Row]:
        """Run a read statement once, without the patience of `read`: for telling whether Neo4j answers."""
        return await self._patience.once(self._alone(READ_ACCESS, self.settings.statement_timeout, name, params))

    async def run_schema(self, name: str, /, **params: Any) -> list[Row]:
        """One schema statement, or one that commits in parts (IN TRANSACTIONS).

        These must stand alone, and may take as long as an index needs. They are repeated: schema says IF [NOT] EXISTS.
        """
        return await self._patience.repeated(self._alone(WRITE_ACCESS, SCHEMA_SECONDS, name, params))

    async def run(self, name: str, /, **params: Any) -> list[Row]:
        """One statement in a write transaction of its own."""

        async def work(transaction: Transaction) -> list[Row]:
            return await transaction.run(name, **params)

        return await self.write(work)

    async def write(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `work` in one transaction, again from its start when the failure allows.

        `work` must therefore have no effect outside the transaction. Raises what `read` raises, and Conflict.
        """
        limit = self.settings.write_timeout

        async def once() -> T:
            async with (
                self._session(WRITE_ACCESS, limit) as session,
                await session.begin_transaction(timeout=limit) as transaction,
            ):
                result = await work(Transaction(self, transaction))
                await transaction.commit()
                return result

        return await self._patience.repeated(once)

    async def server(self) -> str:
        """The product and version of the server, such as `Neo4j/2026.08.1`, told without a statement."""

        async def once() -> str:
            return (await self.driver.get_server_info()).agent

        return await self._patience.repeated(once)

    def _alone(
        self, access: str, limit: float, name: str, params: dict[str, Any]
    ) -> Callable[[], Awaitable[list[Row]]]:
        """A statement that is a transaction by itself."""
        statement = self.statement(name, params)
        query = Query(self.text(statement), timeout=limit)

        async def once() -> list[Row]:
            async with self._session(access, limit) as session:
                return await self.timed(statement, session.run(query, statement.bound(params)))

        return once

    async def timed(self, statement: Statement, sent: Awaitable[AsyncResult]) -> list[Row]:
        """The rows of a statement that is being sent; counted as a trip whether or not it succeeds."""
        began = time.perf_counter()
        rows: list[Row] = []
        try:
            async for record in await sent:
                rows.append({key: plain(value) for key, value in zip(record.keys(), record.values(), strict=True)})
            return rows
        finally:
            ms = (time.perf_counter() - began) * 1000
            trips.record(statement.name, ms, len(rows))
            if ms > self.settings.slow_statement_ms:
                log.warning("slow statement", statement=statement.name, ms=round(ms, 1), rows=len(rows))

    @asynccontextmanager
    async def _session(self, access: str, limit: float) -> AsyncIterator[AsyncSession]:
        """A session for one transaction of at most `limit` seconds.

        The server keeps the limit. One that has gone silent, as a frozen machine does, keeps none: then the
        call is given up here.
        """
        longest = self.settings.statement_timeout + limit + SILENT_SECONDS
        try:
            async with (
                asyncio.timeout(longest) as waiting,
                self.driver.session(
                    database=self.settings.neo4j_database,
                    default_access_mode=access,
                    bookmark_manager=self._bookmarks,
                    fetch_size=-1,
                ) as session,
            ):
                yield session
        except TimeoutError as error:
            if not waiting.expired():
                raise
            raise ServiceUnavailable(f"no answer for {longest:g} seconds") from error


_AS_THEY_ARE = frozenset([str, float, int, bool, type(None)])
_are_plain = _AS_THEY_ARE.issuperset


def plain(value: Any) -> Any:
    """Driver values as Python's own, at any depth: instants become `datetime`s in `timezone.utc`.

    The driver's own have a zone *named* UTC, and for Neo4j an instant with such a zone is not equal to, but after,
    the same instant without one: written back or compared with what is stored, it would be another.
    What holds none is not copied.
    """
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if kind is DateTime:
        native = value.to_native()
        return native if native.tzinfo is None else native.astimezone(UTC)
    if kind is list:
        return value if _are_plain(map(type, value)) else [plain(item) for item in value]
    if kind is dict:
        return value if _are_plain(map(type, value.values())) else {key: plain(item) for key, item in value.items()}
    return value
