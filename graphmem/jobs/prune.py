"""Done jobs are kept for a while and then deleted; failed ones stay until somebody has looked."""

from __future__ import annotations

from graphmem.graph.gateway import Graph

BATCH = 50
"""Seen: with payload and result of the largest size, 60 deletions reach a transaction's limit of 128 MB."""
_DAY = 86_400.0


async def prune(graph: Graph, older_than_days: float, *, limit: int = BATCH) -> int:
    """Delete up to `limit` jobs of any tenant that were done longer ago than that; how many were deleted."""
    rows = await graph.run("jobs/prune", seconds=older_than_days * _DAY, limit=limit)
    return int(rows[0]["count"])
