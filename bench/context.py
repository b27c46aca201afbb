"""Contexts beside their own statements sent raw, in long threads and large resources too; turns beside a raw write.

The embedder costs nothing here. What is compared is one process and one driver.
"""

from __future__ import annotations

import asyncio
import time

from neo4j import AsyncManagedTransaction

from bench.measure import Side, alternate
from bench.report import Figure, at_most
from bench.stage import Recording, Sent, Stage, raw, sendable
from bench.talk import QUESTIONS, TENANT, embed_all, said, talk, talking, vector_of
from graphmem.access.principal import Principal
from graphmem.context.assemble import Context, context
from graphmem.context.gather import BEYOND
from graphmem.context.inputs import LAST, ContextInput
from graphmem.conversation.append_turn import append_turn, message_rows
from graphmem.conversation.notices import MAX_OPEN
from graphmem.conversation.recall import RecallInput, recall
from graphmem.conversation.recall_scope import Where as RecallWhere
from graphmem.embedding import Loading
from graphmem.graph.vectors import packed
from graphmem.jobs import Worker
from graphmem.ranking import lucene
from graphmem.ranking.question import full_text
from graphmem.runtime import handlers
from graphmem.values import new_id, utc_now

SHORT = 220
SOON_MS = 2_000.0
"""Within which a message is to be found by its vector."""


async def run(stage: Stage) -> None:
    async with talking(stage) as (principal, loading):
        await talk(stage, principal, "short", "r-short", SHORT, memory=True)
        await talk(stage, principal, "long", "r-long", stage.sizes.thread_messages, memory=True)
        for at in range(stage.sizes.threads):
            stage.tell("Storing threads", at, stage.sizes.threads)
            await talk(stage, principal, f"many-{at}", "r-many", 10, memory=at == 0)
        await embed_all(stage, loading)
        await _contexts(stage, principal, loading)
        await _turns(stage, principal)
        await _soon(stage, principal, loading)


async def _contexts(stage: Stage, principal: Principal, loading: Loading) -> None:
    def asking(thread: str) -> Side:
        return lambda number: _ask(stage, principal, loading, thread, number)

    own = [await _own(stage, principal, loading, number) for number in range(len(QUESTIONS))]
    bundle = [_bundle(stage, question) for question in QUESTIONS]
    sides: dict[str, Side] = {
        "graphmem": asking("short"),
        "own statements, raw": lambda number: raw(stage.graph.driver, own[number % len(QUESTIONS)]),
        "one statement, raw": lambda number: raw(stage.graph.driver, [bundle[number % len(QUESTIONS)]]),
        "thread of many messages": asking("long"),
        "resource of many threads": asking("many-0"),
    }
    took = stage.took("context", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
    ours, raw_ms, bundle_ms, long, many = (ms.p50 for ms in took.values())
    stage.figures += [
        at_most("context p50", ours, raw_ms, "own statements, raw", 1.5),
        at_most("context p50", ours, bundle_ms, "one statement by hand, raw", 2.0),
        at_most(f"context, {stage.sizes.thread_messages:,} messages", long, ours, f"{SHORT} messages", 1.7),
        at_most(f"context, {stage.sizes.threads:,} threads", many, ours, "one thread", 1.7),
        Figure("context, statements of one call", len(own[0]), len(own[0]), "driver", "", 1.0),
    ]


async def _ask(stage: Stage, principal: Principal, loading: Loading, thread: str, number: int) -> Context:
    wanted = ContextInput(thread=thread, message=QUESTIONS[number % len(QUESTIONS)])
    return await context(stage.graph, loading, principal, wanted)


async def _own(stage: Stage, principal: Principal, loading: Loading, number: int) -> list[Sent]:
    """The statements of the verb, as it sends them for this question."""
    graph = Recording(stage.graph)
    await context(graph, loading, principal, ContextInput(thread="short", message=QUESTIONS[number]))
    return graph.made


def _bundle(stage: Stage, question: str) -> Sent:
    """What a context brings, in one statement written by hand."""
    settings, token = stage.settings, lucene.tenant_token(TENANT)
    params = {
        "tenant": TENANT, "thread": "short", "resource": "r-short", "count": LAST + BEYOND, "notices": MAX_OPEN,
        "said": f"{lucene.filter_query(token, [[lucene.facet_token('resource', 'r-short')]])} {full_text(question)}",
        "asked": lucene.query(question, token), "vector": packed(vector_of(question)),
        "candidates": settings.candidates, "recalled": 3, "before": 2, "after": 1, "topK": 3, "limit": 5,
        "decay": settings.decay, "scan": settings.scan_cap, "fan": settings.fan_cap,
    }  # fmt: skip
    return sendable(stage.graph, "context_bundle", params)


async def _turns(stage: Stage, principal: Principal) -> None:
    for thread in ("append", "raw"):
        await talk(stage, principal, thread, "r-append", 10)
    sides: dict[str, Side] = {
        "graphmem": lambda number: append_turn(stage.graph, principal, "append", said(number, 2)),
        "raw transaction": lambda number: _write(stage, _turn(stage, number)),
    }
    took = stage.took("appendTurn", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
    ours, theirs = (ms.p50 for ms in took.values())
    stage.figures.append(at_most("appendTurn p50", ours, theirs, "raw transaction", 1.5))


async def _soon(stage: Stage, principal: Principal, loading: Loading) -> None:
    """From the answer to `appendTurn` until its message is found by its vector, with a worker at work."""
    await talk(stage, principal, "soon", "r-soon", 10)
    await embed_all(stage, loading)
    worker, stop = Worker(stage.graph, handlers(stage.graph, loading), stage.settings), asyncio.Event()
    working = asyncio.create_task(worker.run(stop))
    try:
        times = [await _until_found(stage, principal, loading, worker, at) for at in range(stage.sizes.calls)]
    finally:
        stop.set()
        await working
    ms = stage.took("turn to vector", {"graphmem": times})["graphmem"]
    stage.figures.append(at_most("appendTurn to its vector p95", ms.p95, SOON_MS, "wanted", 1.0))


async def _until_found(stage: Stage, principal: Principal, loading: Loading, worker: Worker, number: int) -> float:
    """In ms; what the last look took is part of it."""
    told = said(number + 1_000_000, 1)
    text = told[0].parts[0].text or ""
    wanted = RecallInput(query=text, where=RecallWhere(resource="r-soon"), top_k=1, before=0, after=0)
    (uid,) = (await append_turn(stage.graph, principal, "soon", told)).ids
    began = time.perf_counter()
    worker.wake()
    async with asyncio.timeout(60):
        while True:
            hits = (await recall(stage.graph, loading, principal, wanted)).hits
            if hits and hits[0].message.id == uid and hits[0].similarity is not None:
                return (time.perf_counter() - began) * 1000


def _turn(stage: Stage, number: int) -> Sent:
    now = utc_now()
    rows = message_rows(said(number, 2), None, now, None)
    same = {"tenant": TENANT, "thread": "raw", "turn": new_id(), "rows": rows, "job": new_id(), "change": new_id()}
    return sendable(stage.graph, "append_raw", {**same, "now": now})


async def _write(stage: Stage, sent: Sent) -> None:
    async def work(tx: AsyncManagedTransaction) -> None:
        await (await tx.run(*sent)).consume()

    async with stage.graph.driver.session() as session:
        await session.execute_write(work)
