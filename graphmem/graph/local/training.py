"""Makes the ahead-of-time cache: a server on a scratch home is recorded, used a little and stopped."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import psutil
from filelock import FileLock, Timeout
from neo4j import GraphDatabase

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph.local import aot, browser, process, server
from graphmem.graph.local.home import Home
from graphmem.graph.local.launcher import Launcher
from graphmem.graph.local.model import Progress, Server, silent

START_SECONDS = 600.0
WRITE_SECONDS = 600.0
"""How long the recorded JVM may take to write the cache when it stops; 37 s when little else runs."""
NEEDED_BYTES = 512 * 2**20


def train(settings: Settings, progress: Progress | None = None) -> None:
    """See the package."""
    tell = progress or silent
    cache = settings.cache.expanduser().resolve()
    scratch = settings.model_copy(
        update={
            "home": cache / "training",
            "bolt_port": 0,
            "browser": False,
            "fast_start": "off",
            "start_timeout": START_SECONDS,
        }
    )
    home = Home.of(scratch)
    launcher = Launcher.prepare(scratch, home, tell)
    if not aot.supported(launcher):
        raise ServerError(
            f"Java {launcher.java.label} cannot make the cache; pip install 'graphmem[server]' for Java 25"
        )
    file = aot.location(settings, launcher)
    file.parent.mkdir(parents=True, exist_ok=True)
    try:
        with FileLock(file.with_suffix(".lock"), timeout=0):
            if not file.exists():
                _train(scratch, launcher, file, tell)
    except Timeout:
        tell("Another process is making the start-up cache", 0, 0)


def _train(scratch: Settings, launcher: Launcher, file: Path, tell: Progress) -> None:
    """With the lock held. The JVM writes to a partial file, which takes its name when it is whole."""
    home, partial = Home.of(scratch), file.with_suffix(".partial")
    server.stop(scratch)  # left by a training process that was killed
    shutil.rmtree(home.path, ignore_errors=True)
    partial.unlink(missing_ok=True)
    if (free := shutil.disk_usage(file.parent).free) < NEEDED_BYTES:
        raise ServerError(
            f"the start-up cache needs {NEEDED_BYTES >> 20} MiB in {file.parent}, {free >> 20} MiB are free; "
            "free some space or set GRAPHMEM_FAST_START=false"
        )
    try:
        _record(scratch, partial, tell)
        _check(launcher, partial)
        partial.replace(file)
        aot.failed(file).unlink(missing_ok=True)
    except Exception:
        aot.failed(file).touch()
        raise
    finally:
        partial.unlink(missing_ok=True)
        shutil.rmtree(home.path, ignore_errors=True)
    for old in file.parent.glob("neo4j-*.aot"):
        if old != file:
            old.unlink(missing_ok=True)


def _record(scratch: Settings, partial: Path, tell: Progress) -> None:
    tell("Recording a start of Neo4j", 0, 0)
    running = server.start(scratch, recording=[f"-XX:AOTCacheOutput={partial}", "-Xlog:aot*=error"])
    try:
        _use(running)
        tell("Writing the start-up cache", 0, 0)
    finally:
        process.end(psutil.Process(running.pid), WRITE_SECONDS)
    if not partial.is_file():
        raise ServerError("Java wrote no start-up cache" + Home.of(scratch).console_tail())


def _check(launcher: Launcher, partial: Path) -> None:
    """Java would pass over a cache that it cannot use without a word; here it must say so."""
    launcher.home.prepare()
    if launcher.run(launcher.version([*aot.using(partial), "-XX:AOTMode=on"]), "check.args", START_SECONDS):
        raise ServerError("Java cannot use the start-up cache it wrote" + launcher.home.console_tail())


def _use(running: Server) -> None:
    """A little of what every user does, so that its classes are in the cache too."""
    with (
        GraphDatabase.driver(
            running.uri,
            auth=(running.user, running.password),
            telemetry_disabled=True,
            notifications_min_severity="OFF",
        ) as driver,
        driver.session(database="neo4j") as session,
    ):
        for _, statement in browser.favourites():
            session.run(statement.removesuffix(";")).consume()


def main() -> None:
    """What `aot.train_later` runs: after a first start, at the lowest priority."""
    if hasattr(os, "nice"):
        os.nice(19)
    train(Settings(cache=Path(sys.argv[1])))


if __name__ == "__main__":
    main()
