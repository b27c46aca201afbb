"""What the tests of stored documents look at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from graphmem.graph.gateway import Graph
from graphmem.graph.statements import load
from graphmem.ingest.document import Ingested, ingest_document
from graphmem.jobs import claim, complete
from graphmem.knowledge.nodes_write import EMBED, MENTIONS
from graphmem.values import FOREVER, Tenant
from tests.factories import principal

GUIDE = """\
# Shipping

Parcels leave daily.

## Delays

A storm delays parcels. See [returns](#returns).

## Returns

Send it back within [the time](policy.md#time).

### Costs

The sender pays.
"""
KEYS = ["guide.md", "guide.md#costs", "guide.md#delays", "guide.md#returns"]
"""The keys of its notes."""

Link = tuple[str, str]


@dataclass(frozen=True)
class Stored:
    """A tenant's graph; `links` has open edges by their ends, with their reason."""

    documents: dict[str, list[str]]
    media: dict[str, str]
    notes: dict[str, dict[str, Any]]
    links: dict[Link, str]
    closed: set[Link]
    pending: set[Link]

    def having(self, status: str) -> set[str]:
        return {uid for uid, note in self.notes.items() if note["status"] == status}


async def stored(graph: Graph, tenant: Tenant) -> Stored:
    probing = Graph(graph.driver, graph.settings, load(Path(__file__).parent / "cypher"))
    documents = await probing.read("probe/documents", tenant=tenant)
    notes = await probing.read("probe/notes", tenant=tenant)
    links = await probing.read("probe/links", tenant=tenant, open=FOREVER)
    ends = {state: [(row["from"], row["to"]) for row in links if row["state"] == state] for state in STATES}
    assert len(set(ends["open"])) == len(ends["open"]), "an edge is open twice"
    return Stored(
        documents={row["path"]: row["notes"] for row in documents},
        media={row["path"]: row["mediaType"] for row in documents},
        notes={row["id"]: row for row in notes},
        links={(row["from"], row["to"]): row["reason"] for row in links if row["state"] == "open"},
        closed=set(ends["closed"]),
        pending=set(ends["pending"]),
    )


STATES = ("open", "closed", "pending")


async def take_in(graph: Graph, tenant: Tenant, text: str, path: str = "guide.md", **more: Any) -> Ingested:
    return await ingest_document(graph, principal(tenant), text, path, **more)


async def discard_jobs(graph: Graph, tenant: Tenant) -> None:
    """What a large test leaves to be done would keep the tests after it waiting."""
    while due := await claim(graph, [EMBED, MENTIONS], limit=100, lease_seconds=60, tenant=tenant):
        for job in due:
            await graph.write(partial(complete, job=job))


def messages(done: Ingested) -> list[str]:
    return [warning.message for warning in done.warnings]
