"""What says that a node is so: DERIVED_FROM edges that callers give with `remember`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.access.view import View
from graphmem.errors import NotFound
from graphmem.graph.gateway import Transaction
from graphmem.knowledge.nodes import NodeInput


@dataclass(frozen=True, slots=True)
class Source:
    """A document behind a node; `field` is where the caller named it."""

    uid: str
    document: str
    field: str


def sources(node: NodeInput, uid: str, at: int) -> list[Source]:
    return [
        Source(uid, document, f"nodes[{at}].derivedFrom[{place}]") for place, document in enumerate(node.derived_from)
    ]


async def fresh(tx: Transaction, view: View, given: Sequence[Source]) -> set[str]:
    """Ids of the nodes that one of the sources is new to. Raises NotFound for a document that may not be seen."""
    rows = await tx.run("knowledge/evidence", tenant=view.tenant, resources=view.resources, rows=_rows(given))
    known = {(row["id"], row["document"]): row["known"] for row in rows}
    for source in given:
        if (source.uid, source.document) not in known:
            raise NotFound(f"there is no document {source.document!r}", field=source.field)
    return {uid for (uid, _), there in known.items() if not there}


async def add(tx: Transaction, view: View, given: Sequence[Source], now: datetime) -> None:
    """The nodes exist by now, and `fresh` has found the documents."""
    await tx.run("knowledge/add_evidence", tenant=view.tenant, rows=_rows(given), now=now)


def _rows(given: Sequence[Source]) -> list[dict[str, Any]]:
    pairs = sorted({(source.uid, source.document) for source in given})
    return [{"uid": uid, "document": document} for uid, document in pairs]
