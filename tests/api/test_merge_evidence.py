"""What a merged edge and a merged note rest on."""

from __future__ import annotations

from graphmem.graph.gateway import Graph
from graphmem.values import FOREVER, Tenant
from tests.api.test_merge import MERGE, merge, unmerge
from tests.client import Client
from tests.factories import arrow, note
from tests.knowledge.support import stored_edges
from tests.operations import remember

DERIVED = """query ($id: ID!) {
  knowledge(id: $id) {
    derivedFrom { path } supersededBy { id }
    edges(direction: OUT) { edges { edge { type to source reason weight } } } } }"""
INGEST = 'mutation ($path: String!) { ingestDocument(path: $path, text: "# Guide\\n\\nHow it is.") { documentId } }'


async def test_edges_that_become_one_have_the_heavier_ones_source_and_the_evidence_of_both_adds_up(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    """B90"""
    one, two = [
        (await client.query(INGEST, path=path))["ingestDocument"]["documentId"] for path in ("one.md", "two.md")
    ]
    await remember(
        client,
        [note("a", derivedFrom=[one]), note("b", derivedFrom=[one, two]), note("c"), note("d")],
        [
            arrow("a", "RELATED_TO", "b"),
            arrow("a", "DEPENDS_ON", "c", source="DOCS", reason="the manual", weight=0.4),
            arrow("b", "DEPENDS_ON", "c", source="CONVERSATION", reason="support said so", weight=0.6),
            arrow("b", "DEPENDS_ON", "d", source="DOCS", weight=0.6),
            arrow("a", "DEPENDS_ON", "d", source="INFERRED", weight=0.6),
        ],
    )
    before = [await client.query(DERIVED, id=uid) for uid in "ab"]
    assert (await merge(client, "a", "b", keep="b"))["evidence"] == 0
    kept, gone = [(await client.query(DERIVED, id=uid))["knowledge"] for uid in "ba"]
    told = [one["edge"] for one in kept["edges"]["edges"]]
    assert sorted(told, key=lambda edge: edge["to"]) == [
        {"type": "SUPERSEDES", "to": "a", "source": "DOCS", "reason": "merged", "weight": 1.0},
        {"type": "DEPENDS_ON", "to": "c", "source": "CONVERSATION", "reason": "support said so", "weight": 0.6},
        {"type": "DEPENDS_ON", "to": "d", "source": "DOCS", "reason": None, "weight": 0.6},
    ]
    assert [document["path"] for document in kept["derivedFrom"]] == ["one.md", "two.md"]
    assert (gone["supersededBy"], gone["edges"]["edges"]) == ([{"id": "b"}], [])
    (closed,) = await stored_edges(graph, tenant, "a", "DEPENDS_ON", "c")
    assert (closed["source"], closed["reason"], closed["recordedTo"] == FOREVER) == ("docs", "the manual", False)
    assert (await client.error(MERGE, ids=["b", "b"]))["code"] == "INVALID_INPUT"
    await unmerge(client, "b")
    assert [await client.query(DERIVED, id=uid) for uid in "ab"] == before
