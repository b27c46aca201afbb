from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from typing import Any

import pytest

from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.models import EDGES, JOB_STATES, NODES
from graphmem.graph.validate import declared, validate
from graphmem.jobs import State
from graphmem.values import FOREVER, EdgeType, Tenant
from tests.graph.probing import probing

NOW = datetime.now(UTC)
KEY: dict[str, Any] = {
    "tenant": "t", "uid": "k", "createdAt": NOW, "updatedAt": NOW,
    "keyId": "k", "hash": "h", "name": "a key", "scopes": ["read"],
}  # fmt: skip


def label(row: Row) -> str:
    """The label that says what a node is: Item stands beside it, or alone at a node that is only locked."""
    own = [found for found in row["labels"] if found != "Item"]
    assert len(own) < 2, own
    return own[0] if own else "Item"


async def test_every_stored_node_and_edge_is_as_declared(graph: Graph, sample: Tenant) -> None:
    nodes = await probing(graph).read("probe/tenant_nodes", tenant=sample)
    nodes += await probing(graph).read("probe/graph_nodes")
    edges = await probing(graph).read("probe/tenant_edges", tenant=sample)
    for row in nodes:
        validate(label(row), row["properties"])
    for row in edges:
        validate(row["type"], row["properties"])
    assert {label(row) for row in nodes} == set(NODES)
    assert {row["type"] for row in edges} == set(EDGES)


async def test_every_declared_property_is_stored_somewhere(graph: Graph, sample: Tenant) -> None:
    nodes = await probing(graph).read("probe/tenant_nodes", tenant=sample)
    nodes += await probing(graph).read("probe/graph_nodes")
    stored: dict[str, set[str]] = {name: set() for name in NODES}
    for row in nodes:
        stored[label(row)] |= row["properties"].keys()
    never = {(name, key) for name, keys in stored.items() for key in declared(name).keys() - keys}
    # held only while a job runs, a thread is moved or copied, a graph is migrated or its model exchanged, or by
    # a failed job
    assert never <= {
        *(("IndexState", key) for key in ("next", "nextModel", "nextDimension", "nextRecipe", "nextLeft", "retired")),
        ("Job", "leaseUntil"),
        ("Job", "error"),
        ("Thread", "movedSeq"),
        ("ThreadCopy", "titleMessage"),
        ("MigrationLock", "owner"),
        ("MigrationLock", "leaseUntil"),
    }


async def test_edges_join_the_labels_that_are_declared(graph: Graph, sample: Tenant) -> None:
    ends = {
        (relation.definition["relation_type"], name, relation._raw_class)
        for name, model in NODES.items()
        for _, relation in model.__all_relationships__
        if name != "Item"
    }
    edges = await probing(graph).read("probe/tenant_edges", tenant=sample)
    for row in edges:
        start, end = label({"labels": row["start"]}), label({"labels": row["end"]})
        assert {(row["type"], start, end), (row["type"], start, "Item")} & ends, row


def test_what_fits_passes() -> None:
    validate("ApiKey", KEY)
    validate("ApiKey", KEY | {"revokedAt": None, "resource": "customer"})
    validate("MENTIONS", {"origin": "auto", "createdAt": NOW, "recordedFrom": NOW, "recordedTo": FOREVER})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"hash": None}, "hash"),
        ({"nickname": "x"}, "nickname"),
        ({"name": 7}, "name"),
        ({"scopes": ["root"]}, "scopes"),
        ({"scopes": "read"}, "scopes"),
        ({"scopes": [1]}, "scopes"),
        ({"createdAt": "2026-01-01"}, "createdAt"),
        ({"createdAt": datetime(2026, 1, 1)}, "createdAt"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match=field) as refused:
        validate("ApiKey", KEY | changes)
    assert refused.value.field == field


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan"), float("inf"), 1, "1.0", True])
def test_a_share_is_a_float_from_0_to_1(weight: Any) -> None:
    edge = {"origin": "explicit", "createdAt": NOW, "recordedFrom": NOW, "recordedTo": FOREVER, "validTo": FOREVER,
            "confidence": 1.0, "source": "docs"}  # fmt: skip
    validate("RELATED_TO", edge | {"weight": 0.0})
    with pytest.raises(InvalidInput, match="weight"):
        validate("RELATED_TO", edge | {"weight": weight})


def test_closed_sets_are_those_of_the_rooms() -> None:
    assert set(JOB_STATES) == set(State)
    assert set(EdgeType) <= set(EDGES)


def test_declaring_opens_no_connection_and_reads_no_settings() -> None:
    """In a process of its own, in which neither is possible."""
    code = (
        "import socket, os\n"
        "def refuse(*_): raise AssertionError('a connection')\n"
        "socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse\n"
        "os.environ['NEO4J_BOLT_URL'] = os.environ['NEOMODEL_DATABASE_URL'] = 'bolt://nowhere:1'\n"
        "import graphmem.graph.models\n"
        "from neomodel import adb, db\n"
        "assert adb.driver is None and db.driver is None\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
