"""Many threads at once: each writes a turn and asks for its context, again and again."""

from __future__ import annotations

import asyncio
import time

from bench.report import Figure, at_most
from bench.stage import Stage
from bench.talk import QUESTIONS, embed_all, said, talk, talking
from graphmem.access.principal import Principal
from graphmem.context.assemble import context
from graphmem.context.inputs import ContextInput
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.get import threads_by_id
from graphmem.embedding import Loading
from graphmem.errors import Unavailable

FIRST = 10
"""Messages that a thread begins with."""
A_TURN = 2


async def run(stage: Stage) -> None:
    threads = [f"crowd-{number}" for number in range(stage.sizes.crowd)]
    async with talking(stage) as (principal, loading):
        for at, thread in enumerate(threads):
            stage.tell("Storing threads", at, len(threads))
            await talk(stage, principal, thread, f"r-{thread}", FIRST)
        await embed_all(stage, loading)
        await _at_once(stage, principal, loading, threads)


async def _at_once(stage: Stage, principal: Principal, loading: Loading, threads: list[str]) -> None:
    times: dict[str, list[float]] = {"appendTurn": [], "context": []}
    rounds = stage.sizes.crowd_rounds
    warm = asyncio.Barrier(len(threads))

    async def caller(number: int, thread: str) -> None:
        for turn in range(rounds + 1):
            began = time.perf_counter()
            await append_turn(stage.graph, principal, thread, said(1_000_000 + number * 1_000 + turn, A_TURN))
            written = time.perf_counter()
            wanted = ContextInput(thread=thread, message=QUESTIONS[(number + turn) % len(QUESTIONS)])
            found = await context(stage.graph, loading, principal, wanted)
            if found.thread.last_seq != FIRST + (turn + 1) * A_TURN:
                raise Unavailable(f"a turn of {thread} is missing from its context")
            if turn == 0:
                await warm.wait()
            else:
                times["appendTurn"].append((written - began) * 1000)
                times["context"].append((time.perf_counter() - written) * 1000)

    async with asyncio.TaskGroup() as group:
        for number, thread in enumerate(threads):
            group.create_task(caller(number, thread))
    for side, ms in stage.took("crowd", times).items():
        stage.figures.append(at_most(f"{len(threads)} threads at once, {side} p95", ms.p95, ms.p50, "p50", 5.0))
    stored = await threads_by_id(stage.graph, principal, threads)
    lost = len(threads) * (FIRST + (rounds + 1) * A_TURN) - sum(one.message_count for one in stored.values())
    stage.figures.append(Figure("messages lost", lost, 0, "wanted", "", 0.0, "0", lost == 0))
