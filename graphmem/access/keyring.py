"""Turns credentials into principals, with few look-ups and none that is older than it may be."""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from cachetools import LRUCache, TLRUCache

from graphmem.access.key_text import parse_key_text
from graphmem.access.principal import Principal
from graphmem.config import Settings
from graphmem.errors import Unauthenticated
from graphmem.graph.gateway import Graph, Row
from graphmem.values import Scope, Tenant

_STRANGERS = 4
"""Look-ups at a time for ids that were never seen to be good."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the graph said about a key id. `asked`: before the statement was sent, by the clock."""

    asked: float
    principal: Principal | None = None
    hash: str = field(default="", repr=False)


class Keyring:
    """Authenticates requests by API key.

    Answers are trusted for `key_cache_seconds`, counted from before the look-up, so that a revoked key stops
    everywhere within that time. Ids of no key are kept apart from good ones, which they can therefore not push
    out, and are looked up a few at a time, so that made-up keys keep neither the database nor good keys busy.
    """

    def __init__(
        self, graph: Graph, settings: Settings, *, kept: int = 10_000, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`kept`: how many keys in use, and how many ids of no key, are remembered. `clock`: in seconds."""
        self._graph = graph
        self._seconds = settings.key_cache_seconds
        self._clock = clock
        self._good: TLRUCache[str, _Answer] = TLRUCache(kept, self._until, clock)
        self._absent: TLRUCache[str, _Answer] = TLRUCache(kept, self._until, clock)
        self._seen: LRUCache[str, bool] = LRUCache(kept)
        self._asking: dict[str, asyncio.Task[_Answer]] = {}
        self._strangers = asyncio.Semaphore(_STRANGERS)

    async def authenticate(self, authorization: str | None) -> Principal:
        """The principal of an `Authorization` header.

        Raises:
            Unauthenticated: no header, another scheme than Bearer, no key of ours, or one that is unknown or revoked.
            Unavailable: the key has to be looked up and Neo4j does not answer.
        """
        if not authorization:
            raise Unauthenticated("send an API key: Authorization: Bearer gm_…")
        scheme, _, credential = authorization.partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthenticated("the Authorization header must be of the form: Bearer gm_…")
        given = parse_key_text(credential.strip(" "))
        if given is None:
            raise Unauthenticated("this is no API key of graphmem; was it copied in full?")
        answer = await self._answer(given.id)
        if answer.principal is None or not hmac.compare_digest(answer.hash, given.hash):
            raise Unauthenticated("this API key is unknown or was revoked")
        return answer.principal

    async def forget(self, key_id: str) -> None:
        """Look the key up again at its next use."""
        self._good.pop(key_id, None)
        self._absent.pop(key_id, None)
        self._asking.pop(key_id, None)

    def _until(self, _key_id: str, answer: _Answer, _now: float) -> float:
        return answer.asked + self._seconds

    async def _answer(self, key_id: str) -> _Answer:
        known = self._good.get(key_id) or self._absent.get(key_id)
        if known is not None:
            return known
        task = self._asking.get(key_id)
        if task is None:
            task = asyncio.create_task(self._ask(key_id))
            self._asking[key_id] = task
            task.add_done_callback(lambda done: self._keep(key_id, done))
        # A caller that goes away must not take the look-up from the others that wait for it.
        return await asyncio.shield(task)

    async def _ask(self, key_id: str) -> _Answer:
        if key_id in self._seen:
            return await self._look_up(key_id)
        async with self._strangers:
            return await self._look_up(key_id)

    async def _look_up(self, key_id: str) -> _Answer:
        asked = self._clock()
        rows = await self._graph.read("access/find_key", keyId=key_id)
        if not rows:
            return _Answer(asked)
        return _Answer(asked, _principal(rows[0]["key"]), rows[0]["key"]["hash"])

    def _keep(self, key_id: str, done: asyncio.Task[_Answer]) -> None:
        # Forgotten meanwhile: it may have been asked before the key was revoked.
        current = self._asking.get(key_id) is done
        if current:
            del self._asking[key_id]
        if done.cancelled() or done.exception() is not None or not current:
            return
        answer = done.result()
        if answer.principal is None:
            self._seen.pop(key_id, None)
            self._absent[key_id] = answer
        else:
            self._seen[key_id] = True
            self._good[key_id] = answer


def open_principal(settings: Settings) -> Principal:
    """Everybody, when no key is needed (`open_access`)."""
    return Principal(Tenant(settings.default_tenant), key_id="open", name="open access", scopes=frozenset(Scope))


def _principal(row: Row) -> Principal:
    return Principal(
        tenant=Tenant(row["tenant"]),
        key_id=row["keyId"],
        name=row["name"],
        scopes=frozenset(Scope(scope) for scope in row["scopes"]),
        resource=row["resource"],
        agent=row["agent"],
    )
