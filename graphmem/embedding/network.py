"""What a runtime has to offer to the embedder above it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from graphmem.embedding.tokens import Tokens

Kind = Literal["query", "document"]
Vectors = NDArray[np.float32]


class Network(Protocol):
    """A loaded model. Called from one thread only, but for `tokens`."""

    runtime: str
    dimension: int
    fingerprint: str
    """Of the weights and prompts, the same for every runtime."""
    tokens: Tokens

    def encode(self, texts: Sequence[str], kind: Kind) -> Vectors:
        """One row a text, of unit length. No text may be longer than the window."""

    def close(self) -> None:
        """End what the network has started."""
