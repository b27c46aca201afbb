"""Who may take in a document, how much of it, and what becomes of a call that is repeated or fails."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.errors import Forbidden, IdempotencyConflict, InvalidInput, LimitExceeded, Unavailable
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.ingest.document import ingest_document
from graphmem.values import Scope, Tenant
from tests.client import Client
from tests.conftest import Connect
from tests.factories import principal
from tests.ingest.support import GUIDE, KEYS, stored, take_in


@pytest.mark.parametrize("path", ["a#1/b.md", "c#.md", "b~2.md", "~/c.md", "a~b"])
async def test_a_path_may_have_signs_that_name_no_part(graph: Graph, tenant: Tenant, path: str) -> None:
    await take_in(graph, tenant, text="# A\n\ntext\n", path=path)


async def test_a_document_of_too_many_notes_is_refused_whole(graph: Graph, tenant: Tenant) -> None:
    small = Graph(graph.driver, graph.settings.model_copy(update={"max_nodes": 3}), graph.statements)
    text = "# A\n\n" + "".join(f"## S{n}\n\ntext {n}\n\n" for n in range(30))
    with pytest.raises(LimitExceeded, match="31 entries; at most 30") as caught:
        await take_in(small, tenant, text, "a.md")
    assert caught.value.details["limit"] == "max_notes"
    assert (await stored(graph, tenant)).documents == {}


async def test_a_dry_run_tells_and_leaves_nothing(graph: Graph, tenant: Tenant) -> None:
    done = await take_in(graph, tenant, GUIDE, dry_run=True)
    assert sorted(done.created) == KEYS
    found = await stored(graph, tenant)
    assert (found.documents, found.notes, found.links, found.pending) == ({}, {}, {}, set())


async def test_an_idempotency_key_gives_the_first_answer_again(graph: Graph, tenant: Tenant) -> None:
    first = await take_in(graph, tenant, GUIDE, idempotency_key="once")
    await take_in(graph, tenant, "# Shipping\n\nOther text.\n")
    assert await take_in(graph, tenant, GUIDE, idempotency_key="once") == first
    assert (await stored(graph, tenant)).notes["guide.md"]["content"] == "Other text."


@pytest.mark.parametrize(
    "other", [{"text": "# B\n\nother\n"}, {"path": "b.md"}, {"media_type": "text/plain"}, {"resource": "customer"}]
)
async def test_an_idempotency_key_with_another_document_is_refused(
    graph: Graph, tenant: Tenant, other: dict[str, Any]
) -> None:
    given = {"text": "# A\n\ntext\n", "path": "a.md"}
    await take_in(graph, tenant, **given, idempotency_key="once")
    with pytest.raises(IdempotencyConflict):
        await take_in(graph, tenant, **(given | other), idempotency_key="once")


async def test_customers_may_have_documents_of_one_name(graph: Graph, tenant: Tenant) -> None:
    text = "# Notes\n\nSee [more](#more).\n\n## More\n\nAbout {}.\n"
    for customer in (None, "ann", "bob"):
        await take_in(graph, tenant, text.format(customer), "notes.md", resource=customer)
    found = await stored(graph, tenant)
    assert sorted(note["resource"] for note in found.notes.values()) == ["*", "*", "ann", "ann", "bob", "bob"]
    assert set(found.documents) == {"notes.md"}
    assert len(found.links) == 3
    about = {note["resource"]: note["content"] for uid, note in found.notes.items() if uid.endswith("notes.md#more")}
    assert about == {"*": "About None.", "ann": "About ann.", "bob": "About bob."}
    done = await take_in(graph, tenant, "# Notes\n\nAll new.\n", "notes.md", resource="ann")
    assert {found.notes[uid]["resource"] for uid in (*done.updated, *done.archived)} == {"ann"}


async def test_a_bound_key_takes_in_documents_about_its_own_resource_only(graph: Graph, tenant: Tenant) -> None:
    bound = principal(tenant, Scope.WRITE, resource="ann")
    done = await ingest_document(graph, bound, "# A\n\n[later](b.md)\n\n## B\n\ntext\n", "a.md")
    found = await stored(graph, tenant)
    assert {found.notes[uid]["resource"] for uid in done.created} == {"ann"}
    assert (done.edges_created, done.pending) == (1, 1)
    with pytest.raises(Forbidden):
        await ingest_document(graph, bound, "# A\n\ntext\n", "a.md", resource="bob")
    with pytest.raises(Forbidden):
        await ingest_document(graph, principal(tenant, Scope.READ), "# A\n\ntext\n", "a.md")


async def test_another_tenants_document_of_one_name_is_another(graph: Graph, tenant: Tenant) -> None:
    other = Tenant(f"{tenant} other")
    await take_in(graph, tenant, GUIDE)
    assert sorted((await take_in(graph, other, "# Shipping\n\nTheirs.\n")).created) == ["guide.md"]
    assert (await stored(graph, tenant)).having("active") == set(KEYS)


@pytest.mark.parametrize(
    ("given", "error", "match"),
    [
        ({"media_type": "application/pdf"}, InvalidInput, "mediaType 'application/pdf' is not read"),
        ({"path": " "}, InvalidInput, "path is blank"),
        ({"path": "q.md#sec"}, InvalidInput, "reads as a part of another document"),
        ({"path": "notes/q#1"}, InvalidInput, "reads as a part of another document"),
        ({"path": "a~2"}, InvalidInput, "reads as a part of another document"),
        ({"path": "x" * 191}, LimitExceeded, "path has 191 characters; at most 190"),
        ({"text": "\u200b \n"}, InvalidInput, "text is blank"),
        ({"text": "a\ud800"}, InvalidInput, "half a surrogate pair"),
        ({"text": "x" * 2_000_001}, LimitExceeded, "text has 2000001 characters"),
        ({"resource": ""}, InvalidInput, "resource is blank"),
    ],
)
async def test_what_cannot_be_taken_in_is_refused_by_name(
    graph: Graph, tenant: Tenant, given: dict[str, Any], error: type[InvalidInput], match: str
) -> None:
    with pytest.raises(error, match=match):
        await take_in(graph, tenant, **({"text": "# A\n\ntext\n", "path": "a.md"} | given))
    assert (await stored(graph, tenant)).documents == {}


async def test_the_longest_path_of_a_customer_fits_an_id(graph: Graph, tenant: Tenant) -> None:
    section = "word " * 60
    text = f"# {section}\n\ntext\n\n## {section}\n\n" + "\n\n".join(f"{n} " + "word " * 250 for n in range(3))
    done = await take_in(graph, tenant, text, "é" * 187 + ".md", resource="r" * 256)
    assert max(map(len, done.created)) > 240


class Failing(Graph):
    """Neo4j is gone for good when the statement `at` is run."""

    at = ""

    async def write(self, work: Any) -> Any:
        async def cut(tx: Transaction) -> Any:
            return await work(Cut(self, tx))

        return await super().write(cut)


class Cut(Transaction):
    def __init__(self, graph: Failing, inner: Transaction) -> None:
        self.graph, self.inner = graph, inner

    async def run(self, name: str, /, **params: Any) -> list[Row]:
        if name == self.graph.at:
            raise Unavailable("Neo4j does not answer")
        return await self.inner.run(name, **params)


@pytest.mark.parametrize("statement", ["ingest/close_gone_edges", "knowledge/find_ends", "access/note_change"])
async def test_a_transaction_that_fails_leaves_the_document_as_it_was(
    graph: Graph, tenant: Tenant, statement: str
) -> None:
    await take_in(graph, tenant, GUIDE)
    before = await stored(graph, tenant)
    failing = Failing(graph.driver, graph.settings, graph.statements)
    failing.at = statement
    with pytest.raises(Unavailable):
        await take_in(failing, tenant, "# Shipping\n\nAll new.\n\n## Delays\n\nNew too.\n")
    assert await stored(graph, tenant) == before
    assert (await take_in(graph, tenant, "# Shipping\n\nAll new.\n")).updated == ("guide.md",)


INGEST = """
mutation ($path: String!, $text: String!, $resource: ID) {
  ingestDocument(path: $path, text: $text, resourceId: $resource) {
    documentId created updated unchanged archived edgesCreated edgesClosed pending warnings { code message ids }
  }
}
"""


async def test_over_graphql_the_same_is_told(client: Client) -> None:
    done = (await client.query(INGEST, path="guide.md", text=GUIDE + "\n[[Lost]]\n"))["ingestDocument"]
    assert sorted(done.pop("created")) == KEYS
    assert done.pop("documentId")
    assert done == {
        "updated": [], "unchanged": [], "archived": [], "edgesCreated": 4, "edgesClosed": 0, "pending": 1,
        "warnings": [
            {"code": "DOCUMENT", "message": "guide.md: link to '[[Lost]]' leads nowhere", "ids": ["guide.md"]}
        ],
    }  # fmt: skip
    derived = await client.query('{ knowledge(id: "guide.md#costs") { derivedFrom { path } source } }')
    assert derived["knowledge"] == {"derivedFrom": [{"path": "guide.md"}], "source": "DOCS"}


async def test_over_graphql_a_bound_or_reading_key_is_held_to_its_bounds(connect_as: Connect) -> None:
    bound = await connect_as(Scope.WRITE, resource="ann")
    text = "# A\n\ntext\n"
    assert (await bound.error(INGEST, path="a.md", text=text, resource="bob"))["code"] == "FORBIDDEN"
    assert (await bound.query(INGEST, path="a.md", text=text))["ingestDocument"]["created"]
    reader = await connect_as(Scope.READ)
    assert (await reader.error(INGEST, path="a.md", text=text))["code"] == "FORBIDDEN"
