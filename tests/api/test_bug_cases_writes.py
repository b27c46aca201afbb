"""Faults of calls that meet, of times, of deletion and of changes, seen in others' memory stores; the id of the case
stands in the docstring."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests import operations
from tests.client import Client
from tests.conftest import Settle
from tests.factories import arrow, ids, note
from tests.knowledge.support import counted, stored_edges
from tests.operations import edges, knowledge, link, listed, remember, search, update

DELETE = "mutation ($id: ID!) { deleteKnowledge(id: $id) { id } }"
THREAD = """
mutation ($resource: ID!, $key: String, $id: ID) {
  createThread(resourceId: $resource, id: $id, idempotencyKey: $key) { id }
}
"""
MADE = "{ resources { nodes { id } } threads { nodes { id } } }"
STARTED = "2023-01-01T00:00:00Z"


async def test_what_is_made_twenty_times_at_once_is_there_once(client: Client, graph: Graph, tenant: Tenant) -> None:
    """B28: a node, an edge, a thread and its resource, all of which are new in each round."""
    for at in range(3):
        nodes, both = [note(f"a{at}"), note(f"b{at}")], [arrow(f"a{at}", "DEPENDS_ON", f"b{at}")]
        calls = [remember(client, nodes, both) for _ in range(20)]
        threads = [client.query(THREAD, resource=f"r{at}", key=f"k{at}") for _ in range(20)]
        *done, made = await asyncio.gather(*calls, asyncio.gather(*threads))
        assert [one["ids"] for one in done] == [[f"a{at}", f"b{at}"]] * 20
        assert sum(len(one["created"]) for one in done) == 2
        assert len({one["createThread"]["id"] for one in made}) == 1
    found = await counted(graph, tenant)
    assert (found["nodes"], found["edges"], found["revisions"]) == (6, 3, 0)
    stored = await client.query(MADE)
    assert sorted(ids(stored["resources"]["nodes"])) == ["r0", "r1", "r2"]
    assert len(stored["threads"]["nodes"]) == 3


async def test_calls_of_every_kind_at_once_are_all_in_effect(client: Client) -> None:
    """B29; tests/graph/test_restart.py has the restart."""
    await remember(client, [note("n"), note("gone"), note("far")])
    await asyncio.gather(
        *(remember(client, [note(f"new{at}")]) for at in range(5)),
        *(update(client, "n", {"content": f"Line {at}."}) for at in range(5)),
        client.query(DELETE, id="gone"),
        *(link(client, [arrow("n", kind, "far")]) for kind in ("RELATED_TO", "DEPENDS_ON", "CONFLICTS_WITH")),
        *(link(client, [arrow(f"new{at}", "RELATED_TO", "n")]) for at in range(2)),
    )
    stored = (await listed(client, first=50))["nodes"]
    assert {one["id"]: one["version"] for one in stored} == {"n": 6, "far": 1, **{f"new{at}": 1 for at in range(5)}}
    history = (await client.query('{ history(id: "n") { node { content } } }'))["history"]
    assert sorted(state["node"]["content"] for state in history) == [f"Line {at}." for at in range(5)] + [
        "What n says."
    ]
    assert sorted(await edges(client, "n")) == [
        ("far", "CONFLICTS_WITH", "n"), ("n", "DEPENDS_ON", "far"), ("n", "RELATED_TO", "far"),
        ("new0", "RELATED_TO", "n"), ("new1", "RELATED_TO", "n"),
    ]  # fmt: skip


async def test_an_id_that_was_deleted_begins_anew(client: Client, settle: Settle) -> None:
    """B35"""
    append = (
        'mutation ($text: String!) { appendTurn(threadId: "t", messages: [{role: USER, text: $text, id: "m"}]) {ids} }'
    )
    for word, other in (("heron", "b"), ("walrus", None)):
        await remember(client, [note("b"), note("k", content=f"About the {word}.", tags=[word])])
        if other:
            await link(client, [arrow("k", "DEPENDS_ON", other)])
        await client.query(THREAD, resource="r", id="t")
        await client.query(append, text=f"The {word}.")
        await settle()
        stored = await knowledge(client, "k")
        assert (stored["version"], stored["tags"]) == (1, [word])
        assert len(await edges(client, "k")) == (1 if other else 0)
        for mode in ("TEXT", "VECTOR"):
            assert ids((await search(client, word, mode=mode, topK=1, expand=False))["hits"]) == ["k"]
        history = (await client.query('{ history(id: "k") { node { content } } }'))["history"]
        assert [state["node"]["content"] for state in history] == [f"About the {word}."]
        messages = (await client.query('{ messages(threadId: "t") { nodes { seq text } } }'))["messages"]["nodes"]
        assert messages == [{"seq": 1, "text": f"The {word}."}]
        await client.query(DELETE, id="k")
        await client.query('mutation { deleteThread(id: "t") { id } }')
    assert (await search(client, "heron walrus", mode="TEXT"))["hits"] == []


async def test_the_time_of_creation_is_not_written_over(client: Client) -> None:
    """B40"""
    times = {f"n{at}": f"2024-05-0{at}T00:00:00Z" for at in (1, 2, 3)}
    await remember(client, [note(uid, createdAt=at) for uid, at in times.items()])
    await remember(client, [note("n1", content="Edited.")])
    await remember(client, [note("n1", content="Edited again.", createdAt="2026-01-01T00:00:00Z")])
    await update(client, "n1", {"title": "Edited"})
    stored = (await listed(client, orderBy="CREATED_ASC"))["nodes"]
    assert {one["id"]: one["createdAt"] for one in stored} == times
    assert ids(stored) == list(times)
    assert stored[0]["version"] == 4
    assert stored[0]["updatedAt"] > stored[1]["updatedAt"]


@pytest.fixture(params=["UTC", "Asia/Tokyo", "America/New_York"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The service's own time zone."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


async def test_a_time_without_a_zone_is_utc_wherever_the_service_runs(client: Client, zone: None) -> None:
    """B41: the last one falls into the hour that New York leaves out."""
    times = ["2024-05-01T10:00:00", "2024-05-01T10:00:00+02:00", "2024-05-01T08:30:00Z", "2024-03-10T02:30:00"]
    given = [note(f"n{at}", createdAt=one, validFrom=one) for at, one in enumerate(times)]
    await remember(client, given)
    stored = (await listed(client, orderBy="CREATED_ASC"))["nodes"]
    assert [(one["id"], one["createdAt"]) for one in stored] == [
        ("n3", "2024-03-10T02:30:00Z"), ("n1", "2024-05-01T08:00:00Z"), ("n2", "2024-05-01T08:30:00Z"),
        ("n0", "2024-05-01T10:00:00Z"),
    ]  # fmt: skip
    assert [one["validFrom"] for one in stored] == [one["createdAt"] for one in stored]
    seen = await listed(client, filter={"createdFrom": "2024-05-01T08:30:00", "createdTo": "2024-05-01T10:00:00"})
    assert ids(seen["nodes"]) == ["n2"]


async def test_a_page_goes_on_behind_a_node_that_was_deleted(client: Client) -> None:
    """B43: what is added meanwhile is newer than all that is still to come."""
    await remember(client, [note(f"n{at:02}", createdAt=f"2024-05-01T00:00:{at:02}Z") for at in range(50)])
    seen: list[str] = []
    after = None
    for turn in range(5):
        page = await listed(client, first=10, after=after)
        seen += ids(page["nodes"])
        after = page["pageInfo"]["endCursor"]
        assert page["pageInfo"]["hasNextPage"] == (turn < 4)
        await remember(client, [note(f"new{turn}")])
        for uid in seen[-1], seen[-5]:
            await client.query(DELETE, id=uid)
    assert seen == [f"n{at:02}" for at in reversed(range(50))]


@pytest.mark.parametrize(
    "span",
    [
        {"validFrom": "2026-01-01T00:00:00Z", "validTo": "2020-01-01T00:00:00Z"},
        {"validFrom": "2024-01-01T00:00:00Z", "validTo": "2024-01-01T00:00:00Z"},
    ],
    ids=["inverted", "empty"],
)
async def test_a_span_that_holds_at_no_time_is_refused_and_ends_nothing(client: Client, span: dict[str, Any]) -> None:
    """B46"""
    await remember(client, [note("live", validFrom=STARTED), note("b", validFrom=STARTED)])
    before = await knowledge(client, "live")
    for document, variables in (
        (operations.REMEMBER, {"nodes": [note("n", **span)], "edges": [arrow("n", "SUPERSEDES", "live")]}),
        (operations.UPDATE, {"id": "live", "patch": span}),
        (operations.LINK, {"edges": [arrow("live", "RELATED_TO", "b", **span)]}),
    ):
        error = await client.error(document, **variables)
        assert (error["code"], error["field"].rpartition(".")[2]) == ("INVALID_INPUT", "validTo")
    assert await knowledge(client, "live") == before
    assert (await knowledge(client, "n"), await edges(client, "live")) == (None, [])
    assert ids((await listed(client, filter={}))["nodes"]).count("live") == 1


async def test_the_same_text_about_two_customers_is_two_nodes(client: Client, settle: Settle) -> None:
    """B52: each has a vector, edges and a life of its own."""
    for resource in ("alfa", "beta"):
        text = {"title": "Quokka", "content": "A quokka smiles."}
        (uid,) = (await remember(client, [text], resourceId=resource))["ids"]
        other = note(f"{resource} end", "End", resourceId=resource)
        await remember(client, [other], [arrow(uid, "RELATED_TO", f"{resource} end")], resourceId=resource)
    await settle()

    async def found(resource: str) -> list[list[str]]:
        asked = {"topK": 1, "resourceId": resource}
        hits = [
            (await search(client, "quokka", mode=mode, expand=mode == "HYBRID", **asked))["hits"]
            for mode in ("TEXT", "VECTOR", "HYBRID")
        ]
        return [ids(one) for one in hits]

    ((alfa,), _, _), ((beta,), _, _) = await found("alfa"), await found("beta")
    assert alfa != beta
    whole = [[beta], [beta], [beta, "beta end"]]
    assert await found("beta") == whole
    drop = "mutation ($id: ID!, $resource: ID!) { deleteKnowledge(id: $id, resourceId: $resource) { id } }"
    await client.query(drop, id=alfa, resource="alfa")
    assert await found("beta") == whole
    assert (await knowledge(client, beta, "beta"))["content"] == "A quokka smiles."
    assert [alfa not in uids and beta not in uids for uids in await found("alfa")] == [True] * 3
    await client.query(drop, id=beta, resource="beta")
    assert not any(beta in uids for uids in await found("beta"))
    assert await knowledge(client, beta, "beta") is None


async def test_metadata_that_a_patch_does_not_name_stays_and_is_replaced_as_a_whole(client: Client) -> None:
    """B57: one rule for remembering and changing."""
    given = {"category": "a", "priority": 3, "x": {"y": 1}}
    await remember(client, [note("n", metadata=given)])
    for change in ("update", "remember"):
        for patch, expected in (
            ({"content": f"Other, by {change}."}, given),
            ({"metadata": {**given, "priority": 4}}, {**given, "priority": 4}),
            ({"metadata": {"x": {"z": 2}}}, {"x": {"z": 2}}),
            ({"metadata": {"category": None}}, {"category": None}),
            ({"metadata": {}}, {}),
            ({"metadata": given}, given),
        ):
            if change == "update":
                await update(client, "n", patch)
            else:
                await remember(client, [note("n", **{"content": "Other.", **patch})])
            assert (await knowledge(client, "n"))["metadata"] == expected


async def test_nothing_of_an_old_text_is_found(client: Client, settle: Settle) -> None:
    """B55, B58: what is made of a text is made anew with it; an end is the caller's to say, and no text's."""
    end = "2027-03-01T00:00:00Z"
    await remember(client, [note("n", "Release freeze", "Until the first of March.", validTo=end), note("m", "March")])
    await remember(client, [note("cats", "Care", "The care of house cats."), note("other", "Sea", "Otters swim.")])
    await settle()
    assert ids((await search(client, "until", mode="TEXT"))["hits"]) == ["n", "m"]
    await update(client, "n", {"title": "Release", "content": "Freeze lifted."})
    await update(client, "cats", {"content": "Repairing bicycles."})
    assert (await search(client, "until", mode="TEXT"))["hits"] == []
    vectors = await search(client, "bicycles cats", mode="VECTOR", topK=20, expand=False)
    assert "cats" not in ids(vectors["hits"])
    await settle()
    for mode in ("TEXT", "VECTOR"):
        assert ids((await search(client, "repairing bicycles", mode=mode, topK=1, expand=False))["hits"]) == ["cats"]
    assert (await search(client, "cats", mode="TEXT"))["hits"] == []
    assert ids((await search(client, "lifted", mode="TEXT"))["hits"]) == ["n"]
    assert (await knowledge(client, "n"))["validTo"] == end


async def test_an_edge_stated_again_with_another_source_is_the_same_edge(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    """B60: it has the source that was stated last, and the one before is kept closed. Evidence is that of notes."""
    await remember(client, [note("a"), note("b")])
    told = [
        {key: len(found) for key, found in (await link(client, [arrow("a", "DEPENDS_ON", "b", source=source)])).items()}
        for source in ("DOCS", "INFERRED", "INFERRED", "DOCS")
    ]
    fate = {"created": 0, "updated": 0, "unchanged": 0, "pending": 0}
    assert told == [fate | {one: 1} for one in ("created", "updated", "unchanged", "updated")]
    assert await edges(client, "a") == [("a", "DEPENDS_ON", "b")]
    assert [one["source"] for one in await stored_edges(graph, tenant, "a", "DEPENDS_ON", "b")] == [
        "docs", "inferred", "docs",
    ]  # fmt: skip
