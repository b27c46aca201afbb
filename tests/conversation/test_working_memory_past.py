"""What working memory said before: read, brought back, and told again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.conversation.define_working_memory import define_working_memory
from graphmem.conversation.fields import MemoryOp
from graphmem.conversation.memory_change import FieldChange
from graphmem.conversation.memory_state import Where
from graphmem.conversation.undo_working_memory import undo_working_memory
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.conversation.working_memory import working_memory
from graphmem.conversation.working_memory_history import working_memory_history
from graphmem.errors import Conflict, InvalidInput, VersionConflict
from graphmem.graph.gateway import Graph
from graphmem.values import MemoryKind, Tenant, utc_now
from tests.conversation.support import labels
from tests.conversation.test_working_memory import OF_R1, SET, change, do, now
from tests.factories import principal


async def test_what_was_said_before_can_be_read_and_brought_back(graph: Graph, tenant: Tenant) -> None:
    """R6."""
    who = principal(tenant)
    times = []
    await change(graph, who, a=1, b={"c": 1})
    times.append(utc_now())
    await define_working_memory(graph, who, OF_R1, markdown="- A:\n- C:")
    times.append(utc_now())
    await change(graph, who, a=2, b={"c": None})
    at_3 = await working_memory(graph, who, OF_R1)
    await undo_working_memory(graph, who, OF_R1)
    assert await now(graph, who) == {"A": 1, "b": {"c": 1}}
    then = [await working_memory(graph, who, OF_R1, at) for at in times]
    assert [(one.version, one.json, one.definition.kind) for one in then] == [
        (1, {"a": 1, "b": {"c": 1}}, None), (2, {"A": 1, "b": {"c": 1}}, MemoryKind.TEMPLATE),
    ]  # fmt: skip
    assert (await working_memory(graph, who, OF_R1, datetime(2020, 1, 1, tzinfo=UTC))).version == 0
    done = await undo_working_memory(graph, who, OF_R1)
    assert (done.version, (await working_memory(graph, who, OF_R1)).json) == (5, at_3.json)
    done = await undo_working_memory(graph, who, OF_R1, to_version=1)
    assert (done.version, done.defined) == (6, True)
    found = await working_memory(graph, who, OF_R1)
    assert (found.json, found.definition.kind) == ({"a": 1, "b": {"c": 1}}, None)
    await undo_working_memory(graph, who, OF_R1, to_version=0)
    assert await now(graph, who) == {}
    for target in (-1, 7, 99):
        with pytest.raises(InvalidInput, match="toVersion"):
            await undo_working_memory(graph, who, OF_R1, to_version=target)
    with pytest.raises(Conflict, match="never written"):
        await undo_working_memory(graph, who, Where(resource="r2"))
    with pytest.raises(VersionConflict):
        await undo_working_memory(graph, who, OF_R1, expected_version=1)


async def test_history_page_by_page(graph: Graph, tenant: Tenant) -> None:
    """R6."""
    who = principal(tenant)
    assert (await working_memory_history(graph, who, OF_R1, None, 5, None)).items == ()
    await change(graph, who, a=1, b=1, c={"d": 1})
    await change(graph, who, a=2, b=None)
    seen, after = [], None
    while True:
        page = await working_memory_history(graph, who, OF_R1, None, 2, after)
        seen += page.items
        if not page.has_next:
            break
        after = page.cursors[-1]
    assert [(one.name, one.value, one.at, one.version) for one in seen] == [
        ("a", 2, 2, 2), ("b", None, 2, 2), ("a", 1, 1, 1), ("b", 1, 1, 1), ("c.d", 1, 1, 1),
    ]  # fmt: skip
    assert seen[2].recorded_to == seen[0].recorded_from
    assert (seen[0].recorded_to, seen[0].action, seen[0].key_name) == (None, "updateWorkingMemory", "test")
    one = await working_memory_history(graph, principal(tenant, resource="r1"), Where(), "c", 5, None)
    assert [(state.name, state.key_name) for state in one.items] == [("c.d", None)]
    with pytest.raises(InvalidInput, match="cursor"):
        await working_memory_history(graph, who, OF_R1, None, 5, "nonsense")


async def test_a_repeated_call_is_told_what_it_did(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await change(graph, who, a=1, b=1)
    update = MemoryUpdate(merge={"a": 2, "b": None, "c": "sesquipedalian"})
    first = await update_working_memory(graph, who, OF_R1, update, idempotency_key="k")
    await change(graph, who, a=3)
    again = await update_working_memory(graph, who, OF_R1, update, idempotency_key="k")
    assert sorted(again.changes or (), key=str) == sorted(first.changes or (), key=str)
    assert (again.version, await now(graph, who)) == (2, {"a": 3, "c": "sesquipedalian"})
    dry = await do(graph, who, MemoryOp(SET, "a", 4), dry_run=True)
    assert (dry.changes, (await now(graph, who))["a"]) == ((FieldChange("a", 3, 4, 4),), 3)
    assert (await labels(graph, tenant))["Field"] == 3
