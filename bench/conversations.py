"""LoCoMo, read from a folder that is no part of graphmem: long conversations of two people, and questions on them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.passages import read_json

FILE = Path("locomo") / "locomo_1_5.json"


@dataclass(frozen=True, slots=True)
class Said:
    id: str
    speaker: str
    text: str
    caption: str | None


@dataclass(frozen=True, slots=True)
class Session:
    id: str
    at: datetime
    messages: Sequence[Said]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its category and the ids of the messages that answer it."""

    text: str
    category: int
    answers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    sessions: Sequence[Session]
    questions: Sequence[Asked]

    def sessions_of(self, messages: frozenset[str]) -> frozenset[str]:
        return frozenset(one.id for one in self.sessions if any(said.id in messages for said in one.messages))


def locomo(folder: Path) -> list[Conversation]:
    """Questions without an answer in the conversation are left out. Raises InvalidInput where there is no such file."""
    return [_conversation(row) for row in read_json(folder / FILE)]


def _conversation(row: Mapping[str, Any]) -> Conversation:
    own = row["sample_id"]
    sessions = list(_sessions(own, row["conversation"]))
    ids = frozenset(said.id for session in sessions for said in session.messages)
    asked = (
        Asked(one["question"], one["category"], ids & frozenset(_evidence(own, one.get("evidence", ()))))
        for one in row["qa"]
    )
    return Conversation(own, sessions, [one for one in asked if one.answers])


def _sessions(own: str, row: Mapping[str, Any]) -> Iterator[Session]:
    numbers = sorted(int(found[1]) for key in row if (found := re.fullmatch(r"session_(\d+)", key)))
    for number in numbers:
        at = datetime.strptime(row[f"session_{number}_date_time"].replace(",", ""), "%I:%M %p on %d %B %Y")
        messages = [
            Said(f"{own} {turn['dia_id']}", turn["speaker"], turn["text"], turn.get("blip_caption"))
            for turn in row[f"session_{number}"]
        ]
        yield Session(f"{own} {number}", at.replace(tzinfo=UTC), messages)


def _evidence(own: str, given: Sequence[str]) -> Iterator[str]:
    for ids in given:
        yield from (f"{own} {uid}" for uid in ids.replace(";", " ").split())


def ndcg(found: Sequence[str], answers: frozenset[str], count: int) -> float:
    """Of the first `count` found, each answer counting the same (as trec_eval)."""
    gain = sum(1 / math.log2(at + 2) for at, uid in enumerate(found[:count]) if uid in answers)
    return gain / sum(1 / math.log2(at + 2) for at in range(min(count, len(answers))))
