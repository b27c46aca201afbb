"""The messages of a context, and which of them belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import count
from typing import Any

from graphmem.conversation.messages import Message, Part, parts_from
from graphmem.graph.instants import at_microsecond
from graphmem.values import PartType, Role

FEW = 4


@dataclass(frozen=True, slots=True)
class Line:
    """A message as a context shows it. `id` None: the text that the caller gave; `seq` None: it isn't committed.

    `gap`: messages of the thread that were left out before it; `cut`: tokens left out of it; `vectors`: how many it
    has in the index.
    """

    id: str | None
    seq: int | None
    turn: str | None
    role: Role
    speaker: str | None
    agent: str | None
    parts: tuple[Part, ...]
    text: str
    created_at: datetime | None
    gap: int = 0
    cut: int = 0
    tokens: int = 0
    vectors: int = 0

    @classmethod
    def of(cls, message: Message) -> Line:
        return cls(
            message.id, message.seq, message.turn, message.role, message.speaker, message.agent, message.parts,
            message.content, message.created_at,
        )  # fmt: skip

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Line:
        """From the map that `fragments/context_line.cypher` returns."""
        return cls(
            row["uid"], row["seq"], row["turn"], Role(row["role"]), row["speaker"], row["agent"],
            parts_from(row["parts"]), row["content"] or "", at_microsecond(row["createdAt"]), vectors=row["vectors"],
        )  # fmt: skip

    @classmethod
    def asked(cls, text: str, speaker: str | None, turn: str | None) -> Line:
        return cls(None, None, turn, Role.USER, speaker, None, (Part(PartType.TEXT, text=text),), text, None)

    @property
    def without_gap(self) -> Line:
        return self.after(0)

    def after(self, gap: int) -> Line:
        """The line with so many messages left out before it."""
        return self if self.gap == gap else replace(self, gap=gap)


def in_order(committed: Sequence[Line], staged: Sequence[Line], asked: Line | None) -> list[Line]:
    """The thread, then the turn. A text that is staged already is not said twice; it comes before what was done about
    it, and behind another one that the user said in the turn."""
    users = [line for line in staged if line.role is Role.USER]
    if asked is None or any(line.text == asked.text for line in users):
        return [*committed, *staged]
    return [*committed, *staged, asked] if users else [*committed, asked, *staged]


def newest_user(lines: Sequence[Line]) -> int:
    """The place of the last user message; behind all where there is none."""
    return next((at for at in range(len(lines) - 1, -1, -1) if lines[at].role is Role.USER), len(lines))


def exchanges(lines: Iterable[Line]) -> list[tuple[int | None, ...]]:
    """Of each line's parts, which exchange they are of: a call begins one, and a result is of the last call before it
    that has its id, because some models count from `call_0` in every step. None: other parts, and results without a
    call."""
    number, begun = count(), dict[str, int]()
    found = []
    for line in lines:
        of: list[int | None] = []
        for part in line.parts:
            if part.type is PartType.TOOL_CALL:
                begun[part.call_id or ""] = next(number)
            is_either = part.type in (PartType.TOOL_CALL, PartType.TOOL_RESULT)
            of.append(begun.get(part.call_id or "") if is_either else None)
        found.append(tuple(of))
    return found


def _numbers(line: Line, numbers: Sequence[int | None], kind: PartType) -> set[int]:
    """Of the exchanges in which a line has a part of that kind."""
    return {
        number for part, number in zip(line.parts, numbers, strict=True) if part.type is kind and number is not None
    }


def whole_pairs(lines: Iterable[Line], waiting: int) -> list[Line]:
    """The lines without results whose call is not before them, and without calls whose result is not there; a call from
    the place `waiting` on may still get one. A line of which nothing is left goes."""
    given = list(lines)
    numbers = exchanges(given)
    answered = {
        number for line, own in zip(given, numbers, strict=True) for number in _numbers(line, own, PartType.TOOL_RESULT)
    }
    kept = []
    for at, (line, own) in enumerate(zip(given, numbers, strict=True)):
        left = tuple(
            part
            for part, number in zip(line.parts, own, strict=True)
            if not (part.type is PartType.TOOL_RESULT and number is None)
            and not (part.type is PartType.TOOL_CALL and at < waiting and number not in answered)
        )
        if left:
            kept.append(line if len(left) == len(line.parts) else replace(line, parts=left))
    return kept


def cuts(lines: Sequence[Line]) -> list[bool]:
    """Of each place, whether the lines from there on hold the call of every result among them."""
    numbers = exchanges(lines)
    at = {
        number: place
        for place, line in enumerate(lines)
        for number in _numbers(line, numbers[place], PartType.TOOL_CALL)
    }
    found = [True] * (len(lines) + 1)
    earliest = len(lines)
    for place in range(len(lines) - 1, -1, -1):
        of = _numbers(lines[place], numbers[place], PartType.TOOL_RESULT)
        earliest = min([earliest, *(at[number] for number in of)])
        found[place] = earliest >= place
    return found


def last_exchange(lines: Sequence[Line], behind: int) -> set[int]:
    """The places of the last tool call behind a place, of its result, and of all exchanges that these have a part in. A
    result whose call is further ahead is of none: it would stand without that."""
    numbers = exchanges(lines[behind + 1 :])
    named = {place: {number for number in own if number is not None} for place, own in enumerate(numbers, behind + 1)}
    start = next((place for place in reversed(named) if named[place]), None)
    if start is None:
        return set()
    found, own = {start}, set(named[start])
    while more := {place for place in named if place not in found and named[place] & own}:
        found |= more
        own |= {number for place in more for number in named[place]}
    return found


def start_of(lines: Sequence[Line], last: int, valid: Sequence[bool]) -> int:
    """Where the last `last` of the lines begin, or a little before that, so that no result is without its call."""
    nominal = max(len(lines) - last, 0)
    return next((at for at in range(nominal, -1, -1) if valid[at]), nominal)


def steady(lines: Sequence[Line], start: int, end: int, step: int, valid: Sequence[bool]) -> int:
    """A place, among the first half of those before `end`, that stays while the thread grows: where a block of `step`
    messages begins, or else a half of one, a quarter, and so on. Where the larger begin, the smaller do. Of fewer than
    `FEW` none is left out for it."""
    if end - start < FEW:
        return start
    places = [at for at in range(start, start + (end - start) // 2 + 1) if valid[at]]
    pieces = 1
    while pieces < step:
        for at in places:
            if _begins(lines, at, step, pieces):
                return at
        pieces *= 2
    return start


def _begins(lines: Sequence[Line], at: int, step: int, pieces: int) -> bool:
    """Whether a block begins there, of so many to `step` messages."""
    seq = (lines[at].seq or 1) - 1
    before = (lines[at - 1].seq or 1) - 1 if at else seq - 1
    return seq * pieces // step != before * pieces // step
