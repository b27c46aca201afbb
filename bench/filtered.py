"""A filter that three nodes of a large graph pass, beside the same search without it, in every mode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from bench.data import TENANTS, NodeRow
from bench.measure import Side, alternate
from bench.questions import Question, questions
from bench.report import at_most
from bench.stage import SEED, Caller, Stage
from graphmem.errors import Unavailable

TENANT = list(TENANTS)[-1]
QUESTIONS = 50
FEW = 3
RARE = "rare"
"""The tag of the few, and a word that stands in their texts and in those of the questions."""


def marked(nodes: Iterable[NodeRow]) -> Iterator[NodeRow]:
    """The same nodes, of which the first few of the largest tenant have the tag."""
    left = FEW
    for row in nodes:
        if left and row["tenant"] == TENANT:
            left -= 1
            yield NodeRow({**row, "tags": [*row["tags"], RARE], "content": f"{row['content']} {RARE}"})
        else:
            yield row


def filtered_questions(nodes: Iterable[NodeRow]) -> list[Question]:
    rows = list(islice((row for row in nodes if row["tenant"] == TENANT), FEW, FEW + QUESTIONS))
    return [Question(f"{one.text} {RARE}", one.vector, one.node) for one in questions(rows, QUESTIONS, SEED)]


async def filtered(stage: Stage, caller: Caller, asked: Sequence[Question], few: frozenset[str]) -> None:
    """Raises Unavailable when a search doesn't bring exactly the `few` nodes that pass."""
    for mode in ("HYBRID", "VECTOR", "TEXT"):
        sides = {
            "without a filter": _side(caller, asked, mode=mode),
            "with a filter": _side(caller, asked, mode=mode, tags=[RARE]),
        }
        took = stage.took(f"filter, {mode.lower()}", await alternate(sides, stage.sizes.calls, stage.sizes.warmup))
        for question in asked:
            found = await caller.search(question, mode=mode, tags=[RARE])
            if {hit["node"]["id"] for hit in found["hits"]} != few:
                raise Unavailable(f"a search in mode {mode} brings other nodes than the {FEW} that pass the filter")
        name = f"search p50, filter that {FEW} of {stage.sizes.recall_nodes:,} notes pass, {mode.lower()}"
        stage.figures.append(at_most(name, took["with a filter"].p50, took["without a filter"].p50, "no filter", 3))


def _side(caller: Caller, asked: Sequence[Question], **how: Any) -> Side:
    return lambda number: caller.search(asked[number % len(asked)], **how)
