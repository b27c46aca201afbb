"""Runs benchmarks one after the other, on one server."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from bench import context, crowd, growth, hub, ingest, locomo, multihop, recall, remember, search
from bench.machine import load_average, machine
from bench.report import Report, line
from bench.stage import FULL, QUICK, Stage
from bench.store import Tell, check_empty, statements
from graphmem.config import Settings
from graphmem.errors import InvalidInput
from graphmem.graph import local
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.migrate import migrate

BENCHES: Mapping[str, Callable[[Stage], Awaitable[None]]] = {
    "search": search.run,
    "remember": remember.run,
    "ingest": ingest.run,
    "recall": recall.run,
    "context": context.run,
    "crowd": crowd.run,
    "hub": hub.run,
    "growth": growth.run,
    "multihop": multihop.multihop,
    "limit": multihop.limit,
    "locomo": locomo.run,
}
NEED_DATA = frozenset({"multihop", "limit", "locomo"})
"""Run only where they are named, or the folder of the public sets is given."""


async def run(
    settings: Settings, names: Sequence[str], tell: Tell, *, quick: bool, here: bool, data: Path | None = None
) -> Report:
    """Figures of the benchmarks named (none: all), in the order of `BENCHES`. `data`: the folder of the public sets.

    `here`: on the Neo4j that the settings name, which has to be empty and is left so. Else on a managed server of
    its own, in a folder that is gone afterwards.

    Raises:
        InvalidInput: there is no benchmark of that name.
        Conflict: the Neo4j named isn't empty.
    """
    if unknown := sorted(set(names) - BENCHES.keys()):
        raise InvalidInput(f"there is no benchmark {unknown[0]!r}; there are {', '.join(BENCHES)}", field="names")
    with tempfile.TemporaryDirectory(prefix="graphmem-bench-") as folder:
        async with _server(settings, Path(folder), here) as own, connect(own) as opened:
            graph = Graph(opened.driver, own, statements())
            await migrate(graph)
            await check_empty(graph)
            report = Report(await machine(graph, own, managed=not here))
            stage = Stage(
                own, graph, QUICK if quick else FULL, Path(folder), tell, report.figures, report.times,
                model=settings.embedding_model, data=data,
            )  # fmt: skip
            for name in BENCHES:
                if name in (names or (BENCHES if data else BENCHES.keys() - NEED_DATA)):
                    tell(f"Measuring {name}", 0, 0)
                    told = len(report.figures)
                    await BENCHES[name](stage)
                    for figure in report.figures[told:]:
                        tell(line(figure), 0, 0)
                    report.load.append((name, load_average()))
            await stage.clear()
    return report


@asynccontextmanager
async def _server(settings: Settings, folder: Path, here: bool) -> AsyncIterator[Settings]:
    """Settings for a running server: the one given, or one made for this run and stopped after it."""
    common = {"port": 0, "worker": False, "open_access": False, "embedding_model": "none", "statement_timeout": 60.0}
    if here:
        if settings.neo4j_uri is None:
            raise InvalidInput("--here needs GRAPHMEM_NEO4J_URI", field="neo4j_uri")
        yield settings.model_copy(update=common)
        return
    own = settings.model_copy(
        update={
            **common, "neo4j_uri": None, "neo4j_password": None, "home": folder / "home", "bolt_port": 0,
            "http_port": 0, "browser": False, "heap_mb": 1024, "page_cache_mb": 512, "fast_start": "use",
        }
    )  # fmt: skip
    await asyncio.to_thread(local.start, own)
    try:
        yield own
    finally:
        await asyncio.to_thread(local.stop, own)
