"""What tests write past the service, and what the audits find of the rest when all tests have run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphmem.graph.gateway import Graph
from graphmem.graph.statements import Statement, load
from graphmem.upkeep.audits import Finding, run_audits

SPOILT: set[str] = set()
"""Tenants with something in them that no verb wrote, and how an audit tells of labels that no verb gave."""
OWN = ("probe/", "plant/")
"""Folders of statements that only tests have."""
ALLOWED = frozenset({"dangling_links", "duplicate_content", "over_long_notes", "missing_vectors"})
"""Audits of what the service takes, with a warning; and of vectors, which commands without an embedder leave to be made
by a process that has one."""
UNTIL_WORKED = frozenset({"overdue_turns", "unsupported_mentions"})
"""Audits of what is so until the work that is queued has been done."""


class Probing(Graph):
    """A graph with statements of tests: the tenants that these write to are noted as spoilt."""

    def statement(self, name: str, params: Mapping[str, Any]) -> Statement:
        found = super().statement(name, params)
        if found.kind == "write" and name.startswith(OWN):
            SPOILT.update(_tenants(params), [f"label {params['label']}"] if "label" in params else [])
        return found


def _tenants(params: Mapping[str, Any]) -> set[str]:
    """Those that a statement is given, alone or before the id of an item."""
    alone = {params[name] for name in ("tenant", "fromTenant", "toTenant") if name in params}
    return alone | {params[name][0] for name in ("from", "to") if isinstance(params.get(name), list)}


async def tenants(graph: Graph) -> dict[str, bool]:
    """All that have an item, and whether work of theirs is still to be done, or has failed for good."""
    rows = await Graph(graph.driver, graph.settings, load(Path(__file__).parent / "cypher")).read("probe/tenants")
    return {row["tenant"]: row["waits"] for row in rows}


async def faults(graph: Graph, passed_over: set[str]) -> list[Finding]:
    """What the audits find that is no test's doing, in tenants other than these."""
    waiting = {tenant for tenant, waits in (await tenants(graph)).items() if waits}
    patient = Graph(graph.driver, graph.settings.model_copy(update={"statement_timeout": 120}), graph.statements)
    found: list[Finding] = []
    async for name, rows in run_audits(patient):
        known = passed_over | SPOILT | (waiting if name in UNTIL_WORKED else set())
        found += [row for row in rows if name not in ALLOWED and not {row.tenant, row.detail} & known]
    return found
