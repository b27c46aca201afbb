"""`suggestions`: what a person might tidy up. Nothing of it is done by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.access.view import View
from graphmem.errors import Forbidden, InvalidInput, NotFound
from graphmem.graph.gateway import Graph, Transaction
from graphmem.knowledge.nodes import Node
from graphmem.knowledge.state import MAX_WORDS
from graphmem.ranking.splitting import Piece, pieces
from graphmem.values import FOREVER, Scope, decode_cursor, decode_moment, encode_cursor


class Kind(StrEnum):
    MERGE = "merge"
    SPLIT = "split"
    UNCONNECTED = "unconnected"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """MERGE: two nodes, the first to keep, and how much they agree by vector and by words; `id` is for `dismiss`.
    SPLIT: a node, its number of words and what it may be cut into. UNCONNECTED: a node."""

    kind: Kind
    nodes: tuple[Node, ...]
    id: str | None = None
    cosine: float | None = None
    lexical: float | None = None
    words: int | None = None
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestions:
    """A page. `end` is where the next one begins: a page may be short, even empty, and have one behind it."""

    items: tuple[Suggestion, ...]
    cursors: tuple[str, ...]
    end: str | None
    has_next: bool


@dataclass(frozen=True, slots=True)
class Dismissed:
    """`changed` is False when it was dismissed before."""

    id: str
    changed: bool


async def suggestions(graph: Graph, view: View, kind: Kind, first: int, after: str | None) -> Suggestions:
    """Raises InvalidInput for a cursor of another list."""
    if kind is Kind.MERGE:
        return await _merges(graph, view, first, after)
    if kind is Kind.SPLIT:
        return await _splits(graph, view, first, after)
    return await _unconnected(graph, view, first, after)


async def _merges(graph: Graph, view: View, first: int, after: str | None) -> Suggestions:
    score, key = (None, None) if after is None else _place(after, float)
    rows = await graph.read(
        "knowledge/suggest_merges",
        tenant=view.tenant, resources=view.resources, bound=view.bound, open=FOREVER, afterScore=score, afterKey=key,
        count=first + 1,
    )  # fmt: skip
    items, cursors = [], []
    for row in rows[:first]:
        pair = [Node.from_row(row["first"]), Node.from_row(row["second"])]
        cursors.append(encode_cursor(repr(row["cosine"]), f"{pair[0].id} {pair[1].id}"))
        uid = encode_cursor(Kind.MERGE, pair[0].id, pair[1].id)
        # The surer one stays, of two such the older.
        pair.sort(key=lambda node: (-node.confidence, node.created_at, node.id))
        items.append(Suggestion(Kind.MERGE, tuple(pair), uid, row["cosine"], row["lexical"]))
    return _page(items, cursors, len(rows) > first)


async def _splits(graph: Graph, view: View, first: int, after: str | None) -> Suggestions:
    words, uid = (None, None) if after is None else _place(after, int)
    rows = await graph.read(
        "knowledge/suggest_splits",
        tenant=view.tenant, resources=view.resources, bound=view.bound, afterWords=words, afterId=uid,
        count=first + 1,
    )  # fmt: skip
    items, cursors = [], []
    for row in rows[:first]:
        node = Node.from_row(row["node"])
        cut = tuple(pieces(node.content, MAX_WORDS))
        items.append(Suggestion(Kind.SPLIT, (node,), words=row["words"], pieces=cut))
        cursors.append(encode_cursor(str(row["words"]), node.id))
    return _page(items, cursors, len(rows) > first)


async def _unconnected(graph: Graph, view: View, first: int, after: str | None) -> Suggestions:
    """Looks at so many nodes and no more: where few are unconnected a page may be short."""
    time, uid = (None, None) if after is None else decode_moment(after, "after")
    scan = graph.settings.scan_cap
    rows = await graph.read(
        "knowledge/suggest_unconnected",
        tenant=view.tenant, resources=view.resources, bound=view.bound, open=FOREVER, afterTime=time, afterId=uid,
        scan=scan, count=first + 1,
    )  # fmt: skip
    nodes = [Node.from_row(row) for row in rows[0]["nodes"]]
    items = [Suggestion(Kind.UNCONNECTED, (node,)) for node in nodes[:first]]
    cursors = [encode_cursor(node.created_at.isoformat(), node.id) for node in nodes[:first]]
    if len(nodes) > first or rows[0]["looked"] < scan:
        return _page(items, cursors, len(nodes) > first)
    last = rows[0]["last"]
    return Suggestions(tuple(items), tuple(cursors), encode_cursor(last["createdAt"].isoformat(), last["uid"]), True)


def _page(items: list[Suggestion], cursors: list[str], has_next: bool) -> Suggestions:
    return Suggestions(tuple(items), tuple(cursors), cursors[-1] if cursors else None, has_next)


def _place(cursor: str, number: Callable[[str], float]) -> tuple[float, str]:
    value, key = decode_cursor(cursor, 2, "after")
    try:
        return number(value), key
    except ValueError:
        raise InvalidInput("after is not a cursor of this list; take one from an earlier page", field="after") from None


def _pair_of(uid: str) -> tuple[str, str]:
    try:
        kind, one, other = decode_cursor(uid, 3, "id")
    except InvalidInput:
        kind = one = other = ""
    if kind != Kind.MERGE:
        raise InvalidInput("id is not that of a suggestion; take it from suggestions", field="id")
    return one, other


async def dismiss_suggestion(
    graph: Graph,
    principal: Principal,
    uid: str,
    *,
    resource: str | None = None,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Dismissed:
    """Have two nodes never be suggested for a merge again.

    Raises InvalidInput where `uid` is none of a suggestion, NotFound where there is no such pair, and Forbidden where
    the key is bound to a resource and the pair is shared.
    """
    principal.require(Scope.WRITE)
    one, other = _pair_of(uid)
    view = View.of(principal, resource)

    async def work(tx: Transaction) -> Outcome[Dismissed]:
        ends = {"from": one, "to": other}
        rows = await tx.run(
            "knowledge/dismiss_similar", tenant=view.tenant, resources=view.resources, bound=view.bound, **ends
        )
        if not rows:
            raise NotFound(f"{one!r} and {other!r} are not suggested for a merge", field="id")
        if rows[0]["forbidden"]:
            raise Forbidden(f"{one!r} is shared, and this key is bound to a resource: it can't change it")
        changed = rows[0]["was"] == "open"
        return Outcome(Dismissed(uid, changed), touched=[one, other] if changed else [])

    call = Call(principal, "dismissSuggestion", {"id": uid, "resource": resource}, idempotency_key, dry_run)
    return await recorded(graph, call, work, *reply_of(Dismissed))
