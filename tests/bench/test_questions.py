"""Questions are near the nodes that they were made from, and the same always."""

from __future__ import annotations

import numpy as np
import pytest

from bench.data import corpus
from bench.questions import questions


def test_questions_are_the_same_for_the_same_seed_and_all_different() -> None:
    rows = list(corpus(200, 1))
    asked = questions(rows, 100, 5)
    assert asked == questions(rows, 100, 5) != questions(rows, 100, 6)
    assert len({question.text for question in asked}) == 100


def test_a_question_is_nearer_to_its_node_than_to_most() -> None:
    rows = list(corpus(500, 1))
    vectors = np.stack([row["vector"] for row in rows])
    for question in questions(rows, 20, 5):
        cosines = vectors @ np.array(question.vector)
        own = next(at for at, row in enumerate(rows) if row["uid"] == question.node)
        assert cosines[own] > 0.8
        assert np.mean(cosines > cosines[own]) < 0.05
        assert np.linalg.norm(question.vector) == pytest.approx(1)


def test_one_node_can_be_asked_about_in_many_ways() -> None:
    rows = list(corpus(100, 1))[:1]
    assert {question.node for question in questions(rows, 50, 5)} == {rows[0]["uid"]}


def test_too_few_words_for_so_many_questions_is_told() -> None:
    row = {**next(corpus(1, 1)), "title": "one one 1", "content": "two"}
    with pytest.raises(ValueError, match="1 nodes don't give 2 different questions"):
        questions([row], 2, 5)  # type: ignore[list-item]
