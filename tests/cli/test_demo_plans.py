"""What the demonstration asks is planned once, whoever is about to ask it."""

from __future__ import annotations

import asyncio
from collections import Counter

from graphmem.app import running
from graphmem.cli import demo_tour
from graphmem.config import Settings
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.upkeep.audits import audit_names
from tests.fakes.embedder import HashingEmbedder


async def test_each_statement_is_planned_once(graph: Graph) -> None:
    async with demo_tour._plans(graph) as plans:
        with count_trips() as trips:
            plans.begin()
            plans.begin()
            await asyncio.gather(plans.searches(), plans.contexts(), plans.audits())
    made = Counter(trip.statement for trip in trips.made)
    assert set(made.values()) == {1}
    assert {"knowledge/search_gather", "conversation/recall_gather", "context/gather"} <= made.keys()
    assert {f"audit/{name}" for name in audit_names(graph)} <= made.keys()


async def test_a_process_that_is_told_so_leaves_planning_to_its_caller(graph: Graph, settings: Settings) -> None:
    for plan in (True, False):
        async with running(settings, graph, HashingEmbedder(), plan=plan):
            names = {task.get_name() for task in asyncio.all_tasks()}
            assert ("plan searches" in names) is plan
