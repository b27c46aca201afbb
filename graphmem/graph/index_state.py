"""What a graph's vectors are made with. Another model's vectors would be compared without sense or error."""

from __future__ import annotations

from collections.abc import Mapping

from graphmem.errors import IndexMismatch
from graphmem.graph.gateway import Graph
from graphmem.graph.indexes import await_indexes

INDEXES: Mapping[str, tuple[str, ...]] = {"knowledge": ("knowledge", "revision"), "message": ("message",)}
"""The vector indexes of a kind: of what its nodes are, and of what they were."""
VECTOR_KINDS = tuple(INDEXES)
"""What has vectors; all of one generation, since statements name one."""


async def ensure_vectors(graph: Graph, kind: str, model: str, dimension: int, recipe: str) -> None:
    """Claim the vectors of `kind` for this model, and make their indexes where they are missing.

    Raises:
        IndexMismatch: the graph has vectors of another model, dimension or recipe; the message says what to do.
    """
    row = (await graph.run("graph/claim_index_state", kind=kind, model=model, dimension=dimension, recipe=recipe))[0]
    had = (row["model"], row["dimension"], row["recipe"])
    if had != (model, dimension, recipe):
        raise IndexMismatch(
            f"this graph's vectors were made by {had[0]} ({had[1]} dimensions, recipe {had[2]}), "
            f"not by {model} ({dimension} dimensions, recipe {recipe}); {_remedy(had[0], model)}",
            model=had[0],
        )
    graph.generation = row["generation"]
    await _make(graph, kind, dimension)
    graph.dimension = dimension


async def _make(graph: Graph, kind: str, dimension: int) -> None:
    for index in INDEXES[kind]:
        await graph.run_schema(f"graph/create_{index}_vector", dimensions=dimension)
    await await_indexes(graph)


def _remedy(had: str, model: str) -> str:
    if had != model:
        return f"set GRAPHMEM_EMBEDDING_MODEL={had} to go on with them"
    return "the model of that name has changed: install what made them, or begin a graph in another GRAPHMEM_HOME"


async def use_vectors(graph: Graph, kind: str) -> None:
    """Have `graph` use the vectors it has, whether or not there is a model to make more.

    An index that an earlier release did not know is made.
    """
    for row in await graph.read("graph/index_state", kind=kind):
        graph.generation = row["generation"]
        await _make(graph, kind, row["dimension"])
        graph.dimension = row["dimension"]
