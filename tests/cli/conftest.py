"""Commands run in this process, with settings from the environment as a user gives them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import pytest
import structlog

from graphmem.cli.command import run
from graphmem.config import Settings
from graphmem.graph import local
from graphmem.values import Tenant
from tests.jobs.support import addressed


@dataclass(frozen=True)
class Done:
    """What a command came to."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def told(self) -> str:
        """The only line on standard error."""
        assert self.err.count("\n") == 1, self.err
        return self.err.strip()


class Cli(Protocol):
    def __call__(self, *args: object, **environment: object) -> Done: ...


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Cli]:
    """Runs a command; `environment` has settings without their prefix, which stay for the rest of the test."""
    for name in os.environ:
        if name.startswith("GRAPHMEM_"):
            monkeypatch.delenv(name)

    def call(*args: object, **environment: object) -> Done:
        for name, value in environment.items():
            monkeypatch.setenv(f"GRAPHMEM_{name.upper()}", str(value))
        monkeypatch.setattr(sys, "argv", ["graphmem", *map(str, args)])
        capsys.readouterr()
        return Done(run(), *capsys.readouterr())

    yield call
    structlog.reset_defaults()


@pytest.fixture
def environment(settings: Settings, server: local.Server, tenant: Tenant) -> dict[str, str]:
    """Settings that lead to the test server and a tenant of the test's own; no embedder, so that commands are quick."""
    here = addressed(settings)
    assert here.neo4j_uri is not None
    assert here.neo4j_password is not None
    return {
        "neo4j_uri": here.neo4j_uri,
        "neo4j_password": here.neo4j_password.get_secret_value(),
        "default_tenant": tenant,
        "embedding_model": "none",
        "log_level": "error",
        "port": "0",
    }


@pytest.fixture
def cli(bare: Cli, environment: dict[str, str]) -> Cli:
    """Runs a command on the test server."""

    def call(*args: object, **more: object) -> Done:
        return bare(*args, **(environment | more))

    return call
