"""The password of a home's only user: random, made before the first start, in a file for its owner's eyes."""

from __future__ import annotations

import secrets
import subprocess

from graphmem.errors import ServerError
from graphmem.graph.local.home import Home, write_whole
from graphmem.graph.local.launcher import Launcher

USER = "neo4j"


def read(home: Home) -> str | None:
    """The password, or None before the first start.

    Raises:
        ServerError: the file is empty or unreadable.
    """
    file = home.path / "password"
    try:
        found = file.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ServerError(f"cannot read the password in {file} ({error}); make it readable for this user") from error
    if not found:
        raise ServerError(f"{file} is empty; write the password of this graph into it")
    return found


def ensure(home: Home, launcher: Launcher, seconds: float) -> str:
    """The password, made and set when there is none; `seconds` bounds that.

    Raises:
        ServerError: there is data but no password to it, or Neo4j's command failed.
    """
    file = home.path / "password"
    if found := read(home):
        file.chmod(0o600)
        return found
    if (home.path / "data" / "databases" / "system").exists():
        raise ServerError(
            f"{home.path} has data but the file {file} is gone; write the graph's password into it, "
            f"or move {home.path / 'data'} away to begin with an empty graph"
        )
    made = secrets.token_urlsafe(24)
    _set_initial(home, launcher, made, seconds)
    # last: whoever is killed before this line begins again with another password, which Neo4j accepts
    write_whole(file, made.encode())
    return made


def _set_initial(home: Home, launcher: Launcher, made: str, seconds: float) -> None:
    try:
        # after `--`, because a password may begin with a dash
        failed = launcher.run(launcher.admin("dbms", "set-initial-password", "--", made), "admin.args", seconds)
    except subprocess.TimeoutExpired as late:
        raise ServerError(
            f"setting the first password took longer than {seconds:g} s; set GRAPHMEM_START_TIMEOUT higher"
            + home.console_tail()
        ) from late
    if failed:
        raise ServerError(f"setting the first password failed (exit {failed}){home.console_tail()}")
