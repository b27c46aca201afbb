"""The only door to an embedding model."""

from graphmem.embedding.contract import Embedder, Span
from graphmem.embedding.load import load
from graphmem.embedding.loading import Loading

__all__ = ["Embedder", "Loading", "Span", "load"]
