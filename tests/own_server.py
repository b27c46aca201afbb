"""A Neo4j of a test's own beside the one of the whole run: empty at first, and it may be killed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.graph import local


@dataclass
class OwnServer:
    settings: Settings
    server: local.Server

    def start(self) -> None:
        """After `kill`; on the same port."""
        self.server = local.start(self.settings)

    def kill(self) -> None:
        """As by `kill -9`; it is gone afterwards."""
        process = psutil.Process(self.server.pid)
        process.kill()
        process.wait(30)

    def addressed(self, **changes: Any) -> Settings:
        """Settings that name it by its address."""
        named = {"neo4j_uri": self.server.uri, "neo4j_password": SecretStr(self.server.password)}
        return self.settings.model_copy(update=named | changes)


@contextmanager
def own_server(folder: Path) -> Iterator[OwnServer]:
    """Running, with its data below `folder`; stopped at the end."""
    settings = Settings(home=folder / "home", bolt_port=0, http_port=0, browser=False, fast_start="use")
    own = OwnServer(settings, local.start(settings))
    try:
        yield own
    finally:
        local.stop(settings)
