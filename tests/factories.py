"""Things that tests are about, with what does not matter left to defaults."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from graphmem.access.principal import Principal
from graphmem.knowledge.nodes import EdgeInput, NodeInput
from graphmem.values import EdgeType, Scope, Tenant

NUMERALS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
PLANTS = [
    "alder", "birch", "cedar", "dogwood", "elder", "fir", "gorse", "hazel", "ivy", "juniper", "kelp", "larch",
    "maple", "nettle", "oak", "poplar", "quince", "rowan", "spruce", "thyme",
]  # fmt: skip


def principal(tenant: Tenant, *scopes: Scope, resource: str | None = None, agent: str | None = None) -> Principal:
    """Who calls; may do everything unless told otherwise."""
    return Principal(tenant, "test", "test", frozenset(scopes or Scope), resource, agent)


def node(uid: str, title: str | None = None, content: str | None = None, **more: Any) -> NodeInput:
    """A node whose title stands in no other node's text."""
    return NodeInput(title or f"Title of {uid}", content or f"What {uid} says.", id=uid, **more)


def edge(start: str, kind: EdgeType, end: str, **more: Any) -> EdgeInput:
    return EdgeInput(start, end, kind, **more)


def related(*ids: str, **more: Any) -> list[EdgeInput]:
    """A chain of RELATED_TO edges."""
    return [edge(a, EdgeType.RELATED_TO, b, **more) for a, b in pairwise(ids)]


def note(uid: str, title: str | None = None, content: str | None = None, **more: Any) -> dict[str, Any]:
    """`node`, as the API takes it."""
    return {"id": uid, "title": title or f"Title of {uid}", "content": content or f"What {uid} says.", **more}


def arrow(start: str, kind: str, end: str, **more: Any) -> dict[str, Any]:
    """`edge`, as the API takes it."""
    return {"from": start, "to": end, "type": kind, **more}


def chain(*ids: str, kind: str = "RELATED_TO") -> list[dict[str, Any]]:
    return [arrow(a, kind, b) for a, b in pairwise(ids)]


def plants(count: int) -> list[dict[str, Any]]:
    """Notes `p0`, `p1`, … that share no words and do not mention one another; at most twenty."""
    return [note(f"p{at}", PLANTS[at].capitalize(), f"{NUMERALS[at]} {NUMERALS[at]}") for at in range(count)]


def ids(found: Iterable[Any]) -> list[str]:
    """The ids of hits, or of nodes."""
    return [one["node"]["id"] if "node" in one else one["id"] for one in found]
