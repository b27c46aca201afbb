"""The only door to an embedding model."""

from graphmem.embedding.contract import Embedder, Span
from graphmem.embedding.load import load
from graphmem.embedding.loading import Load, Loading
from graphmem.embedding.models import Models

__all__ = ["Embedder", "Load", "Loading", "Models", "Span", "load"]
