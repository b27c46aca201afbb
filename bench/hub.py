"""A search that begins at a node with very many edges."""

from __future__ import annotations

from bench.data import corpus, edges, hub, tenants, uid
from bench.measure import Side, alternate
from bench.questions import Question, questions
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
    about_hub = questions([row for row in own if row["uid"] == centre], 2 * QUESTIONS, SEED)
    elsewhere = questions(own[1:], QUESTIONS, SEED)
    del nodes, own
    async with stage.service([*about_hub, *elsewhere]) as address, http_client(address) as http:
        caller = Caller(http, await stage.key(tenant))
        at_hub = [question for question in about_hub if await _is_seed(caller, question, centre)][:QUESTIONS]
        if len(at_hub) < QUESTIONS:
            raise Unavailable(f"the hub is among the seeds of {len(at_hub)} questions only, of {QUESTIONS}")
        sides: dict[str, Side] = {
            "hub among the seeds": lambda number: caller.search(at_hub[number % QUESTIONS]),
            "hub elsewhere": lambda number: caller.search(elsewhere[number % QUESTIONS]),
        }
        before = stage.took("before the hub", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
        await store_edges(stage.graph, list(hub(size, stage.sizes.hub_edges, seed=SEED)), stage.tell)
        for question in at_hub:
            if not await _is_seed(caller, question, centre):
                raise Unavailable(f"the hub is no longer among the seeds of {question.text!r}")
        after = stage.took("with the hub", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
    ms = after["hub among the seeds"].p50
    name = f"hub of {stage.sizes.hub_edges:,} edges among the seeds, p50"
    for against, other in (
        ("hub elsewhere", after["hub elsewhere"]),
        ("before its edges", before["hub among the seeds"]),
    ):
        stage.figures.append(at_most(name, ms, other.p50, against, 1.5))


async def _is_seed(caller: Caller, question: Question, uid: str) -> bool:
    found = await caller.search(question)
    return any(hit["node"]["id"] == uid and hit["depth"] == 0 for hit in found["hits"])
