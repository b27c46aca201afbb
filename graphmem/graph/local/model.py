"""What the managed server looks like from outside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

Progress = Callable[[str, int, int], None]
"""(what, done, total), called from the caller's own thread; bytes when downloading; total 0: unknown."""


@dataclass(frozen=True)
class Server:
    """A running server. `browser_url` is None when Neo4j Browser is off."""

    uri: str
    user: str
    password: str = field(repr=False)
    home: Path
    pid: int
    browser_url: str | None
    version: str


def silent(what: str, done: int, total: int) -> None:
    """The progress callback of a caller who gave none."""
