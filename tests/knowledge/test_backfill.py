"""What migrations write into a graph of a version before."""

from __future__ import annotations

import pytest

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.ingest.document import ingest_document
from graphmem.knowledge.conflicts import conflicts, flag_conflict
from graphmem.knowledge.remember import remember
from graphmem.knowledge.suggestions import Kind, suggestions
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
