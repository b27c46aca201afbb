"""Forms of working memory that name fields otherwise than they are stored."""

from __future__ import annotations

import pytest

from graphmem.conversation.define_working_memory import define_working_memory
from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests.conversation.support import thread
from tests.conversation.test_working_memory import OF_R1, change, now


@pytest.mark.parametrize("below", [True, False])
async def test_no_form_puts_a_field_above_or_below_a_value(graph: Graph, tenant: Tenant, below: bool) -> None:
    """The field keeps its name, and the answer says so."""
    who = await thread(graph, tenant)
    had = {"Plan": "pro", "tier": "gold"} if below else {"plan": "pro", "Plan": {"tier": "gold"}}
    await change(graph, who, **had)
    form = "## Plan\n- tier:" if below else "- Plan:"
    for markdown in (form, "- Name:"):
        done = await define_working_memory(graph, who, OF_R1, markdown=markdown)
        assert [one.code for one in done.warnings] == ["FIELDS_OUTSIDE_DEFINITION"]
        assert await now(graph, who) == had
    await change(graph, who, Name="N")
    assert await now(graph, who) == {**had, "Name": "N"}


async def test_a_field_goes_below_its_own_old_name(graph: Graph, tenant: Tenant) -> None:
    who = await thread(graph, tenant)
    await change(graph, who, plan="pro")
    await define_working_memory(graph, who, OF_R1, markdown="## plan\n- plan:")
    assert await now(graph, who) == {"plan": {"plan": "pro"}}
