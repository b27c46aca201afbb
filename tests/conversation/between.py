"""What happens between the transactions that work on a long thread takes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutine

from neo4j import AsyncResult

from graphmem.errors import Unavailable
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.statements import Statement


class Between(Graph):
    """The graph, on the same driver, where `happens` before each run of the statement `at`, but the first, which stands
    in the transaction of the call."""

    def __init__(self, graph: Graph, at: str, happens: Callable[[], Awaitable[object]]) -> None:
        super().__init__(graph.driver, graph.settings, graph.statements)
        self.generation, self.dimension = graph.generation, graph.dimension
        self.at, self.happens, self.began = at, happens, False

    async def timed(self, statement: Statement, sent: Awaitable[AsyncResult]) -> list[Row]:
        if statement.name == self.at:
            try:
                if self.began:
                    await self.happens()
            except BaseException:
                if iscoroutine(sent):
                    sent.close()
                raise
            self.began = True
        return await super().timed(statement, sent)


def cut(graph: Graph, at: str, left: int) -> Graph:
    """The graph, to which the line breaks behind so many transactions that run the statement `at` after the first."""
    done = iter(range(left))

    async def broken() -> None:
        if next(done, None) is None:
            raise Unavailable("the line broke")

    return Between(graph, at, broken)
