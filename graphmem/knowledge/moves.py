"""Which edges a merge closes and opens, and which its undoing does. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any

from graphmem.values import EdgeType

Key = tuple[str, str, str]

STATED = ("weight", "confidence", "source", "reason", "validFrom", "validTo")


@dataclass(frozen=True, slots=True)
class Stored:
    """An edge as it is stored, with all its properties."""

    source: str
    target: str
    type: str
    properties: Mapping[str, Any]

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Stored:
        return cls(row["from"], row["to"], row["type"], row["properties"])

    @property
    def key(self) -> Key:
        return self.source, self.type, self.target

    @property
    def weight(self) -> float:
        return float(self.properties.get("weight", 1.0))

    @property
    def row(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.properties.items() if name != "closedBy"}
        return {"from": self.source, "to": self.target, "type": self.type, "properties": kept}

    def moved(self, merged: AbstractSet[str], kept: str) -> Stored:
        ends = [kept if end in merged else end for end in (self.source, self.target)]
        if self.type == EdgeType.CONFLICTS_WITH:
            ends.sort()
        return replace(self, source=ends[0], target=ends[1])

    def opened_by(self, merge: str) -> Stored:
        return replace(self, properties={**self.properties, "openedBy": merge})

    def says(self, other: Stored) -> bool:
        return all(self.properties.get(name) == other.properties.get(name) for name in STATED)


@dataclass(slots=True)
class Moves:
    """Edges to close, edges to open then, and those left alone because they were changed since."""

    closing: list[Stored] = field(default_factory=list)
    opening: list[Stored] = field(default_factory=list)
    left: list[Stored] = field(default_factory=list)


def merging(kept: str, merged: AbstractSet[str], edges: Iterable[Stored], merge: str) -> Moves:
    """Give the open edges of `merged` to `kept`. Of edges that become one the heaviest stays, before others its own."""
    moves, taken = Moves(), {}
    touching = []
    for edge in edges:
        if {edge.source, edge.target} & merged:
            touching.append(edge)
        else:
            taken[edge.key] = edge
    opened: set[Key] = set()
    for edge in sorted(touching, key=lambda edge: (-edge.weight, edge.key)):
        moves.closing.append(edge)
        moved = edge.moved(merged, kept)
        own = taken.get(moved.key)
        if moved.source == moved.target or moved.key in opened or (own is not None and own.weight >= edge.weight):
            continue
        if own is not None:
            moves.closing.append(own)
        opened.add(moved.key)
        moves.opening.append(moved.opened_by(merge))
    return moves


def undoing(kept: str, merged: AbstractSet[str], marked: Sequence[Stored], merge: str, forever: object) -> Moves:
    """Take back what `merging` did. `marked`: the edges that the merge closed or opened, as they are now.

    One that the merge opened and somebody closed since takes those it was made of with it. One that was changed since
    stays, beside those it was made of.
    """
    moves = Moves()
    opened = _opened(marked, merge)
    before: dict[Key, list[Stored]] = {}
    for edge in marked:
        if edge.properties.get("closedBy") == merge:
            before.setdefault(edge.moved(merged, kept).key, []).append(edge)
    for key, edges in before.items():
        now = opened.pop(key, None)
        if now is None:
            moves.opening += edges
        elif now.properties["recordedTo"] != forever:
            moves.left.append(now)
        elif any(edge.says(now) for edge in edges):
            moves.closing.append(now)
            moves.opening += edges
        else:
            moves.left.append(now)
            moves.opening += [edge for edge in edges if edge.key != key]
    moves.closing += [edge for edge in opened.values() if edge.properties["recordedTo"] == forever]
    return moves


def _opened(marked: Iterable[Stored], merge: str) -> dict[Key, Stored]:
    """The newest edge of each place that the merge opened."""
    found: dict[Key, Stored] = {}
    for edge in sorted(marked, key=lambda edge: edge.properties["recordedTo"]):
        if edge.properties.get("openedBy") == merge:
            found[edge.key] = edge
    return found
