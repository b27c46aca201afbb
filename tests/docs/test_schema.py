"""`schema.graphql` is what the service answers to."""

from __future__ import annotations

from graphql import build_schema, validate_schema

from graphmem.api.schema import make_schema
from graphmem.config import Settings
from tests.cli.conftest import Cli, bare
from tests.docs.examples import ROOT

__all__ = ["bare"]
COMMITTED = ROOT / "schema.graphql"


def test_the_committed_schema_is_the_code_s() -> None:
    assert COMMITTED.read_text(encoding="utf-8") == make_schema(Settings()).as_str() + "\n", "run `make schema`"


def test_the_command_prints_the_committed_schema_and_needs_no_server(bare: Cli) -> None:
    done = bare("schema", neo4j_uri="bolt://127.0.0.1:1", log_level="error")
    assert (done.status, done.out) == (0, COMMITTED.read_text(encoding="utf-8"))
    assert validate_schema(build_schema(done.out)) == []
