"""Contexts beside their own statements sent raw, in long threads and large resources too; turns beside a raw write.

The embedder costs nothing here. What is compared is one process and one driver.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from zlib import crc32

import numpy as np
from neo4j import AsyncManagedTransaction

from bench.data import DIMENSIONS, corpus
from bench.measure import Side, alternate
from bench.report import Figure, at_most
from bench.service import Prepared
from bench.stage import SEED, Recording, Sent, Stage, raw, sendable
from graphmem.access.principal import Principal, local_principal
from graphmem.app import handlers
from graphmem.config import Settings
from graphmem.context.assemble import Context, context
from graphmem.context.inputs import ContextInput
from graphmem.conversation.append_turn import append_turn, message_rows
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.conversation.memory_state import Where
from graphmem.conversation.messages import MessageInput, Part
from graphmem.conversation.recall import RecallInput, recall
from graphmem.conversation.recall_scope import Where as RecallWhere
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.embedding import Loading
from graphmem.jobs import Worker, claim
from graphmem.jobs.attempt import attempt
from graphmem.values import PartType, Role, Tenant, new_id, utc_now

TENANT = Tenant("bench-10")
SHORT = 220
A_CALL = 100
SOON_MS = 2_000.0
"""Within which a message is to be found by its vector."""
STARTS = (
    "bar",
    "col",
    "dun",
    "fer",
    "gal",
    "hol",
    "jun",
    "kes",
    "lor",
    "mir",
    "nov",
    "pel",
    "quin",
    "ros",
    "sal",
    "tem",
)
ENDS = ("ta", "mo", "li", "ne", "vo", "sa", "du", "pi", "ra", "co", "fe", "gu", "ho", "ki", "lu", "mi")
WORDS = [start + middle + end for start in STARTS for middle in ENDS for end in ENDS]
"""4,096 made-up words: a question's are in few messages, as in life."""
QUESTIONS = [f"What became of {WORDS[at]} and {WORDS[at + 700]}?" for at in range(50, 3000, 600)]


class Made(Prepared):
    """An `Embedder` that gives each text a vector of its own, at once."""

    def __init__(self) -> None:
        super().__init__({})

    async def embed_query(self, text: str) -> list[float]:
        return _vector(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        return [_vector(text) for text in texts]


def _vector(text: str) -> list[float]:
    made = np.random.default_rng(crc32(text.encode())).normal(size=DIMENSIONS)
    return [float(value) for value in made / np.linalg.norm(made)]


async def _made(_: Settings) -> Made:
    return Made()


async def run(stage: Stage) -> None:
    principal, loading = local_principal(TENANT), Loading(stage.settings, load=_made)
    await loading.embedder()
    await stage.store(list(corpus(stage.sizes.search_nodes, SEED)), [])
    await _talk(stage, principal, "short", "r-short", SHORT)
    await _talk(stage, principal, "long", "r-long", stage.sizes.thread_messages)
    for at in range(stage.sizes.threads):
        stage.tell("Storing threads", at, stage.sizes.threads)
        await _talk(stage, principal, f"many-{at}", "r-many", 10)
    await _embed_all(stage, loading)
    try:
        await _contexts(stage, principal, loading)
        await _turns(stage, principal)
        await _soon(stage, principal, loading)
    finally:
        await loading.close()


async def _contexts(stage: Stage, principal: Principal, loading: Loading) -> None:
    def asking(thread: str) -> Side:
        return lambda number: _ask(stage, principal, loading, thread, number)

    own = [await _own(stage, principal, loading, number) for number in range(len(QUESTIONS))]
    sides: dict[str, Side] = {
        "graphmem": asking("short"),
        "own statements, raw": lambda number: raw(stage.graph.driver, own[number % len(QUESTIONS)]),
        "thread of many messages": asking("long"),
        "resource of many threads": asking("many-0"),
    }
    took = stage.took("context", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
    ours, raw_ms, long, many = (ms.p50 for ms in took.values())
    stage.figures += [
        at_most("context p50", ours, raw_ms, "own statements, raw", 1.5),
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


async def _turns(stage: Stage, principal: Principal) -> None:
    for thread in ("append", "raw"):
        await _talk(stage, principal, thread, "r-append", 10)
    sides: dict[str, Side] = {
        "graphmem": lambda number: append_turn(stage.graph, principal, "append", _said(number, 2)),
        "raw transaction": lambda number: _write(stage, _turn(stage, number)),
    }
    took = stage.took("appendTurn", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
    ours, theirs = (ms.p50 for ms in took.values())
    stage.figures.append(at_most("appendTurn p50", ours, theirs, "raw transaction", 1.5))


async def _soon(stage: Stage, principal: Principal, loading: Loading) -> None:
    """From the answer to `appendTurn` until its message is found by its vector, with a worker at work."""
    await _talk(stage, principal, "soon", "r-soon", 10)
    await _embed_all(stage, loading)
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
    said = _said(number + 1_000_000, 1)
    text = said[0].parts[0].text or ""
    wanted = RecallInput(query=text, where=RecallWhere(resource="r-soon"), top_k=1, before=0, after=0)
    (uid,) = (await append_turn(stage.graph, principal, "soon", said)).ids
    began = time.perf_counter()
    worker.wake()
    async with asyncio.timeout(60):
        while True:
            hits = (await recall(stage.graph, loading, principal, wanted)).hits
            if hits and hits[0].message.id == uid and hits[0].similarity is not None:
                return (time.perf_counter() - began) * 1000


def _turn(stage: Stage, number: int) -> Sent:
    now = utc_now()
    rows = message_rows(_said(number, 2), None, now, None)
    same = {"tenant": TENANT, "thread": "raw", "turn": new_id(), "rows": rows, "job": new_id(), "change": new_id()}
    return sendable(stage.graph, "append_raw", {**same, "now": now})


async def _write(stage: Stage, sent: Sent) -> None:
    async def work(tx: AsyncManagedTransaction) -> None:
        await (await tx.run(*sent)).consume()

    async with stage.graph.driver.session() as session:
        await session.execute_write(work)


async def _talk(stage: Stage, principal: Principal, thread: str, resource: str, messages: int) -> None:
    await create_thread(stage.graph, principal, ThreadInput(resource, thread))
    for at in range(0, messages, A_CALL):
        await append_turn(
            stage.graph, principal, thread, _said(crc32(thread.encode()) + at, min(A_CALL, messages - at))
        )
        if messages > A_CALL:
            stage.tell("Storing messages", at, messages)
    if thread in ("short", "long", "many-0"):
        update = MemoryUpdate(merge={"plan": "enterprise", "contact": "Ann Lee", "promised": ["a call", "an invoice"]})
        await update_working_memory(stage.graph, principal, Where(resource=resource), update)


def _said(seed: int, count: int) -> list[MessageInput]:
    draw = np.random.default_rng(seed)
    return [
        MessageInput(
            Role.USER if at % 2 == 0 else Role.ASSISTANT,
            (Part(PartType.TEXT, text=f"{' '.join(draw.choice(WORDS, 12))} was settled under {seed} {at}."),),
        )
        for at in range(count)
    ]


async def _embed_all(stage: Stage, loading: Loading) -> None:
    known, done = handlers(stage.graph, loading), 0
    total = (await stage.graph.read("open_jobs"))[0]["jobs"]
    while jobs := await claim(stage.graph, list(known), limit=100, lease_seconds=600):
        await asyncio.gather(*(attempt(stage.graph, job, known[job.kind], 600) for job in jobs))
        done += len(jobs)
        stage.tell("Making vectors", done, max(done, total))
