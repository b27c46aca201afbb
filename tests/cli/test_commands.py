from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import Any

import pytest
import typer.main

from graphmem.access.keys import create_key
from graphmem.cli.command import app
from graphmem.graph.gateway import Graph
from graphmem.graph.statements import load
from graphmem.knowledge.link import link
from graphmem.knowledge.remember import remember
from graphmem.values import EdgeType, Scope, Tenant
from tests.cli.conftest import Cli
from tests.factories import edge, node, principal


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    below = getattr(command, "commands", None)
    if below is None:
        yield path
    for name, inner in (below or {}).items():
        yield from commands(inner, (*path, name))


def test_every_command_has_help(bare: Cli) -> None:
    assert "Usage" in bare("--help").out
    found = list(commands(typer.main.get_command(app)))
    assert {path[0] for path in found} == {
        "demo", "serve", "work", "neo4j", "migrate", "keys", "ingest", "search", "cypher", "audit", "reembed", "bench",
        "schema",
    }  # fmt: skip
    for path in found:
        done = bare(*path, "--help")
        assert (done.status, done.err) == (0, "")
        assert f"Usage: graphmem {' '.join(path)}" in done.out


def test_without_a_command_help_is_shown(bare: Cli) -> None:
    done = bare()
    assert done.status == 2
    assert "Usage" in done.out + done.err


def test_a_statement_is_printed_whole(bare: Cli) -> None:
    name = "knowledge/search_gather"
    done = bare("cypher", name)
    assert (done.status, done.out) == (0, load()[name].text + "\n")
    assert "// use:" not in done.out
    assert bare("cypher", name, "--json").json == {"name": name, "text": load()[name].text}


def test_the_version_is_told(bare: Cli) -> None:
    assert bare("--version").out == f"{metadata.version('graphmem')}\n"


def test_statements_are_listed(bare: Cli) -> None:
    listed = bare("cypher", "--json").json
    assert {row["name"] for row in listed} == set(load())
    assert {row["kind"] for row in listed} == {"read", "write", "schema"}
    shown = bare("cypher").out.splitlines()
    assert [line.split()[0] for line in shown[1:]] == list(load())


def test_keys_are_made_listed_and_revoked(cli: Cli, tenant: Tenant) -> None:
    made = cli("keys", "create", "reader", "--scope", "read", "--json").json
    assert made["key"].startswith("gm_")
    admin = cli("keys", "create", "admin", "--scope", "admin", "--scope", "write", "--resource", "ann")
    assert f"\nid: {cli('keys', 'list', '--json').json[0]['id']}\n" in admin.out
    listed = {row["name"]: row for row in cli("keys", "list", "--json").json}
    assert {name: (row["scopes"], row["resource"], row["revoked"]) for name, row in listed.items()} == {
        "reader": ("read", None, None),
        "admin": ("admin write", "ann", None),
    }
    assert "reader" in cli("keys", "list").out
    assert cli("keys", "revoke", made["id"], "--json").json["revoked"]
    assert [row["revoked"] for row in cli("keys", "list", "--json").json if row["name"] == "reader"] != [None]
    assert made["key"] not in cli("keys", "list").out


def test_keys_may_be_another_tenants(cli: Cli, tenant: Tenant) -> None:
    other = f"{tenant} other"
    made = cli("keys", "create", "one", "--scope", "read", "--tenant", other, "--json").json
    assert cli("keys", "list", "--json").json == []
    assert [row["id"] for row in cli("keys", "list", "--tenant", other, "--json").json] == [made["id"]]
    assert cli("keys", "revoke", made["id"]).status == 1
    assert cli("keys", "revoke", made["id"], "--tenant", other).status == 0


def test_the_schema_is_brought_up_once(cli: Cli) -> None:
    cli("migrate")
    assert cli("migrate", "--json").json == {"applied": []}
    assert cli("migrate").out == "nothing to apply\n"


async def plant(graph: Graph, tenant: Tenant) -> None:
    caller = principal(tenant)
    await remember(graph, caller, [node("a", "Same", "text"), node("b", "Same", "text"), node("c")])
    await link(graph, caller, [edge("c", EdgeType.DEPENDS_ON, "nowhere")])


@pytest.fixture
async def faults(graph: Graph, tenant: Tenant) -> None:
    await plant(graph, tenant)


def test_an_audit_shows_what_it_finds_and_fails(cli: Cli, faults: None, tenant: Tenant) -> None:
    done = cli("audit", "duplicate_content", "--json")
    assert done.status == 1
    found = [row for row in done.json["duplicate_content"] if row["tenant"] == tenant]
    assert [(row["id"], row["problem"], row["detail"]) for row in found] == [
        ("a", "duplicate content", "same text as b"),
        ("b", "duplicate content", "same text as a"),
    ]
    own = cli("audit", "duplicate_content", "--tenant", tenant, "--json").json["duplicate_content"]
    assert own == found
    assert cli("audit", "cross_tenant_edges", "--tenant", tenant).out == "1 audit, 0 findings\n"
    assert cli("audit", "dangling_links", "--tenant", tenant).out.endswith("\n1 audit, 1 finding\n")
    ghost = cli("audit", "--tenant", f"{tenant} other")
    assert (ghost.status, ghost.out) == (2, "")
    assert f"the tenant '{tenant} other' holds nothing; see how its name is written" in ghost.told
    shown = cli("audit", "dangling_links")
    assert shown.status == 1
    assert "c -DEPENDS_ON-> nowhere waits for nowhere" in shown.out
    assert cli("audit").status == 1


def test_a_slow_statement_is_told_when_asked_and_in_words(cli: Cli, tenant: Tenant) -> None:
    assert cli("keys", "list", slow_statement_ms=0.001, log_level="error").err == ""
    told = cli("keys", "list", log_level="warning").err
    assert re.search(r"^warning: slow statement \(statement access/list_keys, ms [\d.]+, rows 0\)$", told, re.MULTILINE)


@pytest.fixture
async def key_id(graph: Graph, tenant: Tenant) -> str:
    return (await create_key(graph, tenant, name="x", scopes=[Scope.READ])).api_key.id


@pytest.mark.parametrize(
    ("args", "status", "told"),
    [
        (
            ["audit", "nonsense"],
            2,
            "there is no audit 'nonsense'; there are contradictory_validity, cross_tenant_edges",
        ),
        (["cypher", "nonsense"], 2, "there is no statement 'nonsense'"),
        (["ingest", ""], 2, "a path is empty"),
        (["ingest", "absent", "gone"], 2, "there is nothing at absent, gone"),
        (["keys", "revoke", "nonsense"], 1, "there is no API key 'nonsense'"),
        (["keys", "create", " ", "--scope", "read"], 2, "name is blank"),
        (["search", "x", "--depth", "9"], 2, "9"),
        (["search", "x", "--limit", "100000"], 2, "limit"),
        (["reembed", "--model", "none"], 2, "model is none; name one"),
    ],
)
def test_an_expected_failure_is_one_line_and_a_status_of_its_kind(
    cli: Cli, args: list[str], status: int, told: str
) -> None:
    done = cli(*args)
    assert (done.status, done.out) == (status, "")
    assert done.told.startswith("graphmem: ")
    assert told in done.told


@pytest.mark.parametrize(
    "args",
    [["migrate"], ["audit"], ["keys", "list"], ["search", "x"], ["ingest", "."], ["reembed"]],
)
def test_a_neo4j_that_is_down_is_told_in_one_line(bare: Cli, args: list[str], unused_tcp_port: int) -> None:
    down = f"bolt://127.0.0.1:{unused_tcp_port}"
    done = bare(*args, neo4j_uri=down, neo4j_password="x", retry_seconds=0, embedding_model="none", log_level="error")
    assert (done.status, done.out) == (3, "")
    assert done.told.startswith("graphmem: Neo4j does not answer")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", "abc"), ("port", "70000"), ("log_level", "loud"), ("max_page", "-1"), ("neo4j_pool", "hunter2"),
        ("allowed_origins", "hunter2"), ("allowed_origins", '{"hunter2": 1}'),
    ],
)  # fmt: skip
def test_a_bad_setting_is_named_and_what_was_in_it_is_not_shown(bare: Cli, name: str, value: str) -> None:
    done = bare("cypher", **{name: value})
    assert (done.status, done.out) == (2, "")
    assert name in done.told.lower()
    assert "hunter2" not in done.told


def test_an_address_that_is_none_is_told(bare: Cli) -> None:
    done = bare("migrate", neo4j_uri="http://localhost", log_level="error")
    assert done.status == 2
    assert "GRAPHMEM_NEO4J_URI" in done.told


CHECK = """
import sys
import graphmem.cli
from graphmem.cli import knowledge, keys, neo4j, service
heavy = {"torch", "sentence_transformers", "onnxruntime", "transformers", "numpy", "strawberry", "neo4j", "uvicorn"}
print(sorted(heavy & set(sys.modules)))
"""


def test_help_needs_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "graphmem", "--help"], capture_output=True, text=True, check=True)
    assert "ingest" in done.stdout
