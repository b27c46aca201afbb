"""The graphs that benchmarks run on have the sizes and the shape they claim."""

from __future__ import annotations

from collections import Counter
from graphlib import TopologicalSorter

import numpy as np
import pytest

from bench.data import DIMENSIONS, VOCABULARY, EdgeRow, NodeRow, corpus, edges, hub, tenants, uid, vocabulary
from graphmem.values import EXPLICIT_EDGES


def as_text(rows: list[NodeRow]) -> list[str]:
    return [repr({**row, "vector": row["vector"].tobytes()}) for row in rows]


def triples(rows: list[EdgeRow]) -> list[tuple[str, str, str]]:
    return [(row["source"], row["target"], row["type"]) for row in rows]


def test_tenants_share_the_nodes_one_ten_and_eighty_nine_in_a_hundred() -> None:
    assert [len(numbers) for numbers in tenants(10_000).values()] == [100, 1_000, 8_900]
    assert sum(len(numbers) for numbers in tenants(1_234).values()) == 1_234
    assert Counter(row["tenant"] for row in corpus(1_000, 1)) == {"bench-1": 10, "bench-10": 100, "bench-89": 890}


def test_a_corpus_has_its_nodes_in_order_of_their_ids() -> None:
    ids = [row["uid"] for row in corpus(2_100, 1)]
    assert ids == sorted(ids) == [uid(number) for number in range(2_100)]
    assert list(corpus(0, 1)) == []


def test_the_same_seed_gives_the_same_and_another_seed_another() -> None:
    assert as_text(list(corpus(1_100, 7))) == as_text(list(corpus(1_100, 7)))
    assert as_text(list(corpus(50, 7))) != as_text(list(corpus(50, 8)))
    assert list(edges(1_100, seed=7)) == list(edges(1_100, seed=7)) != list(edges(1_100, seed=8))
    assert list(hub(100, 50, seed=7)) == list(hub(100, 50, seed=7)) != list(hub(100, 50, seed=8))


def test_texts_are_zipf_distributed_words_of_the_vocabulary() -> None:
    texts = [row["content"].split() for row in corpus(2_000, 1)]
    assert {len(text) for text in texts} == {60}
    assert len(set(vocabulary())) == VOCABULARY
    counts = Counter(word for text in texts for word in text)
    assert counts.keys() <= set(vocabulary())
    first, tenth, hundredth = (counts[vocabulary()[rank - 1]] for rank in (1, 10, 100))
    assert 6 < first / tenth < 14
    assert 4 < tenth / hundredth < 14


def test_vectors_have_unit_length_and_lie_nearest_to_their_cluster() -> None:
    rows = list(corpus(1_000, 1))
    vectors = np.stack([row["vector"] for row in rows])
    clusters = np.array([row["cluster"] for row in rows])
    assert vectors.shape == (1_000, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert len(set(clusters)) == 20
    cosines = vectors @ vectors.T
    same = clusters[:, None] == clusters[None, :]
    assert cosines[same].min() > cosines[~same].max()


def test_the_clusters_are_spread_over_the_tenants() -> None:
    rows = list(corpus(5_000, 1))
    small = {row["cluster"] for row in rows if row["tenant"] == "bench-1"}
    large = {row["cluster"] for row in rows if row["tenant"] == "bench-89"}
    assert len(small) > 25
    assert small <= large


def test_edges_stay_in_a_tenant_join_two_nodes_and_stand_once() -> None:
    rows = list(edges(2_000, 3, seed=1))
    owner = {uid(number): name for name, numbers in tenants(2_000).items() for number in numbers}
    assert len(rows) == 6_000
    assert Counter(row["type"] for row in rows).keys() == {kind.value for kind in EXPLICIT_EDGES}
    assert all(owner[row["source"]] == owner[row["target"]] == row["tenant"] for row in rows)
    assert all(row["source"] != row["target"] for row in rows)
    assert len(set(triples(rows))) == len(rows)
    assert all(0.3 <= row["weight"] <= 1.0 for row in rows)


@pytest.mark.parametrize(("nodes", "count"), [(0, 0), (1, 0), (2, 2), (3, 6), (40, 120)])
def test_small_graphs_have_as_many_edges_as_they_can(nodes: int, count: int) -> None:
    rows = list(edges(nodes, 3, seed=1))
    assert len(rows) == count
    assert len(set(triples(rows))) == count


def test_supersedes_has_no_cycle_and_conflicts_start_from_the_smaller_id() -> None:
    rows = [*edges(3_000, 6, seed=1), *hub(3_000, 2_000, seed=1)]
    older: dict[str, set[str]] = {}
    for source, target, kind in triples(rows):
        if kind == "SUPERSEDES":
            older.setdefault(source, set()).add(target)
        assert kind != "CONFLICTS_WITH" or source < target
    TopologicalSorter(older).prepare()
    assert len(older) > 500


def test_a_hub_has_all_its_edges_on_one_node_in_both_directions() -> None:
    rows = list(hub(120_000, seed=1))
    centre = uid(tenants(120_000)["bench-89"].start)
    assert len(set(triples(rows))) == len(rows) == 100_000
    assert all((row["source"] == centre) != (row["target"] == centre) for row in rows)
    assert 40_000 < sum(row["source"] == centre for row in rows) < 60_000


def test_a_hub_of_more_edges_than_nodes_is_refused() -> None:
    with pytest.raises(ValueError, match="bench-89 has 89"):
        next(hub(100, 89, seed=1))
