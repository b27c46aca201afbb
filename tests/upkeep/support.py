"""Faults that no verb makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphmem.graph.gateway import Graph
from graphmem.graph.statements import load
from graphmem.values import FOREVER, EdgeType, Tenant, utc_now

PLANT = load(Path(__file__).parent / "cypher")


async def join(graph: Graph, start: tuple[Tenant, str], kind: EdgeType, end: tuple[Tenant, str]) -> None:
    """An open edge past the service."""
    planting = Graph(graph.driver, graph.settings, PLANT)
    await planting.run(
        "plant/edge",
        **{"fromTenant": start[0], "from": start[1], "toTenant": end[0], "to": end[1]},
        type=str(kind), open=FOREVER, now=utc_now(),
    )  # fmt: skip


async def forget_vector(graph: Graph, tenant: Tenant, uid: str) -> None:
    planting = Graph(graph.driver, graph.settings, PLANT)
    planting.generation = graph.generation
    await planting.run("plant/forget_vector", tenant=tenant, uid=uid)


async def plant(graph: Graph, fault: str, tenant: Tenant, uid: str, **params: Any) -> None:
    """One of the statements of the folder `plant`, on an item."""
    await Graph(graph.driver, graph.settings, PLANT).run(f"plant/{fault}", tenant=tenant, uid=uid, **params)


async def uids(graph: Graph, tenant: Tenant, label: str) -> list[str]:
    rows = await Graph(graph.driver, graph.settings, PLANT).read("plant/uids", tenant=tenant, label=label)
    return [row["uid"] for row in rows]
