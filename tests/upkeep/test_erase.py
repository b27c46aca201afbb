from __future__ import annotations

import pytest

from graphmem.access.keys import create_key
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.begin_turn import begin_turn
from graphmem.conversation.clone_thread import clone_thread
from graphmem.conversation.edit_message import edit_message
from graphmem.conversation.link_threads import link_threads
from graphmem.conversation.memory_state import Where
from graphmem.conversation.messages import Part
from graphmem.conversation.notices import post_notice
from graphmem.conversation.stage_messages import stage_messages
from graphmem.conversation.update_resource import ResourcePatch, update_resource
from graphmem.errors import Forbidden, InvalidInput, NotFound
from graphmem.graph.gateway import Graph
from graphmem.ingest.document import ingest_document
from graphmem.jobs import jobs
from graphmem.knowledge.remember import remember
from graphmem.knowledge.update import Patch, update
from graphmem.upkeep.audits import run_audits
from graphmem.upkeep.erase import erase_resource
from graphmem.values import EdgeType, MemoryScope, PartType, Scope, Tenant
from tests.conftest import Settle
from tests.conversation.support import labels, said, thread, words
from tests.conversation.test_whole_threads import remembered
from tests.factories import edge, node, principal
from tests.knowledge.support import contained, mention_edges, stored_entities


async def filled(graph: Graph, tenant: Tenant, settle: Settle, resource: str) -> None:
    """A resource that has one of everything."""
    caller = await thread(graph, tenant, f"{resource} t1", resource)
    await update_resource(graph, caller, resource, ResourcePatch(f"Sesquipedalian {resource}"))
    messages = [said("A sesquipedalian question.", f"{resource} m1"), said("Word after word. " * 120)]
    await append_turn(graph, caller, f"{resource} t1", messages)
    edited = (Part(PartType.TEXT, text="The sesquipedalian question."),)
    await edit_message(graph, caller, f"{resource} m1", edited)
    await begin_turn(graph, caller, f"{resource} t1", turn=f"{resource} open")
    await stage_messages(graph, caller, f"{resource} open", [said("A sesquipedalian draft."), said("And more.")])
    await clone_thread(graph, caller, f"{resource} t1", new=f"{resource} t2")
    await link_threads(graph, caller, f"{resource} t1", f"{resource} t2", "a sesquipedalian reason")
    await post_notice(graph, caller, "A sesquipedalian notice.", thread=f"{resource} t1")
    for scope in MemoryScope:
        await remembered(graph, caller, Where(scope, thread=f"{resource} t1"), f"{resource} m1")
    note = node(f"{resource} k1", "Sesquipedalian", "Shared one. " * 200, resource=resource)
    await remember(graph, caller, [note], [edge(f"{resource} k1", EdgeType.RELATED_TO, "shared")], resource=resource)
    await update(graph, caller, f"{resource} k1", Patch(content="Sesquipedalian too."), resource=resource)
    await remember(graph, caller, [], [edge(f"{resource} k1", EdgeType.DEPENDS_ON, "nowhere")], resource=resource)
    text = f"# Sesquipedalian\n\nOf {resource}.\n"
    await ingest_document(graph, caller, text, f"{resource}.md", resource=resource)
    await settle()


async def test_nothing_of_an_erased_resource_is_left(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    caller = principal(tenant)
    await remember(graph, caller, [node("shared", "Shared one")], [])
    await settle()
    await create_key(graph, tenant, name="bound", scopes=[Scope.READ], resource="r1")
    before = await labels(graph, tenant)
    await filled(graph, tenant, settle, "r1")
    done = await erase_resource(graph, caller, "r1", idempotency_key="k")
    assert (done.threads, done.turns, done.messages, done.notices, done.documents) == (2, 3, 6, 1, 1)
    assert done.knowledge == 2
    assert done.revisions == 2
    assert done.fields == 4
    assert done.chunks > 1
    assert {kept.what: kept.count for kept in done.kept} == {"change log": 4, "API keys": 1}
    await settle()
    assert {label for label in await labels(graph, tenant) - before if label != "Job"} == set()
    named = [text for job in (await jobs(graph, tenant)).items for text in (str(job.payload), str(job.result))]
    assert [text for text in named if "r1" in text] == []
    assert await words(graph, tenant, "sesquipedalian") == []
    assert await erase_resource(graph, caller, "r1", idempotency_key="k") == done
    with pytest.raises(NotFound, match="'r1'"):
        await erase_resource(graph, caller, "r1")


async def test_jobs_that_wait_are_told_by_their_number(graph: Graph, tenant: Tenant) -> None:
    """Of two notes that one call brought there are two: one for their vectors, one for their edges."""
    caller = principal(tenant)
    await remember(graph, caller, [node("k1", resource="r1"), node("k2", resource="r1")], resource="r1")
    assert len((await jobs(graph, tenant)).items) == 2
    done = await erase_resource(graph, caller, "r1")
    assert (done.knowledge, done.jobs) == (2, 0)
    assert {kept.what: kept.count for kept in done.kept} == {"change log": 2, "waiting jobs": 2}


async def test_what_the_names_of_an_erased_note_did_to_others_is_undone(
    graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    """As deleteKnowledge does it: counts, spellings, and the shorter names that it hid."""
    caller = principal(tenant)
    texts = [node("n1", "Note", "We met Otto Kringel at the Red Fox Inn."), node("fox", "Red Fox", "An animal.")]
    await remember(graph, caller, texts)
    await settle()
    before = await labels(graph, tenant), await stored_entities(graph, tenant), await contained(graph, tenant)
    edges = await mention_edges(graph, tenant)
    inn = node("inn", "Red Fox Inn", "OTTO KRINGEL owns it. So says Otto Kringel.", resource="r1")
    shared = node("inn2", "Otto Kringel's house", "Otto Kringel lives at the Red Fox Inn.", resource="r1")
    await remember(graph, caller, [inn, shared], resource="r1")
    await settle()
    assert await contained(graph, tenant) != before[2]
    await erase_resource(graph, caller, "r1")
    await settle()
    assert await mention_edges(graph, tenant) == edges
    after = await labels(graph, tenant), await stored_entities(graph, tenant), await contained(graph, tenant)
    assert {key: count for key, count in (after[0] - before[0]).items() if key != "Job"} == {}
    assert after[1:] == before[1:]
    assert [(name, rows) async for name, rows in run_audits(graph, tenant) if rows] == []


async def test_what_is_anothers_stays(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    """B47."""
    caller = principal(tenant)
    await remember(graph, caller, [node("shared", "Shared one")], [])
    await filled(graph, tenant, settle, "r2")
    before = await labels(graph, tenant)
    said_before = sorted(await words(graph, tenant, "sesquipedalian"))
    await filled(graph, tenant, settle, "r1")
    dry = await erase_resource(graph, caller, "r1", dry_run=True)
    assert await erase_resource(graph, caller, "r1") == dry
    await settle()
    after = await labels(graph, tenant)
    assert {label for label in {*before, *after} if before[label] != after[label]} <= {"Job"}
    assert sorted(await words(graph, tenant, "sesquipedalian")) == said_before


async def test_only_an_admin_who_may_name_it_erases_a_resource(graph: Graph, tenant: Tenant) -> None:
    """B47: nobody is erased by a name that is none."""
    await thread(graph, tenant)
    for who in (principal(tenant, Scope.WRITE), principal(tenant, resource="r2")):
        with pytest.raises(Forbidden):
            await erase_resource(graph, who, "r1")
    with pytest.raises(InvalidInput):
        await erase_resource(graph, principal(tenant), "*")
    for nobody in ("r9", "", " "):
        with pytest.raises((NotFound, InvalidInput)):
            await erase_resource(graph, principal(tenant), nobody)
    with pytest.raises(NotFound):
        await erase_resource(graph, principal(Tenant(f"{tenant} 2")), "r1")
    assert (await labels(graph, tenant))["Thread"] == 1
