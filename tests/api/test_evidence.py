"""What says that a note is so: evidence given with `remember`."""

from __future__ import annotations

from typing import Any

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests.client import Client
from tests.conftest import Connect
from tests.factories import note
from tests.operations import remember

INGEST = (
    "mutation ($path: String!, $text: String!) { ingestDocument(path: $path, text: $text) { documentId archived } }"
)
DERIVED = "query ($id: ID!) { knowledge(id: $id) { version status derivedFrom { path } } }"
MERGE = "mutation ($ids: [ID!]!) { mergeKnowledge(ids: $ids) { evidence version } }"
UNMERGE = "mutation ($id: ID!) { unmergeKnowledge(id: $id) { version } }"


async def ingest(client: Client, path: str, text: str = "# Guide\n\nHow it is.") -> Any:
    return (await client.query(INGEST, path=path, text=text))["ingestDocument"]


async def derived(client: Client, uid: str) -> tuple[int, list[str]]:
    node = (await client.query(DERIVED, id=uid))["knowledge"]
    return node["version"], [document["path"] for document in node["derivedFrom"]]


async def test_the_same_fact_from_new_evidence_is_a_new_version_with_one_more_edge(client: Client) -> None:
    """C38"""
    one, two = [(await ingest(client, path))["documentId"] for path in ("one.md", "two.md")]
    fact = note("fact", "Fact", "The sky is blue.", derivedFrom=[one])
    assert (await remember(client, [fact]))["created"] == ["fact"]
    assert await derived(client, "fact") == (1, ["one.md"])
    assert (await remember(client, [fact]))["unchanged"] == ["fact"]
    fact.pop("id")
    again = await remember(client, [{**fact, "derivedFrom": [two, one]}])
    assert (again["ids"], again["updated"]) == (["fact"], ["fact"])
    assert await derived(client, "fact") == (2, ["one.md", "two.md"])
    assert (await remember(client, [{**fact, "derivedFrom": [two]}]))["unchanged"] == ["fact"]
    assert (await remember(client, [fact]))["unchanged"] == ["fact"]


async def test_evidence_that_is_not_there_is_refused_by_name(client: Client, connect_as: Connect) -> None:
    document = (await ingest(client, "one.md"))["documentId"]
    error = await client.error(
        "mutation ($nodes: [KnowledgeInput!]) { remember(nodes: $nodes) { ids } }",
        nodes=[note("a"), note("b", derivedFrom=[document, "nowhere"])],
    )
    assert (error["code"], error["field"]) == ("NOT_FOUND", "nodes[1].derivedFrom[1]")
    stranger = await connect_as(tenant=Tenant("stranger to evidence"))
    error = await stranger.error(
        "mutation ($nodes: [KnowledgeInput!]) { remember(nodes: $nodes) { ids } }",
        nodes=[note("b", derivedFrom=[document])],
    )
    assert error["code"] == "NOT_FOUND"


async def test_a_document_that_is_taken_in_again_does_not_archive_what_only_has_it_as_evidence(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    document = (await ingest(client, "one.md"))["documentId"]
    await remember(client, [note("fact", derivedFrom=[document]), note("twin")])
    assert (await ingest(client, "one.md", "# Guide\n\nHow it is now."))["archived"] == []
    assert (await client.query(DERIVED, id="fact"))["knowledge"]["status"] == "ACTIVE"


async def test_evidence_comes_with_a_merge_and_goes_with_its_undoing(client: Client) -> None:
    one, two = [(await ingest(client, path))["documentId"] for path in ("one.md", "two.md")]
    await remember(client, [note("a", derivedFrom=[one]), note("b", derivedFrom=[one, two])])
    assert (await client.query(MERGE, ids=["a", "b"]))["mergeKnowledge"] == {"evidence": 1, "version": 2}
    assert await derived(client, "a") == (2, ["one.md", "two.md"])
    assert await derived(client, "b") == (2, ["one.md", "two.md"])
    await client.query(UNMERGE, id="a")
    assert await derived(client, "a") == (3, ["one.md"])
