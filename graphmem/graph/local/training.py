"""Makes the ahead-of-time cache: from what a server has written down that was recorded, one on a scratch home if need
be, on which the demonstration was shown."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
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
"""How long each step of writing may take; 10 s and 30 s when little else runs."""


@contextmanager
def trainer(settings: Settings) -> Iterator[Callable[[], Path | None] | None]:
    """See the package."""
    home, begun = Home.of(settings), None
    home.prepare()
    launcher = Launcher.prepare(settings, home, silent)
    writer = process.find(home, None) if aot.is_recorded(home) else None

    def wait() -> Path | None:
        assert begun is not None
        begun.wait()
        return None if aot.location(settings, launcher).is_file() else aot.log(settings)

    try:
        begun = aot.train_later(settings, launcher, home.recorded if writer or home.recorded.is_file() else None)
        yield wait if begun else None
    finally:
        if begun is not None:
            process.end(begun, aot.END_SECONDS)
        if writer is not None:
            process.end(writer, 0)
        home.recorded.unlink(missing_ok=True)


def train(settings: Settings, progress: Progress | None = None, recorded: Path | None = None) -> None:
    """See the package. `recorded`: what a server has written down; None: one on a scratch home is recorded."""
    tell = progress or silent
    cache = settings.cache.expanduser().resolve()
    scratch = settings.model_copy(
        update={
            "home": cache / "training",
            "bolt_port": 0,
            "browser": False,
            "fast_start": "off",
            "short_lived": False,  # as what is recorded
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
                _train(scratch, launcher, file, recorded, tell)
    except Timeout:
        tell("Another process is making the start-up cache", 0, 0)


def _train(scratch: Settings, launcher: Launcher, file: Path, recorded: Path | None, tell: Progress) -> None:
    """With the lock held. Java writes to a partial file, which takes its name when it is whole."""
    home, partial = Home.of(scratch), file.with_suffix(".partial")
    server.stop(scratch)  # left by a training process that was killed
    shutil.rmtree(home.path, ignore_errors=True)
    partial.unlink(missing_ok=True)
    if (free := shutil.disk_usage(file.parent).free) < aot.NEEDED_BYTES:
        raise ServerError(
            f"the start-up cache needs {aot.NEEDED_BYTES >> 20} MiB in {file.parent}, {free >> 20} MiB are free; "
            "free some space or set GRAPHMEM_FAST_START=off"
        )
    home.prepare()
    if recorded is not None:
        # Another start in its home takes away what it finds there.
        shutil.move(recorded, home.recorded)
    try:
        if recorded is None:
            _record(scratch, tell)
        tell("Writing the start-up cache", 0, 0)
        _create(launcher, home.recorded, partial)
        _check(launcher, partial)
        partial.replace(file)
        aot.failed(file).unlink(missing_ok=True)
    except Exception:
        aot.failed(file).touch()
        raise
    finally:
        partial.unlink(missing_ok=True)
        shutil.rmtree(home.path, ignore_errors=True)
    for old in file.parent.glob("neo4j-*"):
        if old.stem != file.stem:
            old.unlink(missing_ok=True)


def _record(scratch: Settings, tell: Progress) -> None:
    tell("Recording a start of Neo4j", 0, 0)
    running = server.start(scratch, recorded=lambda *_: True)
    try:
        _use(running, scratch)
        process.end(psutil.Process(running.pid), WRITE_SECONDS)
    except BaseException:
        process.end(psutil.Process(running.pid), 0)
        raise
    home = Home.of(scratch)
    if not home.recorded.is_file():
        raise ServerError("Java wrote nothing down for a start-up cache" + home.console_tail())


def _create(launcher: Launcher, recorded: Path, partial: Path) -> None:
    flags = ["-XX:AOTMode=create", f"-XX:AOTConfiguration={recorded}", f"-XX:AOTCache={partial}", "-Xlog:aot*=error"]
    status = launcher.run(launcher.version(flags), "create.args", WRITE_SECONDS)
    if status or not partial.is_file():
        raise ServerError("Java wrote no start-up cache" + launcher.home.console_tail())


def _check(launcher: Launcher, partial: Path) -> None:
    """Java would pass over a cache that it cannot use without a word; here it must say so."""
    if launcher.run(launcher.version([*aot.using(partial), "-XX:AOTMode=on"]), "check.args", START_SECONDS):
        raise ServerError("Java cannot use the start-up cache it wrote" + launcher.home.console_tail())


def _use(running: Server, scratch: Settings) -> None:
    """What every user does, so that its classes are in the cache too, and profiles of planning above all."""
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
    # A program of its own, as all that it does is above this room. What keeps it from its end, such as a model that
    # can't be had, is in the log; the cache is worth making without.
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [sys.executable, "-m", "graphmem", "demo"],
            env=_environment(running, scratch),
            stdin=subprocess.DEVNULL,
            check=False,
            timeout=START_SECONDS,
        )


def _environment(running: Server, scratch: Settings) -> dict[str, str]:
    """No setting of the user's: a model of theirs may be a large one, and an address of theirs taken. Where they want
    none, there may be no room for one."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith("GRAPHMEM_")}
    if Settings().embedding_model == "none":
        kept["GRAPHMEM_EMBEDDING_MODEL"] = "none"
    return kept | {
        "GRAPHMEM_NEO4J_URI": running.uri,
        "GRAPHMEM_NEO4J_USER": running.user,
        "GRAPHMEM_NEO4J_PASSWORD": running.password,
        "GRAPHMEM_HOME": str(scratch.home),
        "GRAPHMEM_CACHE": str(scratch.cache),
        "GRAPHMEM_PORT": "0",
    }


def main() -> None:
    """What `aot.train_later` runs, at the lowest priority. Puts all away when it is ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    if hasattr(os, "nice"):
        os.nice(19)
    recorded = Path(sys.argv[2]) if sys.argv[2:] else None
    if recorded is not None:
        home = Home(recorded.parents[1])
        if aot.is_recorded(home) and (writer := process.find(home, None)):
            writer.wait(WRITE_SECONDS)
    train(Settings(cache=Path(sys.argv[1])), recorded=recorded)


if __name__ == "__main__":
    main()
