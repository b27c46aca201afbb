"""What a document comes to in the graph."""

from __future__ import annotations

import asyncio

import pytest

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.knowledge.documents import documents_of
from graphmem.knowledge.get import get
from graphmem.knowledge.link import link
from graphmem.knowledge.remember import remember
from graphmem.knowledge.update import Patch, update
from graphmem.values import EdgeType, Status, Tenant
from tests.factories import edge, node, principal
from tests.ingest.support import GUIDE, KEYS, discard_jobs, messages, stored, take_in


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


async def test_tags_and_aliases_of_the_front_matter_are_the_notes_until_it_says_otherwise(
    graph: Graph, tenant: Tenant
) -> None:
    text = "---\ntags: [post, parcels]\naliases: Sending, Mailing\n---\n" + GUIDE
    await take_in(graph, tenant, text)
    found = await get(graph, View(tenant), KEYS)
    assert {note.tags for note in found.values()} == {("parcels", "post")}
    assert {uid: note.aliases for uid, note in found.items()} == {
        **dict.fromkeys(KEYS, ()),
        "guide.md": ("Sending", "Mailing"),
    }
    await take_in(graph, tenant, text.replace("[post, parcels]", "[]"))
    assert {note.tags for note in (await get(graph, View(tenant), KEYS)).values()} == {()}
    await update(graph, principal(tenant), "guide.md", Patch(tags=["own"]))
    await take_in(graph, tenant, GUIDE + "\nMore.\n")
    kept = (await get(graph, View(tenant), ["guide.md"]))["guide.md"]
    assert (kept.tags, kept.aliases) == (("own",), ("Sending", "Mailing"))


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
    text = "# A\n\nSee [[Nowhere]], [there](#absent), [odd](b%0Ac.md) and [web](https://example.org/x.md).\n"
    done = await take_in(graph, tenant, text, "a.md")
    assert messages(done) == [
        "a.md: link to '[[Nowhere]]' leads nowhere",
        "a.md: link to 'b\\nc.md' leads nowhere",
    ]
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


async def test_plain_text_is_its_paragraphs(graph: Graph, tenant: Tenant) -> None:
    await take_in(graph, tenant, "# no heading\n\n[no](link.md)\n", "a.TXT")
    await take_in(graph, tenant, "# no heading\n", "b", media_type="text/plain")
    found = await stored(graph, tenant)
    assert set(found.notes) == {"a.TXT", "b"}
    assert found.pending == set()
    assert set(found.media.values()) == {"text/plain"}


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
