"""Each audit finds the fault that it is for."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.graph.models import EDGES, NODES
from graphmem.graph.statements import cypher_folder
from graphmem.graph.validate import declared
from graphmem.knowledge.entities import entities
from graphmem.knowledge.remember import remember
from graphmem.knowledge.update import Patch, update
from graphmem.upkeep.audits import run_audit
from graphmem.values import EdgeType, Tenant, utc_now
from tests.conftest import Settle
from tests.factories import edge, node, principal
from tests.upkeep.support import join, plant, uids
from tests.upkeep.test_audits import found

LONG_AGO = utc_now() - timedelta(days=9000)


async def sound(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    nodes = [
        node("a", "one", "of Ann Lee"),
        node("b", "two", "of ann lee and Gamma"),
        node("gamma", "Gamma", "word " * 290),
    ]
    await remember(graph, principal(tenant), nodes, [edge("a", EdgeType.RELATED_TO, "b")])
    await settle()
    await update(graph, principal(tenant), "a", Patch(confidence=0.5))
    await update(graph, principal(tenant), "a", Patch(confidence=0.6))


async def entity_id(graph: Graph, tenant: Tenant, text: str) -> str:
    return (await entities(graph, View(tenant), text, 1, 1, None)).items[0].id


@pytest.mark.parametrize(
    ("audit", "fault", "uid", "params", "rows"),
    [
        ("stale_vectors", "set", "a", {"properties": {"content": "edited"}},
         [("a", "stale vector", "made from: one\nof Ann Lee")]),
        ("stale_vectors", "set", "chunk", {"properties": {"text": "Gamma\nwords"}}, 1),
        ("stale_vectors", "set", "chunk", {"properties": {"text": "word word"}}, 1),
        ("wrong_size_vectors", "set", "a", {"properties": {"embedding_1": [1.0, 0.0]}},
         [("a", "wrong-size vector", "2 dimensions where the index has 64")]),
        ("wrong_size_vectors", "set", "a", {"properties": {"embedding_1": [0.0] * 64}},
         [("a", "zero vector", "all its 64 numbers are 0")]),
        ("wrong_size_vectors", "set", "chunk", {"properties": {"embedding_1": [1.0] * 63}}, 1),
        ("wrong_size_vectors", "set", "revision", {"properties": {"embedding_1": [1.0] * 65}}, 1),
        ("wrong_size_vectors", "set", "revision", {"properties": {"embedding_1": [0] * 64}}, 1),
        ("contradictory_validity", "set", "a", {"properties": {"validTo": LONG_AGO}}, 1),
        ("contradictory_validity", "set_edges", "a",
         {"type": "RELATED_TO", "properties": {"validFrom": utc_now(), "validTo": LONG_AGO}}, 1),
        ("contradictory_validity", "set_edges", "b", {"type": "MENTIONS", "properties": {"recordedTo": LONG_AGO}}, 3),
        ("over_long_notes", "set", "a", {"properties": {"content": "a\n" * 301}},
         [("a", "over-long note", "301 words")]),
        ("unknown_names", "set", "a", {"properties": {"colour": "red"}}, [("a", "unknown name", "property colour")]),
        ("unknown_names", "label", "a", {"label": "Strange"}, [("a", "unknown name", "label Strange")]),
        ("unknown_names", "set_edges", "a", {"type": "RELATED_TO", "properties": {"colour": "red"}},
         [("a", "unknown name", "property colour of RELATED_TO")]),
        ("unsupported_mentions", "set", "a", {"properties": {"searchContent": "of nobody"}},
         [("a", "unsupported mention", "its text does not have the entity ann lee")]),
        ("unsupported_mentions", "cut", "b", {"type": "CONTAINS"},
         [("b", "unsupported mention", "its text does not have the node gamma")]),
        ("unsupported_mentions", "set", "a", {"properties": {"status": "retracted"}},
         [("a", "unsupported mention", "its text does not have the entity ann lee")]),
        ("orphan_chunks", "cut", "gamma", {"type": "HAS_CHUNK"}, "every chunk"),
        ("orphan_chunks", "set", "gamma", {"properties": {"status": "draft"}}, "every chunk"),
        ("orphan_chunks", "set", "chunk", {"properties": {"validTo": None}}, 1),
        ("orphan_chunks", "set", "chunk", {"properties": {"node": None}}, 1),
        ("orphan_chunks", "set", "gamma", {"properties": {"confidence": None}}, "every chunk"),
        ("revisions_out_of_order", "set", "a", {"properties": {"version": 7}},
         [("a", "revision out of order", "version 2 is followed by none")]),
        ("revisions_out_of_order", "set", "a", {"properties": {"recordedFrom": LONG_AGO}},
         [("a", "revision out of order", "version 2 does not end when the next begins")]),
        ("revisions_out_of_order", "cut", "a", {"type": "PREVIOUS"}, 2),
    ],
)  # fmt: skip
async def test_a_fault_is_found(
    graph: Graph, tenant: Tenant, settle: Settle, audit: str, fault: str, uid: str, params: dict[str, Any], rows: Any
) -> None:
    await sound(graph, tenant, settle)
    assert await found(graph, audit, tenant) == []
    if uid in ("chunk", "revision"):
        uid = (await uids(graph, tenant, uid.capitalize()))[0]
    await plant(graph, fault, tenant, uid, **params)
    seen = await found(graph, audit, tenant)
    if rows == "every chunk":
        assert [row[0] for row in seen] == await uids(graph, tenant, "Chunk") != []
    elif isinstance(rows, int):
        assert len(seen) == rows
    else:
        assert seen == rows


async def test_a_node_in_use_that_another_supersedes_is_found(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a"), node("b")])
    await join(graph, (tenant, "a"), EdgeType.SUPERSEDES, (tenant, "b"))
    assert await found(graph, "superseded_in_use", tenant) == [
        ("b", "superseded node in use", "active, superseded by a")
    ]


async def test_an_entity_or_name_that_counts_wrongly_is_found(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    await sound(graph, tenant, settle)
    assert await found(graph, "wrong_counts", tenant) == []
    ann = await entity_id(graph, tenant, "ann lee")
    await plant(graph, "set", tenant, ann, properties={"nodes": 7})
    said = "the entity ann lee says 7 nodes; there are 2"
    assert await found(graph, "wrong_counts", tenant) == [(ann, "wrong count", said)]
    await plant(graph, "set", tenant, ann, properties={"nodes": 2, "counts": [2]})
    said = "the entity ann lee counts other spellings than there are"
    assert await found(graph, "wrong_counts", tenant) == [(ann, "wrong count", said)]
    await plant(graph, "set", tenant, ann, properties={"counts": [1]})
    await plant(graph, "cut", tenant, "b", type="CONTAINS")
    ((_, _, said),) = await found(graph, "wrong_counts", tenant)
    assert said == "the name gamma says 1 texts; there are 0"


async def test_an_entity_that_no_text_shows_to_be_a_name_is_found(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    await sound(graph, tenant, settle)
    await plant(
        graph, "set", tenant, await entity_id(graph, tenant, "ann lee"), properties={"spellings": [], "counts": []}
    )
    assert [row[0] for row in await found(graph, "unsupported_mentions", tenant)] == ["a", "b"]


async def test_an_edge_type_that_nobody_knows_is_found(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a"), node("b")])
    await join(graph, (tenant, "a"), "STRANGE", (tenant, "b"))
    assert await found(graph, "unknown_names", tenant) == [("a", "unknown name", "edge type STRANGE")]


async def test_a_label_without_a_tenant_is_told_of_the_whole_graph(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a")])
    await plant(graph, "label", tenant, "a", label="Strange")
    seen = {(row.tenant, row.detail) for row in await run_audit(graph, "unknown_names")}
    assert {("", "label Strange"), (tenant, "label Strange")} <= seen


def test_the_names_that_an_audit_knows_are_those_declared() -> None:
    text = (cypher_folder() / "audit" / "unknown_names.cypher").read_text(encoding="utf-8")
    listed = re.findall(r"(\w+): \[([^\]]*)\]", text[: text.index("CALL (")])
    known = {name: set(re.findall(r"'(\w+)'", keys)) for name, keys in listed}
    own = {name: set(declared(name)) - (set(declared("Item")) if name != "Item" else set()) for name in NODES}
    graph_wide = {name: set(declared(name)) for name in ("IndexState", "Migration", "MigrationLock")}
    assert known == {**own, **graph_wide, **{name: set(declared(name)) for name in EDGES}}
