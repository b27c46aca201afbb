"""Working memory: what is to be known in every turn."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.access.principal import Principal
from graphmem.config import Settings
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.define_working_memory import define_working_memory
from graphmem.conversation.fields import MemoryOp, MemoryOpKind
from graphmem.conversation.memory_change import FieldChange, MemoryChanged
from graphmem.conversation.memory_state import Where
from graphmem.conversation.undo_working_memory import undo_working_memory
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.conversation.working_memory import WorkingMemory, memories, working_memory
from graphmem.errors import Conflict, Forbidden, InvalidInput, LimitExceeded, NotFound, VersionConflict
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.values import MemoryKind, MemoryScope, Scope, Tenant
from tests.conversation.support import said, thread
from tests.factories import principal

SET, UNSET, APPEND, REMOVE = MemoryOpKind
OF_R1 = Where(resource="r1")
OF_T1 = Where(MemoryScope.THREAD, thread="t1")
TEMPLATE = "# Customer\n\n## Identity\n- Name:\n- Plan: (free / pro / enterprise)\n\n## Follow-ups\n"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "seats": {"type": "integer"}, "tags": {"type": "array"}},
    "required": ["name"],
}


async def change(graph: Graph, who: Principal, where: Where = OF_R1, **more: Any) -> MemoryChanged:
    """By a merge patch."""
    return await update_working_memory(graph, who, where, MemoryUpdate(merge=more))


async def do(graph: Graph, who: Principal, *ops: MemoryOp, where: Where = OF_R1, **more: Any) -> MemoryChanged:
    return await update_working_memory(graph, who, where, MemoryUpdate(ops=ops), **more)


async def now(graph: Graph, who: Principal, where: Where = OF_R1) -> dict[str, object]:
    return (await working_memory(graph, who, where)).json


async def test_what_is_set_later_is_added(graph: Graph, tenant: Tenant) -> None:
    """R1, R2, B96: before anything was defined, and no resource is there yet."""
    who = principal(tenant)
    empty = await working_memory(graph, who, OF_R1)
    assert (empty.version, empty.fields, empty.markdown, empty.tokens, empty.profile) == (0, (), "", 0, None)
    first = await change(graph, who, about={"name": "N"}, people=[1, 2], work={"stage": "S"})
    assert (first.version, first.changed, first.owner) == (1, True, "r1")
    done = await change(graph, who, work={"stage": "T", "place": None})
    assert (done.version, done.changes) == (2, (FieldChange("work.stage", "S", "T", 2),))
    assert await now(graph, who) == {"about": {"name": "N"}, "people": [1, 2], "work": {"stage": "T"}}
    again = await change(graph, who, work={"stage": "T"}, about={})
    assert (again.version, again.changed, again.changes) == (2, False, ())


async def test_fifty_updates_at_once_have_fifty_effects(graph: Graph, tenant: Tenant) -> None:
    """R25, M-2."""
    who = principal(tenant)

    async def write(at: int) -> None:
        await do(graph, who, MemoryOp(SET, f"f{at}", at), MemoryOp(APPEND, "all", at))

    await asyncio.gather(*map(write, range(50)))
    found = await working_memory(graph, who, OF_R1)
    assert (found.version, len(found.fields)) == (50, 51)
    everything = found.json.pop("all")
    assert isinstance(everything, list)
    assert sorted(everything) == list(range(50))
    assert found.json == {f"f{at}": at for at in range(50)}


async def test_updates_of_other_fields_do_not_conflict(graph: Graph, tenant: Tenant) -> None:
    who = principal(tenant)
    await change(graph, who, a=1, b=1)
    ops = [MemoryOp(SET, name, 2, expected_version=1) for name in ("a", "b")]
    await asyncio.gather(*(do(graph, who, op) for op in ops))
    assert await now(graph, who) == {"a": 2, "b": 2}
    twice = await asyncio.gather(
        *(do(graph, who, MemoryOp(SET, "a", at, expected_version=2)) for at in (3, 4)), return_exceptions=True
    )
    (refused,) = [one for one in twice if isinstance(one, VersionConflict)]
    assert (refused.details["currentVersion"], refused.details["memoryField"]) == (3, "a")
    with pytest.raises(VersionConflict):
        await do(graph, who, MemoryOp(SET, "a", 5), expected_version=1)
    with pytest.raises(VersionConflict):
        await do(graph, who, MemoryOp(SET, "c", 5), MemoryOp(SET, "a", 5, expected_version=0))
    assert "c" not in await now(graph, who)
    assert (await do(graph, who, MemoryOp(SET, "c", 5, expected_version=0), expected_version=4)).version == 5


async def test_null_an_empty_list_and_an_empty_text_are_told_apart(graph: Graph, tenant: Tenant) -> None:
    """M-3, R4, B93."""
    who = principal(tenant)
    await change(graph, who, city="Bern", tags=["a"], name="Ann")
    for op in (MemoryOp(SET, "city"), MemoryOp(SET, "city", "")):
        with pytest.raises(InvalidInput, match="unset"):
            await do(graph, who, op)
    with pytest.raises(InvalidInput, match="one of ops, merge"):
        await update_working_memory(graph, who, OF_R1, MemoryUpdate())
    assert not (await change(graph, who)).changed
    emptied = await do(graph, who, MemoryOp(SET, "tags", []))
    assert emptied.changes == (FieldChange("tags", ["a"], [], 2),)
    gone = await change(graph, who, city=None, nothing=None)
    assert gone.changes == (FieldChange("city", "Bern", None, 2),)
    assert await now(graph, who) == {"tags": [], "name": "Ann"}
    back = await change(graph, who, city="Basel")
    assert back.changes == (FieldChange("city", None, "Basel", 3),)


async def test_a_template_is_filled_in(graph: Graph, tenant: Tenant) -> None:
    """C48, C50."""
    who = principal(tenant)
    await change(graph, who, Seats=5)
    done = await define_working_memory(graph, who, OF_R1, markdown=TEMPLATE)
    assert (done.version, done.defined, [one.code for one in done.warnings]) == (2, True, ["FIELDS_OUTSIDE_DEFINITION"])
    assert not (await define_working_memory(graph, who, OF_R1, markdown=TEMPLATE)).changed
    done = await do(
        graph, who, MemoryOp(SET, "plan", "free/pro/enterprise"), MemoryOp(SET, "Follow-ups", ["call"]),
        MemoryOp(SET, "Colour", "red"),
    )  # fmt: skip
    assert [(one.code, one.message) for one in done.warnings] == [
        ("HINT_IS_NO_VALUE", "only the template's hint was given for Identity.Plan; nothing was set"),
        ("FIELD_NOT_IN_TEMPLATE", "the template has no Colour; kept under Other"),
    ]
    found = await working_memory(graph, who, OF_R1)
    assert (found.definition.kind, found.missing) == (MemoryKind.TEMPLATE, ("Identity.Name", "Identity.Plan"))
    assert [one.name for one in found.fields] == ["Follow-ups", "Seats", "Colour"]
    assert found.markdown == f"{TEMPLATE}- call\n\n## Other\n- Seats: 5\n- Colour: red"
    edited = found.markdown.replace("(free / pro / enterprise)", "pro").replace("- Seats: 5", "- Seats: 6")
    done = await update_working_memory(graph, who, OF_R1, MemoryUpdate(markdown=edited))
    assert [(one.name, one.after) for one in done.changes or ()] == [("Identity.Plan", "pro"), ("Seats", 6)]
    same = await working_memory(graph, who, OF_R1)
    assert not (await update_working_memory(graph, who, OF_R1, MemoryUpdate(markdown=same.markdown))).changed


async def test_a_template_that_is_sent_back_wipes_nothing(graph: Graph, tenant: Tenant) -> None:
    """M-4, R3."""
    who = await thread(graph, tenant)
    await thread(graph, tenant, "t2")
    other = Where(MemoryScope.THREAD, thread="t2")
    for where in (OF_R1, OF_T1, other):
        await define_working_memory(graph, who, where, markdown=TEMPLATE)
        await do(graph, who, MemoryOp(SET, "Name", "Ann"), MemoryOp(SET, "Plan", "pro"), where=where)
    before = [await working_memory(graph, who, where) for where in (OF_R1, OF_T1, other)]
    near = TEMPLATE.replace("(free / pro / enterprise)", "free/pro/enterprise")
    for text in (TEMPLATE, near, before[0].markdown.replace("- Name: Ann\n", ""), "", "- Name: Ann"):
        with pytest.raises(InvalidInput, match=r"Identity\.|blank"):
            await update_working_memory(graph, who, other, MemoryUpdate(markdown=text))
    assert [await working_memory(graph, who, where) for where in (OF_R1, OF_T1, other)] == before
    lost = MemoryUpdate(markdown=near.replace("- Name:", "- Name: Bob"), allow_drop=True)
    done = await update_working_memory(graph, who, other, lost)
    assert {one.name: one.after for one in done.changes or ()} == {"Identity.Name": "Bob", "Identity.Plan": None}
    await undo_working_memory(graph, who, other)
    assert (await working_memory(graph, who, other)).json == before[2].json


async def test_a_schema_is_kept_to(graph: Graph, tenant: Tenant) -> None:
    """C49, R8."""
    who = principal(tenant)
    await define_working_memory(graph, who, OF_R1, schema=SCHEMA)
    found = await working_memory(graph, who, OF_R1)
    assert (found.json, found.missing, found.definition.schema) == ({}, ("name", "seats", "tags"), SCHEMA)
    await change(graph, who, seats=3)
    for patch in ({"seats": "three"}, {"seats": 3, "colour": "red"}, {"name": ["Ann"]}):
        with pytest.raises(InvalidInput, match="does not fit the schema"):
            await change(graph, who, **patch)
    with pytest.raises(InvalidInput, match="as json"):
        await update_working_memory(graph, who, OF_R1, MemoryUpdate(markdown="- seats: 3"))
    await update_working_memory(graph, who, OF_R1, MemoryUpdate(json={"seats": 4, "tags": [], "name": None}))
    assert await now(graph, who) == {"seats": 4, "tags": []}
    done = await define_working_memory(graph, who, OF_R1, schema={"properties": {"seats": {"maximum": 3}}})
    assert [one.message for one in done.warnings] == ["kept, though they don't fit the new form: its top, seats"]
    for given in ({}, {"markdown": "- A:", "schema": SCHEMA}, {"markdown": ""}, {"schema": {"properties": {"a": 1}}}):
        with pytest.raises(InvalidInput):
            await define_working_memory(graph, who, OF_R1, **given)  # type: ignore[arg-type]


async def test_a_resource_s_memory_is_that_of_all_its_threads_and_a_thread_s_its_own(
    graph: Graph, tenant: Tenant
) -> None:
    """C46, C47."""
    who = await thread(graph, tenant)
    await thread(graph, tenant, "t2")
    await thread(graph, tenant, "t3", "r2")
    await change(graph, who, Where(thread="t1"), name="Ann")
    await change(graph, who, OF_T1, task="pack")
    assert await now(graph, who, Where(thread="t2")) == {"name": "Ann"}
    assert await now(graph, who, Where(MemoryScope.THREAD, thread="t2")) == {}
    assert await now(graph, who, Where(thread="t3")) == {}
    with count_trips() as trips:
        both = await memories(graph, who, None, "t1")
    assert {one.scope: one.json for one in both} == {
        MemoryScope.THREAD: {"task": "pack"},
        MemoryScope.RESOURCE: {"name": "Ann"},
    }
    assert trips.count == 1


async def test_who_may_read_and_write_it(graph: Graph, tenant: Tenant) -> None:
    who = await thread(graph, tenant)
    await change(graph, who, OF_T1, a=1)
    stranger = principal(tenant, resource="r2")
    for where, error in ((OF_T1, NotFound), (OF_R1, Forbidden), (Where(thread="t1"), NotFound)):
        for verb in (working_memory(graph, stranger, where), change(graph, stranger, where, a=2)):
            with pytest.raises(error):
                await verb
    for where in (Where(MemoryScope.THREAD, "r2", "t1"), Where(resource="r2", thread="t1")):
        with pytest.raises(NotFound):
            await working_memory(graph, who, where)
    for where in (Where(), Where(MemoryScope.THREAD, "r1"), Where(resource="*")):
        with pytest.raises(InvalidInput):
            await change(graph, who, where, a=1)
    with pytest.raises(Conflict, match="not a resource"):
        await change(graph, who, Where(resource="t1"), a=1)
    with pytest.raises(Forbidden):
        await change(graph, principal(tenant, Scope.READ), a=1)
    assert await now(graph, principal(Tenant(f"{tenant} 2"))) == {}
    assert await now(graph, principal(tenant, resource="r1"), Where()) == {}


async def test_a_field_says_what_it_rests_on(graph: Graph, tenant: Tenant) -> None:
    """C73."""
    who = await thread(graph, tenant)
    await thread(graph, tenant, "t2")
    when = datetime(2026, 3, 1, tzinfo=UTC)
    await append_turn(graph, who, "t1", [said("I am on pro.", "m1", created_at=when), said("In Bern.", "m2")])
    await append_turn(graph, who, "t2", [said("Elsewhere.", "m3")])
    plan = MemoryOp(SET, "plan", "pro", source="m1", verify_elsewhere=True)
    later = datetime(2026, 4, 1, tzinfo=UTC)
    await update_working_memory(graph, who, OF_R1, MemoryUpdate(ops=[plan, MemoryOp(SET, "city", "Bern")], as_of=later))
    city, plan_field = (await working_memory(graph, who, OF_R1)).fields
    assert (plan_field.source, plan_field.as_of, plan_field.verify_elsewhere) == ("m1", when, True)
    assert (city.source, city.as_of, city.verify_elsewhere, city.text, city.tokens) == (None, later, False, "Bern", 5)
    assert not (await change(graph, who, plan="pro")).changed
    confirmed = await do(graph, who, MemoryOp(SET, "plan", "pro", source="m3"))
    assert confirmed.changed
    plan_field = (await working_memory(graph, who, OF_R1)).fields[1]
    assert (plan_field.source, plan_field.verify_elsewhere, plan_field.version) == ("m3", True, 2)
    for uid, where in (("m3", OF_T1), ("nothing", OF_R1), ("m1", Where(resource="r2"))):
        with pytest.raises(NotFound, match=uid):
            await do(graph, who, MemoryOp(SET, "plan", "free", source=uid), where=where)


async def test_much_of_it_is_warned_of_with_the_largest_fields(graph: Graph, tenant: Tenant) -> None:
    """C76."""
    small = Graph(graph.driver, Settings(memory_tokens=50))
    who = principal(tenant)
    await change(small, who, notes="word " * 60, name="Ann", more="word " * 20)
    found: WorkingMemory = await working_memory(small, who, OF_R1)
    (warning,) = found.warnings
    assert warning.code == "WORKING_MEMORY_LARGE"
    assert f"it has {found.tokens} tokens" in warning.message
    assert [one.split()[0] for one in warning.message.partition("largest: ")[2].split(", ")] == [
        "notes",
        "more",
        "name",
    ]
    assert (await working_memory(graph, who, OF_R1)).warnings == ()
    with pytest.raises(LimitExceeded):
        await do(graph, who, *[MemoryOp(SET, "a", 1)] * 300)


async def test_an_unrelated_turn_leaves_it_as_it_is(graph: Graph, tenant: Tenant) -> None:
    """R5, C51: nothing here asks for a model."""
    who = await thread(graph, tenant)
    await change(graph, who, name="Ann")
    before = await working_memory(graph, who, OF_R1)
    await append_turn(graph, who, "t1", [said(f"It knows:\n{before.markdown}")])
    assert await working_memory(graph, who, OF_R1) == before


async def test_a_field_takes_the_name_that_a_form_has_for_it(graph: Graph, tenant: Tenant) -> None:
    who = await thread(graph, tenant)
    await append_turn(graph, who, "t1", [said("I am Ann.", "m1")])
    await do(graph, who, MemoryOp(SET, "name", "Ann", source="m1"), MemoryOp(SET, "x", 1))
    done = await define_working_memory(graph, who, OF_R1, markdown=TEMPLATE)
    assert {one.name: one.after for one in done.changes or ()} == {"name": None, "Identity.Name": "Ann"}
    found = await working_memory(graph, who, OF_R1)
    assert [(one.name, one.source) for one in found.fields] == [("Identity.Name", "m1"), ("x", None)]
    await undo_working_memory(graph, who, OF_R1)
    assert await now(graph, who) == {"name": "Ann", "x": 1}
