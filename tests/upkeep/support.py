"""Faults that no verb makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphmem.graph.gateway import Graph
from graphmem.graph.statements import load
from graphmem.values import FOREVER, Tenant, utc_now
from tests.spoilt import Probing

PLANT = load(Path(__file__).parent / "cypher")


def planting(graph: Graph) -> Graph:
    """The graph with the statements of the folder `plant`."""
    found = Probing(graph.driver, graph.settings, PLANT)
    found.generation = graph.generation
    return found


async def join(graph: Graph, start: tuple[Tenant, str], kind: str, end: tuple[Tenant, str]) -> None:
    """An open edge past the service."""
    await planting(graph).run(
        "plant/edge",
        **{"fromTenant": start[0], "from": start[1], "toTenant": end[0], "to": end[1]},
        type=str(kind), open=FOREVER, now=utc_now(),
    )  # fmt: skip


async def forget_vector(graph: Graph, tenant: Tenant, uid: str) -> None:
    await planting(graph).run("plant/forget_vector", tenant=tenant, uid=uid)


async def plant(graph: Graph, fault: str, tenant: Tenant, uid: str, **params: Any) -> None:
    """One of the statements of the folder `plant`, on an item."""
    await planting(graph).run(f"plant/{fault}", tenant=tenant, uid=uid, **params)


async def uids(graph: Graph, tenant: Tenant, label: str) -> list[str]:
    rows = await planting(graph).read("plant/uids", tenant=tenant, label=label)
    return [row["uid"] for row in rows]
