"""Searches without expansion beside the plainest program for steps 1 and 2 of the recipe (`retrieval.md` §2)."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from typing import Any

import pytest

from graphmem.access.view import View
from graphmem.graph.gateway import Graph
from graphmem.knowledge.directions import Directions
from graphmem.knowledge.nodes import NodeInput
from graphmem.knowledge.search import Mode, SearchInput, search
from graphmem.ranking import lucene, names
from graphmem.values import EdgeType, Tenant
from tests.conftest import Settle
from tests.factories import PLANTS, node
from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.support import probing

WORDS = [word for word in PLANTS if len(word) > 3]
Scores = dict[str, float]


def corpus(rng: random.Random, count: int) -> list[NodeInput]:
    """Titles of one or two words, so that some are borne by several nodes and some stand inside others."""
    return [
        node(f"n{at:02}", " ".join(rng.sample(WORDS, rng.choice([1, 2]))), " ".join(rng.choices(WORDS, k=8)))
        for at in range(count)
    ]


def min_max(scores: Mapping[str, float]) -> Scores:
    lowest, highest = min(scores.values(), default=0.0), max(scores.values(), default=0.0)
    return {uid: (one - lowest) / (highest - lowest) if highest > lowest else 1.0 for uid, one in scores.items()}


def title_bonuses(nodes: list[NodeInput], question: str) -> Scores:
    """0.5 / √n for each of the n nodes with a title that stands in the question, inside no longer one."""
    asked = names.words(question)
    bearers: dict[str, list[str]] = {}
    for one in nodes:
        bearers.setdefault(" ".join(names.words(one.title)), []).append(one.id or "")
    found = [
        (start, start + length, " ".join(asked[start : start + length]))
        for length in range(1, len(asked) + 1)
        for start in range(len(asked) - length + 1)
        if " ".join(asked[start : start + length]) in bearers
    ]
    outer = [
        key for start, end, key in found
        if not any(s <= start and end <= e and e - s > end - start for s, e, _ in found)
    ]  # fmt: skip
    return {uid: 0.5 / math.sqrt(len(bearers[key])) for key in outer for uid in bearers[key]}


def witnessed(nodes: list[NodeInput], texts: Scores, question: str) -> float:
    """The largest share of the question's stems that one of the ten best texts has."""
    asked = lucene.stems(question)
    stems = {one.id: lucene.stems(f"{one.title}\n{one.content}") for one in nodes}
    return max((len(asked & stems[uid]) / len(asked) for uid in list(texts)[:10]), default=0.0)


async def expected(graph: Graph, tenant: Tenant, nodes: list[NodeInput], question: str, mode: Mode) -> Scores:
    vector = await HashingEmbedder().embed_query(question)
    asked = lucene.query(question, lucene.tenant_token(tenant))
    texts = {
        row["uid"]: row["score"] for row in await probing(graph).read("probe/text_list", tenant=tenant, lucene=asked)
    }
    cosines = {
        row["uid"]: row["score"] for row in await probing(graph).read("probe/cosines", tenant=tenant, vector=vector)
    }
    by_vector = {} if mode is Mode.TEXT else min_max(cosines)
    by_text = {} if mode is Mode.VECTOR else min_max(texts)
    titles = {} if mode is Mode.VECTOR else title_bonuses(nodes, question)
    share = {Mode.TEXT: 0.0, Mode.VECTOR: 1.0, Mode.HYBRID: 0.5}[mode]
    weight = share * (1 - 0.3 * witnessed(nodes, {} if mode is Mode.VECTOR else texts, question) ** 4)
    return {
        uid: weight * by_vector.get(uid, 0.0) + (1 - weight) * by_text.get(uid, 0.0) + titles.get(uid, 0.0)
        for uid in {*by_vector, *by_text, *titles}
    }


@pytest.mark.parametrize("seed", range(6))
async def test_without_expansion_a_search_is_what_the_plain_program_says(
    graph: Graph, store: Any, find: Any, tenant: Tenant, seed: int
) -> None:
    rng = random.Random(seed)
    nodes = corpus(rng, 30)
    await store(nodes)
    for mode in Mode:
        question = " ".join(rng.sample(WORDS, rng.choice([2, 3, 5])))
        scores = await expected(graph, tenant, nodes, question, mode)
        found = await find(question, mode=mode, expand=False, top_k=100, limit=100)
        assert {hit.node.id: hit.rank.score for hit in found.hits} == pytest.approx(scores)
        order = [(-hit.rank.score, hit.node.id) for hit in found.hits]
        assert order == sorted(order)


async def test_automatic_edges_of_no_weight_change_nothing(
    graph: Graph, runtime: Any, store: Any, find: Any, tenant: Tenant, settle: Settle
) -> None:
    rng = random.Random(7)
    await store(corpus(rng, 30))
    weightless = Graph(
        graph.driver, graph.settings.model_copy(update={"mention_weight": 0.0, "entity_weight": 0.0}), graph.statements
    )
    weightless.generation, weightless.dimension = graph.generation, graph.dimension
    for _ in range(5):
        question = " ".join(rng.sample(WORDS, 3))
        wanted = SearchInput(question, properties=("title",), directions=Directions.of([EdgeType.MENTIONS], None))
        found = await search(weightless, runtime.embedding, View(tenant), wanted)
        seeds = await find(question, expand=False)
        assert [(hit.node.id, hit.rank) for hit in found.hits] == [(hit.node.id, hit.rank) for hit in seeds.hits]
        assert any(hit.rank.depth for hit in (await find(question)).hits)
