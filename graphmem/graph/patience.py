"""How often a failed call is repeated, and when waiting for Neo4j is of no use any more."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from neo4j.exceptions import Neo4jError
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, wait_random_exponential

from graphmem.graph import failures

T = TypeVar("T")


class Patience:
    """One for all calls of a process on one Neo4j.

    An outage is waited for until it is `seconds` old, counted from its first sign in any call: a restart is over by
    then. After that every call tries once and fails at once, so that callers of a Neo4j that is down are told so
    instead of being kept, until one succeeds. What else may pass, such as a deadlock, is repeated for `seconds` from
    the call's own first failure.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic, *, managed: bool = False) -> None:
        self._seconds = seconds
        self._managed = managed
        self._clock = clock
        self._down_since: float | None = None

    async def repeated(self, once: Callable[[], Awaitable[T]]) -> T:
        """The result of `once`, which is run again where that may help. Raises ours for expected failures."""
        with failures.translated(managed=self._managed):
            try:
                return await self._watched(once)
            except Exception as error:
                if not failures.is_retryable(error):
                    raise
                return await self._again(once, error)

    async def _again(self, once: Callable[[], Awaitable[T]], error: Exception) -> T:
        """Goes on after a first failure. What counts attempts is slow: calls that succeed at once do without it."""
        began, failed = self._clock(), [error]

        async def attempt() -> T:
            if failed:
                raise failed.pop()
            return await self._watched(once)

        def is_over(state: RetryCallState) -> bool:
            failure = state.outcome.exception() if state.outcome is not None else None
            since = self._down_since if failures.is_outage(failure) else began
            return since is not None and self._clock() - since >= self._seconds

        retrying = AsyncRetrying(
            retry=retry_if_exception(failures.is_retryable),
            stop=is_over,
            wait=wait_random_exponential(multiplier=0.05, max=2),
            reraise=True,
        )
        return await retrying(attempt)

    async def once(self, once: Callable[[], Awaitable[T]]) -> T:
        """The result of `once`, run a single time. Raises ours for expected failures."""
        with failures.translated(managed=self._managed):
            return await self._watched(once)

    async def _watched(self, once: Callable[[], Awaitable[T]]) -> T:
        try:
            result = await once()
        except Exception as error:
            if failures.is_outage(error):
                self._down_since = self._clock() if self._down_since is None else self._down_since
            elif isinstance(error, Neo4jError):
                self._down_since = None
            raise
        self._down_since = None
        return result
