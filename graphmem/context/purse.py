"""What is left of a budget, and what found no room in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from graphmem.context.inputs import Tier
from graphmem.ranking import tokens

T = TypeVar("T")


class Reason(StrEnum):
    """Why something was left out: there was no room in the budget, or the history's own cap was reached; CUT: a part
    of a message was."""

    BUDGET = "budget"
    CAP = "cap"
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class Dropped:
    """`ids`: of messages, fields, notices or nodes; `tokens`: as they would have been rendered."""

    tier: Tier
    why: Reason
    what: str
    ids: tuple[str, ...]
    tokens: int


@dataclass
class Purse:
    encoding: str
    left: int
    dropped: list[Dropped] = field(default_factory=list)
    _counted: dict[str, int] = field(default_factory=dict)

    def count(self, text: str) -> int:
        return tokens.count(text, self.encoding, self._counted)

    def pay(self, size: int) -> bool:
        """Take so many tokens, if there are as many."""
        if size > self.left:
            return False
        self.left -= size
        return True

    def drop(self, tier: Tier, why: Reason, what: str, ids: Iterable[str | None], size: int) -> None:
        self.dropped.append(Dropped(tier, why, what, tuple(uid for uid in ids if uid), size))

    def fitting(
        self, items: Iterable[T], frame: str, told: Callable[[T], str], drop: Callable[[T, int], None]
    ) -> list[T]:
        """The items that fit, the first ones first. `frame`: the empty section they stand in; what is left out is
        handed to `drop` with its size."""
        found: list[T] = []
        for item in items:
            size = self.count(told(item))
            if self.pay(size + (0 if found else self.count(frame))):
                found.append(item)
            else:
                drop(item, size)
        return found
