"""Percentiles, and what is made of many measurements."""

from __future__ import annotations

import pytest

from bench.stats import Summary, percentile, summary


def test_a_percentile_lies_between_its_two_neighbours() -> None:
    assert percentile([40, 10, 30, 20], 0.5) == 25
    assert percentile([10, 20, 30, 40, 50], 0.1) == pytest.approx(14)
    assert percentile([10, 20, 30, 40, 50], 0.95) == pytest.approx(48)


def test_the_ends_and_a_single_value_are_values_themselves() -> None:
    assert percentile([3, 1, 2], 0) == 1
    assert percentile([3, 1, 2], 1) == 3
    assert percentile([7], 0.95) == 7


def test_nothing_measured_is_no_figure() -> None:
    with pytest.raises(ValueError, match="nothing was measured"):
        percentile([], 0.5)


def test_a_summary_counts_and_does_not_mind_the_order() -> None:
    assert summary([5, 1, 4, 2, 3]) == Summary(count=5, p10=1.4, p50=3, p95=4.8)
