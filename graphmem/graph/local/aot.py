"""The ahead-of-time cache (JEP 483, 514): classes loaded and linked beforehand, so that a start takes 4 s, not 10.

Making it costs a minute of one core and 165 MB of disk, most of it when the recorded JVM stops, so neither a
start nor a stop of a user's own server does it. After a first start a process of lowest priority makes it on
a scratch home, whether or not that server ever stops cleanly; `Settings.fast_start` tells whether, and `train`
does it in the foreground.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import psutil

from graphmem.config import Settings
from graphmem.graph.local import process
from graphmem.graph.local.launcher import Launcher

FIRST_JAVA = (25,)
"""The first version that writes such a cache at exit."""
FREE_MEMORY = 1536 * 2**20
"""Without so much available memory no training is begun in the background."""


def supported(launcher: Launcher) -> bool:
    return launcher.java.version >= FIRST_JAVA


def location(settings: Settings, launcher: Launcher) -> Path:
    """Its file, named by all that it must fit: Java, and the class path with sizes and times."""
    parts = [launcher.java.label]
    for jar in launcher.jars:
        found = jar.stat()
        parts.append(f"{jar}\0{found.st_size}\0{found.st_mtime_ns}")
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return settings.cache.expanduser().resolve() / "aot" / f"neo4j-{key}.aot"


def failed(cache_file: Path) -> Path:
    """Its presence says that training failed once: it isn't begun again in the background."""
    return cache_file.with_suffix(".failed")


def flags(settings: Settings, launcher: Launcher) -> list[str]:
    """Flags that use the cache when there is one; a cache that doesn't fit is ignored by Java."""
    if settings.fast_start == "off" or not supported(launcher):
        return []
    file = location(settings, launcher)
    return [*using(file), "-Xlog:aot*=off", "-Xlog:aot+codecache*=off"] if file.is_file() else []


def using(file: Path) -> list[str]:
    """Flags that use `file`, its checksum compared first (0.1 s): a damaged cache could crash Java."""
    return [f"-XX:AOTCache={file}", "-XX:+VerifySharedSpaces"]


def train_later(settings: Settings, launcher: Launcher) -> psutil.Process | None:
    """Begins training in a process of its own, unless there is a cache or no room for it."""
    file = location(settings, launcher)
    cache = settings.cache.expanduser().resolve()
    if not supported(launcher) or file.exists() or failed(file).exists():
        return None
    if psutil.virtual_memory().available < FREE_MEMORY or not os.access(cache, os.W_OK):
        return None
    file.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "graphmem.graph.local.training", str(cache)]
    return process.launch(command, file.parent / "training.log", file.parent, dict(os.environ))
