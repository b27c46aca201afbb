"""What the rest of the house sees of an embedding model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

CHUNK_SIZE = 200
CHUNK_OVERLAP = 20


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text: characters `start` to `end`, as in a slice."""

    start: int
    end: int


class Embedder(Protocol):
    """Texts to vectors of unit length.

    No text is cut in silence: one that is longer than `window` is embedded as the mean of its parts, weighted by
    their tokens and scaled back to unit length; `chunk` gives spans that a caller may want vectors of, too.
    """

    @property
    def model(self) -> str:
        """The name as configured."""

    @property
    def dimension(self) -> int: ...

    @property
    def recipe(self) -> str:
        """How texts become vectors (weights, prompts, treatment of long texts); the same for every runtime.

        Vectors of two recipes must not be compared.
        """

    @property
    def window(self) -> int:
        """Tokens the network reads, its own special tokens included."""

    @property
    def calls(self) -> int:
        """Model calls made so far."""

    async def embed_query(self, text: str) -> list[float]:
        """The vector of a search text, from the cache where it is known.

        Queries that arrive while the network is busy are embedded together in its next call. Raises `Unavailable`
        when the vector is not there within `settings.embedding_timeout`.
        """

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of `texts`, in their order; at most `settings.embedding_batch` texts in one model call."""

    def count_tokens(self, text: str) -> int:
        """Tokens of `text` as the network would read it; more than `window` means it does not fit."""

    def chunk(self, text: str, size: int | None = None, overlap: int = CHUNK_OVERLAP) -> list[Span]:
        """Spans of at most `size` tokens (by `count_tokens`), or none when the whole text fits the window. By default
        of `CHUNK_SIZE`, or the window where that is smaller.

        Spans start where a paragraph does, else a sentence, else a word; about `overlap` tokens of a span are
        repeated in the next. Together they hold every character.
        """

    async def close(self) -> None:
        """End the model's thread; calls still waiting fail with `Unavailable`."""
