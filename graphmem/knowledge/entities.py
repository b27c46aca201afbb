"""Entities as a reader may see them: counted and spelled by the texts that are to be seen, now or at another time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.access.view import View
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph, Row
from graphmem.knowledge import as_of
from graphmem.knowledge.nodes import Node
from graphmem.ranking import names
from graphmem.values import FOREVER, Page, decode_cursor, encode_cursor

KIND = "entities"


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in texts. `nodes`: how many in use have it, counted up to `scan_cap`; `spellings`: the ten commonest."""

    id: str
    key: str
    nodes: int
    spellings: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.spellings[0]

    @classmethod
    def from_row(cls, row: Row) -> Entity:
        return cls(row["id"], row["key"], row["nodes"], tuple(row["spellings"]))


async def entities(graph: Graph, view: View, text: str, least: int, first: int, after: str | None) -> Page[Entity]:
    """A page of entities in alphabetical order that have `text` in them ("": all), in at least `least` nodes.

    Raises InvalidInput for a cursor of another list, and a text without a word.
    """
    words = " ".join(names.words(text))
    if text and not words:
        raise InvalidInput("filter.text has no letter or digit to look for; give a part of a name", field="filter.text")
    rows = await _read(
        graph, view, "entities",
        text=words, least=least, afterKey=_place(after, KIND), scan=graph.settings.scan_cap, count=first + 1,
    )  # fmt: skip
    found = [Entity.from_row(row) for row in rows]
    cursors = tuple(encode_cursor(KIND, entity.key) for entity in found[:first])
    return Page(tuple(found[:first]), cursors, len(found) > first)


async def get_entities(graph: Graph, view: View, ids: Sequence[str]) -> dict[str, Entity]:
    rows = await _read(graph, view, "get_entities", ids=list(ids), scan=graph.settings.scan_cap)
    return {row["id"]: Entity.from_row(row) for row in rows}


async def entities_of(graph: Graph, view: View, ids: Sequence[str]) -> dict[str, list[Entity]]:
    """The entities in the texts of nodes, by node, each list in alphabetical order."""
    unique = list(dict.fromkeys(ids))
    rows = await _read(graph, view, "entities_of_nodes", ids=unique, scan=graph.settings.scan_cap)
    found: dict[str, list[Entity]] = {}
    for row in rows:
        for uid in row["in"]:
            found.setdefault(uid, []).append(Entity.from_row(row))
    return found


async def nodes_with(
    graph: Graph, view: View, ids: Sequence[str], first: int, after: str | None
) -> dict[str, Page[Node]]:
    """A page of the nodes in use that have each entity in their text, by its id.

    Raises InvalidInput for a cursor of another list.
    """
    place = _place(after, "mentionedIn")
    rows = await _read(graph, view, "nodes_with_entities", ids=list(ids), afterId=place, count=first + 1)
    return {row["id"]: _page([Node.from_row(node) for node in row["found"]], first) for row in rows}


async def _read(graph: Graph, view: View, verb: str, **params: Any) -> list[Row]:
    seen = params | {"tenant": view.tenant, "resources": view.resources}
    if view.is_present:
        return await graph.read(f"knowledge/{verb}", **seen, open=FOREVER)
    return await graph.read(f"knowledge/{verb}_as_of", **seen, **as_of.walk(view), statuses=as_of.in_use(view))


def _page(nodes: Sequence[Node], first: int) -> Page[Node]:
    kept = tuple(nodes[:first])
    return Page(kept, tuple(encode_cursor("mentionedIn", node.id) for node in kept), len(nodes) > first)


def _place(after: str | None, kind: str) -> str:
    if after is None:
        return ""
    made_for, place = decode_cursor(after, 2, "after")
    if made_for != kind:
        raise InvalidInput("after is not a cursor of this list; take one from an earlier page", field="after")
    return place
