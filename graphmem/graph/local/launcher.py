"""Command lines for the server and its admin commands, with everything they need on disk."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph.local import artifacts, browser, java, process
from graphmem.graph.local.home import Home
from graphmem.graph.local.model import Progress


@dataclass(frozen=True)
class Launcher:
    """A Java, the jars and one home."""

    java: java.Java
    jars: tuple[Path, ...]
    browser_jar: Path | None
    home: Home
    settings: Settings

    @classmethod
    def prepare(cls, settings: Settings, home: Home, progress: Progress) -> Launcher:
        """Downloads what is missing."""
        found = java.find(settings.java_home)
        cache = settings.cache.expanduser().resolve()
        wanted = artifacts.read_lock(artifacts.neo4j_lock())
        extra = artifacts.read_lock(artifacts.browser_lock()) if settings.browser else []
        what = f"Downloading Neo4j {artifacts.NEO4J_VERSION}"
        jars = artifacts.fetch([*wanted, *extra], cache, progress, what)
        browser_jar = browser.repack(jars[-1], cache) if settings.browser else None
        # one order always: the ahead-of-time cache fits only the class path it was made with
        return cls(found, tuple(sorted(jars[: len(wanted)])), browser_jar, home, settings)

    def run(self, arguments: Sequence[str], name: str, seconds: float) -> int:
        """Runs Java to its end, or to that of the caller; its exit status. What it says is in the home's console log.

        Raises:
            ServerError: Java can't be run.
            subprocess.TimeoutExpired: it took longer, and was killed.
        """
        file = self.home.run / name
        java.write_arguments(file, arguments)
        try:
            with self.home.console.open("wb") as console:
                return subprocess.run(  # noqa: S603 (our own argument list)
                    [str(self.java.path), f"@{file}"],
                    stdin=subprocess.DEVNULL,
                    stdout=console,
                    stderr=console,
                    cwd=self.home.run,
                    env=java.environment(self.home.path),
                    timeout=seconds,
                ).returncode
        except OSError as error:
            raise ServerError(f"cannot run {self.java.path} ({error}); reinstall 'graphmem[server]'") from error
        finally:
            file.unlink(missing_ok=True)

    def launch(self, extra_flags: Sequence[str]) -> psutil.Process:
        """Starts the server apart from this process."""
        java.write_arguments(self.home.arguments, self.server(extra_flags))
        command = [str(self.java.path), f"@{self.home.arguments}"]
        try:
            return process.launch(command, self.home.console, self.home.run, java.environment(self.home.path))
        except OSError as error:
            raise ServerError(f"cannot run {self.java.path} ({error}); reinstall 'graphmem[server]'") from error

    def server(self, extra_flags: Sequence[str] = ()) -> list[str]:
        """Arguments of the server. The Browser's jar comes last: a cache made without it still fits."""
        return [
            *java.flags(self.java, self.settings),
            *extra_flags,
            f"-XX:ErrorFile={self.home.run / 'jvm-crash-%p.log'}",
            f"-Dbasedir={self.home.path}",
            "-cp",
            self._class_path(*([self.browser_jar] if self.browser_jar else [])),
            "org.neo4j.server.Neo4jCommunity",
            f"--home-dir={self.home.path}",
            f"--config-dir={self.home.conf.parent}",
            "--console-mode",
        ]

    def admin(self, *command: str) -> list[str]:
        """Arguments of an admin command, run by `AdminTool`: one JVM, where the launcher script starts two."""
        return [
            *java.flags(self.java, self.settings),
            f"-Dbasedir={self.home.path}",
            "-cp",
            self._class_path(),
            "org.neo4j.cli.AdminTool",
            *command,
        ]

    def version(self, extra_flags: Sequence[str]) -> list[str]:
        """Arguments that only show whether Java accepts `extra_flags` with this class path."""
        return [*java.flags(self.java, self.settings), *extra_flags, "-cp", self._class_path(), "-version"]

    def _class_path(self, *more: Path) -> str:
        return os.pathsep.join(str(jar) for jar in (*self.jars, *more))
