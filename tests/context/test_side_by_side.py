"""What a context does at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem.access.principal import Principal
from graphmem.context.assemble import context
from graphmem.context.inputs import ContextInput
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.update_thread import ThreadPatch, update_thread
from graphmem.errors import Conflict, NotFound
from graphmem.graph.gateway import Graph, Row
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.remember import remember
from graphmem.runtime import Runtime
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


@pytest.mark.parametrize(
    ("held", "until"),
    [
        ("conversation/recall_gather", "knowledge/search_gather"),
        ("knowledge/search_gather", "conversation/recall_fetch"),
    ],
)
async def test_recall_and_the_search_in_knowledge_do_not_wait_for_each_other(
    runtime: Runtime, tenant: Tenant, settle: Settle, held: str, until: str
) -> None:
    caller = await make_thread(runtime.graph, tenant)
    await append_turn(runtime.graph, caller, "t1", [said("The garden has roses.", "m1")])
    await make_thread(runtime.graph, tenant, "t2", "r1")
    await append_turn(runtime.graph, caller, "t2", [said("Ann has roses.", "m2")])
    await remember(runtime.graph, caller, [NodeInput("Roses", "Roses need sun.", id="roses")])
    await settle()
    holding = Held(runtime.graph, held, until)
    found = await context(holding, runtime.embedding, principal(tenant), ContextInput("t1", message=QUESTION))
    assert [hit.node.id for hit in found.knowledge] == ["roses"]
    assert "Ann" in found.rendered
    assert holding.answered.index(held) > holding.answered.index(until)


class Moving(Wrapped):
    """A graph in which a thread moves between two trips of a context."""

    def __init__(self, graph: Graph, caller: Principal) -> None:
        super().__init__(graph)
        self.caller = caller

    async def read(self, name: str, /, **params: Any) -> list[Row]:
        rows = await super().read(name, **params)
        if name == "context/gather":
            await update_thread(self, self.caller, "t1", ThreadPatch(resource="r2"))
        return rows


async def test_a_thread_that_moves_meanwhile_brings_nothing_of_whose_it_is_now(
    runtime: Runtime, tenant: Tenant, settle: Settle
) -> None:
    """Which sessions the stored question counts is looked up once it is known: when the thread is another's."""
    caller = await make_thread(runtime.graph, tenant)
    await append_turn(runtime.graph, caller, "t1", [said("What about roses in our last session?", "m1")])
    await make_thread(runtime.graph, tenant, "t2", "r2")
    await append_turn(runtime.graph, caller, "t2", [said("Ann has roses.", "m2")])
    await remember(runtime.graph, caller, [NodeInput("Roses", "Ann's roses need sun.", id="roses", resource="r2")])
    await settle()
    found = await context(Moving(runtime.graph, caller), runtime.embedding, principal(tenant), ContextInput("t1"))
    assert found.thread.resource == "r1"
    assert (found.recalled, found.knowledge) == ((), ())
    assert "Ann" not in found.rendered
    assert [warning.code for warning in found.warnings] == ["TIER_LEFT_OUT"]


class Broken(Held):
    """A graph whose search fails as nothing should."""

    async def read(self, name: str, /, **params: Any) -> list[Row]:
        if name == "knowledge/search_gather":
            self.came.set()
            raise Conflict("broken")
        return await super().read(name, **params)


async def test_what_has_begun_is_let_finish_when_the_rest_fails(
    runtime: Runtime, tenant: Tenant, settle: Settle
) -> None:
    """A statement that is stopped in the middle takes its connection with it."""
    caller = await make_thread(runtime.graph, tenant)
    await append_turn(runtime.graph, caller, "t1", [said("The garden has roses.", "m1")])
    await settle()
    held = Broken(runtime.graph, "conversation/recall_gather", "knowledge/search_gather")
    with pytest.raises(Conflict, match="broken"):
        await context(held, runtime.embedding, principal(tenant), ContextInput("t1", message=QUESTION))
    assert held.answered == ["context/gather", "conversation/recall_gather"]


async def test_there_is_nothing_to_be_looked_for_where_there_is_no_thread(runtime: Runtime, tenant: Tenant) -> None:
    held = Held(runtime.graph, "none", "none")
    with pytest.raises(NotFound):
        await context(held, runtime.embedding, principal(tenant), ContextInput("none", message=QUESTION))
    assert held.answered == ["context/gather"]
