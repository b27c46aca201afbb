"""The folder of one graph: data, conf, logs, the password, and in `run/` what is known of the running server."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from graphmem.config import Settings
from graphmem.errors import ServerError

FREE_BYTES = 256 * 2**20
"""Disk space below which a server is not started: Neo4j stops taking writes when the disk is full."""
LAST_LINES = 15


@dataclass(frozen=True)
class Ports:
    """`http` None: no HTTP."""

    bolt: int
    http: int | None


@dataclass(frozen=True)
class Record:
    """What a starter notes for other processes."""

    pid: int
    ports: Ports
    version: str


@dataclass(frozen=True)
class Home:
    """Paths below one `Settings.home`."""

    path: Path

    @classmethod
    def of(cls, settings: Settings) -> Home:
        return cls(settings.home.expanduser().resolve())

    @property
    def run(self) -> Path:
        return self.path / "run"

    @property
    def arguments(self) -> Path:
        """The server's argument file; its path in a command line is what tells our process from any other."""
        return self.run / "server.args"

    @property
    def console(self) -> Path:
        return self.run / "console.log"

    @property
    def recorded(self) -> Path:
        """What a recorded server loaded, written down when it stopped: the start-up cache is made from it."""
        return self.run / "recorded.aotconf"

    @property
    def lock(self) -> Path:
        return self.run / "lock"

    @property
    def conf(self) -> Path:
        return self.path / "conf" / "neo4j.conf"

    def prepare(self) -> None:
        """Makes the folders, for this user's eyes only.

        Raises:
            ServerError: they can't be made or written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.path.chmod(0o700)
            for name in ("run", "conf", "import"):
                (self.path / name).mkdir(exist_ok=True)
            tempfile.TemporaryFile(dir=self.run).close()
        except OSError as error:
            raise ServerError(f"cannot use the folder {self.path} ({error}); set GRAPHMEM_HOME to another") from error

    def check_space(self) -> None:
        free = shutil.disk_usage(self.path).free
        if free < FREE_BYTES:
            raise ServerError(
                f"Neo4j needs {FREE_BYTES >> 20} MiB in {self.path}, {free >> 20} MiB are free; "
                "free some space or set GRAPHMEM_HOME to a folder on another disk"
            )

    def read_record(self) -> Record | None:
        """What was noted last; None when there is no note or it is damaged."""
        try:
            found = json.loads((self.run / "server.json").read_text(encoding="utf-8"))
            ports = Ports(int(found["ports"]["bolt"]), found["ports"]["http"] and int(found["ports"]["http"]))
            return Record(int(found["pid"]), ports, str(found["version"]))
        except (FileNotFoundError, NotADirectoryError, ValueError, KeyError, TypeError):
            return None

    def write_record(self, record: Record) -> None:
        write_whole(self.run / "server.json", json.dumps(asdict(record)).encode())

    def forget(self) -> None:
        """The process is gone; the ports stay noted, to be taken again."""
        if noted := self.read_record():
            self.write_record(replace(noted, pid=0))

    def console_text(self) -> str:
        """All that the last server (or admin command) said."""
        try:
            return self.console.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return ""

    def console_tail(self) -> str:
        """The last lines the server said, for an error message."""
        lines = self.console_text().splitlines()
        said = "\n  ".join(line[:300] for line in lines[-LAST_LINES:]) or "(nothing)"
        return f"; it said, in {self.console}:\n  {said}"


def write_whole(path: Path, content: bytes) -> None:
    """Replaces a file at once: a reader sees the old or the new content. Mode 0600."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
