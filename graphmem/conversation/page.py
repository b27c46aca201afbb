"""`messages`: a thread's log, page by page in the order of `seq`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem import checks
from graphmem.access.principal import Principal
from graphmem.conversation.get import messages_by_id, threads_by_id
from graphmem.conversation.messages import Message
from graphmem.conversation.threads import no_thread
from graphmem.errors import InvalidInput, NotFound
from graphmem.graph.gateway import Graph
from graphmem.values import Role, decode_cursor, encode_cursor

NEWEST = 20
AROUND = 10
END = 2**62


@dataclass(frozen=True, slots=True)
class MessagePage:
    """A run of a thread's messages. `has_previous`, `has_next`: whether there are more on that side."""

    items: tuple[Message, ...]
    cursors: tuple[str, ...]
    has_previous: bool
    has_next: bool


@dataclass(frozen=True, slots=True)
class MessageFilter:
    """Which messages; None or empty: any. Said from `since` on and before `until`."""

    roles: Sequence[Role] = ()
    since: datetime | None = None
    until: datetime | None = None

    def params(self) -> dict[str, Any]:
        """Raises InvalidInput."""
        checks.zoned(self.since, "filter.since")
        checks.zoned(self.until, "filter.until")
        return {"roles": [str(role) for role in self.roles] or None, "since": self.since, "until": self.until}


ANY = MessageFilter()


async def messages(
    graph: Graph,
    principal: Principal,
    thread: str,
    *,
    first: int | None = None,
    after: str | None = None,
    last: int | None = None,
    before: str | None = None,
    around: str | None = None,
    wanted: MessageFilter = ANY,
    resource: str | None = None,
) -> MessagePage:
    """The first messages behind `after`, or the last before `before`; by default the newest 20.

    With `around`, the id of a message: it, `last` (10) before it and `first` (10) after it. Those that `wanted` leaves
    out are passed over.

    Raises:
        NotFound: there is no such thread, it is another resource's, or it has no such message.
        InvalidInput: the arguments don't go together, or a cursor is another list's.
    """
    if not await threads_by_id(graph, principal, [thread], resource):
        raise no_thread(thread)
    if around is not None:
        if after is not None or before is not None:
            raise InvalidInput("around goes with first and last alone; leave after and before out", field="around")
        return await _around(graph, principal, thread, wanted, around, first, last, resource)
    forward = first is not None or (after is not None and last is None)
    if first is not None and last is not None:
        raise InvalidInput("give first or last, not both", field="last")
    if (forward and before is not None) or (not forward and after is not None):
        raise InvalidInput("first goes with after, and last with before", field="before" if forward else "after")
    count = (first if forward else last) or NEWEST
    if forward:
        at = 0 if after is None else _place(after, "after")
        found = await _read(graph, principal, thread, wanted, "up", at, count + 1)
        return _page(found[:count], at > 0, len(found) > count)
    at = END if before is None else _place(before, "before")
    found = await _read(graph, principal, thread, wanted, "down", at, count + 1)
    return _page(found[:count][::-1], len(found) > count, at < END)


async def _around(
    graph: Graph, principal: Principal, thread: str, wanted: MessageFilter, uid: str, first: int | None,
    last: int | None, resource: str | None,
) -> MessagePage:  # fmt: skip
    middle = (await messages_by_id(graph, principal, [uid], resource)).get(uid)
    if middle is None or middle.thread != thread or middle.seq is None:
        raise NotFound(f"the thread has no message {uid!r}", field="around")
    ahead, behind = (AROUND if last is None else last), (AROUND if first is None else first)
    earlier = await _read(graph, principal, thread, wanted, "down", middle.seq, ahead + 1)
    later = await _read(graph, principal, thread, wanted, "up", middle.seq, behind + 1)
    return _page([*earlier[:ahead][::-1], middle, *later[:behind]], len(earlier) > ahead, len(later) > behind)


async def _read(
    graph: Graph, principal: Principal, thread: str, wanted: MessageFilter, way: str, at: int, count: int
) -> list[Message]:
    rows = await graph.read(
        f"conversation/messages_{way}",
        tenant=principal.tenant, thread=thread, at=at, count=count, **wanted.params(),
    )  # fmt: skip
    return [Message.from_row(row["message"]) for row in rows]


def _page(found: list[Message], has_previous: bool, has_next: bool) -> MessagePage:
    cursors = tuple(encode_cursor("seq", str(message.seq)) for message in found)
    return MessagePage(tuple(found), cursors, has_previous, has_next)


def _place(cursor: str, field: str) -> int:
    kind, seq = decode_cursor(cursor, 2, field)
    if kind != "seq" or not (seq.isascii() and seq.isdigit() and len(seq) < 19):
        raise InvalidInput(f"{field} is not a cursor of this list; take one from an earlier page of it", field=field)
    return int(seq)
