from __future__ import annotations

import pytest

from graphmem.errors import IndexMismatch
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import ensure_vectors, use_vectors
from tests.fakes.embedder import HashingEmbedder
from tests.graph.probing import emptied, probing
from tests.graph.second_server import SecondServer


async def test_the_same_model_may_start_again_and_again(graph: Graph, embedder: HashingEmbedder) -> None:
    again = Graph(graph.driver, graph.settings, graph.statements)
    await ensure_vectors(again, embedder.model, embedder.dimension, embedder.recipe)
    assert (again.generation, again.dimension) == (1, embedder.dimension)


@pytest.mark.parametrize(
    ("model", "dimension", "recipe", "remedy"),
    [
        ("another", 64, "1", "set GRAPHMEM_EMBEDDING_MODEL=hashing"),
        ("hashing", 65, "1", "the model of that name has changed"),
        ("hashing", 64, "2", "the model of that name has changed"),
    ],
)
async def test_another_model_dimension_or_recipe_is_refused_with_what_to_do(
    graph: Graph, model: str, dimension: int, recipe: str, remedy: str
) -> None:
    other = Graph(graph.driver, graph.settings, graph.statements)
    with pytest.raises(IndexMismatch, match=remedy) as refused:
        await ensure_vectors(other, model, dimension, recipe)
    assert f"{dimension} dimensions, recipe {recipe}" in refused.value.message
    assert refused.value.details == {"model": "hashing"}
    assert other.dimension is None


async def test_statements_name_the_live_generation(second: SecondServer) -> None:
    async with connect(second.addressed()) as graph:
        await emptied(graph)
        await use_vectors(graph)
        assert (graph.generation, graph.dimension) == (1, None)
        await ensure_vectors(graph, "a model", 3, "a recipe")
        await probing(graph).run("probe/set_generation", generation=2)
        later = Graph(graph.driver, graph.settings, graph.statements)
        await use_vectors(later)
        assert (later.generation, later.dimension) == (2, 3)
        await ensure_vectors(later, "a model", 3, "a recipe")
        names = {row["name"]: row["properties"] for row in await probing(graph).read("probe/schema")}
        assert names["knowledge_vector_1"][0] == "embedding_1"
        assert names["knowledge_vector_2"][0] == "embedding_2"
        assert "embedding_2" in later.text(later.statements["knowledge/write_vectors"])
        assert "embedding_1" in graph.text(graph.statements["knowledge/write_vectors"])
