"""A context whose parts fail is a context with less in it."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.context.assemble import context
from graphmem.context.inputs import ContextInput, RecallTier
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.recall_scope import Where
from graphmem.embedding import Embedder
from graphmem.errors import TimedOut, Unavailable
from graphmem.graph.gateway import Graph, Row
from graphmem.runtime import Runtime
from graphmem.values import Tenant
from tests.conftest import Settle
from tests.context.support import Wrapped
from tests.conversation.support import said
from tests.conversation.support import thread as make_thread
from tests.factories import principal
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.support import loaded


class Failing(HashingEmbedder):
    async def embed_query(self, text: str) -> list[float]:
        raise Unavailable("the embedder took longer than 10 s")


class Refusing(Wrapped):
    """A graph on which statements of one kind fail."""

    def __init__(self, graph: Graph, *names: str) -> None:
        super().__init__(graph)
        self.names = names

    async def read(self, name: str, /, **params: Any) -> list[Row]:
        if name.startswith(self.names):
            raise TimedOut("the statement was stopped at its time limit")
        return await super().read(name, **params)


async def talked(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = await make_thread(graph, tenant)
    await append_turn(
        graph, caller, "t1", [said("The garden has roses.", "m1"), *(said(f"Filler {at}.") for at in range(25))]
    )
    await settle()


@pytest.mark.parametrize("state", [None, Failing(), Unavailable("there is no model of that name")])
async def test_without_an_embedder_recall_goes_by_text(
    runtime: Runtime, tenant: Tenant, settle: Settle, state: Embedder | Unavailable | None
) -> None:
    await talked(runtime.graph, tenant, settle)
    wanted = ContextInput("t1", message="What about roses in the garden?")
    async with loaded(runtime.services.settings, state) as embedding:
        found = await context(runtime.graph, embedding, principal(tenant), wanted)
    assert "The garden has roses." in found.rendered
    assert [warning.code for warning in found.warnings] == ["EMBEDDER_UNAVAILABLE"]
    assert found.vectors == 0


@pytest.mark.parametrize(
    ("failing", "tiers"),
    [
        (("conversation/recall",), ["recall"]),
        (("knowledge/",), ["knowledge"]),
        (("conversation/recall_gather", "knowledge/"), ["recall", "knowledge"]),
    ],
)
async def test_a_tier_that_times_out_is_left_out_with_a_warning(
    runtime: Runtime, tenant: Tenant, settle: Settle, failing: tuple[str, ...], tiers: list[str]
) -> None:
    await talked(runtime.graph, tenant, settle)
    refusing = Refusing(runtime.graph, *failing)
    wanted = ContextInput("t1", message="What about roses in the garden?")
    found = await context(refusing, runtime.embedding, principal(tenant), wanted)
    assert [warning.code for warning in found.warnings] == ["TIER_LEFT_OUT"] * len(tiers)
    assert [warning.message.split()[0] for warning in found.warnings] == tiers
    assert found.messages.turn[-1].text == "What about roses in the garden?"
    assert len(found.messages.history) > 10


@pytest.mark.parametrize("narrowed", [RecallTier(), RecallTier(where=Where(metadata={"project": "garden"}))])
async def test_threads_that_cannot_be_looked_for_leave_recall_out(
    runtime: Runtime, tenant: Tenant, settle: Settle, narrowed: RecallTier
) -> None:
    await talked(runtime.graph, tenant, settle)
    refusing = Refusing(runtime.graph, "conversation/recall_scope")
    message = "What about roses?" if narrowed.where.metadata else "What about roses in our last session?"
    found = await context(
        refusing, runtime.embedding, principal(tenant), ContextInput("t1", message=message, recall=narrowed)
    )
    assert [warning.message.split()[0] for warning in found.warnings] == ["recall"]
    assert found.messages.turn[-1].text == message
