"""Which edges a merge moves, and what its undoing makes of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphmem.knowledge.moves import Moves, Stored, merging, undoing

OPEN = 9


def edge(start: str, kind: str, end: str, weight: float = 1.0, **more: object) -> Stored:
    return Stored(start, end, kind, {"weight": weight, "recordedTo": OPEN, **more})


def said(edges: list[Stored]) -> set[tuple[str, str, str, float]]:
    return {(*found.key, found.weight) for found in edges}


def after(edges: list[Stored], moves: Moves, merge: str | None) -> list[Stored]:
    """The edges as they are once the moves were made."""
    closed = [replace(one, properties={**one.properties, "recordedTo": 1, "closedBy": merge}) for one in moves.closing]
    return [*(one for one in edges if one not in moves.closing), *closed, *moves.opening]


@pytest.mark.parametrize(
    ("edges", "opened"),
    [
        ([edge("a", "RELATED_TO", "x")], {("k", "RELATED_TO", "x", 1.0)}),
        ([edge("x", "DEPENDS_ON", "a")], {("x", "DEPENDS_ON", "k", 1.0)}),
        ([edge("a", "RELATED_TO", "k")], set()),
        ([edge("k", "SUPERSEDES", "a")], set()),
        ([edge("a", "RELATED_TO", "b")], set()),
        ([edge("a", "RELATED_TO", "x", 0.2), edge("b", "RELATED_TO", "x", 0.7)], {("k", "RELATED_TO", "x", 0.7)}),
        ([edge("a", "RELATED_TO", "x", 0.2), edge("k", "RELATED_TO", "x", 0.2)], set()),
        ([edge("a", "RELATED_TO", "x", 0.3), edge("k", "RELATED_TO", "x", 0.2)], {("k", "RELATED_TO", "x", 0.3)}),
        ([edge("a", "RELATED_TO", "x"), edge("x", "RELATED_TO", "k")], {("k", "RELATED_TO", "x", 1.0)}),
        ([edge("a", "CONFLICTS_WITH", "c")], {("c", "CONFLICTS_WITH", "k", 1.0)}),
        ([edge("c", "CONFLICTS_WITH", "x")], set()),
    ],
)  # fmt: skip
def test_a_merge_moves_edges_without_circles_at_one_node_or_doubles_and_undoing_it_brings_them_back(
    edges: list[Stored], opened: set[tuple[str, str, str, float]]
) -> None:
    merged = {"a", "b"}
    moves = merging("k", merged, edges, "m")
    assert said(moves.opening) == opened
    now = after(edges, moves, "m")
    standing = [one for one in now if one.properties["recordedTo"] == OPEN]
    assert not [one for one in standing if {one.source, one.target} & merged]
    assert len({one.key for one in standing}) == len(standing)
    back = undoing("k", merged, now, "m", OPEN)
    assert back.left == []
    ended = [one for one in after(now, back, None) if one.properties["recordedTo"] == OPEN or one in back.opening]
    assert said(ended) == said(edges)


def test_what_somebody_did_to_a_moved_edge_since_is_left_so() -> None:
    edges = [edge("a", "RELATED_TO", "x", 0.5), edge("a", "DEPENDS_ON", "y", 0.5)]
    now = after(edges, merging("k", {"a"}, edges, "m"), "m")
    related, depends = (next(one for one in now if one.source == "k" and one.target == end) for end in "xy")
    closed = replace(related, properties={**related.properties, "recordedTo": 5})
    heavier = replace(depends, properties={**depends.properties, "weight": 0.9})
    marked = [one for one in now if one.source == "a"] + [closed, heavier]
    back = undoing("k", {"a"}, marked, "m", OPEN)
    assert said(back.left) == {("k", "RELATED_TO", "x", 0.5), ("k", "DEPENDS_ON", "y", 0.9)}
    assert said(back.opening) == {("a", "DEPENDS_ON", "y", 0.5)}
    assert back.closing == []
