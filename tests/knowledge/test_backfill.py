"""What migrations write into a graph of a version before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.ingest.document import ingest_document
from graphmem.knowledge.conflicts import conflicts, flag_conflict
from graphmem.knowledge.remember import remember
from graphmem.knowledge.suggestions import Kind, suggestions
from graphmem.knowledge.update import Patch, update
from graphmem.values import Tenant
from tests.factories import node, principal
from tests.knowledge.support import probing


@pytest.fixture
async def older(graph: Graph, tenant: Tenant) -> Graph:
    """A graph with a contradiction, an over-long note and an ingested document, as a version before left them."""
    who = principal(tenant)
    await remember(graph, who, [node("a", content="word\n" * 301), node("b", content="word " * 300)])
    await flag_conflict(graph, who, "a", "b")
    await ingest_document(graph, who, "# Guide\n\nHow it is.\n\n## Old\n\nGone soon.", "guide.md")
    await probing(graph).run("probe/forget_marks", tenant=tenant)
    return graph


async def test_contradictions_get_their_tenant(older: Graph, tenant: Tenant) -> None:
    assert (await conflicts(older, View(tenant), 10, None)).items == ()
    await older.run_schema("migrations/0033_conflict_tenant")
    (found,) = (await conflicts(older, View(tenant), 10, None)).items
    assert (found.first.id, found.second.id) == ("a", "b")


async def test_over_long_notes_get_their_number_of_words(older: Graph, tenant: Tenant) -> None:
    assert (await suggestions(older, View(tenant), Kind.SPLIT, 10, None)).items == ()
    await older.run_schema("migrations/0037_over_long")
    (found,) = (await suggestions(older, View(tenant), Kind.SPLIT, 10, None)).items
    assert (found.nodes[0].id, found.words) == ("a", 301)


async def test_what_ingest_took_from_a_document_is_still_known_as_such(older: Graph, tenant: Tenant) -> None:
    await older.run_schema("migrations/0038_evidence_origin")
    done = await ingest_document(older, principal(tenant), "# Guide\n\nHow it is.", "guide.md")
    assert len(done.archived) == 1


async def test_nodes_and_what_they_were_get_their_time_of_creation_among_the_facets(
    graph: Graph, tenant: Tenant
) -> None:
    times = [
        datetime(33, 1, 2, 3, 4, 5, 6, UTC), datetime(2024, 12, 31, 23, tzinfo=UTC),
        datetime(2024, 1, 1, 1, 30, 0, 120_000, timezone(timedelta(hours=2))), None,
    ]  # fmt: skip
    who, probe = principal(tenant), probing(graph)
    await remember(graph, who, [node(f"n{at}", created_at=time, tags=["x"]) for at, time in enumerate(times)])
    await update(graph, who, "n0", Patch(content="New"))
    had = sorted(row["facets"] for row in await probe.run("probe/forget_moments", tenant=tenant))
    assert len(had) == 5
    for _ in "once", "again":
        await graph.run_schema("migrations/0053_knowledge_moments")
        assert sorted(row["facets"] for row in await probe.read("probe/facets", tenant=tenant)) == had
