"""The rows C01 to C13 of the list of capabilities, each through the public door."""

from __future__ import annotations

from math import ceil
from typing import Any

import pytest

from tests import factories, operations
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import arrow, chain, ids, note, plants
from tests.fakes.embedder import HashingEmbedder
from tests.operations import edges, knowledge, link, listed, remember, search, unlink

EXAMPLES = [
    {
        "id": "api-auth",
        "title": "API Authentication",
        "content": "The API uses Bearer token authentication...",
        "type": "PROCEDURE",
        "connections": ["api-endpoints", "security-policies"],
        "source": "DOCS",
        "confidence": 1.0,
        "createdAt": "2024-01-15T00:00:00Z",
        "tags": ["api"],
        "metadata": {"owner": "platform", "reviewed": True},
    },
    {
        "id": "api-endpoints",
        "title": "API Endpoints",
        "content": "Available endpoints include /users, /orders, /products...",
        "type": "CONCEPT",
        "connections": ["api-auth", "rate-limits"],
        "source": "DOCS",
        "confidence": 1.0,
        "createdAt": "2024-01-15T00:00:00Z",
    },
]


async def test_nodes_are_read_back_as_given(client: Client) -> None:
    """C01"""
    await remember(client, EXAMPLES)
    for given in EXAMPLES:
        stored = await knowledge(client, str(given["id"]))
        fields = {"tags": [], "metadata": {}, **given}
        targets = fields.pop("connections")
        assert {name: stored[name] for name in fields} == fields
        joined = [("RELATED_TO", uid) for uid in targets if uid in ("api-auth", "api-endpoints")]
        assert len(joined) == 1
        assert [edge[1:] for edge in await edges(client, str(given["id"]), direction="OUT")] == joined
    error = await client.error(operations.REMEMBER, nodes=[note("n", type="RUMOUR")])
    assert error["code"] == "INVALID_INPUT"
    assert "RUMOUR" in error["message"]


async def test_each_node_type_is_found_by_its_type(client: Client) -> None:
    """C02"""
    kinds = ["FACT", "CONCEPT", "PROCEDURE", "DECISION"]
    await remember(client, [note(kind.lower(), type=kind) for kind in kinds])
    for kind in kinds:
        assert ids((await listed(client, filter={"types": [kind]}))["nodes"]) == [kind.lower()]


async def test_a_bulk_write_is_embedded_in_batches_and_repeating_it_makes_nothing_new(
    client: Client, settle: Settle, embedder: HashingEmbedder
) -> None:
    """C03"""
    fifty = [note(f"n{at:02}", f"Subject {at:02}", f"Item number {at:02} of the list") for at in range(50)]
    await settle()
    calls = embedder.calls
    await remember(client, fifty)
    await settle()
    assert 1 <= embedder.calls - calls <= ceil(50 / 64)
    calls = embedder.calls
    again = await remember(client, fifty)
    await settle()
    assert (len(again["unchanged"]), again["created"], again["updated"]) == (50, [], [])
    assert embedder.calls == calls
    assert await operations.audit(client, "missing_vectors") == []
    found = await search(client, "subject", mode="VECTOR", topK=100, limit=100, expand=False)
    assert sorted(ids(found["hits"])) == [one["id"] for one in fifty]


async def test_connections_are_edges_and_those_to_missing_nodes_wait_for_them(client: Client) -> None:
    """C04"""
    done = await remember(client, EXAMPLES)
    assert {(one["from"], one["to"]) for one in done["pending"]} == {
        ("api-auth", "security-policies"),
        ("api-endpoints", "rate-limits"),
    }
    assert ("api-auth", "RELATED_TO", "api-endpoints") in await edges(client, "api-auth")
    assert len(await operations.audit(client, "dangling_links")) == 2
    done = await remember(client, [note("rate-limits")])
    assert done["edgesCreated"] == 1
    assert await edges(client, "rate-limits") == [("api-endpoints", "RELATED_TO", "rate-limits")]
    assert await operations.audit(client, "dangling_links") == [
        "api-auth -RELATED_TO-> security-policies waits for security-policies"
    ]


async def test_edges_are_typed_and_directed_and_superseding_never_runs_in_a_circle(client: Client) -> None:
    """C05"""
    await remember(client, plants(5))
    kinds = ["RELATED_TO", "DEPENDS_ON", "SUPERSEDES", "CONFLICTS_WITH"]
    await link(client, [arrow("p0", kind, f"p{at}") for at, kind in enumerate(kinds, 1)])
    for at, kind in enumerate(kinds, 1):
        assert await edges(client, "p0", types=[kind], direction="OUT") == [("p0", kind, f"p{at}")]
        assert await edges(client, "p0", types=[kind], direction="IN") == []
        assert await edges(client, f"p{at}", types=[kind], direction="IN") == [("p0", kind, f"p{at}")]
    error = await client.error(operations.LINK, edges=[arrow("p0", "LIKES", "p1")])
    assert error["code"] == "INVALID_INPUT"
    assert "LIKES" in error["message"]
    await link(client, [arrow("p3", "SUPERSEDES", "p4")])
    error = await client.error(operations.LINK, edges=[arrow("p4", "SUPERSEDES", "p0")])
    assert error["code"] == "CONFLICT"
    assert await edges(client, "p4", types=["SUPERSEDES"], direction="OUT") == []
    parted, absent = arrow("p0", "DEPENDS_ON", "p2"), arrow("p2", "DEPENDS_ON", "p0")
    assert await unlink(client, [parted, absent]) == {"closed": [parted], "absent": [absent]}
    assert await edges(client, "p2") == []
    assert ("p0", "RELATED_TO", "p1") in await edges(client, "p0")


async def test_a_search_gives_at_most_five_seeds_best_first_with_scores(client: Client, settle: Settle) -> None:
    """C06"""
    await remember(client, [note(f"n{at}", f"Payment topic {at}", "payment " * (at + 1)) for at in range(8)])
    await settle()
    hits = (await search(client, "payment topic", expand=False))["hits"]
    scores = [hit["score"] for hit in hits]
    assert len(hits) == 5
    assert scores == sorted(scores, reverse=True)
    assert all(score > 0 for score in scores)


async def test_expansion_is_on_unless_switched_off(client: Client, settle: Settle) -> None:
    """C07"""
    await remember(client, plants(4), chain("p0", "p1", "p2", "p3"))
    await settle()
    assert ids((await search(client, "alder", topK=1))["hits"]) == ["p0", "p1"]
    assert ids((await search(client, "alder", topK=1, maxDepth=3))["hits"]) == ["p0", "p1", "p2", "p3"]
    assert ids((await search(client, "alder", topK=1, maxDepth=3, expand=False))["hits"]) == ["p0"]


@pytest.mark.parametrize("depth", [0, 1, 2, 3])
async def test_depth_is_the_shortest_and_a_circle_ends(client: Client, settle: Settle, depth: int) -> None:
    """C08"""
    await remember(client, plants(4), chain("p0", "p1", "p2", "p3", "p1"))
    await settle()
    by_depth = {0: ["p0"], 1: ["p1"], 2: ["p2", "p3"], 3: []}
    hits = (await search(client, "alder", topK=1, maxDepth=depth))["hits"]
    found = {at: sorted(ids(hit for hit in hits if hit["depth"] == at)) for at in range(depth + 1)}
    assert found == {at: by_depth[at] for at in range(depth + 1)}


async def test_a_chain_is_walked_a_node_a_level(client: Client, settle: Settle) -> None:
    """C08"""
    await remember(client, plants(4), chain("p0", "p1", "p2", "p3", kind="DEPENDS_ON"))
    await link(client, [arrow("p3", "DEPENDS_ON", "p0")])
    await settle()
    for depth in range(4):
        hits = (await search(client, "alder", topK=1, maxDepth=depth))["hits"]
        assert [(hit["node"]["id"], hit["depth"]) for hit in hits] == [(f"p{at}", at) for at in range(depth + 1)]
    assert (await search(client, "alder", topK=1))["hits"][-1]["depth"] == 1


async def test_the_edges_among_and_out_of_the_hits_come_once(client: Client, settle: Settle) -> None:
    """C09"""
    joined = [*chain("p0", "p1", "p2"), arrow("p1", "RELATED_TO", "p0"), arrow("p1", "DEPENDS_ON", "p3")]
    await remember(client, plants(5), [*joined, arrow("p4", "DEPENDS_ON", "p3")])
    await settle()
    found = await search(client, "alder", topK=1)
    assert ids(found["hits"]) == ["p0", "p1"]
    triples = [(one["from"], one["type"], one["to"]) for one in found["edges"]]
    assert sorted(triples) == sorted({(one["from"], one["type"], one["to"]) for one in joined})


async def test_a_node_is_fetched_by_its_id_within_its_tenant(client: Client, connect_as: Connect) -> None:
    """C10"""
    await remember(client, [note("a")])
    other = await connect_as(tenant=factories.Tenant("another tenant"))
    assert (await knowledge(client, "a"))["id"] == "a"
    assert await knowledge(client, "b") is None
    assert await knowledge(other, "a") is None


async def test_a_node_has_one_of_four_sources(client: Client) -> None:
    """C11"""
    sources = ["DOCS", "CONVERSATION", "DECISION", "INFERRED"]
    await remember(client, [note(source.lower(), source=source) for source in sources])
    for source in sources:
        assert ids((await listed(client, filter={"sources": [source]}))["nodes"]) == [source.lower()]
        assert (await knowledge(client, source.lower()))["source"] == source
    error = await client.error(operations.REMEMBER, nodes=[note("n", source="HEARSAY")])
    assert error["code"] == "INVALID_INPUT"
    assert "HEARSAY" in error["message"]


@pytest.mark.parametrize(
    ("confidence", "band"),
    [
        (1.0, "VERIFIED"), (0.999, "HIGH"), (0.8, "HIGH"), (0.79, "MODERATE"), (0.5, "MODERATE"),
        (0.49, "SPECULATIVE"), (0.0, "SPECULATIVE"),
    ],
)  # fmt: skip
async def test_confidence_has_a_band(client: Client, confidence: float, band: str) -> None:
    """C12"""
    await remember(client, [note("n", confidence=confidence)])
    stored = await knowledge(client, "n")
    assert (stored["confidence"], stored["band"]) == (confidence, band)
    assert ids((await listed(client, filter={"band": band}))["nodes"]) == ["n"]


async def test_nodes_below_a_confidence_are_left_out(client: Client, settle: Settle) -> None:
    """C12"""
    await remember(client, [note(f"n{value}", "Tide tables", confidence=value / 10) for value in (0, 5, 8, 10)])
    await settle()
    assert set(ids((await listed(client, filter={"minConfidence": 0.8}))["nodes"])) == {"n8", "n10"}
    assert set(ids((await search(client, "tide tables", minConfidence=0.8))["hits"])) == {"n8", "n10"}
    for value in (1.2, -0.1):
        error = await client.error(operations.REMEMBER, nodes=[note("bad", confidence=value)])
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "nodes[0].confidence")


DERIVED = "query ($id: ID!) { knowledge(id: $id) { createdAt source derivedFrom { path title } } }"
INGEST = """
mutation ($path: String!, $text: String!) { ingestDocument(path: $path, text: $text) { created } }
"""


async def test_the_time_of_creation_and_the_document_a_node_came_from_are_kept(client: Client) -> None:
    """C13"""
    await remember(client, [note("a", createdAt="2024-01-15T00:00:00Z", source="CONVERSATION")])
    await remember(client, [note("a", content="Other words", createdAt="2026-01-01T00:00:00Z")])
    stored = (await client.query(DERIVED, id="a"))["knowledge"]
    assert stored == {"createdAt": "2024-01-15T00:00:00Z", "source": "CONVERSATION", "derivedFrom": []}
    made: dict[str, Any] = await client.query(INGEST, path="tides.md", text="# Tides\n\nThe moon makes them.\n")
    taken = (await client.query(DERIVED, id=made["ingestDocument"]["created"][0]))["knowledge"]
    assert taken["source"] == "DOCS"
    assert taken["derivedFrom"] == [{"path": "tides.md", "title": "Tides"}]
