"""The embedder over a loaded network: cache, long texts, batches."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from threading import Lock

import numpy as np
import structlog
from cachetools import LRUCache

from graphmem.config import Settings
from graphmem.embedding.contract import CHUNK_OVERLAP, CHUNK_SIZE, Span
from graphmem.embedding.network import Kind, Network, Vectors
from graphmem.embedding.worker import Request, Worker
from graphmem.errors import Unavailable

log = structlog.get_logger()

RECIPE = 1
"""Raise it when the treatment of texts changes: vectors made before must not be compared with those made after."""
BUDGET = 2048
"""Padded tokens of one model call: about 0.1 s, which a query may have to wait. More was not faster."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A text, or a chunk of one that is longer than the window."""

    owner: int
    text: str
    tokens: int


class NetworkEmbedder:
    """An `Embedder` (see there) whose network runs in `worker`'s thread."""

    def __init__(self, network: Network, worker: Worker, settings: Settings) -> None:
        self.model = settings.embedding_model
        self.dimension = network.dimension
        self.window = network.tokens.window
        self.recipe = f"{RECIPE}:{network.fingerprint}"
        self.runtime = network.runtime
        self._tokens = network.tokens
        self._worker = worker
        self._batch = settings.embedding_batch
        self._timeout = settings.embedding_timeout
        self._cache: LRUCache[bytes, Vectors] = LRUCache(max(1, settings.embedding_cache))
        self._caching = settings.embedding_cache > 0
        self._lock = Lock()

    @property
    def calls(self) -> int:
        return self._worker.calls

    async def embed_query(self, text: str) -> list[float]:
        key = blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()
        with self._lock:
            vector = self._cache.get(key)
        if vector is None:
            try:
                async with asyncio.timeout(self._timeout):
                    vector = (await self._embed(self._pieces([text]), 1, "query"))[0]
            except TimeoutError as error:
                raise Unavailable(
                    f"the embedding model did not answer within embedding_timeout ({self._timeout:g} s)"
                ) from error
            if self._caching:
                with self._lock:
                    self._cache[key] = vector
        found: list[float] = vector.tolist()
        return found

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        if not texts:
            return []
        pieces = await asyncio.to_thread(self._pieces, texts)
        found: list[list[float]] = (await self._embed(pieces, len(texts), "document")).tolist()
        return found

    def count_tokens(self, text: str) -> int:
        return self._tokens.count(text)

    def chunk(self, text: str, size: int | None = None, overlap: int = CHUNK_OVERLAP) -> list[Span]:
        return self._tokens.chunk(text, min(CHUNK_SIZE, self.window) if size is None else size, overlap)

    async def close(self) -> None:
        self._worker.stop()
        await asyncio.to_thread(self._worker.join)

    def _pieces(self, texts: Sequence[str]) -> list[_Piece]:
        """What the network has to read, shortest first, so that a call holds texts of like length."""
        pieces: list[_Piece] = []
        for owner, (text, tokens) in enumerate(zip(texts, self._tokens.counts(texts), strict=True)):
            if tokens <= self.window:
                pieces.append(_Piece(owner, text, tokens))
                continue
            parts = [text[span.start : span.end] for span in self._tokens.chunk(text, self.window, 0)]
            pieces.extend(map(_Piece, [owner] * len(parts), parts, self._tokens.counts(parts)))
        return sorted(pieces, key=lambda piece: piece.tokens)

    async def _embed(self, pieces: list[_Piece], owners: int, kind: Kind) -> Vectors:
        calls = self._calls(pieces)
        answers = [
            asyncio.wrap_future(self._worker.submit(Request([p.text for p in call], call[-1].tokens, kind)))
            for call in calls
        ]
        try:
            found = await asyncio.gather(*answers)
        except (Unavailable, asyncio.CancelledError):
            raise
        except Exception as error:  # whatever the runtime raises: the text can be embedded later
            log.warning("embedding_failed", model=self.model, exc_info=True)
            raise Unavailable(f"the embedding model {self.model} failed; the log says why") from error
        finally:  # when one call failed, the others are for nothing
            for answer in answers:
                answer.cancel()
        sums = np.zeros((owners, self.dimension), dtype=np.float32)
        for call, vectors in zip(calls, found, strict=True):
            weights = np.array([[piece.tokens] for piece in call], dtype=np.float32)
            np.add.at(sums, [piece.owner for piece in call], vectors * weights)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        if not np.all(lengths > 0):  # NaN as well
            raise Unavailable(f"the embedding model {self.model} gave a vector without a direction")
        unit: Vectors = sums / lengths
        return unit

    def _calls(self, pieces: list[_Piece]) -> list[list[_Piece]]:
        """Runs of `pieces` that fit one model call each."""
        calls: list[list[_Piece]] = []
        for piece in pieces:
            last = calls[-1] if calls else None
            if last is None or len(last) >= self._batch or (len(last) + 1) * piece.tokens > BUDGET:
                calls.append([piece])
            else:
                last.append(piece)
        return calls
