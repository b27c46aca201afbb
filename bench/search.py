"""Search through HTTP beside the same statements sent raw, beside the prototype, and beside itself at other depths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.data import corpus, edges
from bench.measure import Side, alternate, rates
from bench.questions import Question, questions
from bench.report import Figure, at_least, at_most
from bench.service import Prepared
from bench.stage import SEED, WHOLE_SEARCH, Caller, Recording, Sent, Stage, http_client, raw, sendable
from bench.stats import percentile
from graphmem.access.principal import local_principal
from graphmem.access.view import View
from graphmem.embedding import Loading
from graphmem.knowledge.search import SearchInput, search
from graphmem.ranking import lucene
from graphmem.values import Tenant

TENANT = "bench-10"
CALLERS = 8
QUESTIONS = 200


async def run(stage: Stage) -> None:
    size = stage.sizes.search_nodes
    nodes = list(corpus(size, SEED))
    await stage.store(nodes, list(edges(size, seed=SEED)))
    asked = questions([row for row in nodes if row["tenant"] == TENANT], QUESTIONS, SEED)
    own = [await _own(stage, question) for question in asked]
    prototype = [[_prototype(stage, question)] for question in asked]
    async with stage.service(asked) as address, http_client(address) as http:
        caller = Caller(http, await stage.key(TENANT))
        sides: dict[str, Side] = {
            "graphmem, HTTP": lambda number: caller.search(asked[number % QUESTIONS]),
            "own statements, raw": lambda number: raw(stage.graph.driver, own[number % QUESTIONS]),
            "prototype, raw": lambda number: raw(stage.graph.driver, prototype[number % QUESTIONS]),
        }
        await _one_caller(stage, sides, lambda number: caller.search(asked[number % QUESTIONS], WHOLE_SEARCH))
        await _many_callers(stage, sides)
        await _depths(stage, caller, asked)


async def _one_caller(stage: Stage, sides: dict[str, Side], whole: Side) -> None:
    more = "graphmem, HTTP, with texts and edges"
    took = stage.took("search", await alternate({**sides, more: whole}, stage.sizes.calls, stage.sizes.warmup))
    extra = took.pop(more)
    ours, *theirs = took.items()
    against, ms = min(theirs, key=lambda side: side[1].p50)
    stage.figures.append(at_most("search p50", ours[1].p50, ms.p50, against, 1.3, spare_ms=4))
    shown = "search p50, with texts and edges"
    stage.figures.append(Figure(shown, extra.p50, ms.p50, against, "ms", extra.p50 / ms.p50))


async def _many_callers(stage: Stage, sides: dict[str, Side]) -> None:
    found = await rates(sides, CALLERS, stage.sizes.calls, stage.sizes.rounds)
    ours, *theirs = ((side, percentile(values, 0.5)) for side, values in found.items())
    for against, rate in theirs:
        if rate == max(rate for _, rate in theirs):
            stage.figures.append(at_least(f"throughput, {CALLERS} callers", ours[1], rate, against, "/s", 0.7))
        else:
            stage.figures.append(Figure(f"throughput, {CALLERS} callers", ours[1], rate, against, "/s", ours[1] / rate))


async def _depths(stage: Stage, caller: Caller, asked: Sequence[Question]) -> None:
    def at_depth(depth: int) -> Side:
        return lambda number: caller.search(asked[number % QUESTIONS], maxDepth=depth)

    sides = {f"depth {depth}": at_depth(depth) for depth in (0, 1, 2, 3)}
    took = stage.took("depth", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
    least = took["depth 0"].p50
    for depth in (2, 3):
        ms = took[f"depth {depth}"].p50
        stage.figures.append(
            at_most("depth 3 p50", ms, least, "depth 0", 2.5)
            if depth == 3
            else Figure("depth 2 p50", ms, least, "depth 0", "ms", ms / least)
        )


async def _own(stage: Stage, question: Question) -> list[Sent]:
    """The statements of the verb, as it sends them for this question."""
    graph = Recording(stage.graph)
    loading = Loading(stage.settings, load=_prepared(question))
    await loading.embedder()
    wanted = SearchInput(query=question.text, properties=("title",), edges=False)
    await search(graph, loading, View.of(local_principal(Tenant(TENANT))), wanted)
    await loading.close()
    return graph.made


def _prepared(question: Question) -> Any:
    async def load(_: object) -> Prepared:
        return Prepared({question.text: question.vector})

    return load


def _prototype(stage: Stage, question: Question) -> Sent:
    settings = stage.settings
    params = {
        "tenant": TENANT,
        "lucene": lucene.query(question.text, lucene.tenant_token(TENANT)),
        "vector": question.vector,
        "candidates": settings.candidates,
        "dense": settings.dense_weight,
        "topK": 5,
        "limit": 20,
        "depth": 1,
        "decay": settings.decay,
        "scan": settings.scan_cap,
        "fan": settings.fan_cap,
        "level": settings.level_cap,
    }
    return sendable(stage.graph, "search_levels", params)
