"""Whether a server answers. The password goes only to a port that our own process listens on."""

from __future__ import annotations

import time

import psutil
from neo4j import Driver, GraphDatabase
from neo4j.exceptions import AuthError, DriverError, Neo4jError

from graphmem.graph.local.conf import HOST
from graphmem.graph.local.home import Home, Record
from graphmem.graph.local.password import USER
from graphmem.graph.statements import cypher_folder

PAUSE = 0.1
CONNECT_SECONDS = 5.0
STARTED = " INFO  Started."


class NotReadyError(Exception):
    """`refused`: the password is wrong; `hung`: no answer in time; neither: the process has ended."""

    def __init__(self, message: str, *, refused: bool = False, hung: bool = False) -> None:
        super().__init__(message)
        self.refused = refused
        self.hung = hung
        self.ended = not refused and not hung


def listens(running: psutil.Process, record: Record) -> bool:
    """Whether the process listens on all its ports; HTTP opens seconds after Bolt."""
    try:
        found = running.net_connections(kind="tcp")
    except psutil.NoSuchProcess:
        return False
    listening = {each.laddr.port for each in found if each.status == psutil.CONN_LISTEN}
    return listening >= {record.ports.bolt, record.ports.http} - {None}


def has_started(home: Home) -> bool:
    """Whether Neo4j says so. A server that is stopped a moment earlier does not close its stores."""
    return STARTED in home.console_text()


def wait(home: Home | None, running: psutil.Process, record: Record, password: str, deadline: float) -> None:
    """Returns when an authenticated statement was answered; `deadline` is of `time.monotonic`.

    With `home`, Neo4j must also have said there that it has started.

    Raises:
        NotReadyError: the process ended, the deadline passed or the password is wrong.
    """
    last = "it does not listen yet"
    while True:
        if not _is_alive(running):
            raise NotReadyError("the process ended")
        # What is cheap to ask first: a look at a process's ports, ten times a second, takes a tenth of the start.
        if (home is None or has_started(home)) and listens(running, record):
            try:
                return _ask(record, password, deadline - time.monotonic())
            except AuthError as error:
                # asking again would lock the user for some seconds after the third time
                raise NotReadyError(str(error), refused=True) from error
            except (DriverError, Neo4jError, OSError) as error:
                last = f"{type(error).__name__}: {error}"
        if time.monotonic() > deadline:
            raise NotReadyError(last, hung=True)
        time.sleep(PAUSE)


def _is_alive(running: psutil.Process) -> bool:
    try:
        return bool(running.is_running() and running.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _ask(record: Record, password: str, seconds: float) -> None:
    statement = (cypher_folder() / "graph" / "ping.cypher").read_text(encoding="utf-8")
    patience = min(max(seconds, 1.0), CONNECT_SECONDS)
    with _driver(record, password, patience) as driver, driver.session(database="neo4j") as session:
        session.run(statement).consume()


def _driver(record: Record, password: str, seconds: float) -> Driver:
    return GraphDatabase.driver(
        f"bolt://{HOST}:{record.ports.bolt}",
        auth=(USER, password),
        connection_timeout=seconds,
        connection_acquisition_timeout=seconds,
        telemetry_disabled=True,
    )
