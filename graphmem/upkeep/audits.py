"""Runs the audit files; each is plain Cypher that finds nothing in a sound graph."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.values import Tenant

_FOLDER = "audit/"


@dataclass(frozen=True, slots=True)
class Finding:
    """A row of an audit: what is wrong with which item."""

    audit: str
    tenant: str
    id: str
    problem: str
    detail: str


def audit_names(graph: Graph) -> list[str]:
    return sorted(name.removeprefix(_FOLDER) for name in graph.statements if name.startswith(_FOLDER))


async def run_audit(graph: Graph, name: str, tenant: Tenant | None = None) -> list[Finding]:
    """What one audit finds, in the whole graph or one tenant. Raises InvalidInput for an unknown name."""
    if name not in audit_names(graph):
        raise InvalidInput(f"there is no audit {name!r}; there are {', '.join(audit_names(graph))}", field="name")
    rows = await graph.read(f"{_FOLDER}{name}")
    found = [Finding(name, row["tenant"], row["id"], row["problem"], row["detail"]) for row in rows]
    return [row for row in found if tenant is None or row.tenant == tenant]


async def check_tenant(graph: Graph, tenant: Tenant) -> None:
    """Raises InvalidInput for a tenant that holds nothing: a name that is written wrong has no findings either."""
    if not (await graph.read("upkeep/holds_anything", tenant=tenant))[0]["holds"]:
        raise InvalidInput(f"the tenant {tenant!r} holds nothing; see how its name is written", field="tenant")


async def plan_audits(graph: Graph) -> None:
    """Have the server plan them all, so that they take less when they are run."""
    for name in audit_names(graph):
        await graph.plan(f"{_FOLDER}{name}")


async def run_audits(graph: Graph, tenant: Tenant | None = None) -> AsyncIterator[tuple[str, list[Finding]]]:
    """Every audit in turn, with what it finds."""
    for name in audit_names(graph):
        yield name, await run_audit(graph, name, tenant)
