"""Start, stop and look at the managed server: one for each home, however many processes ask at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import psutil
from filelock import FileLock, Timeout

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph.local import aot, browser, conf, password, ports, process, ready
from graphmem.graph.local.artifacts import NEO4J_VERSION
from graphmem.graph.local.home import Home, Record
from graphmem.graph.local.launcher import Launcher
from graphmem.graph.local.model import Progress, Server, silent

LOCK_MARGIN = 60.0
"""Beyond two start-ups, how long another process's start or stop is waited for, in seconds."""


def start(
    settings: Settings,
    progress: Progress | None = None,
    recorded: Callable[[Settings, Launcher], bool] = lambda *_: False,
) -> Server:
    """See the package. `recorded`: whether a server that is launched is, in place of using the cache."""
    tell = progress or silent
    home = Home.of(settings)
    home.prepare()
    if (found := _find(home)) is not None and ready.listens(*found):
        return _confirm(home, settings, *found)
    launcher = Launcher.prepare(settings, home, tell)
    if records := recorded(settings, launcher):
        # Only code that is compiled for the long run is watched for what it does often.
        launcher = replace(launcher, settings=settings.model_copy(update={"short_lived": False}))
    flags = aot.recording(home) if records else aot.flags(settings, launcher)
    with _alone(home, settings):
        server = _start(home, settings, launcher, tell, flags)
    if settings.fast_start == "build" and not records:
        aot.train_later(settings, launcher)
    return server


def stop(settings: Settings, *, writes: bool = False) -> bool:
    """See the package."""
    home = Home.of(settings)
    if not home.run.is_dir():
        return False
    with _alone(home, settings):
        found = _find(home)
        if found is not None:
            _end(found[0], home, writes=writes)
        home.forget()
    return found is not None


def _end(running: psutil.Process, home: Home, *, writes: bool) -> None:
    """One that is recorded is longer about writing down than about closing its data."""
    if not aot.is_recorded(home):
        process.end(running, process.STOP_SECONDS)
        return
    process.close(running, home.path, process.STOP_SECONDS)
    if not writes:
        process.end(running, 0)


def status(settings: Settings) -> Server | None:
    """See the package."""
    home = Home.of(settings)
    found = _find(home)
    if found is None or not ready.listens(*found):
        return None
    return _describe(home, *found)


def browser_url(settings: Settings, query: str | None = None) -> str:
    """See the package.

    Raises:
        ServerError: the server isn't running, or serves no Browser.
    """
    found = _find(Home.of(settings))
    if found is None:
        raise ServerError(f"no server is running in {settings.home}; start it with `graphmem neo4j start`")
    address = browser.url(found[1].ports, query)
    if address is None:
        raise ServerError(
            "this server was started without Neo4j Browser; stop it and start it with GRAPHMEM_BROWSER=true"
        )
    return address


def _find(home: Home) -> tuple[psutil.Process, Record] | None:
    """The process and what is known of it. A lost note is made up for from the conf it was started with."""
    noted = home.read_record()
    running = process.find(home, noted.pid if noted else None)
    if running is None:
        return None
    if noted is None or noted.pid != running.pid:
        noted = Record(running.pid, conf.read_ports(home.conf), NEO4J_VERSION)
    return running, noted


def _describe(home: Home, running: psutil.Process, record: Record) -> Server:
    secret = password.read(home)
    if secret is None:
        raise ServerError(f"{home.path / 'password'} is gone; write the graph's password into it")
    uri = f"bolt://{conf.HOST}:{record.ports.bolt}"
    address = browser.url(record.ports, None)
    return Server(uri, password.USER, secret, home.path, running.pid, address, record.version)


@contextmanager
def _alone(home: Home, settings: Settings) -> Iterator[None]:
    """One process at a time for each home; the system frees the lock of a process that dies."""
    seconds = 2 * settings.start_timeout + LOCK_MARGIN
    try:
        with FileLock(home.lock, timeout=seconds):
            yield
    except Timeout as late:
        raise ServerError(
            f"another process has been starting or stopping the server in {home.path} for {seconds:.0f} s; "
            "end that process and try again"
        ) from late


def _start(home: Home, settings: Settings, launcher: Launcher, tell: Progress, flags: Sequence[str]) -> Server:
    """With the lock held: waits for a server that another process left starting, else launches one."""
    deadline = time.monotonic() + settings.start_timeout
    found = _find(home)
    if found is not None and ready.listens(*found):
        return _confirm(home, settings, *found)
    while True:
        running, record = found or _launch(home, settings, launcher, tell, flags)
        tell(f"Starting Neo4j {NEO4J_VERSION}", 0, 0)
        try:
            server = _describe(home, running, record)
            ready.wait(home, running, record, server.password, deadline)
            return server
        except ready.NotReadyError as failure:
            _give_up(home, running, process.STOP_SECONDS if failure.refused else 0)
            was_ending = found is not None and failure.ended
            other_port = _lost_a_port(home) and 0 in (settings.bolt_port, settings.http_port)
            if time.monotonic() > deadline or not (was_ending or other_port):
                raise ServerError(_explain(failure, home, settings)) from failure
            found = None
        except BaseException:
            _give_up(home, running, 0)
            raise


def _give_up(home: Home, running: psutil.Process, seconds: float) -> None:
    process.end(running, seconds)
    home.forget()


def _lost_a_port(home: Home) -> bool:
    """Whether another program took a port between our look and Neo4j's start."""
    return "PortBindException" in home.console_text()


def _launch(
    home: Home, settings: Settings, launcher: Launcher, tell: Progress, flags: Sequence[str]
) -> tuple[psutil.Process, Record]:
    home.check_space()
    if process.holds_store(home.path):
        raise ServerError(
            f"another Neo4j (not started by graphmem, or on a moved folder) has the data in {home.path} open; "
            "stop it, or set GRAPHMEM_HOME to another folder"
        )
    noted = home.read_record()
    chosen = ports.choose(settings, noted.ports if noted else None)
    tell("Preparing Neo4j", 0, 0)
    password.ensure(home, launcher, settings.start_timeout)
    home.conf.write_text(conf.text(settings, chosen.bolt, chosen.http), encoding="utf-8")
    home.recorded.unlink(missing_ok=True)
    running = launcher.launch(flags)
    record = Record(running.pid, chosen, NEO4J_VERSION)
    home.write_record(record)
    return running, record


def _confirm(home: Home, settings: Settings, running: psutil.Process, record: Record) -> Server:
    """A server that is up is left alone, whatever it answers."""
    server = _describe(home, running, record)
    try:
        ready.wait(None, running, record, server.password, time.monotonic() + settings.start_timeout)
    except ready.NotReadyError as failure:
        raise ServerError(_explain(failure, home, settings)) from failure
    return server


def _explain(failure: ready.NotReadyError, home: Home, settings: Settings) -> str:
    if failure.refused:
        return (
            f"the password in {home.path / 'password'} is not the one of the data in {home.path}; put the right one "
            f"there, or move {home.path / 'data'} away to begin with an empty graph"
        )
    if failure.hung:
        return (
            f"Neo4j did not answer within {settings.start_timeout:g} s ({failure}); stop it with "
            "`graphmem neo4j stop`, or set GRAPHMEM_START_TIMEOUT higher" + home.console_tail()
        )
    if _lost_a_port(home):
        return "a port was taken by another program while Neo4j started; try again" + home.console_tail()
    return f"Neo4j ended while starting{home.console_tail()}"
