"""Which messages of the thread and the turn fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphmem.context import render
from graphmem.context.gather import Gathered
from graphmem.context.inputs import ContextInput, OverBudget, Tier
from graphmem.context.lines import Line, cuts, last_exchange, start_of, steady, whole_pairs
from graphmem.context.purse import Purse, Reason
from graphmem.context.shorten import shortened
from graphmem.errors import LimitExceeded

GAPS = 24
"""Tokens kept free for two marks of a gap."""
LEAST = 100
"""Tokens of a message that is cut, at least."""


@dataclass(frozen=True, slots=True)
class Essential:
    """The lines, those that must be shown made fit, and their places."""

    lines: tuple[Line, ...]
    places: frozenset[int]


def essential(purse: Purse, gathered: Gathered, wanted: ContextInput) -> Essential:
    """Pays for the newest user message and the last tool call behind it with its result.

    Raises LimitExceeded where they don't fit and must not be cut, or can't be.
    """
    lines, asked = gathered.lines, gathered.asked
    places = {asked, *last_exchange(lines, asked)} if asked < len(lines) else set()
    frame = purse.count(render.HEAD) + purse.count(render.TURN_FRAME) + GAPS
    sizes = {at: purse.count(render.message(lines[at].without_gap)) for at in sorted(places)}
    if purse.pay(frame + sum(sizes.values())):
        return Essential(lines, frozenset(places))
    if wanted.over is OverBudget.ERROR:
        raise _too_small(
            wanted, frame + sum(sizes.values()), "give a larger one, or overBudget: TRUNCATE to have it cut"
        )
    made = {at: lines[at] for at in sizes}
    for at, room in _shares(sizes, purse.left - frame).items():
        cut = shortened(lines[at].without_gap, room, purse.encoding)
        if cut is None:
            needed = frame + sum(min(size, LEAST) for size in sizes.values())
            raise _too_small(wanted, needed, "give a larger one, there is no room for a part of them")
        if cut.cut:
            purse.drop(Tier.TURN, Reason.CUT, "the end of a message that is too large", [cut.id], cut.cut)
            made[at] = cut
    purse.pay(frame + sum(purse.count(render.message(line)) for line in made.values()))
    return Essential(tuple(made.get(at, line) for at, line in enumerate(lines)), frozenset(places))


def _too_small(wanted: ContextInput, needed: int, advice: str) -> LimitExceeded:
    return LimitExceeded(
        f"tokenBudget is {wanted.budget}; the newest message, with the tool result that it waits for, needs {needed}; "
        f"{advice}",
        field="tokenBudget", limit="tokenBudget", value=wanted.budget, actual=needed,
    )  # fmt: skip


def _shares(sizes: dict[int, int], room: int) -> dict[int, int]:
    """How many tokens each may have: small ones all they need, and the others the rest in equal parts."""
    found: dict[int, int] = {}
    waiting = sorted(sizes, key=lambda at: (sizes[at], at))
    while waiting:
        at = waiting.pop(0)
        found[at] = max(min(sizes[at], room // (len(waiting) + 1)), 0)
        room -= found[at]
    return found


@dataclass(frozen=True, slots=True)
class Messages:
    """What is shown of the thread, and from the newest user message on."""

    history: tuple[Line, ...]
    turn: tuple[Line, ...]


def messages(purse: Purse, gathered: Gathered, wanted: ContextInput, essential: Essential) -> Messages:
    """The essential ones, and as many from the newest back as fit, without a gap among them."""
    lines, asked, places = essential.lines, gathered.asked, essential.places
    valid = cuts(lines)
    start = start_of(lines[: gathered.committed], wanted.recency.most, valid) if wanted.has(Tier.RECENCY) else 0
    sizes = [0 if at in places or at < start else purse.count(render.message(line)) for at, line in enumerate(lines)]
    frame = purse.count(render.history_frame(gathered.thread.id, gathered.thread.last_seq))
    first, why = _first(sizes, start, asked, purse.left, wanted.history_cap, frame, valid)
    if first < asked:
        first = steady(lines, first, min(asked, gathered.committed), wanted.recency.by, valid)
    kept = [at for at in range(len(lines)) if at in places or at >= first]
    purse.pay(sum(sizes[at] for at in kept) + (frame if first < asked else 0))
    if why is not None:
        out = [at for at in range(start, len(lines)) if at not in kept]
        purse.drop(
            Tier.RECENCY,
            why,
            "older messages of the thread",
            [lines[at].id for at in out],
            sum(sizes[at] for at in out),
        )
    shown = _with_gaps(lines, kept, gathered.thread.last_seq)
    before = {line.id for at, line in zip(kept, shown, strict=True) if at < asked}
    whole = whole_pairs(shown, len(before))
    return Messages(
        tuple(line for line in whole if line.id in before), tuple(line for line in whole if line.id not in before)
    )


def _first(
    sizes: Sequence[int], start: int, asked: int, left: int, cap: int, frame: int, valid: Sequence[bool]
) -> tuple[int, Reason | None]:
    """The first place, going back from the newest, and why it goes no further back."""
    found, total, history = len(sizes), 0, 0
    for at in range(len(sizes) - 1, start - 1, -1):
        more = sizes[at] + (frame if at == asked - 1 else 0)
        total += more
        history += more if at < asked else 0
        if total > left or history > cap:
            return found, Reason.BUDGET if total > left else Reason.CAP
        if valid[at]:
            found = at
    return found, None


def _with_gaps(lines: Sequence[Line], kept: Sequence[int], last_seq: int) -> list[Line]:
    """The lines at the places kept, each with how many messages are left out before it."""
    found: list[Line] = []
    for number, at in enumerate(kept):
        line = lines[at]
        if number == 0:
            before = (line.seq - 1) if line.seq is not None else last_seq
        elif at - kept[number - 1] == 1:
            before = line.gap
        else:
            before = at - kept[number - 1] - 1 + lines[kept[number - 1] + 1].gap
        found.append(line.after(before))
    return found
