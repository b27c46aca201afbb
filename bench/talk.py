"""Made-up conversations, and an embedder that costs nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bench.data import DIMENSIONS, corpus
from bench.service import Prepared
from bench.stage import SEED, Stage
from graphmem.access.principal import Principal, local_principal
from graphmem.config import Settings
from graphmem.conversation.append_turn import append_turn
from graphmem.conversation.create_thread import ThreadInput, create_thread
from graphmem.conversation.memory_state import Where
from graphmem.conversation.messages import MessageInput, Part
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.embedding import Loading
from graphmem.jobs import claim
from graphmem.jobs.attempt import attempt
from graphmem.runtime import handlers
from graphmem.values import PartType, Role, Tenant

TENANT = Tenant("bench-10")
A_CALL = 100
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
    """An `Embedder` that costs nothing."""

    def __init__(self) -> None:
        super().__init__({})

    async def embed_query(self, text: str) -> list[float]:
        return vector_of(text)

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        return [vector_of(text) for text in texts]


def vector_of(text: str) -> list[float]:
    """The sum of its words' vectors, so that texts with words in common are near each other."""
    made = np.sum([_word(word) for word in text.split()], axis=0)
    return [float(value) for value in made / np.linalg.norm(made)]


@lru_cache(maxsize=65_536)
def _word(word: str) -> NDArray[np.float64]:
    return np.random.default_rng(crc32(word.encode())).normal(size=DIMENSIONS)


async def made(_: Settings) -> Made:
    return Made()


@asynccontextmanager
async def talking(stage: Stage) -> AsyncIterator[tuple[Principal, Loading]]:
    """Who talks, and the embedder, in a graph that has notes and no messages yet."""
    loading = Loading(stage.settings, load=made)
    try:
        await loading.embedder()
        await stage.store(list(corpus(stage.sizes.search_nodes, SEED)), [])
        yield local_principal(TENANT), loading
    finally:
        await loading.close()


async def talk(
    stage: Stage, principal: Principal, thread: str, resource: str, messages: int, memory: bool = False
) -> None:
    """A thread of so many messages, without their vectors. `memory`: the resource has some working memory."""
    await create_thread(stage.graph, principal, ThreadInput(resource, thread))
    for at in range(0, messages, A_CALL):
        await append_turn(stage.graph, principal, thread, said(crc32(thread.encode()) + at, min(A_CALL, messages - at)))
        if messages > A_CALL:
            stage.tell("Storing messages", at, messages)
    if memory:
        update = MemoryUpdate(merge={"plan": "enterprise", "contact": "Ann Lee", "promised": ["a call", "an invoice"]})
        await update_working_memory(stage.graph, principal, Where(resource=resource), update)


def said(seed: int, count: int) -> list[MessageInput]:
    draw = np.random.default_rng(seed)
    return [
        MessageInput(
            Role.USER if at % 2 == 0 else Role.ASSISTANT,
            (Part(PartType.TEXT, text=f"{' '.join(draw.choice(WORDS, 12))} was settled under {seed} {at}."),),
        )
        for at in range(count)
    ]


async def embed_all(stage: Stage, loading: Loading) -> None:
    """Does what waits to be done."""
    known, done = handlers(stage.graph, loading), 0
    total = (await stage.graph.read("open_jobs"))[0]["jobs"]
    while jobs := await claim(stage.graph, list(known), limit=100, lease_seconds=600):
        await asyncio.gather(*(attempt(stage.graph, job, known[job.kind], 600) for job in jobs))
        done += len(jobs)
        stage.tell("Making vectors", done, max(done, total))
