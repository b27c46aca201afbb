"""Refuses messages that must not be stored, naming the field, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import orjson

from graphmem import checks
from graphmem.config import Settings
from graphmem.conversation.messages import MessageInput, Part
from graphmem.errors import InvalidInput
from graphmem.values import PartType, is_blank

MAX_PARTS = 100
MAX_URI = 8192

_NEEDS = {
    PartType.TEXT: ("text",),
    PartType.REASONING: ("text",),
    PartType.TOOL_CALL: ("toolCallId", "toolName"),
    PartType.TOOL_RESULT: ("toolCallId",),
    PartType.FILE: ("uri",),
    PartType.DATA: ("data",),
}
_TAKES = {
    PartType.TEXT: {"text"},
    PartType.REASONING: {"text"},
    PartType.TOOL_CALL: {"toolCallId", "toolName", "text", "data"},
    PartType.TOOL_RESULT: {"toolCallId", "toolName", "text", "data", "isError"},
    PartType.FILE: {"uri", "mediaType", "name", "caption"},
    PartType.DATA: {"data", "name"},
}


def messages(given: Sequence[MessageInput], settings: Settings, field: str = "messages") -> None:
    """Raises InvalidInput or LimitExceeded with the row in `field`, as `messages[7].parts[0].text`."""
    checks.some(given, "message", field)
    checks.count(len(given), settings.max_messages, "max_messages", field)
    seen: dict[str, int] = {}
    for row, message in enumerate(given):
        at = f"{field}[{row}]"
        if message.id is not None:
            checks.identifier(message.id, f"{at}.id", new=True)
            if message.id in seen:
                raise InvalidInput(
                    f"{at}.id is the same as {field}[{seen[message.id]}].id; give each id once", field=f"{at}.id"
                )
            seen[message.id] = row
        if message.speaker is not None:
            checks.identifier(message.speaker, f"{at}.speaker", new=True)
        checks.zoned(message.created_at, f"{at}.createdAt")
        parts(message.parts, settings, f"{at}.parts")


def parts(given: Sequence[Part], settings: Settings, field: str) -> None:
    if not given:
        raise InvalidInput(f"{field} is empty; give text or at least one part", field=field)
    checks.count(len(given), MAX_PARTS, "max_parts", field)
    size = 0
    for position, part in enumerate(given):
        size += _part(part, settings, f"{field}[{position}]")
    checks.within(size, settings.max_text, "max_text", field)
    if all(part.type is PartType.TEXT and is_blank(part.text or "") for part in given):
        raise InvalidInput(f"{field} has no visible character; give text or another part", field=field)


def _part(part: Part, settings: Settings, at: str) -> int:
    """The characters in it."""
    stored = part.to_json()
    for name in _NEEDS[part.type]:
        if name not in stored:
            raise InvalidInput(f"{at}.{name} is missing; a part of type {part.type} needs it", field=f"{at}.{name}")
    for name in stored.keys() - _TAKES[part.type] - {"type"}:
        raise InvalidInput(f"{at}.{name} has no place in a part of type {part.type}", field=f"{at}.{name}")
    for name in ("toolCallId", "toolName", "mediaType", "name"):
        if name in stored:
            checks.identifier(stored[name], f"{at}.{name}", new=True)
    if part.uri is not None:
        checks.text(part.uri, MAX_URI, f"{at}.uri", limit="max_uri")
    for name in ("text", "caption"):
        if name in stored:
            checks.text(stored[name], settings.max_text, f"{at}.{name}", blank=True)
    if part.type is PartType.TOOL_CALL:
        checks.metadata(part.data, f"{at}.data")
    elif part.data is not None:
        checks.json_value(part.data, f"{at}.data")
    data = 0 if part.data is None else len(orjson.dumps(part.data))
    return data + len(part.text or "") + len(part.caption or "")


def calls(given: Iterable[Part], waiting: Iterable[str] = (), known: Iterable[str] = ()) -> tuple[list[str], list[str]]:
    """The tool calls of a turn that are left without a result, and the results of calls that stand before the turn,
    both by call id.

    An id may come again once its call has its result: some models count from `call_0` in every step. `waiting` and
    `known`: what this came to for the turn's messages before `given`.

    Raises:
        InvalidInput: a call has the id of one that has no result yet, or a call before the turn has two results.
    """
    opened, answered = dict.fromkeys(waiting), dict.fromkeys(known)
    for part in given:
        call = part.call_id or ""
        if part.type is PartType.TOOL_CALL:
            if call in opened:
                raise InvalidInput(
                    f"toolCallId {call!r} stands twice in the turn, with no result between; give each call that waits "
                    "for a result an id of its own",
                    field="messages",
                )
            opened[call] = None
        elif part.type is PartType.TOOL_RESULT:
            if call in opened:
                del opened[call]
            elif call in answered:
                raise InvalidInput(f"the call {call!r} has two results; give one", field="messages")
            else:
                answered[call] = None
    return list(opened), list(answered)


def waiting(given: Iterable[Part]) -> list[str]:
    """The tool calls without a result behind them, of parts that are stored; by call id."""
    opened: dict[str, None] = {}
    for part in given:
        if part.type is PartType.TOOL_CALL:
            opened[part.call_id or ""] = None
        elif part.type is PartType.TOOL_RESULT:
            opened.pop(part.call_id or "", None)
    return list(opened)


def answered(missing: Sequence[str], waiting: Iterable[str]) -> None:
    """Raises InvalidInput for a result whose call is not among those that wait for one."""
    lost = [call for call in missing if call not in set(waiting)]
    if lost:
        raise InvalidInput(
            f"there is a result of the call {lost[0]!r}, and no such call without a result stands before it in this "
            "turn or thread; store the call first",
            field="messages", toolCallIds=lost,
        )  # fmt: skip
