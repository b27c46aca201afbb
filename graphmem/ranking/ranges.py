"""The stretches of threads that are shown around recalled messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.ranking.recall import Recalled


@dataclass(frozen=True, slots=True)
class Range:
    """Messages `first` to `last`, by `seq`, of one thread; `hits` are the recalled ones among them, best first."""

    thread: str
    first: int
    last: int
    hits: tuple[Recalled, ...]


def ranges(hits: Iterable[Recalled], before: int, after: int) -> list[Range]:
    """Each hit with up to `before` and `after` messages beside it; ranges that touch are one. The one with the best
    hit comes first. `hits` are in order, best first; the thread may end before `last`."""
    threads: dict[str, list[tuple[int, Recalled]]] = {}
    for place, hit in enumerate(hits):
        threads.setdefault(hit.row.thread, []).append((place, hit))
    found: list[tuple[int, Range]] = []
    for thread, own in threads.items():
        group: list[tuple[int, Recalled]] = []
        for place, hit in sorted(own, key=lambda one: one[1].row.seq):
            if group and hit.row.seq - before > group[-1][1].row.seq + after + 1:
                found.append(_range(thread, group, before, after))
                group = []
            group.append((place, hit))
        found.append(_range(thread, group, before, after))
    return [one for _, one in sorted(found, key=lambda one: one[0])]


def _range(thread: str, group: list[tuple[int, Recalled]], before: int, after: int) -> tuple[int, Range]:
    """`group` is in order of `seq`. With the place of its best hit."""
    first, last = group[0][1].row.seq, group[-1][1].row.seq
    best = sorted(group, key=lambda one: one[0])
    hits = tuple(hit for _, hit in best)
    return best[0][0], Range(thread, max(first - before, 0), last + after, hits)
