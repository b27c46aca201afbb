"""What a context does at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem.access.principal import Principal
from graphmem.app import Runtime
from graphmem.context.assemble import context
from graphmem.context.inputs import ContextInput
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.update_thread import ThreadPatch, update_thread
from graphmem.errors import NotFound
from graphmem.graph.gateway import Graph, Row
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.remember import remember
from graphmem.values import Tenant
from tests.conftest import Settle
from tests.context.support import Wrapped
from tests.conversation.support import said
from tests.conversation.support import thread as make_thread
from tests.factories import principal

QUESTION = "What about roses in the garden?"


class Held(Wrapped):
    """A graph that answers one statement only some time after another."""

    def __init__(self, graph: Graph, held: str, until: str) -> None:
        super().__init__(graph)
        self.held, self.until, self.came = held, until, asyncio.Event()
        self.answered: list[str] = []

    async def read(self, name: str, /, **params: Any) -> list[Row]:
        rows = await super().read(name, **params)
        if name == self.held:
            await asyncio.wait_for(self.came.wait(), 10)
            await asyncio.sleep(0.05)
        self.answered.append(name)
        if name.startswith(self.until):
            self.came.set()
        return rows


async def test_the_search_in_knowledge_does_not_wait_for_the_thread(
    runtime: Runtime, tenant: Tenant, settle: Settle
) -> None:
    caller = await make_thread(runtime.graph, tenant)
    await append_turn(runtime.graph, caller, "t1", [said("The garden has roses.", "m1")])
    await remember(runtime.graph, caller, [NodeInput("Roses", "Roses need sun.", id="roses")])
    await settle()
    held = Held(runtime.graph, "context/gather", "knowledge/search_gather")
    found = await context(held, runtime.embedding, principal(tenant), ContextInput("t1", message=QUESTION))
    assert [hit.node.id for hit in found.knowledge] == ["roses"]
    assert held.answered.index("context/gather") > held.answered.index("knowledge/search_gather")


class Moving(Wrapped):
    """A graph in which a thread moves between two trips of a context."""

    def __init__(self, graph: Graph, caller: Principal) -> None:
        super().__init__(graph)
        self.caller, self.moved = caller, asyncio.Event()

    async def read(self, name: str, /, **params: Any) -> list[Row]:
        if name == "context/gather":
            await asyncio.wait_for(self.moved.wait(), 10)
        rows = await super().read(name, **params)
        if name == "conversation/recall_scope":
            await update_thread(self, self.caller, "t1", ThreadPatch(resource="r2"))
            self.moved.set()
        return rows


async def test_a_thread_that_moves_meanwhile_brings_nothing_of_whom_it_was_before(
    runtime: Runtime, tenant: Tenant, settle: Settle
) -> None:
    caller = await make_thread(runtime.graph, tenant)
    await append_turn(runtime.graph, caller, "t1", [said("The garden has roses.", "m1")])
    await make_thread(runtime.graph, tenant, "t2", "r1")
    await append_turn(runtime.graph, caller, "t2", [said("Ann has roses.", "m2")])
    await remember(runtime.graph, caller, [NodeInput("Roses", "Ann's roses need sun.", id="roses", resource="r1")])
    await settle()
    wanted = ContextInput("t1", message=QUESTION)
    found = await context(Moving(runtime.graph, caller), runtime.embedding, principal(tenant), wanted)
    assert found.thread.resource == "r2"
    assert (found.recalled, found.knowledge) == ((), ())
    assert "Ann" not in found.rendered
    assert [warning.code for warning in found.warnings] == ["TIER_LEFT_OUT"]


async def test_what_has_begun_is_let_finish_when_the_rest_fails(runtime: Runtime, tenant: Tenant) -> None:
    """A statement that is stopped in the middle takes its connection with it."""
    held = Held(runtime.graph, "conversation/recall_scope", "context/gather")
    with pytest.raises(NotFound):
        await context(held, runtime.embedding, principal(tenant), ContextInput("none", message=QUESTION))
    assert sorted(held.answered) == ["context/gather", "conversation/recall_scope"]
