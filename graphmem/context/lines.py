"""The messages of a context, and which of them belong together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
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

    def ids(self, kind: PartType) -> list[str]:
        """The calls that parts of a kind name."""
        return [part.call_id or "" for part in self.parts if part.type is kind]


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


def whole_pairs(lines: Iterable[Line], waiting: int) -> list[Line]:
    """The lines without results whose call is not among them, and without calls whose result is not; a call from the
    place `waiting` on may still get one. A line of which nothing is left goes."""
    given = list(lines)
    calls = {uid for line in given for uid in line.ids(PartType.TOOL_CALL)}
    results = {uid for line in given for uid in line.ids(PartType.TOOL_RESULT)}
    kept = []
    for at, line in enumerate(given):
        own = _parts(line, calls, results if at < waiting else None)
        if own:
            kept.append(line if len(own) == len(line.parts) else replace(line, parts=own))
    return kept


def _parts(line: Line, calls: Collection[str], results: Collection[str] | None) -> tuple[Part, ...]:
    def stays(part: Part) -> bool:
        if part.type is PartType.TOOL_RESULT:
            return part.call_id in calls
        return part.type is not PartType.TOOL_CALL or results is None or part.call_id in results

    return tuple(part for part in line.parts if stays(part))


def cuts(lines: Sequence[Line]) -> list[bool]:
    """Of each place, whether the lines from there on hold the call of every result among them."""
    at = {uid: place for place, line in enumerate(lines) for uid in line.ids(PartType.TOOL_CALL)}
    found = [True] * (len(lines) + 1)
    earliest = len(lines)
    for place in range(len(lines) - 1, -1, -1):
        earliest = min([earliest, *(at.get(uid, place) for uid in lines[place].ids(PartType.TOOL_RESULT))])
        found[place] = earliest >= place
    return found


def last_exchange(lines: Sequence[Line], behind: int) -> set[int]:
    """The places of the last tool call behind a place, of its result, and of all that these name. A result whose call
    is further ahead is of none: it would stand without that."""
    places = range(behind + 1, len(lines))
    called = {uid for place in places for uid in lines[place].ids(PartType.TOOL_CALL)}
    named = {place: {part.call_id for part in lines[place].parts if part.call_id in called} for place in places}
    start = next((place for place in reversed(places) if named[place]), None)
    if start is None:
        return set()
    found, ids = {start}, set(named[start])
    while more := {place for place in places if place not in found and named[place] & ids}:
        found |= more
        ids |= {uid for place in more for uid in named[place]}
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
