"""The ahead-of-time cache (JEP 483, 514, 515): classes loaded and linked beforehand, with profiles of what runs often.

With it a start takes half as long, and so does planning the first statements. Making it has two steps. A server that
is recorded writes down, when it stops, what it has loaded; then a Java of its own makes the cache from that. Both take
half a minute of one core and 200 MB of disk, so neither a start nor a stop of a user's own server does it. After a
first start a process of lowest priority makes it (`training`), whether or not that server ever stops cleanly;
`Settings.fast_start` tells whether. The demonstration without a terminal, which stops what it starts, records that.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path

import psutil

from graphmem.config import Settings
from graphmem.graph.local import process
from graphmem.graph.local.home import Home
from graphmem.graph.local.launcher import Launcher

RECIPE = "2"
"""How the cache is made. Another one's, and its failures, say nothing of this one's."""
FIRST_JAVA = (25,)
"""The first version that records what is often run, too."""
FREE_MEMORY = 1536 * 2**20
"""Without so much available memory no cache is made in the background."""
NEEDED_BYTES = 512 * 2**20
END_SECONDS = 10.0
"""How long a process that makes the cache may take to put away what it has begun."""


def folder(settings: Settings) -> Path:
    return settings.cache.expanduser().resolve() / "aot"


def log(settings: Settings) -> Path:
    """What the process that makes the cache says."""
    return folder(settings) / "training.log"


def supported(launcher: Launcher) -> bool:
    return launcher.java.version >= FIRST_JAVA


def location(settings: Settings, launcher: Launcher) -> Path:
    """Its file, named by all that it must fit: Java, and the class path with sizes and times."""
    parts = [RECIPE, launcher.java.label]
    for jar in launcher.jars:
        found = jar.stat()
        parts.append(f"{jar}\0{found.st_size}\0{found.st_mtime_ns}")
    key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    return folder(settings) / f"neo4j-{key}.aot"


def failed(cache_file: Path) -> Path:
    """Its presence says that making it failed once: it isn't begun again in the background."""
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


def recording(home: Home) -> list[str]:
    """Flags of a server that is recorded."""
    return ["-XX:AOTMode=record", f"-XX:AOTConfiguration={home.recorded}", "-Xlog:aot*=error"]


def is_recorded(home: Home) -> bool:
    """Whether the last server of `home` was begun so."""
    return home.arguments.is_file() and home.recorded.name in home.arguments.read_text(encoding="utf-8")


def lacking(settings: Settings, launcher: Launcher) -> bool:
    """Whether there is no cache, and all that it takes to make one without anybody's notice."""
    file, cache = location(settings, launcher), folder(settings).parent
    if not supported(launcher) or file.exists() or failed(file).exists():
        return False
    room = min(shutil.disk_usage(place).free for place in (cache, launcher.home.path))
    return room >= NEEDED_BYTES and psutil.virtual_memory().available >= FREE_MEMORY and os.access(cache, os.W_OK)


def train_later(settings: Settings, launcher: Launcher, recorded: Path | None = None) -> psutil.Process | None:
    """Begins to make the cache in a process of its own, where it is `lacking`.

    `recorded`: what a server has written down, or is about to; None: one on a scratch home is recorded first.
    """
    if not lacking(settings, launcher):
        return None
    work = folder(settings)
    work.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "graphmem.graph.local.training", str(work.parent)]
    return process.launch([*command, *([str(recorded)] if recorded else [])], log(settings), work, dict(os.environ))
