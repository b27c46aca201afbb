"""Vectors on their way to Neo4j."""

from __future__ import annotations

from collections.abc import Sequence

from neo4j.vector import Vector


def packed(vector: Sequence[float]) -> Vector:
    """The vector as 32-bit floats, which is what embeddings are: half a millisecond less than as a list of 384."""
    return Vector.from_native(list(vector), "f32")
