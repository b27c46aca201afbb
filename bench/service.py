"""The real service, in a process of its own; its embedder knows the vectors of the questions beforehand."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from pathlib import Path

from bench.data import DIMENSIONS
from bench.questions import Question
from bench.store import MODEL, RECIPE
from graphmem.cli import console, loop
from graphmem.cli.serve import serving
from graphmem.config import Settings
from graphmem.embedding import Span
from graphmem.errors import Unavailable


class Prepared:
    """An `Embedder` that gives each question its vector, at no cost."""

    model = MODEL
    dimension = DIMENSIONS
    recipe = RECIPE
    window = 256
    calls = 0

    def __init__(self, vectors: Mapping[str, list[float]]) -> None:
        self._vectors = vectors

    async def embed_query(self, text: str) -> list[float]:
        return self._vectors[text]

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:  # noqa: ARG002
        raise Unavailable("the benchmarks embed no texts")

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def chunk(self, text: str, size: int | None = None, overlap: int = 20) -> list[Span]:  # noqa: ARG002
        return []

    async def close(self) -> None:
        """Nothing to end."""


@asynccontextmanager
async def service(settings: Settings, asked: Sequence[Question], log: Path) -> AsyncIterator[str]:
    """The address of the service while it runs. Raises Unavailable when it doesn't start; `log` tells why."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    vectors = {question.text: question.vector for question in asked}
    process = context.Process(target=_run, args=(settings, vectors, there, log), daemon=True)
    process.start()
    there.close()
    try:
        yield await asyncio.to_thread(_address, here, log)
    finally:
        here.close()
        await asyncio.to_thread(process.join, 30)
        if process.is_alive():
            process.kill()


def _address(pipe: Connection, log: Path) -> str:
    try:
        return str(pipe.recv())
    except EOFError:
        raise Unavailable(f"the service did not start:\n{log.read_text()[-2000:]}") from None


def _run(settings: Settings, vectors: Mapping[str, list[float]], pipe: Connection, log: Path) -> None:
    with log.open("a") as sys.stderr:
        console.configure_logging(settings.log_level)
        loop.run(_serve(settings, vectors, pipe))


async def _serve(settings: Settings, vectors: Mapping[str, list[float]], pipe: Connection) -> None:
    async with serving(settings, Prepared(vectors)) as running:
        await running.runtime.embedding.embedder()
        pipe.send(running.address)
        await asyncio.to_thread(_until_closed, pipe)


def _until_closed(pipe: Connection) -> None:
    try:
        pipe.recv()
    except EOFError:
        return
