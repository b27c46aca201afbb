"""Faults seen in others' memory stores, each tried here. The id of the case stands in the docstring.

B22 and B27 are in test_tenancy.py and test_resources.py, B128 and B130 in test_http_walls.py, B129 in test_nested.py.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Tenant
from tests import operations
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import arrow, ids, note
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.support import counted, join, probing
from tests.operations import edges, knowledge, link, listed, remember, search, traverse


@pytest.mark.parametrize("owner", ["team-alpha-01", "3f2a9c10-0000-4000-8000-00000000000a", "a+b&&c", "x:y/z", "(r)"])
async def test_an_owner_that_can_be_written_can_be_searched(client: Client, settle: Settle, owner: str) -> None:
    """B01"""
    other = note("other", "Pricing review", "moved", resourceId="else")
    await remember(client, [note("n", "Pricing review moved to Friday", resourceId=owner), other])
    await settle()
    for mode in ("TEXT", "VECTOR", "HYBRID"):
        assert ids((await search(client, "pricing review", mode=mode, resourceId=owner))["hits"]) == ["n"]


@pytest.mark.parametrize(
    "query", ["/b testing", "root causes/solutions", "C:\\repo\\main", "foo:bar", "tide AND NOT (moon"]
)
async def test_the_words_beside_an_operator_are_looked_for(client: Client, settle: Settle, query: str) -> None:
    """B02; test_bad_input.py has queries of operators alone."""
    await remember(client, [note("n", "Testing root causes", "solutions for tide and moon; foo:bar; repo main")])
    await settle()
    assert ids((await search(client, query, mode="TEXT"))["hits"]) == ["n"]


async def test_a_title_with_quotes_names_its_own_node_only(client: Client, settle: Settle) -> None:
    """B04"""
    await remember(client, [note("a", 'The "Blue" Plan'), note("b", "Plan for Tuesday"), note("c", "Blue paint")])
    await settle()
    hits = (await search(client, 'The "Blue" Plan', topK=3))["hits"]
    assert {hit["node"]["id"]: hit["parts"]["title"] for hit in hits} == {"a": 0.5, "b": 0, "c": 0}
    assert ids(hits)[0] == "a"


@pytest.mark.parametrize(
    "label", ["non-compliant", "non_compliant", "由...组成", "kriterien_für", " ", "`) DELETE r //"]
)
async def test_a_label_of_ones_own_is_kept_beside_one_of_the_types(client: Client, label: str) -> None:
    """B05"""
    await remember(client, [note("a"), note("b")])
    await link(client, [arrow("a", "RELATED_TO", "b", reason=label)])
    found = (await client.query(operations.EDGES, id="a"))["knowledge"]["edges"]["edges"]
    assert [one["edge"]["reason"] for one in found] == [label]
    assert (await client.error(operations.LINK, edges=[arrow("a", label, "b")]))["code"] == "INVALID_INPUT"


async def test_no_text_is_cut_on_its_way_out(client: Client) -> None:
    """B06: no answer has previews; whole texts end where their authors ended them."""
    for tail in ("\U0001f98a", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "e\u0301"):
        for length in (299, 300, 1023, 65_535):
            await remember(client, [note("n", content="a" * length + tail)])
            response = await client.post(operations.KNOWLEDGE, {"id": "n"})
            text = json.loads(response.content.decode("utf-8", "strict"))["data"]["knowledge"]["content"]
            assert text == "a" * length + tail


@pytest.mark.parametrize("content", ["a\x00b", "line1\r\nline2 b", "tab\there b", "\ufeffb", "b \u202eשלום\u202c"])
async def test_control_characters_are_kept_and_hide_no_word(client: Client, settle: Settle, content: str) -> None:
    """B08"""
    await remember(client, [note("n", "Title", content)])
    await settle()
    assert (await knowledge(client, "n"))["content"] == content
    assert ids((await search(client, "b", mode="TEXT"))["hits"]) == ["n"]


async def test_blank_content_is_refused_and_nothing_is_made_of_it(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle, embedder: HashingEmbedder
) -> None:
    """B09"""
    calls = embedder.calls
    for blank in ("", "   ", "\n\t", "\u00a0", "\u3000", "\u200b"):
        error = await client.error(operations.REMEMBER, nodes=[{"title": "T", "content": blank}])
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "nodes[0].content")
    await settle()
    assert (await counted(graph, tenant))["nodes"] == 0
    assert embedder.calls == calls


async def test_a_blank_question_is_refused_and_padding_does_not_matter(
    client: Client, settle: Settle, embedder: HashingEmbedder
) -> None:
    """B10"""
    await remember(client, [note("n", "hello"), note("m", "other")])
    await settle()
    calls = embedder.calls
    for query in ("", "  ", "\u3000", None):
        assert (await client.error(operations.SEARCH, input={"query": query}))["code"] == "INVALID_INPUT"
    assert embedder.calls == calls
    plain, padded = await search(client, "hello"), await search(client, "  hello  ")
    assert padded["hits"] == plain["hits"]


async def test_one_word_composed_in_two_ways_is_one_node(client: Client, settle: Settle) -> None:
    """B13: composed alike, a text is the same; case makes another. All are found by each."""
    composed, decomposed = "Caf\u00e9", "Cafe\u0301"
    (first,) = (await remember(client, [{"title": composed, "content": "Open"}]))["ids"]
    again = await remember(client, [{"title": decomposed, "content": "Open"}])
    assert (again["ids"], again["unchanged"]) == ([first], [first])
    (other,) = (await remember(client, [{"title": "CAF\u00c9", "content": "Open"}]))["created"]
    await settle()
    for query in (composed, decomposed, "CAF\u00c9", "cafe"):
        for mode in ("TEXT", "VECTOR"):
            assert set(ids((await search(client, query, mode=mode))["hits"])) == {first, other}
    assert (await knowledge(client, first))["title"] == composed


HOSTILE = "Note` SET n.hacked = true WITH n MATCH (m) DETACH DELETE m //"


async def test_a_name_from_a_caller_never_becomes_part_of_a_statement(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    """B14"""
    await remember(client, [note("sentinel", "Sentinel", tags=[HOSTILE], metadata={HOSTILE: HOSTILE})])
    await settle()
    before = await counted(graph, tenant)
    for document, variables in (
        (operations.REMEMBER, {"nodes": [note("n", type=HOSTILE)]}),
        (operations.LINK, {"edges": [arrow("sentinel", HOSTILE, "n")]}),
        (operations.LIST, {"orderBy": HOSTILE}),
        (operations.SEARCH, {"input": {"query": "x", "edgeTypes": [HOSTILE]}}),
        (operations.SEARCH, {"input": {"query": "x", "mode": HOSTILE}}),
    ):
        assert (await client.error(document, **variables))["code"] == "INVALID_INPUT"
    for more in ({"tags": [HOSTILE]}, {"metadata": {HOSTILE: HOSTILE}}):
        assert ids((await listed(client, filter=more))["nodes"]) == ["sentinel"]
        assert ids((await search(client, HOSTILE, **more))["hits"]) == ["sentinel"]
    assert (await client.error(operations.AUDIT, name=HOSTILE))["code"] == "INVALID_INPUT"
    assert await counted(graph, tenant) == before
    assert (await knowledge(client, "sentinel"))["version"] == 1


async def test_a_hostile_name_that_is_in_the_graph_already_does_nothing(
    client: Client, graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    """B16"""
    await remember(client, [note("a", "Alder"), note("b", "Birch")], [arrow("a", "RELATED_TO", "b")])
    await settle()
    await probing(graph).run("probe/label", tenant=tenant, uid="a", label=HOSTILE)
    await join(graph, (tenant, "a"), HOSTILE, (tenant, "b"))
    before = await counted(graph, tenant)
    names = (await client.query("{ audits }"))["audits"]
    found = {name: rows for name in names if (rows := await operations.audit(client, name))}
    assert found.keys() == {"unknown_names"}
    assert found["unknown_names"] == [f"edge type {HOSTILE}", f"label {HOSTILE}"]
    assert (await client.query("{ health { ok } }"))["health"]["ok"]
    assert await edges(client, "a") == [("a", "RELATED_TO", "b")]
    assert ids((await traverse(client, "a"))["hits"]) == ["a", "b"]
    assert ids((await search(client, "alder", topK=1))["hits"]) == ["a", "b"]
    assert await counted(graph, tenant) == before


async def test_every_part_of_an_answer_keeps_to_the_tenant(
    client: Client, connect_as: Connect, tenant: Tenant, settle: Settle
) -> None:
    """B20"""
    other = Tenant(f"{tenant} other")
    stranger = await connect_as(tenant=other)
    same = {"title": "Tide tables", "content": "High water; see Moon phases", "tags": ["x"]}
    for who, prefix in ((client, "a"), (stranger, "b")):
        moon = note(f"{prefix}2", "Moon phases", "As Tide tables say")
        edge = arrow(f"{prefix}1", "DEPENDS_ON", f"{prefix}2", reason=f"edge of {prefix}")
        await remember(
            who, [{"id": f"{prefix}1", **same}, moon], [edge, arrow(f"{prefix}1", "RELATED_TO", f"{prefix}9")]
        )
    await settle()
    await settle(other)
    for more in ({}, {"tags": ["x"]}, {"types": ["CONCEPT"]}, {"mode": "TEXT"}, {"mode": "VECTOR"}):
        text = json.dumps(await search(client, "tide tables moon phases", topK=50, maxDepth=4, **more))
        assert '"a1"' in text
        assert not any(f'"b{at}"' in text for at in range(10))


async def test_a_scope_that_is_left_out_is_ones_own_and_never_everybodys(
    client: Client, connect_as: Connect, tenant: Tenant, settle: Settle
) -> None:
    """B21"""
    stranger = await connect_as(tenant=Tenant(f"{tenant} other"))
    await remember(stranger, [note("b", "Tide tables")])
    await settle(Tenant(f"{tenant} other"))
    await remember(client, [note("s", "Tide tables", "one"), note("r", "Tide tables", "two", resourceId="r1")])
    await settle()
    for mode in ("TEXT", "VECTOR", "HYBRID"):
        for scope in ({}, {"resourceId": None}):
            assert ids((await search(client, "tide tables", mode=mode, **scope))["hits"]) == ["s"]
        own = await search(client, "tide tables", mode=mode, resourceId="r1")
        assert set(ids(own["hits"])) == {"s", "r"}
        for odd in ("", [], [""], ["r1", "r2"]):
            error = await client.error(operations.SEARCH, input={"query": "tide", "mode": mode, "resourceId": odd})
            assert error["code"] == "INVALID_INPUT"


NARROW: list[dict[str, Any]] = [
    {"types": ["DECISION"]}, {"sources": ["INFERRED"]}, {"tags": ["mine"]}, {"metadata": {"owner": "me"}},
    {"minConfidence": 0.95}, {"band": "VERIFIED"}, {"types": ["DECISION"], "tags": ["mine"], "minConfidence": 0.95},
]  # fmt: skip


async def test_a_filter_holds_in_every_leg_before_the_list_is_cut(client: Client, settle: Settle) -> None:
    """B26: the best hits of each leg are out of the filter, and more than any leg's candidates."""
    crowd = [note(f"x{at}", "Tide tables", "tide tables", confidence=0.9) for at in range(130)]
    found = {"type": "DECISION", "source": "INFERRED", "tags": ["mine"], "metadata": {"owner": "me"}, "confidence": 1.0}
    own = [note(f"n{at}", "On water", f"the tide as it is said in tables of {at}", **found) for at in range(3)]
    await remember(client, [*crowd, *own])
    await settle()
    for mode in ("TEXT", "VECTOR", "HYBRID"):
        for wanted in NARROW:
            hits = (await search(client, "tide tables", mode=mode, topK=3, expand=False, **wanted))["hits"]
            assert sorted(ids(hits)) == ["n0", "n1", "n2"], (mode, wanted)
