"""What the demonstration asks is planned once, whoever is about to ask it."""

from __future__ import annotations

import asyncio
from collections import Counter

from graphmem.cli import demo_tour
from graphmem.config import Settings
from graphmem.graph.gateway import Graph
from graphmem.graph.trips import count_trips
from graphmem.runtime import running
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


async def test_a_process_plans_its_searches_unless_its_server_lives_some_minutes(
    graph: Graph, settings: Settings
) -> None:
    for lasting in (True, False):
        here = settings.model_copy(update={"short_lived": not lasting})
        with count_trips() as trips:
            async with running(here, graph, HashingEmbedder()):
                planning = [task for task in asyncio.all_tasks() if task.get_name() == "plan searches"]
                assert bool(planning) is lasting
                await asyncio.gather(*planning)
        planned = {"knowledge/search_gather", "knowledge/search_as_of", "conversation/recall_gather", "context/gather"}
        assert planned & {trip.statement for trip in trips.made} == (planned if lasting else set())
