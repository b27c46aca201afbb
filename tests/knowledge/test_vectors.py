import asyncio
from collections.abc import Sequence

import pytest

from graphmem.access.view import View
from graphmem.embedding import Loading
from graphmem.errors import Unavailable
from graphmem.graph.gateway import Graph
from graphmem.jobs import Job, claim, jobs
from graphmem.jobs import embedding as frame
from graphmem.knowledge import vectors as verbs
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.nodes_write import EMBED
from graphmem.knowledge.remember import remember
from graphmem.knowledge.search import Mode, SearchInput, search
from graphmem.knowledge.update import Patch, update
from graphmem.knowledge.vectors import DUPLICATES, embed
from graphmem.runtime import Runtime
from graphmem.values import Tenant, utc_now
from tests.conftest import Settle
from tests.factories import node, principal
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.support import Paused, loaded, probing


async def vectors(graph: Graph, tenant: Tenant, uid: str) -> tuple[bool, str | None, int]:
    """Whether there is a vector, the text it was made from, and the pieces that have one."""
    (row,) = await probing(graph).read("probe/vectors", tenant=tenant, uid=uid)
    return row["vector"], row["text"], row["pieces"]


async def found(graph: Graph, embedding: Loading, tenant: Tenant, query: str, mode: Mode) -> list[str]:
    wanted = SearchInput(query=query, mode=mode, top_k=1, expand=False)
    return [hit.node.id for hit in (await search(graph, embedding, View(tenant), wanted)).hits]


async def embedding_job(graph: Graph, tenant: Tenant) -> Job:
    (job,) = await claim(graph, [EMBED], limit=1, lease_seconds=600, tenant=tenant)
    return job


async def test_a_text_is_found_by_text_at_once_and_by_vector_when_it_is_embedded(
    graph: Graph, runtime: Runtime, tenant: Tenant, settle: Settle
) -> None:
    await remember(graph, principal(tenant), [node("a", "Tide tables", "High water at noon")])
    assert await found(graph, runtime.embedding, tenant, "porpoise", Mode.TEXT) == []
    assert await found(graph, runtime.embedding, tenant, "tide", Mode.TEXT) == ["a"]
    assert await found(graph, runtime.embedding, tenant, "tide", Mode.VECTOR) == []
    assert await vectors(graph, tenant, "a") == (False, None, 0)
    await settle()
    assert await found(graph, runtime.embedding, tenant, "tide", Mode.VECTOR) == ["a"]
    assert await vectors(graph, tenant, "a") == (True, "Tide tables\nHigh water at noon", 0)


async def test_a_changed_text_has_no_vector_until_it_has_its_own(
    graph: Graph, tenant: Tenant, settle: Settle, embedder: HashingEmbedder
) -> None:
    """B55."""
    who = principal(tenant)
    await remember(graph, who, [node("a", "Tide", "High")])
    await settle()
    calls = embedder.calls
    await update(graph, who, "a", Patch(confidence=0.5, tags=("x",)))
    await settle()
    assert (await vectors(graph, tenant, "a"))[1] == "Tide\nHigh"
    assert embedder.calls == calls
    await update(graph, who, "a", Patch(content="Low"))
    assert await vectors(graph, tenant, "a") == (False, None, 0)
    await settle()
    assert await vectors(graph, tenant, "a") == (True, "Tide\nLow", 0)
    assert embedder.calls == calls + 1


async def test_a_long_text_is_found_by_any_of_its_parts(
    graph: Graph, runtime: Runtime, tenant: Tenant, settle: Settle
) -> None:
    who = principal(tenant)
    filler = " ".join(f"filler{at}" for at in range(600))
    await remember(graph, who, [node("long", "Handbook", f"{filler} the porcupine clause"), node("b", "Other", "Else")])
    await settle()
    there, _, pieces = await vectors(graph, tenant, "long")
    assert there
    assert pieces >= 3
    assert await found(graph, runtime.embedding, tenant, "porcupine clause", Mode.VECTOR) == ["long"]
    await update(graph, who, "long", Patch(content="Short now"))
    assert (await vectors(graph, tenant, "long"))[2] == 0
    await settle()
    assert await vectors(graph, tenant, "long") == (True, "Handbook\nShort now", 0)


async def test_a_job_that_is_worked_twice_embeds_once(
    graph: Graph, runtime: Runtime, tenant: Tenant, embedder: HashingEmbedder
) -> None:
    await remember(graph, principal(tenant), [node("a"), node("b")])
    job = await embedding_job(graph, tenant)
    assert await embed(graph, runtime.embedding, job) == {"embedded": 2}
    calls = embedder.calls
    assert await embed(graph, runtime.embedding, job) == {"embedded": 0}
    assert embedder.calls == calls


async def test_a_text_that_changes_while_it_is_embedded_does_not_keep_the_old_vector(
    graph: Graph, runtime: Runtime, tenant: Tenant
) -> None:
    who = principal(tenant)
    await remember(graph, who, [node("a", content="Old")])
    slow = Paused(graph, at="knowledge/texts")
    work = asyncio.create_task(embed(slow, runtime.embedding, await embedding_job(graph, tenant)))
    await slow.reached.wait()
    await update(graph, who, "a", Patch(content="New"))
    slow.go.set()
    await work
    assert await vectors(graph, tenant, "a") == (False, None, 0)
    await embed(graph, runtime.embedding, await embedding_job(graph, tenant))
    assert await vectors(graph, tenant, "a") == (True, "Title of a\nNew", 0)


class Lying(HashingEmbedder):
    """Gives vectors that no index takes."""

    def __init__(self, vector: list[float]) -> None:
        super().__init__()
        self.vector = vector

    async def embed_query(self, text: str) -> list[float]:
        return self.vector

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        return [self.vector for _ in texts]


LIES = [[1.0] * 3, [1.0] * 65, [], [0.0] * 64, [float("nan")] * 64, [float("inf")] * 64]


@pytest.mark.parametrize("vector", LIES)
async def test_vectors_that_no_index_takes_are_not_stored(graph: Graph, tenant: Tenant, vector: list[float]) -> None:
    """B65."""
    await remember(graph, principal(tenant), [node("a")])
    job = await embedding_job(graph, tenant)
    async with loaded(graph.settings, Lying(vector)) as embedding:
        with pytest.raises(Unavailable, match="vector"):
            await embed(graph, embedding, job)
    assert await vectors(graph, tenant, "a") == (False, None, 0)


@pytest.mark.parametrize("vector", LIES)
async def test_a_search_goes_on_by_text_when_the_embedder_lies(
    graph: Graph, tenant: Tenant, settle: Settle, vector: list[float]
) -> None:
    await remember(graph, principal(tenant), [node("a", "Tide tables")])
    await settle()
    async with loaded(graph.settings, Lying(vector)) as embedding:
        result = await search(graph, embedding, View(tenant), SearchInput(query="tide"))
        assert [hit.node.id for hit in result.hits] == ["a"]
        assert [warning.code for warning in result.warnings] == ["EMBEDDER_UNAVAILABLE"]
        with pytest.raises(Unavailable):
            await found(graph, embedding, tenant, "tide", Mode.VECTOR)


async def test_nearly_equal_texts_about_one_thing_are_told(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    words = " ".join(f"word{at}" for at in range(60))
    given = [
        NodeInput("Tides", words, id="a"),
        NodeInput("Tides", f"{words} not", id="b"),
        NodeInput("Tides", f"not {words}", id="c", resource="r1"),
        NodeInput("Moon", "else", id="d"),
    ]
    await remember(graph, principal(tenant), given)
    await settle()
    page = await jobs(graph, tenant, kinds=[DUPLICATES])
    (pair,) = [pair for job in page.items for pair in (job.result or {})["pairs"]]
    assert pair[:2] == ["a", "b"]
    assert 0.95 <= pair[2] < 1


async def test_without_an_embedder_jobs_end_and_searches_say_so(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a", "Tide tables")])
    async with loaded(graph.settings, None) as embedding:
        assert "skipped" in await embed(graph, embedding, await embedding_job(graph, tenant))
        result = await search(graph, embedding, View(tenant), SearchInput(query="tide"))
    assert [hit.node.id for hit in result.hits] == ["a"]
    assert [warning.code for warning in result.warnings] == ["EMBEDDER_UNAVAILABLE"]


async def test_an_embedder_that_fails_to_load_leaves_the_job_to_be_tried_again(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a")])
    job = await embedding_job(graph, tenant)
    async with loaded(graph.settings, Unavailable("no such model")) as embedding:
        with pytest.raises(Unavailable, match="no such model"):
            await embed(graph, embedding, job)
    assert await vectors(graph, tenant, "a") == (False, None, 0)


async def test_a_model_with_a_small_window_embeds_long_texts_in_pieces(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a", "Long", "word " * 300)])
    async with loaded(graph.settings, HashingEmbedder(window=128)) as embedding:
        assert await embed(graph, embedding, await embedding_job(graph, tenant)) == {"embedded": 1}
    assert (await vectors(graph, tenant, "a"))[2] >= 3


async def test_what_lacks_a_vector_is_found_once_some_nodes_a_time(
    graph: Graph, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether a part ends among nodes of one moment, or between tenants; what a node once said counts."""
    monkeypatch.setattr(frame, "LOOKED_AT", 7)
    expected: dict[str, list[str]] = {}
    for whose in (tenant, Tenant(f"{tenant} 2"), Tenant(f"{tenant} 3")):
        for part in range(2):
            nodes = [node(f"n{part}{at}") for at in range(10)]
            await remember(graph, principal(whose), nodes, [])
            expected.setdefault(whose, []).extend(str(one.id) for one in nodes)
    found: dict[str, list[str]] = {}
    for row in await verbs.TEXTS.unembedded(graph, utc_now()):
        found.setdefault(row["tenant"], []).extend(row["ids"])
        assert row["tenant"] not in expected or row["settled"] == len(row["ids"])
    assert {whose: sorted(found[whose]) for whose in expected} == expected
