"""Edges from nodes to the entities in their texts, and what an entity knows of them.

An edge with a spelling stands for a text that shows by its capitals that the words are a name; an entity is one for as
long as there is such a text, and then every text with its words has an edge. All this is worked out under the locks of
the nodes and then of the entities, so that the counts are those of the edges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graphmem.graph.gateway import Transaction
from graphmem.knowledge.state import MAX_NAME_BYTES
from graphmem.ranking import entities, names
from graphmem.values import FOREVER, Tenant

MAX_SPELLINGS = 100
"""Noted of one entity."""

Found = Mapping[str, str | None]
"""The keys of a text's entities, each with its spelling where the text shows that it is a name."""


@dataclass(frozen=True, slots=True)
class Text:
    """A node with the entities it is to have, and those it has."""

    uid: str
    wanted: Found
    has: Found


@dataclass(frozen=True, slots=True)
class Written:
    """`turned`: ids of entities to be looked for in all texts, or to be taken from those they still stand in."""

    opened: int = 0
    closed: int = 0
    turned: tuple[str, ...] = ()


@dataclass(slots=True)
class _Entity:
    uid: str
    nodes: int
    spellings: dict[str, int] = field(default_factory=dict)

    def count(self, spelling: str | None, step: int) -> None:
        self.nodes += step
        if spelling is None or (spelling not in self.spellings and (step < 0 or len(self.spellings) >= MAX_SPELLINGS)):
            return
        self.spellings[spelling] = self.spellings.get(spelling, 0) + step
        if self.spellings[spelling] <= 0:
            del self.spellings[spelling]

    @property
    def properties(self) -> dict[str, object]:
        """The commonest spelling comes first, of equally common ones the first in the alphabet."""
        ordered = sorted(self.spellings, key=lambda spelling: (-self.spellings[spelling], spelling))
        return {
            "nodes": self.nodes,
            "name": ordered[0] if ordered else None,
            "spellings": ordered,
            "counts": [self.spellings[spelling] for spelling in ordered],
        }


def found(parts: Sequence[str], known: names.Keys) -> Found:
    """The entities of a text: those its capitals show, and those known whose words stand in it."""
    shown: dict[str, str | None] = {}
    for part in parts:
        for entity in entities.entities(part):
            if len(entity.key.encode()) <= MAX_NAME_BYTES:
                shown.setdefault(entity.key, entity.spelling)
    standing = {key for part in parts for key in known.standing(part)}
    return dict.fromkeys(sorted(standing)) | shown


async def write_entities(tx: Transaction, tenant: Tenant, texts: Sequence[Text], now: datetime) -> Written:
    """Make the nodes' edges to entities just those wanted. The nodes are locked."""
    closed = {text.uid: [key for key in text.has if text.has[key] != text.wanted.get(key, "")] for text in texts}
    opened = {text.uid: [key for key in text.wanted if text.wanted[key] != text.has.get(key, "")] for text in texts}
    keys = sorted({key for ones in (*closed.values(), *opened.values()) for key in ones})
    if not keys:
        return Written()
    rows = [{"key": key, "start": names.start(key)} for key in keys]
    held = {
        row["key"]: _Entity(row["uid"], row["nodes"], dict(zip(row["spellings"], row["counts"], strict=True)))
        for row in (await tx.run("knowledge/lock_entities", tenant=tenant, rows=rows, now=now))[0]["entities"]
    }
    before = {key: bool(entity.spellings) for key, entity in held.items()}
    made = _count(texts, closed, opened, held)
    await tx.run(
        "knowledge/write_entities",
        tenant=tenant, open=FOREVER, now=now,
        closed=[{"uid": uid, "keys": ones} for uid, ones in closed.items() if ones],
        opened=[{"uid": uid, "entities": ones} for uid, ones in made.items() if ones],
        rows=[{"key": key, "properties": entity.properties} for key, entity in held.items()],
    )  # fmt: skip
    turned = [held[key].uid for key, was in before.items() if was != bool(held[key].spellings) and held[key].nodes]
    return Written(sum(map(len, made.values())), sum(map(len, closed.values())), tuple(turned))


def _count(
    texts: Sequence[Text],
    closed: Mapping[str, Sequence[str]],
    opened: Mapping[str, Sequence[str]],
    held: Mapping[str, _Entity],
) -> dict[str, list[tuple[str, str | None]]]:
    """Counts the changes into the entities, and returns the edges to open.

    That words stand in a text is no reason for an edge to what no text shows to be a name any more.
    """
    for text in texts:
        for key in closed[text.uid]:
            held[key].count(text.has[key], -1)
    for text in texts:
        for key in opened[text.uid]:
            if (spelling := text.wanted[key]) is not None:
                held[key].count(spelling, 1)
    made: dict[str, list[tuple[str, str | None]]] = {}
    for text in texts:
        kept = [key for key in opened[text.uid] if held[key].spellings]
        made[text.uid] = [(key, text.wanted[key]) for key in kept]
        for key in kept:
            if text.wanted[key] is None:
                held[key].count(None, 1)
    return made
