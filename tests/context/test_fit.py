"""What fits a budget, worked out without a database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from graphmem.context import fit, render
from graphmem.context.gather import Gathered
from graphmem.context.inputs import ContextInput, OverBudget, Recency, Tier
from graphmem.context.lines import Line, newest_user, whole_pairs
from graphmem.context.purse import Purse
from graphmem.context.shorten import shortened
from graphmem.conversation.messages import Part
from graphmem.conversation.notices import Notice
from graphmem.conversation.threads import Thread
from graphmem.conversation.validate import waiting
from graphmem.errors import LimitExceeded
from graphmem.ranking import tokens
from graphmem.values import ContextType, PartType, Role

FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u200d\N{BOY}"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
THREAD = Thread("t1", "r1", None, False, (), ContextType.GENERAL, None, {}, 0, 0, NOW, 1, NOW, NOW)
WORDS = st.text("ab <>/&\n🦊é漢", min_size=1, max_size=120)


@st.composite
def threads(draw: st.DrawFn) -> list[Line]:
    """Messages of a thread, calls with one result or none behind them. An id comes again once its call has a result."""
    found: list[Line] = []
    for at in range(draw(st.integers(1, 25))):
        kind = draw(st.sampled_from(["user", "assistant", "call", "result", "call without result"]))
        text, role = draw(WORDS), Role.ASSISTANT
        parts: tuple[Part, ...] = (Part(PartType.TEXT, text=text),)
        if kind == "user":
            role = Role.USER
        elif kind.startswith("call"):
            waits = waiting(part for one in found for part in one.parts)
            own = next(uid for uid in (f"call_{number}" for number in count()) if uid not in waits)
            parts = (Part(PartType.TOOL_CALL, call_id=own, tool="f", data={"text": text}),)
        found.append(line(at + 1, role, parts))
        if kind == "result" and (waits := waiting(part for one in found for part in one.parts)):
            own = draw(st.sampled_from(waits))
            found[-1] = line(at + 1, Role.TOOL, (Part(PartType.TOOL_RESULT, call_id=own, text=text),))
    return found


def line(seq: int, role: Role, parts: tuple[Part, ...]) -> Line:
    return Line(f"m{seq}", seq, "u1", role, None, None, parts, "\n".join(part.text or "" for part in parts), NOW)


def gathered(lines: list[Line]) -> Gathered:
    kept = whole_pairs(lines, newest_user(lines))
    thread = replace(THREAD, last_seq=len(lines))
    notices = tuple(Notice(f"n{at}", "look " * 9, None, "t1", None, NOW, None) for at in range(3))
    return Gathered(thread, tuple(kept), newest_user(kept), len(kept), notices, (), {})


def orphans(lines: Iterable[Line]) -> int:
    """Results that no call before them waits for."""
    begun, found = Counter[str | None](), 0
    for part in (part for one in lines for part in one.parts):
        if part.type is PartType.TOOL_CALL:
            begun[part.call_id] += 1
        elif part.type is PartType.TOOL_RESULT:
            begun[part.call_id] -= 1
            found += begun[part.call_id] < 0
    return found


def rendered(found: fit.Base) -> str:
    said = found.messages
    told = [render.history(said.history, "t1"), render.section("notices", map(render.notice, found.notices))]
    return render.HEAD + "".join(told) + render.turn(said.turn, bool(said.history))


@settings(max_examples=300)
@given(threads(), st.integers(60, 900), st.sampled_from([1, 3, 10]), st.sampled_from(list(OverBudget)))
def test_a_context_fits_keeps_pairs_and_has_no_hole(
    lines: list[Line], budget: int, step: int, over: OverBudget
) -> None:
    given = gathered(lines)
    wanted = ContextInput("t1", budget=budget, over=over, recency=Recency(15, step))
    purse = Purse(wanted.tokenizer, budget)
    try:
        found = fit.base(purse, given, wanted)
    except LimitExceeded:
        assert budget < 300 or over is OverBudget.ERROR
        return
    said = [*found.messages.history, *found.messages.turn]
    assert tokens.count(rendered(found)) <= budget
    assert orphans(said) == 0
    if given.asked < len(given.lines):
        assert found.messages.turn[0].id == given.lines[given.asked].id
    all_ids = [one.id for one in given.lines]
    places = [all_ids.index(one.id) for one in said]
    assert places == sorted(set(places))
    for before, after, one in zip(places, places[1:], said[1:], strict=False):
        assert (one.gap > 0) == (after - before > 1)
    history = [place for place in places if place < given.asked]
    assert history == list(range(given.asked - len(history), given.asked))


def test_the_same_input_gives_the_same_text() -> None:
    lines = [line(at, Role.USER, (Part(PartType.TEXT, text=f"Said {at}."),)) for at in range(1, 30)]
    texts = {rendered(fit.base(Purse("o200k_base", 300), gathered(lines), ContextInput("t1"))) for _ in range(3)}
    assert len(texts) == 1


@pytest.mark.parametrize(
    "text", ["a" * 299 + "🦊" + "b" * 900, "👨‍👩‍👧‍👦" * 300, "🇩🇪🇫🇷" * 200, "e\u0301" * 800, "<" * 900]
)
@pytest.mark.parametrize("encoding", tokens.ENCODINGS)
def test_a_cut_text_is_a_whole_beginning(text: str, encoding: str) -> None:
    """B06."""
    clusters = regex.findall(r"\X", text)
    for room in range(60, 110, 7):
        cut = shortened(line(1, Role.USER, (Part(PartType.TEXT, text=text),)), room, encoding)
        assert cut is not None
        assert tokens.count(render.message(cut), encoding) <= room
        start = cut.text.rsplit("\n[", 1)[0]
        kept = regex.findall(r"\X", start)
        assert kept == clusters[: len(kept)]
        assert start.encode().decode() == start


@given(st.lists(WORDS, min_size=1, max_size=4), st.integers(40, 300))
def test_what_a_cut_message_says_is_left_out_is_what_its_line_says(texts: list[str], room: int) -> None:
    parts = tuple(Part(PartType.TEXT, text=text) for text in texts)
    cut = shortened(line(1, Role.USER, parts), room, "o200k_base")
    if cut is None or not cut.cut:
        assert cut is None or cut.parts == parts
        return
    told = 0
    for part, had in zip(cut.parts, parts, strict=True):
        if part != had:
            start, note = (part.text or "").rsplit("\n[", 1)
            assert (had.text or "").startswith(start)
            told += int(note.split()[0])
            assert int(note.split()[0]) == tokens.count(had.text or "") - tokens.count(start)
    assert told == cut.cut


def test_a_tool_result_that_is_too_large_is_cut_and_keeps_its_call() -> None:
    lines = [
        line(1, Role.USER, (Part(PartType.TEXT, text="Look."),)),
        line(2, Role.ASSISTANT, (Part(PartType.TOOL_CALL, call_id="c", tool="f", data={}),)),
        line(3, Role.TOOL, (Part(PartType.TOOL_RESULT, call_id="c", data={"rows": ["value"] * 3000}),)),
    ]
    purse = Purse("o200k_base", 300)
    found = fit.base(purse, gathered(lines), ContextInput("t1", budget=300, over=OverBudget.TRUNCATE))
    assert [one.id for one in found.messages.turn] == ["m1", "m2", "m3"]
    (part,) = found.messages.turn[2].parts
    assert (part.type, part.call_id, part.data) == (PartType.TOOL_RESULT, "c", None)
    assert found.messages.turn[2].cut > 2000
    assert purse.dropped[0].tier is Tier.TURN
    assert tokens.count(rendered(found)) <= 300


def steps(first: int, number: int) -> list[Line]:
    """Calls that all have the id `call_0`, each with its result."""
    found = []
    for seq in range(first, first + 2 * number, 2):
        found.append(line(seq, Role.ASSISTANT, (Part(PartType.TOOL_CALL, call_id="call_0", tool="f", data={}),)))
        found.append(line(seq + 1, Role.TOOL, (Part(PartType.TOOL_RESULT, call_id="call_0", text="said " * 60),)))
    return found


def test_calls_that_have_one_id_in_turn_are_told_apart() -> None:
    """R33."""
    asks = [line(at, Role.USER, (Part(PartType.TEXT, text="Go on."),)) for at in (1, 14, 27)]
    lines = [asks[0], *steps(2, 6), asks[1], *steps(15, 6), asks[2], *steps(28, 3)]
    for last in range(1, 15):
        wanted = ContextInput("t1", recency=Recency(last=last, step=1))
        said = fit.base(Purse("o200k_base", 4000), gathered(lines), wanted).messages
        assert orphans(said.history) == 0
    found = fit.base(Purse("o200k_base", 240), gathered(lines), ContextInput("t1", budget=240)).messages
    assert [one.id for one in found.turn] == ["m27", "m32", "m33"]


def test_a_message_of_the_history_stays_there_when_a_part_of_it_goes() -> None:
    call = (Part(PartType.TEXT, text="Wait."), Part(PartType.TOOL_CALL, call_id="c", tool="f", data={}))
    lines = [
        line(1, Role.TOOL, (Part(PartType.TOOL_RESULT, call_id="c", text="early"),)),
        line(2, Role.ASSISTANT, call),
        line(3, Role.USER, (Part(PartType.TEXT, text="Go on."),)),
    ]
    wanted = ContextInput("t1", recency=Recency(last=2, step=1))
    said = fit.base(Purse("o200k_base", 4000), gathered(lines), wanted).messages
    assert [(one.id, one.parts) for one in said.history] == [("m2", call[:1])]
    assert [one.id for one in said.turn] == ["m3"]
