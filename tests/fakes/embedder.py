"""An embedder without a model: words hashed to dimensions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import blake2b
from math import sqrt

from graphmem.embedding import Span
from graphmem.embedding.chunking import split
from graphmem.values import fold

TOKEN = re.compile(r"\w+|[^\w\s]")
WORD = re.compile(r"\w+")


class HashingEmbedder:
    """An `Embedder` that gives texts with the same words, whatever their case, accents and order, the same vector,
    and texts that share words similar ones. Each word or mark of punctuation is a token."""

    def __init__(
        self, dimension: int = 64, *, model: str = "hashing", recipe: str = "1", window: int = 256, batch: int = 64
    ) -> None:
        self.model = model
        self.dimension = dimension
        self.recipe = recipe
        self.window = window
        self.calls = 0
        self.texts = 0
        self._batch = batch
        self._queries: dict[str, list[float]] = {}

    async def embed_query(self, text: str) -> list[float]:
        if text not in self._queries:
            self.calls += 1
            self._queries[text] = self._vector(text)
        return list(self._queries[text])

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        self.calls += -(-len(texts) // self._batch)
        self.texts += len(texts)
        return [self._vector(text) for text in texts]

    def count_tokens(self, text: str) -> int:
        return sum(1 for _ in TOKEN.finditer(text))

    def chunk(self, text: str, size: int | None = None, overlap: int = 20) -> list[Span]:
        size = min(200, self.window) if size is None else size
        tokens = [found.span() for found in TOKEN.finditer(text)]
        return [] if len(tokens) <= self.window else split(text, tokens, size, min(overlap, size - 1))

    async def close(self) -> None:
        """Nothing to end."""

    def _vector(self, text: str) -> list[float]:
        """Each word adds 1 or -1 in four places: unrelated words rarely meet in more than one."""
        sums = [0.0] * self.dimension
        for word in WORD.findall(fold(text)):
            digest = blake2b(word.encode(errors="replace"), digest_size=20).digest()
            for at in range(0, 20, 5):
                place = int.from_bytes(digest[at : at + 4], "big") % self.dimension
                sums[place] += 1.0 if digest[at + 4] & 1 else -1.0
        length = sqrt(sum(value * value for value in sums))
        if not length:
            return [1.0] + [0.0] * (self.dimension - 1)
        return [value / length for value in sums]
