"""The server's process: found by its command line, launched apart from its starter, ended for certain.

A pid alone proves nothing (it may be another process's by now), and a pid file may be lost. The path of the
home's argument file stands in the server's command line and in no other's.
"""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import psutil

from graphmem.errors import ServerError
from graphmem.graph.local.home import Home

STOP_SECONDS = 30.0
"""How long a server may take to stop by itself."""
KILL_SECONDS = 10.0
PAUSE = 0.1

_APART = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "DETACHED_PROCESS", 0)
"""Windows' way to say what `start_new_session` says elsewhere; 0 there."""


def find(home: Home, hint: int | None) -> psutil.Process | None:
    """The running server of `home`; `hint` is the pid noted last."""
    mark = f"@{home.arguments}"
    if hint:
        try:
            process = psutil.Process(hint)
        except psutil.NoSuchProcess:
            process = None
        if process is not None and _is_marked(process, mark):
            return process
    return next((process for process in psutil.process_iter() if _is_marked(process, mark)), None)


def _is_marked(process: psutil.Process, mark: str) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and mark in process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return False


def launch(command: Sequence[str], log: Path, folder: Path, environment: Mapping[str, str]) -> psutil.Process:
    """Starts `command` in a session of its own, with none of the caller's streams."""
    with log.open("wb") as said:
        child = subprocess.Popen(  # noqa: S603 (our own argument list)
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=folder,
            env=environment,
            start_new_session=True,
            creationflags=_APART,
        )
    started = psutil.Process(child.pid)  # before its end could be noticed, or psutil would not find it
    # a caller that lives long must not keep dead processes as zombies
    threading.Thread(target=child.wait, name=f"wait for {child.pid}", daemon=True).start()
    return started


def end(process: psutil.Process, seconds: float) -> None:
    """Asks the process to stop, and kills it when it hasn't within `seconds`.

    Raises:
        ServerError: it is there even after that.
    """
    try:
        process.terminate()
        if _is_gone(process, seconds):
            return
        process.kill()
        if not _is_gone(process, KILL_SECONDS):
            raise ServerError(f"the Neo4j process {process.pid} does not end; end it by hand or restart the machine")
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as error:
        raise _no_right(process) from error


def _no_right(process: psutil.Process) -> ServerError:
    return ServerError(f"no right to end the Neo4j process {process.pid}; ask its owner")


def close(process: psutil.Process, home: Path, seconds: float) -> None:
    """Asks the server of `home` to stop, and waits until its data is closed; the process may be there for longer.

    Raises:
        ServerError: there is no right to.
    """
    deadline = time.monotonic() + seconds
    try:
        process.terminate()
        while holds_store(home) and time.monotonic() < deadline and not _is_gone(process, PAUSE):
            pass
    except psutil.NoSuchProcess:
        return
    except psutil.AccessDenied as error:
        raise _no_right(process) from error


def _is_gone(process: psutil.Process, seconds: float) -> bool:
    try:
        process.wait(seconds)
    except psutil.TimeoutExpired:
        return False
    return True


def holds_store(home: Path) -> bool:
    """Whether a process has the data in `home` open. Neo4j holds a POSIX record lock on each of its stores."""
    if os.name != "posix":
        return False
    import fcntl

    for lock in home.glob("data/databases/**/*lock"):
        with lock.open("r+b") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return True
    return False
