"""What of a context fits its budget, in the order of what must not be missing.

The newest user message and the last tool call with its result come first. Then working memory, the turn's other
messages and the thread's from the newest back without a gap, up to their cap; then notices, what was recalled and
knowledge, each the best first, every one that still fits. Tokens are counted of what is rendered.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphmem.context import render
from graphmem.context.fit_messages import Messages, essential, messages
from graphmem.context.gather import Gathered
from graphmem.context.inputs import ContextInput, Tier
from graphmem.context.lines import Line, whole_pairs
from graphmem.context.purse import Purse, Reason
from graphmem.conversation.messages import Message
from graphmem.conversation.notices import Notice
from graphmem.conversation.recall import RecallRange
from graphmem.conversation.working_memory import WorkingMemory, first_fields
from graphmem.knowledge.search import SearchHit


@dataclass(frozen=True, slots=True)
class Remembered:
    """A working memory as far as it fits, and its text."""

    memory: WorkingMemory
    text: str


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A range that was recalled; `lines` without calls whose result is elsewhere. `label` says where it is from."""

    found: RecallRange
    lines: tuple[Line, ...]
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Base:
    """What fits of what is there before anything is looked for."""

    messages: Messages
    memories: tuple[Remembered, ...]
    notices: tuple[Notice, ...]


def base(purse: Purse, gathered: Gathered, wanted: ContextInput) -> Base:
    """Raises LimitExceeded where not even the newest message fits."""
    must = essential(purse, gathered, wanted)
    remembered = [_remembered(purse, one) for one in gathered.memories]
    said = messages(purse, gathered, wanted, must)

    def left_out(one: Notice, size: int) -> None:
        purse.drop(Tier.NOTICES, Reason.BUDGET, "a notice", [one.id], size)

    told = purse.fitting(gathered.notices, render.section("notices", ["\n"]), render.notice, left_out)
    return Base(said, tuple(one for one in remembered if one is not None), tuple(told))


def _remembered(purse: Purse, one: WorkingMemory) -> Remembered | None:
    """All of it; else the fields, in their order, that fit."""
    if not one.fields and one.definition.kind is None:
        return None
    text = render.memory(one)
    had = purse.count(text)
    if purse.pay(had):
        return Remembered(one, text)
    # Of some of 500 fields nobody should wait for as many renderings.
    fitting = bisect_right(range(1, len(one.fields) + 1), purse.left, key=lambda count: purse.count(_first(one, count)))
    kept = Remembered(first_fields(one, fitting), _first(one, fitting)) if fitting else None
    size = purse.count(kept.text) if kept else 0
    purse.pay(size)
    what = f"fields of the {one.scope}'s working memory" if kept else f"the {one.scope}'s working memory"
    out = one.fields[fitting:]
    purse.drop(Tier.WORKING_MEMORY, Reason.BUDGET, what, [field.id for field in out], had - size)
    return kept


def _first(one: WorkingMemory, count: int) -> str:
    return render.memory(first_fields(one, count))


def excerpts(purse: Purse, ranges: Sequence[RecallRange], here: str) -> list[Excerpt]:
    """The ranges that fit, whole or their hits alone."""
    found: list[Excerpt] = []
    frame = purse.count(render.section("recalled", ["\n"]))
    for one in ranges:
        whole = _excerpt(one, one.messages, here)
        size = purse.count(whole.text)
        shown = whole if whole.lines and purse.pay(size + frame) else None
        if shown is None:
            hits = _excerpt(one, [message for message in one.messages if message.id in one.hits], here)
            shown = hits if hits.lines and purse.pay(purse.count(hits.text) + frame) else None
        if shown is not None:
            found.append(shown)
            frame = 0
        if shown is not whole and whole.lines:
            kept = [line.id for line in shown.lines] if shown else []
            what = "messages around what was recalled" if shown else "a recalled range"
            out = [line.id for line in whole.lines if line.id not in kept]
            purse.drop(Tier.RECALL, Reason.BUDGET, what, out, size - (purse.count(shown.text) if shown else 0))
    return found


def _excerpt(one: RecallRange, messages: Sequence[Message], here: str) -> Excerpt:
    lines = whole_pairs(map(Line.of, messages), len(messages))
    marked = [*lines[:1], *(line.after((line.seq or 0) - (before.seq or 0) - 1) for before, line in pairwise(lines))]
    return Excerpt(one, tuple(marked), render.label(one, here), render.excerpt(one, marked, here))


def knowledge(purse: Purse, hits: Sequence[SearchHit]) -> list[SearchHit]:
    def left_out(hit: SearchHit, size: int) -> None:
        purse.drop(Tier.KNOWLEDGE, Reason.BUDGET, hit.node.title, [hit.node.id], size)

    return purse.fitting(hits, render.section("knowledge", ["\n"]), lambda hit: render.note(hit.node), left_out)
