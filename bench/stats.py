"""What many measurements come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Summary:
    """Of `count` values, in their unit."""

    count: int
    p10: float
    p50: float
    p95: float


def percentile(values: Sequence[float], share: float) -> float:
    """Linear between the two values next to the place. Raises ValueError when there are no values.

    >>> percentile([1, 2, 3, 4], 0.5)
    2.5
    """
    if not values:
        raise ValueError("nothing was measured")
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def summary(values: Sequence[float]) -> Summary:
    return Summary(len(values), percentile(values, 0.10), percentile(values, 0.50), percentile(values, 0.95))
