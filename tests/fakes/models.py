"""Models by name without any: `hash-96` has 96 dimensions."""

from __future__ import annotations

from graphmem.config import Settings
from graphmem.embedding import Embedder
from graphmem.errors import Unavailable
from tests.fakes.embedder import HashingEmbedder


async def load(settings: Settings) -> Embedder:
    name = settings.embedding_model
    if not name.startswith("hash-"):
        raise Unavailable(f"embedding_model {name} could not be loaded", field="embedding_model")
    return HashingEmbedder(dimension_of(name), model=name, window=128)


def dimension_of(name: str) -> int:
    return int(name.removeprefix("hash-"))
