"""A folder of short notes, from files to vectors, beside the embedder on its own with the same texts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bench.data import corpus
from bench.measure import Side, alternate
from bench.report import Figure, at_least
from bench.stage import SEED, Stage
from bench.store import wipe
from graphmem import embedding
from graphmem.access.principal import local_principal
from graphmem.config import Settings
from graphmem.embedding import Embedder, Loading
from graphmem.errors import Unavailable
from graphmem.graph.index_state import ensure_vectors
from graphmem.ingest.files import ingest_folder
from graphmem.jobs import Worker
from graphmem.jobs.embedding import TEXTS_A_WRITE
from graphmem.knowledge.nodes_write import EMBED
from graphmem.knowledge.vectors import recipe_text
from graphmem.runtime import handlers
from graphmem.values import Tenant

WARMUP = 6
"""Folders of each side that are not counted: until then the server's compiler takes more time than its work."""
WORDS = 20
TARGET = 300
STORED, WHOLE, ALONE = "graphmem, with vectors", "graphmem, with links too", "embedder alone"


async def run(stage: Stage) -> None:
    await wipe(stage.graph)
    await stage.graph.run_schema("drop_vectors")
    await stage.graph.run("forget_vectors")
    size, count = stage.sizes.notes, stage.sizes.folders
    texts = [notes(size, number) for number in range(WARMUP + count)]
    folders = [await asyncio.to_thread(_write, stage.folder / f"notes-{at}", each) for at, each in enumerate(texts)]
    async with _embedder(stage) as (loading, embedder):
        sides: dict[str, Side] = {
            STORED: lambda number: _ingest(stage, loading, folders[number], f"vectors-{number}", [EMBED]),
            WHOLE: lambda number: _ingest(stage, loading, folders[number], f"whole-{number}", None),
            ALONE: lambda number: _embed(embedder, texts[number]),
        }
        took = stage.took("ingest", await alternate(sides, count, WARMUP))
    rates = {side: size / ms.p50 * 1000 for side, ms in took.items()}
    name = f"ingest, a folder of {size:,} short notes"
    stage.figures += [
        at_least(f"{name}, to vectors", rates[STORED], rates[ALONE], ALONE, "notes/s", 0.7),
        at_least(f"{name}, to vectors", rates[STORED], TARGET, "target", "notes/s", 1.0),
        Figure(
            f"{name}, to links and near-duplicates", rates[WHOLE], rates[ALONE], ALONE, "notes/s",
            rates[WHOLE] / rates[ALONE],
        ),
    ]  # fmt: skip


def notes(size: int, number: int) -> list[tuple[str, str]]:
    """Titles and texts that no other folder has."""
    rows = corpus(size, SEED + number)
    return [(f"{row['title']} {number}", " ".join(row["content"].split()[:WORDS])) for row in rows]


def _write(folder: Path, texts: Sequence[tuple[str, str]]) -> Path:
    folder.mkdir()
    for at, (title, text) in enumerate(texts):
        (folder / f"{at:05d}.md").write_text(f"# {title}\n\n{text}\n")
    return folder


@asynccontextmanager
async def _embedder(stage: Stage) -> AsyncIterator[tuple[Loading, Embedder]]:
    """The default model, as a service has it."""
    model = Settings.model_fields["embedding_model"].default
    found = await embedding.load(stage.settings.model_copy(update={"embedding_model": model}))
    if found is None:
        raise Unavailable(f"there is no model {model}")

    async def load(_: Settings) -> Embedder | None:
        return found

    await ensure_vectors(stage.graph, found.model, found.dimension, found.recipe)
    loading = Loading(stage.settings, load=load)
    try:
        await loading.embedder()
        yield loading, found
    finally:
        await loading.close()


async def _ingest(stage: Stage, loading: Loading, folder: Path, tenant: str, kinds: Sequence[str] | None) -> None:
    """As the command does it: jobs of these kinds (None: all) are worked on while files come in, and to the end."""
    known = handlers(stage.graph, loading)
    worker = Worker(stage.graph, {kind: known[kind] for kind in kinds or known}, stage.settings)
    stop = asyncio.Event()
    working = asyncio.create_task(worker.run(stop))
    done = await ingest_folder(stage.graph, local_principal(Tenant(tenant)), folder, tell=lambda *_: worker.wake())
    stop.set()
    await working
    await worker.drain(600)
    if done.failed:
        raise Unavailable(f"{len(done.failed)} files were not taken in: {done.failed[0]}")


async def _embed(embedder: Embedder, texts: Sequence[tuple[str, str]]) -> None:
    whole = [recipe_text(title, text) for title, text in texts]
    for at in range(0, len(whole), TEXTS_A_WRITE):
        await embedder.embed_texts(whole[at : at + TEXTS_A_WRITE])
