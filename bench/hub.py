"""A search that begins at a node with very many edges."""

from __future__ import annotations

from bench.data import corpus, edges, hub, tenants, uid
from bench.measure import Side, alternate
from bench.questions import questions
from bench.report import at_most
from bench.stage import SEED, Caller, Stage, http_client
from bench.store import store_edges
from graphmem.errors import Unavailable

QUESTIONS = 50


async def run(stage: Stage) -> None:
    size = stage.sizes.hub_nodes
    tenant, numbers = list(tenants(size).items())[-1]
    centre = uid(numbers[0])
    nodes = list(corpus(size, SEED))
    await stage.store(nodes, list(edges(size, seed=SEED)))
    own = [row for row in nodes if row["tenant"] == tenant]
    at_hub = questions([row for row in own if row["uid"] == centre], QUESTIONS, SEED)
    elsewhere = questions(own[1:], QUESTIONS, SEED)
    del nodes, own
    async with stage.service([*at_hub, *elsewhere]) as address, http_client(address) as http:
        caller = Caller(http, await stage.key(tenant))
        sides: dict[str, Side] = {
            "hub among the seeds": lambda number: caller.search(at_hub[number % QUESTIONS]),
            "hub elsewhere": lambda number: caller.search(elsewhere[number % QUESTIONS]),
        }
        before = stage.took("before the hub", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
        await store_edges(stage.graph, list(hub(size, stage.sizes.hub_edges, seed=SEED)), stage.tell)
        for question in at_hub:
            found = await caller.search(question)
            if not any(hit["node"]["id"] == centre and hit["depth"] == 0 for hit in found["hits"]):
                raise Unavailable(f"the hub is not among the seeds of {question.text!r}; nothing would be measured")
        after = stage.took("with the hub", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
    ms = after["hub among the seeds"].p50
    name = f"hub of {stage.sizes.hub_edges:,} edges among the seeds, p50"
    for against, other in (
        ("hub elsewhere", after["hub elsewhere"]),
        ("before its edges", before["hub among the seeds"]),
    ):
        stage.figures.append(at_most(name, ms, other.p50, against, 1.5))
