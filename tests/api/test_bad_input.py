"""Input that must get a clear error, or come back just as it was; nothing is half-stored."""

from __future__ import annotations

import asyncio

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant, encode_cursor, has_control
from tests import operations
from tests.client import Client
from tests.conftest import Settle
from tests.factories import arrow, ids, note, plants
from tests.knowledge.support import counted
from tests.operations import knowledge, link, listed, remember, search, traverse, update

BLANK = ["", "   ", "\n\t\r", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u200b \u2060\u3000"]
STRANGE = {
    "control": "bell \x07 escape \x1b[31m vertical \x0b",
    "nul": "before\x00after",
    "emoji": "\U0001f98a \U0001f469\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea",
    "right to left": "\u202eשלום עולם\u202c مرحبا",
    "lines": "one\r\ntwo\rthree\u2028four",
    "mark": "\ufeffmarked",
    "marks": "e\u0301 Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334",
    "lucene": 'a AND (b OR "c) ^2 ~ * ? : \\ / [x TO y] {x TO y} && || ! + - NOT',
    "cypher": "' \" ` $tenant }) DETACH DELETE n // \\u0027 /* */ ; CALL { MATCH (n) DELETE n }",
    "template": "{{7*7}} ${jndi:ldap://x} <script>alert(1)</script> %s %n ../../etc/passwd",
}
LUCENE = [
    "/b testing", "root causes/solutions", '"open quote', "(", "a AND", "NOT", "foo:bar", "~", "*", "?", "\\", "x^",
    "[a TO", "&&", "||", "!", "C:\\repo\\main", "tenantToken:*", "+", "-", "{", "}", "]", ")", '"', "^2", "AND OR NOT",
    "a" * 8000, "the", "a", "\U0001f98a", "*:*", "searchTitle:tide", "tide^1000000000", "tide~0.5", "_exists_:x",
]  # fmt: skip


async def nothing_changed(graph: Graph, tenant: Tenant) -> bool:
    """But for the test's own key, whose making is in the log."""
    return await counted(graph, tenant) == {"nodes": 0, "pending": 0, "edges": 0, "revisions": 0, "changes": 1}


@pytest.mark.parametrize("text", BLANK)
async def test_a_blank_text_is_refused_where_a_text_is_needed(
    client: Client, graph: Graph, tenant: Tenant, text: str
) -> None:
    for given, field in (
        ({"title": text}, "title"), ({"content": text}, "content"), ({"id": text}, "id"),
        ({"tags": ["x", text]}, "tags[1]"), ({"aliases": [text]}, "aliases[0]"),
        ({"connections": [text]}, "connections[0]"),
    ):  # fmt: skip
        nodes = [note("fine"), {**note("n", "Title", "Content"), **given}]
        error = await client.error(operations.REMEMBER, nodes=nodes)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", f"nodes[1].{field}")
    for edge, field in ((arrow(text, "RELATED_TO", "b"), "from"), (arrow("a", "RELATED_TO", text), "to")):
        error = await client.error(operations.LINK, edges=[edge])
        assert (error["code"], error["field"]) == ("INVALID_INPUT", f"edges[0].{field}")
    assert await nothing_changed(graph, tenant)


@pytest.mark.parametrize("text", BLANK)
async def test_a_blank_question_is_refused_and_a_blank_id_finds_nothing(client: Client, text: str) -> None:
    for mode in ("HYBRID", "VECTOR", "TEXT"):
        error = await client.error(operations.SEARCH, input={"query": text, "mode": mode})
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "query")
    assert await knowledge(client, text) is None
    for document in (operations.TRAVERSE, operations.PATH):
        error = await client.error(document, **{"from": text, "to": "a"} if "$to" in document else {"from": text})
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "from")
    error = await client.error(operations.UPDATE, id=text, patch={"content": "x"})
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "id")
    error = await client.error(operations.SEARCH, input={"query": "x", "resourceId": text})
    assert error["code"] == "INVALID_INPUT"


@pytest.mark.parametrize("name", list(STRANGE))
async def test_any_text_that_can_be_seen_comes_back_as_it_is(client: Client, settle: Settle, name: str) -> None:
    text = STRANGE[name]
    plain = "".join(sign for sign in text if not has_control(sign))  # ids and tags have none
    given = note(
        f"id {plain}", f"t {text}", f"c {text}", aliases=[f"a {text}"], tags=[f"g {plain}"], metadata={text: text}
    )
    edges = [arrow(given["id"], "DEPENDS_ON", "other", reason=text)]
    await remember(client, [given, note("other", "Something else")], edges)
    await settle()
    stored = await knowledge(client, given["id"])
    assert {field: stored[field] for field in given} == given
    assert ids((await listed(client, filter={"tags": given["tags"], "metadata": {text: text}}))["nodes"]) == [
        given["id"]
    ]
    assert given["id"] in ids((await search(client, f"t {text}"))["hits"])
    assert ids((await search(client, "t", tags=given["tags"], metadata={text: text}))["hits"])[0] == given["id"]
    assert ids((await traverse(client, given["id"]))["hits"]) == [given["id"], "other"]
    found = (await client.query(operations.EDGES, id=given["id"], types=["DEPENDS_ON"]))["knowledge"]["edges"]["edges"]
    assert found[0]["edge"]["reason"] == text
    done = await update(client, given["id"], {"content": f"{text} c"}, expectedVersion=1)
    assert done["node"]["content"] == f"{text} c"


@pytest.mark.parametrize("query", LUCENE)
async def test_syntax_in_a_question_is_text(client: Client, settle: Settle, query: str) -> None:
    await remember(client, [note("a", "Tide tables", "root causes and solutions for testing C repo main")])
    await settle()
    for mode in ("HYBRID", "TEXT", "VECTOR"):
        found = await search(client, query, mode=mode)
        assert found["warnings"] == []
        assert ids(found["hits"]) in ([], ["a"])


async def test_a_text_of_a_megabyte_is_refused_with_the_limit(client: Client, graph: Graph, tenant: Tenant) -> None:
    huge = "x" * 1_000_000
    for given, field, limit in (
        ({"content": huge}, "content", "max_text"), ({"title": huge}, "title", "max_title"),
        ({"id": huge}, "id", "max_id"), ({"tags": [huge]}, "tags[0]", "max_label"),
        ({"connections": [huge]}, "connections[0]", "max_id"),
        ({"tags": ["x"] * 101}, "tags", "max_labels"),
    ):  # fmt: skip
        error = await client.error(operations.REMEMBER, nodes=[{**note("n", "Title", "Content"), **given}])
        assert (error["code"], error["field"], error["limit"]) == ("LIMIT_EXCEEDED", f"nodes[0].{field}", limit)
        assert len(error["message"]) < 500
    error = await client.error(operations.SEARCH, input={"query": huge})
    assert (error["code"], error["limit"]) == ("LIMIT_EXCEEDED", "max_query")
    error = await client.error(operations.REMEMBER, nodes=[note("n", metadata={"k": huge})])
    assert error["code"] == "INVALID_INPUT"
    assert await knowledge(client, huge) is None
    assert await nothing_changed(graph, tenant)


async def test_the_longest_texts_that_are_taken_are_found(client: Client, settle: Settle) -> None:
    long = note(
        "i" * 256, "T" * 500, ("word " * 40_000)[:199_990] + " porcupine", tags=["g" * 256], aliases=["a" * 256]
    )
    await remember(client, [long])
    await settle()
    assert ids((await search(client, "porcupine", mode="TEXT"))["hits"]) == ["i" * 256]
    assert (await knowledge(client, "i" * 256))["content"] == long["content"]


async def test_an_unknown_word_of_a_closed_set_is_refused_with_its_place(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    edge_types = "RELATED_TO, DEPENDS_ON, SUPERSEDES, CONFLICTS_WITH or MENTIONS"
    for document, variables, field, allowed in (
        (operations.REMEMBER, {"nodes": [note("a"), note("b", type="RUMOUR")]}, "nodes[1].type", "FACT, CONCEPT"),
        (operations.REMEMBER, {"nodes": [note("a", source="HEARSAY")]}, "nodes[0].source", "DOCS, CONVERSATION"),
        (operations.REMEMBER, {"nodes": [note("a", status="LOST")]}, "nodes[0].status", "DRAFT, ACTIVE"),
        (operations.LINK, {"edges": [arrow("a", "LIKES", "b")]}, "edges[0].type", edge_types),
        (operations.LINK, {"edges": [arrow("a", "related_to", "b")]}, "edges[0].type", edge_types),
        (operations.UNLINK, {"edges": [arrow("a", "LIKES", "b")]}, "edges[0].type", edge_types),
        (operations.LIST, {"filter": {"types": ["RUMOUR"]}}, "filter.types[0]", "FACT, CONCEPT"),
        (operations.LIST, {"orderBy": "TITLE"}, "orderBy", "CREATED_ASC"),
        (operations.SEARCH, {"input": {"query": "x", "edgeTypes": ["LIKES"]}}, "input.edgeTypes[0]", edge_types),
        (operations.SEARCH, {"input": {"query": "x", "direction": "UP"}}, "input.direction", "OUT, IN or BOTH"),
        (operations.SEARCH, {"input": {"query": "x", "mode": "MAGIC"}}, "input.mode", "HYBRID, VECTOR or TEXT"),
    ):
        error = await client.error(document, **variables)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", field)
        assert allowed in error["message"].split("; give ")[1]
    assert await nothing_changed(graph, tenant)


@pytest.mark.parametrize("status", ["SUPERSEDED", "RETRACTED", "ARCHIVED"])
async def test_a_status_that_only_a_verb_gives_is_refused(client: Client, status: str) -> None:
    error = await client.error(operations.REMEMBER, nodes=[note("a", status=status)])
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "nodes[0].status")


async def test_of_a_thousand_nodes_with_one_bad_row_none_is_stored(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    many = [note(f"n{at}") for at in range(1000)]
    for bad, field in (({"confidence": 1.2}, "confidence"), ({"title": " "}, "title"), ({"id": "n5"}, "id")):
        rows = [{**one, **(bad if at == 700 else {})} for at, one in enumerate(many)]
        error = await client.error(operations.REMEMBER, nodes=rows)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", f"nodes[700].{field}")
        assert f"nodes[700].{field}" in error["message"]
    error = await client.error(operations.REMEMBER, nodes=[*many, note("more")])
    assert (error["code"], error["field"], error["limit"], error["value"]) == (
        "LIMIT_EXCEEDED",
        "nodes",
        "max_nodes",
        1000,
    )
    bad_edge = [*(arrow(f"n{at}", "DEPENDS_ON", f"n{at + 1}") for at in range(699)), arrow("n1", "DEPENDS_ON", "n1")]
    error = await client.error(operations.REMEMBER, nodes=many, edges=bad_edge)
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "edges[699]")
    assert await nothing_changed(graph, tenant)
    assert len((await remember(client, many))["created"]) == 1000


async def test_a_cursor_that_is_not_of_this_list_is_refused(client: Client) -> None:
    await remember(client, plants(3), [arrow("p0", "RELATED_TO", "p1")])
    first = await listed(client, first=1, orderBy="CREATED_ASC")
    for cursor in ("", "garbage", "☃", encode_cursor("a"), first["pageInfo"]["endCursor"]):
        error = await client.error(operations.LIST, after=cursor, orderBy="UPDATED_ASC")
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "after")
    error = await client.error(operations.EDGES, id="p0", after=first["pageInfo"]["endCursor"])
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "after")


async def test_the_same_call_at_once_and_again_after_a_lost_answer_is_one_call(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    given = {
        "nodes": [note("a"), {"title": "No id", "content": "of its own"}],
        "edges": [arrow("a", "DEPENDS_ON", "b")],
    }
    done = await asyncio.gather(*(client.query(operations.REMEMBER, **given, key="k") for _ in range(10)))
    assert done == [done[0]] * 10
    assert (await counted(graph, tenant)) == {"nodes": 2, "pending": 1, "edges": 0, "revisions": 0, "changes": 2}
    assert await client.query(operations.REMEMBER, **given, key="k") == done[0]
    error = await client.error(operations.REMEMBER, nodes=[note("a", content="Other")], key="k")
    assert (error["code"], error["field"]) == ("IDEMPOTENCY_CONFLICT", "idempotencyKey")
    for key in ("", " ", "k" * 201):
        error = await client.error(operations.REMEMBER, **given, key=key)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "idempotencyKey")


async def test_a_stale_version_is_refused_with_the_current_one(client: Client) -> None:
    await remember(client, [note("a")])
    await update(client, "a", {"content": "Two"}, expectedVersion=1)
    error = await client.error(operations.UPDATE, id="a", patch={"content": "Lost"}, expectedVersion=1)
    assert (error["code"], error["field"], error["currentVersion"]) == ("VERSION_CONFLICT", "expectedVersion", 2)
    assert (await knowledge(client, "a"))["content"] == "Two"


async def test_edges_that_can_not_be_are_refused_or_wait(client: Client, graph: Graph, tenant: Tenant) -> None:
    await remember(client, [note("a"), note("b")])
    error = await client.error(operations.LINK, edges=[arrow("a", "RELATED_TO", "b"), arrow("a", "RELATED_TO", "a")])
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "edges[1]")
    error = await client.error(operations.LINK, edges=[arrow("a", "MENTIONS", "b")])
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "edges[0].type")
    assert (await counted(graph, tenant))["edges"] == 0
    edge = {"from": "a", "to": "b", "type": "RELATED_TO"}
    assert (await link(client, [edge, edge]))["created"] == [edge]
    assert (await link(client, [edge]))["unchanged"] == [edge]
    ghost = {"from": "a", "to": "ghost", "type": "DEPENDS_ON"}
    assert (await link(client, [ghost]))["pending"] == [ghost]
    assert await operations.audit(client, "dangling_links") == ["a -DEPENDS_ON-> ghost waits for ghost"]
    await remember(client, [note("ghost")])
    assert await operations.audit(client, "dangling_links") == []
    assert ("a", "DEPENDS_ON", "ghost") in await operations.edges(client, "a")
