"""What is searched for: texts and vectors made from stored nodes, the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from bench.data import DIMENSIONS, NodeRow

_NOISE = 0.5
"""Length of what is added to the node's vector: the question has a cosine of about 0.9 with it."""
_TITLE_WORDS, _CONTENT_WORDS = 2, 4


@dataclass(frozen=True, slots=True)
class Question:
    """`node`: the one it was made from. `vector` has unit length."""

    text: str
    vector: list[float]
    node: str


def questions(rows: Sequence[NodeRow], count: int, seed: int) -> list[Question]:
    """Questions with texts all different; a node is asked about again only when there are fewer nodes than that."""
    rng = default_rng([seed, 4])
    order = rng.permutation(len(rows))
    found: dict[str, Question] = {}
    for at in range(20 * count):
        row = rows[order[at % len(rows)]]
        title, content = row["title"].split()[:-1], row["content"].split()  # a title ends in the node's number
        words = [*rng.choice(title, _TITLE_WORDS), *rng.choice(content, _CONTENT_WORDS)]
        text = " ".join(words)
        vector = _near(row["vector"], rng.standard_normal(DIMENSIONS).astype(np.float32))
        found.setdefault(text, Question(text, vector, row["uid"]))
        if len(found) == count:
            return list(found.values())
    raise ValueError(f"{len(rows)} nodes don't give {count} different questions")


def _near(vector: NDArray[np.float32], noise: NDArray[np.float32]) -> list[float]:
    moved = vector + noise * np.float32(_NOISE / np.sqrt(DIMENSIONS))
    return [float(value) for value in moved / np.linalg.norm(moved)]
