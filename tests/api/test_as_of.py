"""Reads of the past (`asOf`), as a caller makes them; test_valid_at.py has the world at another time."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from graphmem.values import Tenant, new_id
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import chain, ids, note
from tests.operations import listed, remember, search, unlink, update

DOCS = Path(__file__).parents[2] / "docs" / "time.md"
ABOUT = "id title content status version"
READS = {
    "knowledge": f'knowledge(id: "a", TIME) {{ {ABOUT} }}',
    "knowledgeNodes": f"knowledgeNodes(TIME) {{ nodes {{ {ABOUT} }} }}",
    "search": f'search(input: {{query: "brew", TIME}}) {{ hits {{ node {{ {ABOUT} }} }} }}',
    "traverse": f'traverse(from: "a", TIME) {{ hits {{ node {{ {ABOUT} }} }} }}',
    "path": f'path(from: "a", to: "b", TIME) {{ nodes {{ {ABOUT} }} }}',
    "history": f'history(id: "a", TIME) {{ node {{ {ABOUT} }} recordedTo }}',
}
EMPTY = {"knowledge": None, "knowledgeNodes": {"nodes": []}, "search": {"hits": []}}
SUPERSEDE = "mutation ($old: ID!, $new: ID!) { supersede(old: $old, new: $new) { status } }"
RETRACT = "mutation ($id: ID!) { retract(id: $id) { status } }"
NESTED = """
query ($id: ID!, $asOf: DateTime) {
  knowledge(id: $id, asOf: $asOf) {
    relatedTo { id content relatedTo { id content } }
    mentions { id } supersededBy { id } edges { edges { node { id } } }
  }
}
"""
PAGE = """
query ($after: String, $asOf: DateTime) {
  knowledgeNodes(orderBy: ORDER, first: 3, after: $after, asOf: $asOf) {
    nodes { id content } pageInfo { hasNextPage endCursor }
  }
}
"""
REASONS = """
query ($asOf: DateTime) {
  search(input: {query: "alder bark remedy", topK: 1, mode: TEXT, asOf: $asOf}) {
    hits { node { id } depth replaces path { from to type forward via } }
  }
}
"""


def now() -> str:
    return datetime.now(UTC).isoformat()


def days(count: int) -> str:
    return (datetime.now(UTC) + timedelta(days=count)).isoformat()


async def read(client: Client, name: str, **times: str) -> Any:
    given = ", ".join(f'{key}: "{value}"' for key, value in times.items())
    return (await client.query("{ " + READS[name].replace("TIME", given) + " }"))[name]


def nodes(found: Any) -> list[Any]:
    """The nodes of an answer, whichever operation gave it."""
    if isinstance(found, dict) and "hits" in found:
        return [hit["node"] for hit in found["hits"]]
    if isinstance(found, list):
        return [state["node"] for state in found]
    return list(found["nodes"]) if "nodes" in found else [found]


@pytest.mark.parametrize("name", READS)
async def test_every_read_says_what_the_graph_said_then(client: Client, name: str) -> None:
    await remember(
        client, [note("a", "Tea", "brew green leaves"), note("b", "Pot", "a brew needs it")], chain("a", "b")
    )
    then = now()
    await update(client, "a", {"title": "Coffee", "content": "brew black beans"})
    await unlink(client, chain("a", "b"))
    past = {one["id"]: one for one in nodes(await read(client, name, asOf=then))}
    assert past["a"] == {"id": "a", "title": "Tea", "content": "brew green leaves", "status": "ACTIVE", "version": 1}
    assert ("b" in past) == (name not in ("knowledge", "history"))
    if name not in ("path", "history"):
        today = {one["id"]: one for one in nodes(await read(client, name, asOf=now()))}
        assert today == {one["id"]: one for one in nodes(await read(client, name, validAt=now()))}
        assert today["a"]["title"] == "Coffee"


@pytest.mark.parametrize("name", READS)
async def test_before_all_there_is_nothing(client: Client, name: str) -> None:
    then = now()
    await remember(client, [note("a", "Tea", "brew it"), note("b", "Pot", "brew in it")], chain("a", "b"))
    if name in EMPTY:
        assert await read(client, name, asOf=then) == EMPTY[name]
        assert await read(client, name, asOf="1970-01-01T00:00:00Z") == EMPTY[name]
    else:
        error = await client.error("{ " + READS[name].replace("TIME", f'asOf: "{then}"') + " }")
        assert (error["code"], "as of" in error["message"]) == ("NOT_FOUND", True)


@pytest.mark.parametrize("name", READS)
async def test_the_graph_is_not_asked_about_its_future(client: Client, name: str) -> None:
    error = await client.error("{ " + READS[name].replace("TIME", f'asOf: "{days(1)}"') + " }")
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "asOf")
    assert "validAt" in error["message"]


@pytest.mark.parametrize("value", ["yesterday", "2024-02-30T00:00:00Z", "9999-12-31T00:00:00Z"])
async def test_a_time_that_is_none_is_refused(client: Client, value: str) -> None:
    error = await client.error(f'{{ knowledge(id: "a", validAt: "{value}") {{ id }} }}')
    assert error["code"] == "INVALID_INPUT"


async def test_the_examples_of_the_page_run(client: Client) -> None:
    begin, *others = re.findall(r"```graphql\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    await client.query(begin)
    then = now()
    answers = [await client.query(example, **({"then": then} if "$then" in example else {})) for example in others]
    _, past, true, superseded = answers
    price, terms = past["search"]["hits"]
    assert (price["node"]["content"], price["node"]["dependsOn"]) == ("The plan costs 10 a month.", [{"id": "terms"}])
    assert (terms["depth"], past["search"]["edges"]) == (1, [{"from": "price", "to": "terms", "type": "DEPENDS_ON"}])
    assert [state["recordedTo"] for state in past["history"]] == [None]
    assert [hit["node"]["content"] for hit in true["search"]["hits"]] == ["The plan costs 12 a month."]
    assert true["knowledge"] is None
    assert ids(superseded["search"]["hits"]) == ["price"]


async def test_history_as_of_knows_nothing_of_what_came_later(client: Client) -> None:
    await remember(client, [note("a", "Tea", "first")])
    await update(client, "a", {"content": "second"})
    then = now()
    await update(client, "a", {"content": "third"})
    found = await read(client, "history", asOf=then)
    assert [(state["node"]["content"], state["recordedTo"] is None) for state in found] == [
        ("second", True),
        ("first", False),
    ]


async def test_a_node_out_of_use_now_was_in_use_then(client: Client) -> None:
    await remember(client, [note("a", "Tea", "brew it"), note("b", "Coffee", "brew that")])
    then = now()
    await client.query(SUPERSEDE, old="a", new="b")
    await client.query(RETRACT, id="b")
    assert ids((await search(client, "brew"))["hits"]) == []
    found = await search(client, "brew", asOf=then)
    assert (sorted(ids(found["hits"])), found["edges"]) == (["a", "b"], [])


async def test_nested_edges_are_those_of_the_same_moment(client: Client, settle: Settle) -> None:
    await remember(
        client, [note("a", "Tea", "drunk in Kyoto"), note("b", "Pot"), note("c", "Kyoto", "old")], chain("a", "b", "c")
    )
    await settle()
    then = now()
    await update(client, "a", {"content": "drunk in London"})
    await update(client, "c", {"content": "new"})
    await unlink(client, chain("a", "b"))
    await client.query(SUPERSEDE, old="a", new="b")
    await settle()
    past = (await client.query(NESTED, id="a", asOf=then))["knowledge"]
    assert [one["id"] for one in past["relatedTo"]] == ["b"]
    assert {one["id"]: one["content"] for one in past["relatedTo"][0]["relatedTo"]}["c"] == "old"
    assert (past["mentions"], past["supersededBy"]) == ([{"id": "c"}], [])
    today = (await client.query(NESTED, id="a"))["knowledge"]
    assert (today["relatedTo"], today["mentions"], today["supersededBy"]) == ([], [], [{"id": "b"}])


async def test_mentions_are_followed_as_they_were(client: Client, settle: Settle) -> None:
    await remember(client, [note("a", "Tea", "drunk in Kyoto"), note("c", "Kyoto", "a town")])
    await settle()
    then = now()
    await update(client, "a", {"content": "drunk at home"})
    await settle()
    asked = {"query": "drunk", "mode": "TEXT"}
    assert ids((await search(client, **asked))["hits"]) == ["a"]
    found = await search(client, **asked, asOf=then)
    assert [(one["node"]["id"], one["depth"]) for one in found["hits"]] == [("a", 0), ("c", 1)]
    assert found["hits"][1]["path"] == [{"from": "a", "to": "c", "type": "MENTIONS", "forward": True}]


async def test_an_entity_joins_what_had_it_in_common(client: Client, settle: Settle) -> None:
    texts = [note("s", "Alder", "bark of Kew"), note("t", "Birch", "a remedy of Kew")]
    await remember(client, [*texts, *(note(f"f{at}", f"Filling {at}", str(at) * 3) for at in range(4))])
    await settle()
    then = now()
    await update(client, "t", {"content": "a remedy"})
    await update(client, "s", {"content": "bark of KEW"})
    await settle()
    found = (await client.query(REASONS, asOf=then))["search"]["hits"]
    way = {"from": "s", "to": "t", "type": "MENTIONS", "forward": True, "via": "Kew"}
    assert [(hit["node"]["id"], hit["path"]) for hit in found] == [("s", []), ("t", [way])]
    assert ids((await client.query(REASONS))["search"]["hits"]) == ["s"]


async def test_what_stood_in_the_place_of_a_superseded_node_is_brought(client: Client) -> None:
    await remember(client, [note("old", "Alder", "bark remedy"), note("new", "Sync"), note("last", "Flow")])
    await client.query(SUPERSEDE, old="old", new="new")
    then = now()
    await client.query(SUPERSEDE, old="new", new="last")
    for at, heir in ((then, "new"), (None, "last"), (now(), "last")):
        (hit,) = (await client.query(REASONS, asOf=at))["search"]["hits"]
        assert (hit["node"]["id"], hit["replaces"], hit["depth"]) == (heir, ["old"], 0)


@pytest.mark.parametrize("settled", [True, False], ids=["vector made before the change", "vector made after it"])
async def test_an_earlier_text_is_found_by_its_vector(client: Client, settle: Settle, settled: bool) -> None:
    await remember(client, [note("a", "Tea", "green leaves"), note("b", "Stone", "grey granite")])
    if settled:
        await settle()
    then = now()
    await update(client, "a", {"title": "Car", "content": "four wheels"})
    await update(client, "b", {"tags": ["rock"]})
    await settle()
    for query, best in (("tea green leaves", "a"), ("stone grey granite", "b")):
        found = await search(client, query, mode="VECTOR", asOf=then, topK=1)
        assert ids(found["hits"]) == [best]
    assert found["hits"][0]["parts"]["vector"] == 1


async def test_a_filter_holds_for_what_was(client: Client, settle: Settle) -> None:
    await remember(client, [note("a", "Tea", "brew", tags=["hot"]), note("b", "Coffee", "brew", tags=["cold"])])
    await settle()
    then = now()
    await update(client, "a", {"tags": ["cold"], "type": "FACT"})
    await update(client, "b", {"tags": ["hot"], "confidence": 0.2})
    await settle()
    for mode in ("HYBRID", "TEXT", "VECTOR"):
        assert ids((await search(client, "brew", mode=mode, tags=["hot"], asOf=then))["hits"]) == ["a"]
        assert ids((await search(client, "brew", mode=mode, tags=["hot"]))["hits"]) == ["b"]
        assert ids((await search(client, "brew", mode=mode, types=["FACT"], asOf=then))["hits"]) == []
        assert sorted(ids((await search(client, "brew", mode=mode, minConfidence=0.5, asOf=then))["hits"])) == [
            "a",
            "b",
        ]


async def test_a_question_of_stop_words_finds_an_earlier_title(client: Client) -> None:
    await remember(client, [note("a", "The Who", "a band")])
    then = now()
    await update(client, "a", {"title": "Some band"})
    assert ids((await search(client, "the who", asOf=then))["hits"]) == ["a"]


async def test_the_past_of_others_stays_theirs(client: Client, connect_as: Connect) -> None:
    await remember(client, [note("a", "Tea", "brew one")])
    await remember(client, [note("p", "Mine", "brew two")], resourceId="customer")
    then = now()
    await update(client, "a", {"content": "other"})
    await update(client, "p", {"content": "other"}, resourceId="customer")
    assert ids((await search(client, "brew", asOf=then))["hits"]) == ["a"]
    assert sorted(ids((await search(client, "brew", asOf=then, resourceId="customer"))["hits"])) == ["a", "p"]
    other = await connect_as(tenant=Tenant(f"tenant {new_id()}"))
    assert ids((await search(other, "brew", asOf=then))["hits"]) == []
    assert await read(other, "knowledge", asOf=then) is None


async def test_pages_of_the_past_are_stable_under_writes(client: Client) -> None:
    await remember(client, [note(f"n{at}") for at in range(10)])
    for at in range(5):
        await update(client, f"n{at}", {"content": "changed"})
    then = now()
    for order in ("CREATED_ASC", "CREATED_DESC", "UPDATED_ASC", "UPDATED_DESC"):
        found: list[Any] = []
        after = None
        while True:
            variables = {"after": after, "asOf": then}
            page = (await client.query(PAGE.replace("ORDER", order), **variables))["knowledgeNodes"]
            found += page["nodes"]
            await update(client, f"n{len(found) % 10}", {"content": f"later, {order} {len(found)}"})
            await remember(client, [note(f"{order}{len(found)}")])
            if not page["pageInfo"]["hasNextPage"]:
                break
            after = page["pageInfo"]["endCursor"]
        assert sorted(one["id"] for one in found) == [f"n{at}" for at in range(10)]
        assert {one["id"] for one in found if one["content"] == "changed"} == {f"n{at}" for at in range(5)}
        assert not any("later" in one["content"] for one in found)


async def test_the_list_of_now_can_be_asked_for_as_of_now(client: Client) -> None:
    await remember(client, [note("a"), note("b")])
    assert (await listed(client))["nodes"] != []
    assert ids((await listed(client))["nodes"]) == ids(nodes(await read(client, "knowledgeNodes", asOf=now())))
