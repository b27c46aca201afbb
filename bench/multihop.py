"""Recall on public sets, through the public API, with automatic edges only and one set of defaults."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from statistics import fmean

from bench.passages import SETS, Passage, PassageSet, recall
from bench.report import Figure, at_least
from bench.stage import Caller, Stage, http_client
from graphmem.cli.serve import serving
from graphmem.errors import InvalidInput

BATCH = 100
WANTED: Mapping[tuple[str, int], float] = {
    ("MuSiQue-100", 5): 72.0, ("HotpotQA-100", 5): 96.5, ("LIMIT-small", 2): 94.0,
}  # fmt: skip
"""Recall in percent that a release has to reach."""
OFFLINE: Mapping[tuple[str, int], float] = {
    ("MuSiQue-100", 2): 60.2, ("HotpotQA-100", 2): 87.5, ("LIMIT-small", 5): 99.9,
}  # fmt: skip
"""What the same recipe brought outside the database, with exact lists."""
REMEMBER = "mutation ($nodes: [KnowledgeInput!]) { remember(nodes: $nodes) { ids } }"
SEARCH = "query ($text: String!) { search(input: {query: $text}) { hits { node { id } } } }"


async def multihop(stage: Stage) -> None:
    await _run(stage, "multihop")


async def limit(stage: Stage) -> None:
    await _run(stage, "limit")


async def _run(stage: Stage, bench: str) -> None:
    if stage.data is None:
        raise InvalidInput(f"{bench} needs the folder of the public sets: --data or GRAPHMEM_BENCH_DATA", field="data")
    sets = [read(stage.data) for read in SETS[bench]]
    await stage.clear()
    settings = stage.settings.model_copy(update={"embedding_model": stage.model, "worker": True})
    async with serving(settings) as service, http_client(service.address) as http:
        await service.runtime.embedding.embedder()
        for each in sets:
            await _measure(stage, Caller(http, await stage.key(f"bench-{each.name}")), each)


async def _measure(stage: Stage, caller: Caller, given: PassageSet) -> None:
    await _remember(stage, caller, given)
    found = []
    for number, question in enumerate(given.questions):
        answer = await caller.ask(SEARCH, text=question.text)
        found.append([hit["node"]["id"] for hit in answer["search"]["hits"]])
        stage.tell(f"Asking {given.name}", number + 1, len(given.questions))
    for count in (2, 5):
        percent = 100 * fmean(
            recall(ids, question.answers, count) for ids, question in zip(found, given.questions, strict=True)
        )
        stage.figures.append(_figure(given.name, count, percent))
        stage.tell(f"{given.name} R@{count}: {percent:.1f} %", 0, 0)


def _figure(name: str, count: int, percent: float) -> Figure:
    title = f"{name} R@{count}"
    if (name, count) in WANTED:
        return at_least(title, percent, WANTED[name, count], "wanted", "%", 1.0)
    offline = OFFLINE[name, count]
    return Figure(title, percent, offline, "offline", "%", percent / offline)


async def _remember(stage: Stage, caller: Caller, given: PassageSet) -> None:
    """Store all passages, and wait until their vectors and automatic edges are there."""
    for first in range(0, len(given.passages), BATCH):
        batch = [_note(passage) for passage in given.passages[first : first + BATCH]]
        await caller.ask(REMEMBER, nodes=batch)
        stage.tell(f"Storing {given.name}", first + len(batch), len(given.passages))
    while waiting := (await stage.graph.read("open_jobs"))[0]["jobs"]:
        stage.tell(f"{given.name}: {waiting} jobs are open", 0, 0)
        await asyncio.sleep(0.5)


def _note(passage: Passage) -> dict[str, str]:
    return {"id": passage.id, "title": passage.title, "content": passage.text}
