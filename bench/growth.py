"""The same search in a small graph and in one ten times as large, and how much memory the service takes."""

from __future__ import annotations

import multiprocessing

import psutil

from bench.data import corpus, edges
from bench.measure import alternate
from bench.questions import questions
from bench.report import Figure, at_most
from bench.search import TENANT
from bench.stage import SEED, WHOLE_SEARCH, Caller, Stage, http_client
from bench.stats import Summary

QUESTIONS = 100
MOST_MIB = 150


async def run(stage: Stage) -> None:
    small, large = stage.sizes.search_nodes, stage.sizes.grown_nodes
    before, _ = await _searched(stage, small)
    after, mib = await _searched(stage, large)
    stage.figures.append(at_most(f"search p50, {large:,} notes", after.p50, before.p50, f"{small:,} notes", 1.5))
    memory = f"memory of the service without a model, {large:,} notes"
    stage.figures.append(
        Figure(memory, mib, MOST_MIB, "target", "MiB", mib / MOST_MIB, f"≤ {MOST_MIB} MiB", mib <= MOST_MIB)
    )


async def _searched(stage: Stage, size: int) -> tuple[Summary, float]:
    """Times of searches in the tenant that has a tenth of a graph of this size, and the service's memory in MiB."""
    nodes = list(corpus(size, SEED))
    await stage.store(nodes, list(edges(size, seed=SEED)))
    asked = questions([row for row in nodes if row["tenant"] == TENANT], QUESTIONS, SEED)
    del nodes
    async with stage.service(asked) as address, http_client(address) as http:
        caller = Caller(http, await stage.key(TENANT))
        name = f"{size:,} notes"
        sides = {name: lambda number: caller.search(asked[number % QUESTIONS], WHOLE_SEARCH)}
        took = stage.took("growth", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
        (service,) = multiprocessing.active_children()
        mib = psutil.Process(service.pid).memory_info().rss / 2**20
    return took[name], mib
