"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

import psutil

from graphmem.config import Settings
from graphmem.graph.gateway import Graph
from graphmem.graph.local import java


async def machine(graph: Graph, settings: Settings, managed: bool) -> dict[str, str]:
    server = (await graph.read("server"))[0]
    memory = f"{psutil.virtual_memory().total / 2**30:.0f} GiB"
    found = {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "memory": memory,
        "system": platform.platform(terse=True),
        "Neo4j": f"{server['version']} {server['edition']}",
        "Python": platform.python_version(),
        "driver": version("neo4j"),
        "graphmem": version("graphmem"),
    }
    if managed:
        found["Java"] = java.find(settings.java_home).label
        found["heap, page cache"] = f"{settings.heap_mb} MiB, {settings.page_cache_mb} MiB"
    return found | {"load average before": load_average()}


def load_average() -> str:
    """Over 1, 5 and 15 minutes; the benchmark's own work is in it."""
    return ", ".join(f"{value:.1f}" for value in os.getloadavg())


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()
