"""Which edges a walk follows, and which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.values import EXPLICIT_EDGES, Direction, EdgeType

_OUT = (EdgeType.RELATED_TO, EdgeType.DEPENDS_ON, EdgeType.CONFLICTS_WITH)
_IN = (EdgeType.RELATED_TO, EdgeType.SUPERSEDES, EdgeType.CONFLICTS_WITH)


@dataclass(frozen=True, slots=True)
class Directions:
    """Edge types walked along their direction, those walked against it, and whether automatic mentions are followed.

    By default RELATED_TO and CONFLICTS_WITH both ways, DEPENDS_ON out (what is needed to understand the node) and
    SUPERSEDES in (what replaced it).
    """

    out: tuple[EdgeType, ...] = _OUT
    into: tuple[EdgeType, ...] = _IN
    mentions: bool = True

    @classmethod
    def of(cls, types: Sequence[EdgeType] | None, direction: Direction | None) -> Directions:
        """The default ways of the types named, or one way for all of them. Mentions are only walked out."""
        wanted = tuple(EdgeType) if types is None else tuple(types)
        explicit = tuple(kind for kind in EXPLICIT_EDGES if kind in wanted)
        out = {None: _OUT, Direction.IN: ()}.get(direction, explicit)
        into = {None: _IN, Direction.OUT: ()}.get(direction, explicit)
        return cls(
            out=tuple(kind for kind in explicit if kind in out),
            into=tuple(kind for kind in explicit if kind in into),
            mentions=EdgeType.MENTIONS in wanted and direction is not Direction.IN,
        )
