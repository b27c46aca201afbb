"""Puts made-up graphs into Neo4j by raw statements, in the form in which graphmem itself stores them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby, islice
from pathlib import Path
from typing import TypeVar

from bench.data import DIMENSIONS, EdgeRow, NodeRow
from graphmem.access.view import View
from graphmem.errors import Conflict
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.graph.index_state import ensure_vectors
from graphmem.graph.statements import Statement, load
from graphmem.knowledge import edges_write, state
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.knowledge.vectors import recipe_text
from graphmem.values import FOREVER, EdgeType, KnowledgeType, Tenant, utc_now

T = TypeVar("T")
Tell = Callable[[str, int, int], None]
MODEL = "bench"
RECIPE = "1"
BATCH = 1_000


def statements() -> Mapping[str, Statement]:
    """Those of the house, and the benchmarks' own."""
    return {**load(), **load(Path(__file__).parent)}


def node_input(row: NodeRow) -> NodeInput:
    return NodeInput(
        title=row["title"], content=row["content"], id=row["uid"], type=KnowledgeType(row["type"]),
        confidence=row["confidence"], tags=row["tags"],
    )  # fmt: skip


def edge_input(row: EdgeRow) -> EdgeInput:
    return EdgeInput(row["source"], row["target"], EdgeType(row["type"]), row["weight"])


def node_rows(tenant: str, nodes: Sequence[NodeInput], now: datetime) -> list[Row]:
    """All properties that `remember` would store, nodes with an id only."""
    return [state.properties(Tenant(tenant), node.id, node, None, now) for node in nodes if node.id]


def name_rows(stored: Sequence[Row]) -> list[Row]:
    rows = [{**name, "uid": row["uid"]} for row in stored for name in state.name_rows(row)]
    return sorted(rows, key=lambda row: (row["key"], row["uid"]))


def edge_rows(tenant: str, edges: Iterable[EdgeInput]) -> list[Row]:
    """All properties that `remember` would store, and no more."""
    made = (edges_write.row(View(Tenant(tenant)), edge) for edge in edges)
    return [{key: row[key] for key in ("from", "to", "type", "properties")} for row in made]


async def wipe(graph: Graph) -> None:
    for name in ("wipe_edges", "wipe"):
        await graph.run_schema(name)


async def fresh(graph: Graph) -> None:
    """An empty graph with an empty vector index."""
    await wipe(graph)
    await graph.run_schema("drop_vectors")
    await graph.run("forget_vectors")
    await ensure_vectors(graph, MODEL, DIMENSIONS, RECIPE)


async def check_empty(graph: Graph) -> None:
    """Raises Conflict when the graph holds anything: it would be deleted."""
    items = (await graph.read("count_items"))[0]["items"]
    if items:
        raise Conflict(f"this Neo4j holds {items} items and the benchmarks delete everything; use an empty one")


async def store_nodes(graph: Graph, rows: Sequence[NodeRow], tell: Tell) -> None:
    done = 0
    for tenant, batch in _batches(rows, lambda row: row["tenant"]):
        await _store_batch(graph, tenant, batch)
        done += len(batch)
        tell("Storing nodes", done, len(rows))


async def _store_batch(graph: Graph, tenant: str, batch: Sequence[NodeRow]) -> None:
    now = utc_now()
    stored = node_rows(tenant, [node_input(row) for row in batch], now)
    vectors = [
        {"uid": row["uid"], "text": recipe_text(row["title"], row["content"]), "vector": row["vector"].tolist()}
        for row in batch
    ]

    async def work(tx: Transaction) -> None:
        await tx.run("load_nodes", tenant=tenant, rows=stored, open=FOREVER, now=now)
        await tx.run("load_names", tenant=tenant, rows=name_rows(stored), now=now)
        await tx.run("load_vectors", tenant=tenant, rows=vectors)

    await graph.write(work)


async def store_edges(graph: Graph, rows: Sequence[EdgeRow], tell: Tell) -> None:
    done = 0
    for tenant, batch in _batches(rows, lambda row: row["tenant"]):
        made = edge_rows(tenant, map(edge_input, batch))
        await graph.run("load_edges", tenant=tenant, rows=made, open=FOREVER, now=utc_now())
        done += len(batch)
        tell("Storing edges", done, len(rows))


def _batches(rows: Sequence[T], tenant: Callable[[T], str]) -> Iterator[tuple[str, list[T]]]:
    for name, own in groupby(rows, tenant):
        while batch := list(islice(own, BATCH)):
            yield name, batch
