from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem.errors import Forbidden, IdempotencyConflict, InvalidInput, LimitExceeded, Unavailable
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.ingest.document import ingest_document
from graphmem.knowledge.documents import documents_of
from graphmem.knowledge.link import link
from graphmem.knowledge.remember import remember
from graphmem.knowledge.update import Patch, update
from graphmem.knowledge.view import View
from graphmem.values import EdgeType, Scope, Status, Tenant
from tests.client import Client
from tests.conftest import Connect
from tests.factories import edge, node, principal
from tests.ingest.support import discard_jobs, messages, stored, take_in

GUIDE = """\
# Shipping

Parcels leave daily.

## Delays

A storm delays parcels. See [returns](#returns).

## Returns

Send it back within [the time](policy.md#time).

### Costs

The sender pays.
"""
KEYS = ["guide.md", "guide.md#costs", "guide.md#delays", "guide.md#returns"]


async def test_headings_become_notes_and_links_become_edges(graph: Graph, tenant: Tenant) -> None:
    done = await take_in(graph, tenant, GUIDE)
    assert (sorted(done.created), done.updated, done.unchanged, done.archived) == (KEYS, (), (), ())
    assert (done.edges_created, done.edges_closed, done.pending) == (4, 0, 1)
    found = await stored(graph, tenant)
    assert found.notes["guide.md"]["content"] == "Parcels leave daily."
    assert found.notes["guide.md#costs"]["title"] == "Shipping: Costs"
    assert found.links == {
        ("guide.md", "guide.md#delays"): "section",
        ("guide.md", "guide.md#returns"): "section",
        ("guide.md#returns", "guide.md#costs"): "section",
        ("guide.md#delays", "guide.md#returns"): "link",
    }
    assert found.pending == {("guide.md#returns", "policy.md#time")}


async def test_every_note_leads_to_its_document(graph: Graph, tenant: Tenant) -> None:
    done = await take_in(graph, tenant, GUIDE)
    refs = await documents_of(graph, View(tenant), KEYS)
    assert {uid: [(ref.id, ref.path, ref.title) for ref in found] for uid, found in refs.items()} == {
        uid: [(done.document, "guide.md", "Shipping")] for uid in KEYS
    }


async def test_the_same_document_again_changes_nothing(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, GUIDE)
    before = await stored(graph, tenant)
    done = await take_in(graph, tenant, GUIDE)
    assert (done.created, done.updated, sorted(done.unchanged), done.archived) == ((), (), KEYS, ())
    assert (done.edges_created, done.edges_closed, done.pending) == (0, 0, 1)
    assert await stored(graph, tenant) == before
    assert [note["revisions"] for note in before.notes.values()] == [0, 0, 0, 0]


async def test_a_changed_section_is_the_only_one_that_is_updated(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, GUIDE)
    done = await take_in(graph, tenant, GUIDE.replace("The sender pays.", "We pay."))
    assert (done.created, done.updated, done.archived) == ((), ("guide.md#costs",), ())
    found = await stored(graph, tenant)
    assert {uid: (note["version"], note["revisions"]) for uid, note in found.notes.items()} == {
        **dict.fromkeys(KEYS, (1, 0)),
        "guide.md#costs": (2, 1),
    }
    assert found.notes["guide.md#costs"]["content"] == "We pay."


async def test_a_removed_section_is_archived_with_its_edges_closed_and_comes_back_when_it_is_put_back(
    graph: Graph, tenant: Tenant
) -> None:
    await take_in(graph, tenant, GUIDE)
    without = GUIDE.split("## Returns", maxsplit=1)[0].replace(" See [returns](#returns).", "")
    done = await take_in(graph, tenant, without)
    assert sorted(done.archived) == ["guide.md#costs", "guide.md#returns"]
    assert done.updated == ("guide.md#delays",)
    assert done.edges_closed == 3
    found = await stored(graph, tenant)
    assert found.having("archived") == {"guide.md#costs", "guide.md#returns"}
    assert found.links == {("guide.md", "guide.md#delays"): "section"}
    assert found.pending == set(), "a link that no longer stands in the document waits for nothing"
    assert sorted(found.documents["guide.md"]) == KEYS, "where it came from is kept"

    back = await take_in(graph, tenant, GUIDE)
    assert sorted(back.updated) == ["guide.md#costs", "guide.md#delays", "guide.md#returns"]
    found = await stored(graph, tenant)
    assert found.having("active") == set(KEYS)
    assert len(found.links) == 4
    assert found.pending == {("guide.md#returns", "policy.md#time")}


async def test_an_archived_section_stays_archived_once(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, "# A\n\nfirst\n\n## B\n\nsecond\n", "a.md")
    assert (await take_in(graph, tenant, "# A\n\nfirst\n", "a.md")).archived == ("a.md#b",)
    again = await take_in(graph, tenant, "# A\n\nfirst\n", "a.md")
    assert (again.archived, again.edges_closed) == ((), 0)
    assert (await stored(graph, tenant)).notes["a.md#b"]["revisions"] == 1


async def test_a_status_that_somebody_gave_survives_the_same_document(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, GUIDE)
    await update(graph, principal(tenant), "guide.md#costs", Patch(status=Status.DRAFT))
    assert sorted((await take_in(graph, tenant, GUIDE)).unchanged) == KEYS
    assert (await stored(graph, tenant)).notes["guide.md#costs"]["status"] == "draft"


async def test_edges_that_somebody_made_are_left_alone(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, GUIDE)
    mine = [
        edge("guide.md#costs", EdgeType.RELATED_TO, "guide.md#delays"),
        edge("guide.md#delays", EdgeType.RELATED_TO, "guide.md#returns", weight=0.5, reason="seen together"),
    ]
    await link(graph, principal(tenant), mine)
    done = await take_in(graph, tenant, GUIDE.replace(" See [returns](#returns).", ""))
    assert done.edges_closed == 0
    found = await stored(graph, tenant)
    assert found.links["guide.md#costs", "guide.md#delays"] is None
    assert found.links["guide.md#delays", "guide.md#returns"] == "seen together"


async def test_a_link_to_a_note_of_a_later_document_becomes_an_edge_when_that_comes(
    graph: Graph, tenant: Tenant
) -> None:
    await take_in(graph, tenant, GUIDE)
    done = await take_in(graph, tenant, "# Policy\n\nAbout it.\n\n## Time\n\nTwo weeks.\n", "policy.md")
    assert done.edges_created == 2
    found = await stored(graph, tenant)
    assert found.links["guide.md#returns", "policy.md#time"] == "link"
    assert found.pending == set()


async def test_a_link_that_was_taken_out_makes_no_edge_when_its_document_comes(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, "# A\n\nSee [b](b.md).\n", "a.md")
    await take_in(graph, tenant, "# A\n\nSee nothing.\n", "a.md")
    await take_in(graph, tenant, "# B\n\nHere.\n", "b.md")
    found = await stored(graph, tenant)
    assert (found.links, found.pending) == ({}, set())


async def test_links_that_cannot_lead_anywhere_are_told(graph: Graph, tenant: Tenant) -> None:
    text = "# A\n\nSee [[Nowhere]], [there](#absent) and [web](https://example.org/x.md).\n"
    done = await take_in(graph, tenant, text, "a.md")
    assert messages(done) == ["a.md: link to '[[Nowhere]]' leads nowhere"]
    assert done.pending == 0
    assert (await stored(graph, tenant)).pending == set()


async def test_a_link_inside_a_document_without_a_text_of_its_own_waits_for_nothing(
    graph: Graph, tenant: Tenant
) -> None:
    done = await take_in(graph, tenant, "See [there](#absent).\n\n## B\n\nBack to [the top](a.md).\n", "a.md")
    assert done.pending == 0
    assert (await stored(graph, tenant)).links == {
        ("a.md", "a.md#b"): "section",
        ("a.md#b", "a.md"): "link",
    }


@pytest.mark.parametrize("target", ["x" * 300 + ".md", "deep/" * 60 + "page.md#section"])
async def test_a_link_too_long_to_be_an_id_is_dropped_with_a_warning(graph: Graph, tenant: Tenant, target: str) -> None:
    done = await take_in(graph, tenant, f"# A\n\nSee [it]({target}) and [b](b.md).\n", "a.md")
    (message,) = messages(done)
    assert message.startswith(f"a.md: link to '{target[:80]}")
    assert message.endswith("…' leads nowhere")
    assert len(message) < 150
    assert (await stored(graph, tenant)).pending == {("a.md", "b.md")}


async def test_of_many_lost_links_some_are_named_and_the_rest_counted(graph: Graph, tenant: Tenant) -> None:
    done = await take_in(graph, tenant, "# A\n\n" + "".join(f"[[Page {n}]] " for n in range(100)), "a.md")
    assert len(done.warnings) == 21
    assert messages(done)[-1] == "a.md: 80 more links lead nowhere"


async def test_wiki_links_lead_to_notes_of_the_same_document(graph: Graph, tenant: Tenant) -> None:
    text = "# A\n\nSee [[#B]] and [[a#C|the third]].\n\n## B\n\ntwo\n\n## C\n\nthree\n"
    await take_in(graph, tenant, text, "a.md")
    found = await stored(graph, tenant)
    assert set(found.links) == {("a.md", "a.md#b"), ("a.md", "a.md#c")}


async def test_a_document_with_more_notes_than_one_call_takes_is_one_transaction(graph: Graph, tenant: Tenant) -> None:
    sections = "".join(f"## Part {n}\n\nText number {n}. See [next](#part-{n + 1}).\n\n" for n in range(1500))
    done = await take_in(graph, tenant, f"# Long\n\nBegins.\n\n{sections}", "long.md")
    assert len(done.created) == 1501
    assert done.edges_created == 3000, (
        "a section edge and a link each; the last link's section is unknown: its document"
    )
    again = await take_in(graph, tenant, f"# Long\n\nBegins.\n\n{sections}", "long.md")
    assert (len(again.unchanged), again.created, again.updated, again.edges_created) == (1501, (), (), 0)
    await discard_jobs(graph, tenant)


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


async def test_plain_text_is_its_paragraphs(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, "# no heading\n\n[no](link.md)\n", "a.TXT")
    await take_in(graph, tenant, "# no heading\n", "b", media_type="text/plain")
    found = await stored(graph, tenant)
    assert set(found.notes) == {"a.TXT", "b"}
    assert found.pending == set()
    assert set(found.media.values()) == {"text/plain"}


@pytest.mark.parametrize(
    ("given", "error", "match"),
    [
        ({"media_type": "application/pdf"}, InvalidInput, "mediaType 'application/pdf' is not read"),
        ({"path": " "}, InvalidInput, "path is blank"),
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


async def test_names_of_emoji_and_right_to_left_letters_are_kept(graph: Graph, tenant: Tenant) -> None:
    text = "# 🚀\n\nGo to [🛰️](<📁/קובץ 🛰️.md#שלום>).\n\n## שלום\n\n🎉\n"
    await take_in(graph, tenant, text, "🚀.md")
    await take_in(graph, tenant, text, "📁/קובץ 🛰️.md")
    found = await stored(graph, tenant)
    assert found.links["🚀.md", "📁/קובץ 🛰️.md#שלום"] == "link"
    assert found.notes["🚀.md#שלום"]["content"].endswith("🎉")


async def test_what_the_document_says_now_replaces_what_somebody_remembered_under_the_id(
    graph: Graph, tenant: Tenant
) -> None:
    await remember(graph, principal(tenant), [node("a.md", "Old", "old")])
    assert (await take_in(graph, tenant, "# New\n\nnew\n", "a.md")).updated == ("a.md",)
    found = await stored(graph, tenant)
    assert (found.notes["a.md"]["content"], found.notes["a.md"]["revisions"]) == ("new", 1)


async def test_the_same_document_many_times_at_once_is_stored_once(graph: Graph, tenant: Tenant) -> None:
    done = await asyncio.gather(*(take_in(graph, tenant, GUIDE) for _ in range(6)))
    assert sorted(len(one.created) for one in done) == [0, 0, 0, 0, 0, 4]
    found = await stored(graph, tenant)
    assert {note["version"] for note in found.notes.values()} == {1}
    assert len(found.links) == 4


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


@pytest.mark.parametrize("statement", ["ingest/close_gone_edges", "knowledge/write_edges", "access/record_change"])
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
