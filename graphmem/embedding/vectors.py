"""Vectors as they are stored, compared and asked for."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphmem.embedding.loading import Loading
from graphmem.errors import InvalidInput, Unavailable
from graphmem.values import Warning


def unit(vector: Sequence[float], dimension: int | None) -> list[float]:
    """The vector at length 1. Raises InvalidInput where it can't be compared with vectors of that dimension."""
    if dimension is not None and len(vector) != dimension:
        raise InvalidInput(f"vector has {len(vector)} numbers; this graph's vectors have {dimension}", field="vector")
    length = math.hypot(*vector)
    if not 0 < length < math.inf:
        raise InvalidInput("vector must consist of finite numbers, not all zero", field="vector")
    return [value / length for value in vector]


async def query_vector(
    embedding: Loading, text: str, given: Sequence[float] | None, dimension: int | None
) -> tuple[list[float] | None, list[Warning]]:
    """The vector given, else that of a search text, or a warning that says why there is none.

    `dimension`: that of the graph's vectors; None: it has none. Never waits for a model to load. Raises InvalidInput
    where the vector given does not fit.
    """
    vector, warnings = (await _embedded(embedding, text, dimension)) if given is None else (unit(given, dimension), [])
    if dimension is None:
        return None, warnings or [Warning("NO_VECTORS", "searched by text only: the graph has no vectors yet")]
    return vector, warnings


async def _embedded(embedding: Loading, text: str, dimension: int | None) -> tuple[list[float] | None, list[Warning]]:
    state = embedding.state
    if state != "ready":
        return None, [
            Warning("EMBEDDER_UNAVAILABLE", f"searched by text only: the embedder is {state.partition(':')[0]}")
        ]
    try:
        embedder = await embedding.embedder()
        assert embedder is not None
        return unit(await embedder.embed_query(text), dimension), []
    except (Unavailable, InvalidInput) as error:
        return None, [Warning("EMBEDDER_UNAVAILABLE", f"searched by text only: {error.message}")]
