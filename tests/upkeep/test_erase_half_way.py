"""Erasures that are killed, or meet what is being written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import pytest
from neo4j import AsyncResult

from graphmem.access.principal import Principal
from graphmem.conversation import steps
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.conversation.get import messages_by_id, resources_by_id, threads_by_id
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.update_thread import ThreadPatch, update_thread
from graphmem.conversation.vectors import TEXTS
from graphmem.errors import Conflict, GraphmemError, NotFound, Unavailable
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.statements import Statement
from graphmem.jobs import jobs
from graphmem.knowledge.remember import remember
from graphmem.knowledge.vectors import TEXTS as NOTES
from graphmem.upkeep import erase
from graphmem.upkeep.erase import Erased, erase_resource
from graphmem.values import Tenant
from tests.conftest import Settle
from tests.conversation.support import labels, said, thread
from tests.factories import node, principal
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.support import Paused, done_or_blocked
from tests.upkeep.test_erase import filled

WRITES: dict[str, Callable[[Graph, Principal], Coroutine[Any, Any, object]]] = {
    "conversation/create_thread": lambda graph, who: create_thread(graph, who, ThreadInput("r1", "late")),
    "conversation/append_turn": lambda graph, who: append_turn(graph, who, "t1", [said("Late.")]),
    "conversation/begin_turn": lambda graph, who: begin_turn(graph, who, "t1"),
    "conversation/stage_messages": lambda graph, who: stage_messages(graph, who, "u1", [said("Late.")]),
    "conversation/copy_messages": lambda graph, who: clone_thread(graph, who, "t1", new="late"),
    "conversation/write_vectors": lambda graph, who: TEXTS.make_vectors(graph, HashingEmbedder(), who.tenant, ["m1"]),
    "knowledge/write_vectors": lambda graph, who: NOTES.make_vectors(graph, HashingEmbedder(), who.tenant, ["k1"]),
}


class Cut(Graph):
    """The graph, to which the line breaks `left` answers behind the end of the first transaction."""

    def __init__(self, graph: Graph, left: int) -> None:
        super().__init__(graph.driver, graph.settings, graph.statements)
        self.generation, self.dimension = graph.generation, graph.dimension
        self.left, self.counting = left, False

    async def timed(self, statement: Statement, sent: Awaitable[AsyncResult]) -> list[Row]:
        rows = await super().timed(statement, sent)
        self.left -= self.counting
        self.counting = self.counting or statement.name == "access/record_change"
        if self.left < 0:
            raise Unavailable("the line broke")
        return rows


async def kinds(graph: Graph, tenant: Tenant) -> set[str]:
    """The labels that there are, but those of jobs."""
    return set(await labels(graph, tenant)) - {"Job"}


@pytest.mark.parametrize("left", [0, 7, 20, 33])
async def test_an_erasure_that_breaks_off_shows_nothing_and_goes_on(
    graph: Graph, tenant: Tenant, settle: Settle, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    caller = principal(tenant)
    await filled(graph, tenant, settle, "r1")
    for at in range(4):
        await append_turn(graph, caller, "r1 t1", [said(f"turn {at}"), said("more")])
        await thread(graph, tenant, f"t{at}", "r1")
    await settle()
    told = await erase_resource(graph, caller, "r1", dry_run=True)
    assert set(await threads_by_id(graph, caller, ["r1 t1", "t0"])) == {"r1 t1", "t0"}
    for step in ("TURNS_A_STEP", "MOST_A_STEP", "THREADS_A_STEP"):
        monkeypatch.setattr(steps, step, 1)
    for step in ("NODES_A_STEP", "ITEMS_A_STEP"):
        monkeypatch.setattr(erase, step, 1)
    monkeypatch.setattr(erase, "NODES_AT_ONCE", 0)
    with pytest.raises(Unavailable):
        await erase_resource(Cut(graph, left), caller, "r1", idempotency_key="k")
    assert await threads_by_id(graph, caller, ["r1 t1", "t0"]) == {}
    assert await resources_by_id(graph, caller, ["r1"]) == {}
    assert await messages_by_id(graph, caller, ["r1 m1"]) == {}
    with pytest.raises(NotFound):
        await append_turn(graph, caller, "r1 t1", [said("too late")])
    with pytest.raises(Conflict, match="being erased"):
        await thread(graph, tenant, "another", "r1")
    key = "k" if left % 2 else None
    assert await erase_resource(graph, caller, "r1", idempotency_key=key) == told
    assert await kinds(graph, tenant) == set()
    await thread(graph, tenant, "another", "r1")
    assert await erase_resource(graph, caller, "r1", idempotency_key="k") == told
    assert set(await threads_by_id(graph, caller, ["another"])) == {"another"}


async def test_a_job_ends_an_erasure_that_nobody_ends(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = principal(tenant)
    await filled(graph, tenant, settle, "r1")
    await graph.write(lambda tx: erase.begin(tx, tenant, "r1"))
    assert "Knowledge" not in await kinds(graph, tenant)
    (job,) = (await jobs(graph, tenant, kinds=[erase.ERASE])).items
    for _ in range(2):
        await erase.erase(graph, job)
    assert await kinds(graph, tenant) == set()
    assert (await jobs(graph, tenant, kinds=[erase.ERASE])).items == ()
    with pytest.raises(NotFound):
        await erase_resource(graph, caller, "r1")


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("at", WRITES)
async def test_what_is_being_written_goes_with_its_resource(graph: Graph, tenant: Tenant, at: str, first: bool) -> None:
    """Whether the write or the erasure has its locks first; what is too late is refused, or goes too."""
    who = await thread(graph, tenant)
    await append_turn(graph, who, "t1", [said("Word after word. " * 120, "m1")])
    await begin_turn(graph, who, "t1", turn="u1")
    await remember(graph, who, [node("k1", "A note", "Word after word. " * 120, resource="r1")], resource="r1")
    slow = Paused(graph, at if first else "upkeep/note_erasure")
    write, end = WRITES[at](slow if first else graph, who), erase_resource(graph if first else slow, who, "r1")
    one, other = (write, end) if first else (end, write)
    beginning = asyncio.create_task(one)
    await slow.reached.wait()
    following = asyncio.create_task(other)
    await done_or_blocked(graph, following)
    slow.go.set()
    done = await asyncio.gather(beginning, following, return_exceptions=True)
    assert all(isinstance(one, GraphmemError) or not isinstance(one, BaseException) for one in done), done
    assert isinstance(done[first], Erased)
    assert await kinds(graph, tenant) == set()


@pytest.mark.parametrize("to", ["r1", "r2"])
@pytest.mark.parametrize("first", [True, False])
async def test_a_thread_that_is_moved_is_whole_or_gone(graph: Graph, tenant: Tenant, to: str, first: bool) -> None:
    """From a resource that is erased, or to it."""
    who = await thread(graph, tenant, "t1", "r1" if to == "r2" else "r2")
    await thread(graph, tenant, "other", "r1")
    await append_turn(graph, who, "t1", [said("Hello.", "m1")])
    slow = Paused(graph, "conversation/move_thread" if first else "upkeep/note_erasure")
    move = update_thread(slow if first else graph, who, "t1", ThreadPatch(resource=to))
    end = erase_resource(graph if first else slow, who, "r1")
    one, other = (move, end) if first else (end, move)
    beginning: asyncio.Task[object] = asyncio.create_task(one)
    await slow.reached.wait()
    following: asyncio.Task[object] = asyncio.create_task(other)
    await done_or_blocked(graph, following)
    slow.go.set()
    done = await asyncio.gather(beginning, following, return_exceptions=True)
    assert isinstance(done[first], Erased)
    left = await threads_by_id(graph, who, ["t1"])
    assert len(await messages_by_id(graph, who, ["m1"])) == len(left)
    assert await kinds(graph, tenant) - {"Resource"} == ({"Thread", "Turn", "Message"} if left else set())
    assert bool(left) == (to == "r2" if first else to == "r1")
