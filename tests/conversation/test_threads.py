from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem.access.principal import Principal
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.create_thread import IfExists, ThreadChanged, ThreadInput, create_thread
from graphmem.conversation.get import related_threads, resources_by_id, threads_by_id
from graphmem.conversation.link_threads import link_threads
from graphmem.conversation.listing import ResourceFilter, ThreadFilter, ThreadOrder, resources, threads
from graphmem.conversation.update_resource import ResourcePatch, update_resource
from graphmem.conversation.update_thread import ThreadPatch, update_thread
from graphmem.errors import Conflict, Forbidden, InvalidInput, NotFound, VersionConflict
from graphmem.graph.gateway import Graph
from graphmem.knowledge.remember import remember
from graphmem.values import ContextType, Scope, Tenant
from tests import factories
from tests.conversation.support import labels, said, thread
from tests.factories import principal


async def test_a_thread_is_made_once_and_never_taken_over(graph: Graph, tenant: Tenant) -> None:
    """M-19."""
    caller = await thread(graph, tenant, title="Mine", metadata={"a": 1})
    before = await labels(graph, tenant)
    for resource in ("r1", "r2"):
        with pytest.raises(Conflict, match="'t1' is in use"):
            await create_thread(graph, caller, ThreadInput(resource, "t1", title="Taken", metadata={}))
    stored = (await threads_by_id(graph, caller, ["t1"]))["t1"]
    assert (stored.resource, stored.title, stored.metadata) == ("r1", "Mine", {"a": 1})
    assert await labels(graph, tenant) == before


async def test_a_thread_that_may_be_there_is_told_as_it_is(graph: Graph, tenant: Tenant) -> None:
    caller = principal(tenant)

    async def make(resource: str, who: Principal = caller, **more: Any) -> ThreadChanged:
        return await create_thread(graph, who, ThreadInput(resource, "t1", **more), if_exists=IfExists.RETURN)

    given: dict[str, Any] = {"title": "Mine", "topic": "bills", "metadata": {"a": 1}, "speakers": ["Ann"]}
    done = await asyncio.gather(*(make("r1", **given) for _ in range(6)))
    assert set(done) == {ThreadChanged("t1", "r1", 1)}
    await update_thread(graph, caller, "t1", ThreadPatch(topic="orders"))
    before = (await threads_by_id(graph, caller, ["t1"]))["t1"]
    assert await make("r1", title="Taken", metadata={}) == ThreadChanged("t1", "r1", 2)
    assert (await threads_by_id(graph, caller, ["t1"]))["t1"] == before
    assert await make("r1", principal(tenant, resource="r1")) == ThreadChanged("t1", "r1", 2)
    for who in (caller, principal(tenant, resource="r2")):
        with pytest.raises(Conflict, match="'t1' is in use"):
            await make("r2", who)
    await remember(graph, caller, [factories.node("note")], [])
    with pytest.raises(Conflict, match="'note' is in use"):
        await create_thread(graph, caller, ThreadInput("r1", "note"), if_exists=IfExists.RETURN)
    assert (await labels(graph, tenant))["Resource"] == 1


async def test_what_a_patch_names_with_none_goes(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant, topic="billing")
    assert (await update_thread(graph, caller, "t1", ThreadPatch(topic=None))).version == 2
    assert (await threads_by_id(graph, caller, ["t1"]))["t1"].topic is None
    assert (await update_thread(graph, caller, "t1", ThreadPatch(topic=None))).version == 2
    await update_resource(graph, caller, "r1", ResourcePatch("Acme"))
    assert (await update_resource(graph, caller, "r1", ResourcePatch(metadata={"a": 1}))).version == 3
    assert (await resources_by_id(graph, caller, ["r1"]))["r1"].name == "Acme"
    assert (await update_resource(graph, caller, "r1", ResourcePatch(None))).version == 4
    assert (await resources_by_id(graph, caller, ["r1"]))["r1"].name is None


async def test_a_key_gives_the_same_thread_again(graph: Graph, tenant: Tenant) -> None:
    caller = principal(tenant)
    calls = [create_thread(graph, caller, ThreadInput("r1"), idempotency_key="k") for _ in range(4)]
    assert len(set(await asyncio.gather(*calls))) == 1
    assert (await labels(graph, tenant))["Thread"] == 1


async def test_of_many_at_once_one_makes_the_thread_and_the_resource(graph: Graph, tenant: Tenant) -> None:
    caller = principal(tenant)
    calls = [create_thread(graph, caller, ThreadInput("r1", "t1")) for _ in range(6)]
    done = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(one, Conflict) for one in done) == 5
    assert await labels(graph, tenant) == {"Resource": 1, "Thread": 1}


async def test_of_two_resources_that_make_one_thread_at_once_one_has_it(graph: Graph, tenant: Tenant) -> None:
    """B33."""
    caller = principal(tenant)
    for at in range(10):
        given = [ThreadInput(resource, f"t{at}", resource, metadata={"of": resource}) for resource in ("r1", "r2")]
        done = await asyncio.gather(*(create_thread(graph, caller, one) for one in given), return_exceptions=True)
        (won,) = [one.resource for one, made in zip(given, done, strict=True) if not isinstance(made, BaseException)]
        assert sum(isinstance(one, Conflict) for one in done) == 1
        stored = (await threads_by_id(graph, caller, [f"t{at}"]))[f"t{at}"]
        assert (stored.resource, stored.title, stored.metadata) == (won, won, {"of": won})


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (ThreadInput(None), "resourceId"),
        (ThreadInput("*"), "resourceId"),
        (ThreadInput(" "), "resource"),
        (ThreadInput("r1", ""), "id"),
        (ThreadInput("r1", title=" "), "title"),
        (ThreadInput("r1", topic="x" * 501), "topic"),
        (ThreadInput("r1", speakers=[""]), "speakers[0]"),
        (ThreadInput("r1", metadata={"a": float("nan"), "b": object()}), "metadata"),
    ],
)
async def test_what_must_not_be_stored_is_refused_by_name(
    graph: Graph, tenant: Tenant, given: ThreadInput, field: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        await create_thread(graph, principal(tenant), given)
    assert refused.value.field == field
    assert await labels(graph, tenant) == {}


async def test_an_id_of_a_note_is_no_resource(graph: Graph, tenant: Tenant) -> None:
    caller = principal(tenant)
    await remember(graph, caller, [factories.node("note")], [])
    with pytest.raises(Conflict, match="not a resource"):
        await create_thread(graph, caller, ThreadInput("note"))
    with pytest.raises(Conflict, match="not a resource"):
        await update_resource(graph, caller, "note", ResourcePatch("A name"))


async def test_a_bound_key_makes_threads_of_its_resource_alone(graph: Graph, tenant: Tenant) -> None:
    bound = principal(tenant, Scope.WRITE, resource="r1")
    assert (await create_thread(graph, bound, ThreadInput(None))).resource == "r1"
    with pytest.raises(Forbidden):
        await create_thread(graph, bound, ThreadInput("r2"))
    with pytest.raises(Forbidden):
        await create_thread(graph, principal(tenant, Scope.READ), ThreadInput("r1"))


async def test_a_patch_keeps_what_it_does_not_name(graph: Graph, tenant: Tenant) -> None:
    """R23."""
    caller = await thread(graph, tenant, title="Mine", topic="billing", metadata={"a": 1, "b": {"c": 2}})
    done = await update_thread(graph, caller, "t1", ThreadPatch(metadata={"a": None, "d": [3]}))
    stored = (await threads_by_id(graph, caller, ["t1"]))["t1"]
    assert (stored.metadata, stored.title, stored.topic) == ({"b": {"c": 2}, "d": [3]}, "Mine", "billing")
    assert (done.version, stored.version) == (2, 2)
    assert (await update_thread(graph, caller, "t1", ThreadPatch(metadata={"a": None}))).version == 2
    page = await threads(graph, caller, ThreadFilter("r1", metadata={"d": [3]}), ThreadOrder.CREATED_DESC, 5, None)
    assert [one.id for one in page.items] == ["t1"]


async def test_a_title_that_was_given_stays(graph: Graph, tenant: Tenant) -> None:
    """C69, R24."""
    caller = await thread(graph, tenant)
    await append_turn(graph, caller, "t1", [said("First words.")])
    await update_thread(graph, caller, "t1", ThreadPatch(title="Given"))
    await append_turn(graph, caller, "t1", [said("Later words.")])
    stored = (await threads_by_id(graph, caller, ["t1"]))["t1"]
    assert (stored.title, stored.title_pinned) == ("Given", True)


async def test_an_update_names_the_version_it_worked_from(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    calls = [update_thread(graph, caller, "t1", ThreadPatch(topic=f"{n}"), expected_version=1) for n in range(4)]
    done = await asyncio.gather(*calls, return_exceptions=True)
    lost = [one for one in done if isinstance(one, VersionConflict)]
    assert len(lost) == 3
    assert {one.details["currentVersion"] for one in lost} == {2}


async def test_patches_at_once_lose_nothing(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await asyncio.gather(*(update_thread(graph, caller, "t1", ThreadPatch(metadata={f"k{n}": n})) for n in range(12)))
    assert (await threads_by_id(graph, caller, ["t1"]))["t1"].metadata == {f"k{n}": n for n in range(12)}


async def test_links_count_both_ways_within_a_resource(graph: Graph, tenant: Tenant) -> None:
    """C17."""
    caller = await thread(graph, tenant)
    await thread(graph, tenant, "t2")
    await thread(graph, tenant, "t3", "r2")
    assert (await link_threads(graph, caller, "t1", "t2", "of one day")).changed
    assert not (await link_threads(graph, caller, "t2", "t1")).changed
    found = await related_threads(graph, caller, ["t1", "t2", "t3"])
    assert {uid: [one.id for one in linked] for uid, linked in found.items()} == {"t1": ["t2"], "t2": ["t1"]}
    for ends, error in ((("t1", "t1"), InvalidInput), (("t1", "t3"), InvalidInput), (("t1", "t9"), NotFound)):
        with pytest.raises(error):
            await link_threads(graph, caller, *ends)
    with pytest.raises(NotFound):
        await link_threads(graph, principal(tenant, resource="r2"), "t1", "t2")
    assert (await link_threads(graph, caller, "t2", "t1", unlink=True)).changed
    assert await related_threads(graph, caller, ["t1", "t2"]) == {}


async def test_threads_are_listed_by_what_they_are_about(graph: Graph, tenant: Tenant) -> None:
    """C15, C16, R36."""
    caller = await thread(graph, tenant, context_type=ContextType.SUPPORT, topic="billing", metadata={"project": "A"})
    await thread(graph, tenant, "t2", context_type=ContextType.RESEARCH, metadata={"project": "B", "n": 1})
    await thread(graph, tenant, "t3", "r2", metadata={"project": "A"})

    async def listed(**wanted: Any) -> list[str]:
        page = await threads(graph, caller, ThreadFilter(**wanted), ThreadOrder.CREATED_DESC, 10, None)
        return [one.id for one in page.items]

    assert await listed(resource="r1") == ["t2", "t1"]
    assert await listed(resource="r1", context_types=[ContextType.SUPPORT]) == ["t1"]
    assert await listed(resource="r1", topic="billing") == ["t1"]
    assert await listed(resource="r1", metadata={"project": "B", "n": 1.0}) == ["t2"]
    assert await listed(resource="r1", metadata={"project": "C"}) == []
    assert await listed(metadata={"project": "A"}) == ["t3", "t1"]


async def test_only_an_admin_lists_the_threads_of_all_resources(graph: Graph, tenant: Tenant) -> None:
    await thread(graph, tenant)
    with pytest.raises(InvalidInput, match="resourceId"):
        await threads(graph, principal(tenant, Scope.READ), ThreadFilter(), ThreadOrder.CREATED_DESC, 5, None)
    with pytest.raises(InvalidInput, match="orderBy"):
        await threads(graph, principal(tenant), ThreadFilter(), ThreadOrder.ACTIVE_DESC, 5, None)
    page = await threads(
        graph, principal(tenant, resource="r2"), ThreadFilter(), ThreadOrder.ACTIVE_DESC, 5, None
    )  # fmt: skip
    assert page.items == ()


@pytest.mark.parametrize("order", ThreadOrder)
async def test_pages_of_threads_neither_skip_nor_repeat_under_inserts(
    graph: Graph, tenant: Tenant, order: ThreadOrder
) -> None:
    """R28."""
    caller = principal(tenant)
    for at in range(7):
        await thread(graph, tenant, f"t{at}")
    seen: list[str] = []
    after = None
    for at in range(4):
        page = await threads(graph, caller, ThreadFilter("r1"), order, 2, after)
        seen += [one.id for one in page.items]
        after = page.cursors[-1]
        assert page.has_next == (at < 3)
        await thread(graph, tenant, f"new {at}")
    assert seen == [f"t{at}" for at in reversed(range(7))]
    other = next(one for one in ThreadOrder if one is not order)
    with pytest.raises(InvalidInput, match="after"):
        await threads(graph, caller, ThreadFilter("r1"), other, 2, after)


async def test_resources_are_made_with_their_threads_and_named_later(graph: Graph, tenant: Tenant) -> None:
    caller = await thread(graph, tenant)
    await thread(graph, tenant, "t2", "r2")
    assert (await update_resource(graph, caller, "r1", ResourcePatch("Acme", {"plan": "pro"}, ["Ann"]))).version == 2
    assert (await update_resource(graph, caller, "r1", ResourcePatch(metadata={"plan": None, "x": 1}))).version == 3
    assert (await update_resource(graph, caller, "r3", ResourcePatch("New"), expected_version=0)).version == 1
    with pytest.raises(VersionConflict):
        await update_resource(graph, caller, "r1", ResourcePatch("Other"), expected_version=1)
    stored = (await resources_by_id(graph, caller, ["r1"]))["r1"]
    assert (stored.name, stored.metadata, stored.speakers) == ("Acme", {"x": 1}, ("Ann",))
    assert [one.id for one in (await resources(graph, caller, ResourceFilter(), 10, None)).items] == ["r3", "r2", "r1"]
    assert [one.id for one in (await resources(graph, caller, ResourceFilter("Acme"), 10, None)).items] == ["r1"]
    bound = principal(tenant, resource="r2")
    own = await resources(graph, bound, ResourceFilter(), 10, None)
    assert [one.id for one in own.items] == ["r2"]
    assert (await resources(graph, bound, ResourceFilter(), 10, own.cursors[0])).items == ()
    assert (await resources(graph, bound, ResourceFilter("Acme"), 10, None)).items == ()
    await update_resource(graph, caller, "r2", ResourcePatch("Acme"))
    assert [one.id for one in (await resources(graph, bound, ResourceFilter("Acme"), 10, None)).items] == ["r2"]
    assert await resources_by_id(graph, bound, ["r1"]) == {}


async def test_resources_are_listed_by_their_metadata(graph: Graph, tenant: Tenant) -> None:
    caller = principal(tenant)
    for uid, metadata in (("r1", {"plan": "pro", "seats": 3}), ("r2", {"plan": "free"}), ("r3", {"plan": "pro"})):
        await update_resource(graph, caller, uid, ResourcePatch(metadata=metadata))
    await thread(graph, tenant, "t4", "r4")

    async def listed(who: Principal = caller, **metadata: Any) -> list[str]:
        return [one.id for one in (await resources(graph, who, ResourceFilter(metadata=metadata), 10, None)).items]

    assert await listed() == ["r4", "r3", "r2", "r1"]
    assert await listed(plan="pro") == ["r3", "r1"]
    assert await listed(plan="pro", seats=3.0) == ["r1"]
    assert await listed(plan="none") == []
    await update_resource(graph, caller, "r1", ResourcePatch(metadata={"plan": None}))
    assert await listed(plan="pro") == ["r3"]
    bound = principal(tenant, resource="r2")
    assert (await listed(bound, plan="free"), await listed(bound, plan="pro")) == (["r2"], [])


async def test_another_tenants_threads_are_not_there(graph: Graph, tenant: Tenant) -> None:
    await thread(graph, tenant)
    stranger = principal(Tenant(f"{tenant} 2"))
    assert await threads_by_id(graph, stranger, ["t1"]) == {}
    assert (await threads(graph, stranger, ThreadFilter("r1"), ThreadOrder.CREATED_DESC, 5, None)).items == ()
    assert (await resources(graph, stranger, ResourceFilter(), 5, None)).items == ()
    with pytest.raises(NotFound):
        await update_thread(graph, stranger, "t1", ThreadPatch(topic="x"))
    await thread(graph, stranger.tenant, title="Of its own")
    assert (await threads_by_id(graph, principal(tenant), ["t1"]))["t1"].title is None
