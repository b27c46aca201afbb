"""Vectors as they are stored and compared."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphmem.errors import InvalidInput


def unit(vector: Sequence[float], dimension: int | None) -> list[float]:
    """The vector at length 1. Raises InvalidInput where it can't be compared with vectors of that dimension."""
    if dimension is not None and len(vector) != dimension:
        raise InvalidInput(f"vector has {len(vector)} numbers; this graph's vectors have {dimension}", field="vector")
    length = math.hypot(*vector)
    if not 0 < length < math.inf:
        raise InvalidInput("vector must consist of finite numbers, not all zero", field="vector")
    return [value / length for value in vector]
