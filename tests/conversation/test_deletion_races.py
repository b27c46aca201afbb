"""What is on its way into a thread when the thread goes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from graphmem.access.principal import Principal
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.delete_thread import delete_thread
from graphmem.conversation.memory_state import Where
from graphmem.conversation.notices import post_notice
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.conversation.vectors import TEXTS
from graphmem.conversation.working_memory import working_memory
from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests.conversation.support import labels, said, thread
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.support import Paused, done_or_blocked

DENSE = 60
"""Edges of a node that others may be added to without a lock on it."""

Writing = Coroutine[Any, Any, object]
Write = Callable[[Graph, Principal], Writing]
WRITES: dict[str, Write] = {
    "conversation/write_vectors": lambda graph, who: TEXTS.make_vectors(graph, HashingEmbedder(), who.tenant, ["m1"]),
    "conversation/stage_messages": lambda graph, who: stage_messages(graph, who, "u1", [said("A draft.")]),
    "conversation/begin_turn": lambda graph, who: begin_turn(graph, who, "t1"),
    "conversation/post_notice": lambda graph, who: post_notice(graph, who, "Hear this.", thread="t1"),
    "conversation/append_turn": lambda graph, who: append_turn(graph, who, "t1", [said("More.")]),
}


async def met(graph: Graph, at: str, write: Callable[[Graph], Writing], end: Writing) -> None:
    """Has `end` begin while `write` has not been committed yet, which has come to the answer of the statement `at`."""
    slow = Paused(graph, at)
    writing = asyncio.create_task(write(slow))
    await slow.reached.wait()
    ending = asyncio.create_task(end)
    await done_or_blocked(graph, ending)
    slow.go.set()
    await asyncio.gather(writing, ending)


@pytest.mark.parametrize("at", WRITES)
async def test_what_is_being_written_goes_with_its_thread(graph: Graph, tenant: Tenant, at: str) -> None:
    who = await thread(graph, tenant)
    await append_turn(graph, who, "t1", [said("Word after word. " * 120, "m1")])
    for turn in range(DENSE):
        await begin_turn(graph, who, "t1", turn=f"u{turn}")
    await met(graph, at, lambda slow: WRITES[at](slow, who), delete_thread(graph, who, "t1"))
    assert await labels(graph, tenant) == {"Resource": 1}


async def test_a_field_that_comes_to_rest_on_a_thread_that_goes_says_so(graph: Graph, tenant: Tenant) -> None:
    who = await thread(graph, tenant)
    await append_turn(graph, who, "t1", [said("I am Ann.", "m1")])
    change = MemoryUpdate(merge={"name": "Ann"}, source="m1")

    async def write(slow: Graph) -> None:
        await update_working_memory(slow, who, Where(resource="r1"), change)

    await met(graph, "conversation/write_fields", write, delete_thread(graph, who, "t1"))
    fields = (await working_memory(graph, who, Where(resource="r1"))).fields
    assert [(field.name, field.source_gone) for field in fields] == [("name", True)]
