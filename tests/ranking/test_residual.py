"""Coverage and bonuses, with figures worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.ranking.residual import bridge, coverage, dense_weight, idf, mention, rarity, telling

COUNTS = st.integers(0, 10**9)
PLACES = st.frozensets(st.integers(0, 7))
MASSES = st.lists(st.floats(0.01, 20), min_size=8, max_size=8)


def test_idf_is_that_of_bm25() -> None:
    # ln(1 + (10 − 2 + 0.5) / (2 + 0.5)) = ln 4.4
    assert idf(10, 2) == pytest.approx(1.481605, abs=1e-6)
    # ln(1 + 3.5 / 0.5) = ln 8
    assert idf(3, 0) == pytest.approx(math.log(8))


@given(COUNTS, COUNTS)
def test_idf_is_above_zero_whatever_the_estimates(nodes: int, having: int) -> None:
    assert idf(nodes, having) > 0


@given(COUNTS, COUNTS)
def test_a_rarer_stem_weighs_no_less(nodes: int, having: int) -> None:
    assert idf(nodes, having) >= idf(nodes, having + 1)


def test_coverage_is_the_share_of_the_mass_that_the_seed_leaves_open() -> None:
    # Open are places 1, 2 and 3 with 2 + 5 + 1 = 8; the target has 2 (and 0, which the seed has too): 5 / 8.
    assert coverage([4.0, 2.0, 5.0, 1.0], seed=[0], target=[0, 2]) == pytest.approx(0.625)


def test_a_target_with_all_or_nothing_of_the_residual_covers_all_or_nothing() -> None:
    assert coverage([1.0, 2.0], seed=[0], target=[1]) == 1.0
    assert coverage([1.0, 2.0], seed=[0], target=[0]) == 0.0


def test_nothing_is_covered_where_nothing_is_open() -> None:
    assert coverage([1.0, 2.0], seed=[0, 1], target=[0, 1]) == 0.0
    assert coverage([], seed=[], target=[]) == 0.0


@given(MASSES, PLACES, PLACES, PLACES)
def test_coverage_is_a_share_and_grows_with_the_target(
    mass: list[float], seed: frozenset[int], target: frozenset[int], more: frozenset[int]
) -> None:
    assert 0 <= coverage(mass, seed, target) <= coverage(mass, seed, target | more) <= 1


def test_a_mention_is_worth_three_fifths_uncovered_and_all_covered() -> None:
    assert mention(0.9, 0.0, weight=0.8) == pytest.approx(0.432)
    assert mention(0.9, 0.5, weight=0.8) == pytest.approx(0.576)
    assert mention(0.9, 1.0, weight=0.8) == pytest.approx(0.72)


def test_rarity_falls_from_one_node_to_all() -> None:
    # ln(1000 / 10) / ln 1000 = 2 / 3
    assert rarity(1000, 10) == pytest.approx(2 / 3)
    assert rarity(1000, 1) == 1.0
    assert rarity(1000, 1000) == 0.0


@given(COUNTS, COUNTS)
def test_rarity_is_a_share_whatever_the_estimates(nodes: int, having: int) -> None:
    assert 0 <= rarity(nodes, having) <= 1


def test_a_bridge_is_worth_its_rarity_and_little_uncovered() -> None:
    assert bridge(0.9, 2 / 3, 0.0, weight=0.8) == pytest.approx(0.024)
    # 0.8 × 0.9 × 2/3 × (0.05 + 0.95 × 0.5) = 0.48 × 0.525
    assert bridge(0.9, 2 / 3, 0.5, weight=0.8) == pytest.approx(0.252)
    assert bridge(0.9, 1.0, 1.0, weight=0.8) == pytest.approx(0.72)


def test_a_bridge_is_never_worth_more_than_a_mention() -> None:
    assert all(
        bridge(1, rare / 10, covered / 10, weight=0.8) <= mention(1, covered / 10, weight=0.8) + 1e-12
        for rare in range(11)
        for covered in range(11)
    )


def test_entities_of_two_to_sixty_nodes_are_telling() -> None:
    assert [having for having in (0, 1, 2, 3, 59, 60, 61) if telling(having)] == [2, 3, 59, 60]


def test_the_vector_list_yields_where_a_text_has_all_the_words() -> None:
    assert dense_weight(0.5, 0.0) == 0.5
    # 0.5 × (1 − 0.3 / 16)
    assert dense_weight(0.5, 0.5) == pytest.approx(0.490625)
    assert dense_weight(0.5, 1.0) == pytest.approx(0.35)
