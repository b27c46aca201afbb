"""A message's stored properties, worked out from what a caller states."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson

from graphmem.conversation.messages import MessageInput, Part
from graphmem.ranking import lucene, tokens
from graphmem.ranking.message import features
from graphmem.ranking.moments import moment_tokens
from graphmem.values import PartType, Role, fold

Properties = dict[str, Any]

MAX_TITLE = 60
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s+|\n")


def content(parts: Sequence[Part]) -> str:
    """What is said in words: the text parts."""
    return "\n".join(part.text for part in parts if part.type is PartType.TEXT and part.text)


def captions(parts: Sequence[Part]) -> list[str]:
    return [part.caption for part in parts if part.caption]


def content_hash(role: Role, speaker: str | None, parts: Sequence[Part]) -> str:
    """Equal for messages that say the same; when they were said does not matter."""
    said = [str(role), speaker, [part.to_json() for part in parts]]
    return hashlib.sha256(orjson.dumps(said, option=orjson.OPT_SORT_KEYS)).hexdigest()


def made_id(turn: str, position: int) -> str:
    """The id of a message that came without one in a turn that the caller named, so that a repeated call meets it."""
    return f"m{hashlib.sha256(orjson.dumps([turn, position])).hexdigest()[:31]}"


def properties(message: MessageInput, agent: str | None, now: datetime) -> Properties:
    """All that is stored of a message, but what its thread and turn give it."""
    created = message.created_at or now
    return {
        "role": str(message.role),
        "speaker": message.speaker,
        "agent": agent,
        "createdAt": created,
        "facets": " ".join(facets(message.role, agent, created)),
        **said(message.role, message.speaker, message.parts, created),
    }


def said(role: Role, speaker: str | None, parts: Sequence[Part], created: datetime) -> Properties:
    """The parts, and what is derived from them. A message without words has no `text`: nothing finds it."""
    words, shown = content(parts), captions(parts)
    found = features(fold(speaker or role), fold(words), [fold(caption) for caption in shown], created)
    whole = "\n".join([words, *shown]) if words else "\n".join(shown)
    stored = [part.to_json() for part in parts]
    return {
        "parts": orjson.dumps(stored).decode(),
        "content": whole,
        "contentHash": content_hash(role, speaker, parts),
        "tokens": tokens.count("\n".join([speaker or role, *map(_read, parts)])),
        "text": found.text if found.words else None,
        "isQuestion": found.is_question,
        "words": found.words,
        "hasTimeWord": found.has_time_word,
    }


def _read(part: Part) -> str:
    """A part as a language model is given it."""
    data = "" if part.data is None else orjson.dumps(part.data).decode()
    return " ".join(text for text in (part.tool, part.text, part.caption, part.name, data) if text)


def facets(role: Role, agent: str | None, created: datetime) -> list[str]:
    """Full-text tokens of a message beside those that all messages of its thread have."""
    own = [lucene.facet_token("role", role), *([lucene.facet_token("agent", agent)] if agent else [])]
    return [*own, *moment_tokens(created)]


def thread_facets(resource: str, thread: str) -> list[str]:
    """Full-text tokens of every message of a thread."""
    return [lucene.facet_token("resource", resource), lucene.facet_token("thread", thread)]


def title(messages: Iterable[tuple[str, Role, Sequence[Part]]]) -> dict[str, str] | None:
    """`text`: the first sentence of the first user message that has words, at most `MAX_TITLE` characters; `message`:
    the id of that. The messages are given as id, role and parts."""
    for uid, role, parts in messages:
        words = content(parts).strip()
        if role is Role.USER and words:
            first = " ".join(_SENTENCE.split(words, maxsplit=1)[0].split())
            short = first if len(first) <= MAX_TITLE else first[: MAX_TITLE - 1].rsplit(" ", 1)[0].rstrip() + "…"
            return {"text": short, "message": uid}
    return None


def title_of(messages: Sequence[MessageInput], rows: Sequence[Mapping[str, Any]]) -> dict[str, str] | None:
    """The title that messages which are to be stored as `rows` give."""
    return title((row["uid"], one.role, one.parts) for row, one in zip(rows, messages, strict=True))
