"""`remember` of batches beside a raw load of the same graph; no vectors on either side."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from neo4j import AsyncManagedTransaction

from bench.data import corpus, edges
from bench.measure import Side, alternate
from bench.report import Figure, at_least
from bench.stage import SEED, Caller, Sent, Stage, http_client, sendable
from bench.store import edge_input, edge_rows, fresh, name_rows, node_input, node_rows
from graphmem.access.principal import local_principal
from graphmem.graph.gateway import Graph, Row
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.knowledge.remember import remember
from graphmem.values import FOREVER, Tenant, utc_now

WARMUP = 8
VERB, HTTP, RAW = "graphmem, verb", "graphmem, HTTP", "raw UNWIND"
REMEMBER = """
mutation ($nodes: [KnowledgeInput!], $edges: [KnowledgeEdgeInput!]) {
  remember(nodes: $nodes, edges: $edges) { ids created edgesCreated }
}
"""
Batch = tuple[list[NodeInput], list[EdgeInput]]


async def run(stage: Stage) -> None:
    await fresh(stage.graph)
    size, count = stage.sizes.batch, stage.sizes.batches
    batches = [batch(size, number) for number in range(WARMUP + count)]
    bodies = [_body(*each) for each in batches]
    loads = [_load(stage.graph, "bench-raw", *each) for each in batches]
    principal = local_principal(Tenant("bench-verb"))
    async with stage.service([]) as address, http_client(address) as http:
        caller = Caller(http, await stage.key("bench-http"))
        sides: dict[str, Side] = {
            VERB: lambda number: remember(stage.graph, principal, *batches[number]),
            HTTP: lambda number: caller.ask(REMEMBER, **bodies[number]),
            RAW: lambda number: _send(stage.graph, loads[number]),
        }
        took = stage.took("remember", await alternate(sides, count, WARMUP))
    rates = {side: size / ms.p50 * 1000 for side, ms in took.items()}
    name = f"remember, {size:,} nodes a call"
    stage.figures.append(at_least(name, rates[VERB], rates[RAW], RAW, "nodes/s", 0.7))
    stage.figures.append(Figure(f"{name}, HTTP", rates[HTTP], rates[RAW], RAW, "nodes/s", rates[HTTP] / rates[RAW]))


def batch(size: int, number: int) -> Batch:
    """Nodes that no other batch has, with about three edges each among them."""
    seed = SEED + number

    def own(uid: str) -> str:
        return f"b{number:03d}-{uid}"

    nodes = [node_input(row) for row in corpus(size, seed)]
    joined = [edge_input(row) for row in edges(size, seed=seed)]
    return (
        [replace(node, id=own(node.id or "")) for node in nodes],
        [replace(edge, source_id=own(edge.source_id), target_id=own(edge.target_id)) for edge in joined],
    )


def _body(nodes: Sequence[NodeInput], edges: Sequence[EdgeInput]) -> dict[str, Any]:
    return {
        "nodes": [
            {
                "id": node.id, "title": node.title, "content": node.content, "confidence": node.confidence,
                "type": node.type.name if node.type else None, "tags": node.tags,
            }
            for node in nodes
        ],
        "edges": [
            {"from": edge.source_id, "to": edge.target_id, "type": edge.type.name, "weight": edge.weight}
            for edge in edges
        ],
    }  # fmt: skip


def _load(graph: Graph, tenant: str, nodes: Sequence[NodeInput], edges: Sequence[EdgeInput]) -> list[Sent]:
    """The statements of a raw load, everything that Python has to do for them done.

    Instants that are the same for all rows are sent once: the driver takes 0.1 ms for each.
    """
    now = utc_now()
    same = (now, FOREVER)
    stored = [_without(row, same) for row in node_rows(tenant, nodes, now)]
    joined = [row | {"properties": _without(row["properties"], same)} for row in edge_rows(tenant, edges)]
    return [
        sendable(graph, "load_nodes", {"tenant": tenant, "rows": stored, "open": FOREVER, "now": now}),
        sendable(graph, "load_names", {"tenant": tenant, "rows": name_rows(stored), "now": now}),
        sendable(graph, "load_edges", {"tenant": tenant, "rows": joined, "open": FOREVER, "now": now}),
    ]


def _without(properties: Row, values: Collection[object]) -> Row:
    return {key: value for key, value in properties.items() if not isinstance(value, datetime) or value not in values}


async def _send(graph: Graph, load: Sequence[Sent]) -> None:
    async def work(tx: AsyncManagedTransaction) -> None:
        for text, params in load:
            await (await tx.run(text, params)).consume()

    async with graph.driver.session() as session:
        await session.execute_write(work)
