from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
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
    assert {name: (row["scopes"], row["revoked"]) for name, row in listed.items()} == {
        "reader": ("read", None),
        "admin": ("admin write", None),
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


def write(folder: Path) -> Path:
    (folder / "a.md").write_text("# Otters\n\nOtters swim in rivers. See [ponds](b.md) and [[Nowhere]].\n")
    (folder / "b.md").write_text("# Ponds\n\nStill water.\n")
    return folder


def test_a_folder_is_taken_in_and_found_with_reasons(cli: Cli, tmp_path: Path) -> None:
    dry = cli("ingest", write(tmp_path), "--dry-run", "--json")
    (done,) = cli("ingest", tmp_path, "--json").json
    assert dry.json == [done]
    warning = "a.md: link to '[[Nowhere]]' leads nowhere"
    assert done == {
        "path": str(tmp_path), "files": 2, "same": 0, "created": 2, "updated": 0, "unchanged": 0, "archived": 0,
        "failed": [], "warnings": [warning], "gone": [],
    }  # fmt: skip
    again = cli("ingest", tmp_path)
    assert again.status == 0
    assert warning in again.err
    found = cli("search", "otters", "--json")
    assert [(row["id"], row["depth"], row["path"]) for row in found.json] == [
        ("a.md", 0, ""),
        ("b.md", 1, "a.md -RELATED_TO-> b.md"),
    ]
    assert found.told == "searched by text only: the embedder is off"
    shown = cli("search", "otters", "--depth", 0, "--limit", 1).out
    assert "Otters" in shown
    assert "Ponds" not in shown


def test_folders_whose_files_would_be_one_document_are_refused(cli: Cli, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "README.md").write_text(f"# {name}\n\ntext\n")
    done = cli("ingest", tmp_path / "one", tmp_path / "two")
    assert (done.status, done.out) == (2, "")
    assert "would both be the document 'README.md'" in done.told
    assert [row["created"] for row in cli("ingest", tmp_path / "one", tmp_path / "one", "--json").json] == [1, 0]
    assert cli("ingest", tmp_path, "--json").json[0]["files"] == 2


def test_a_file_that_cannot_be_taken_in_is_told_and_the_command_fails(cli: Cli, tmp_path: Path) -> None:
    (write(tmp_path) / "bad.md").write_bytes(b"# Caf\xe9\n")
    done = cli("ingest", tmp_path, "--json")
    assert done.status == 1
    assert done.json[0]["failed"] == [
        {"path": "bad.md", "reason": "byte 5 (0xe9) is not UTF-8; save the file as UTF-8"}
    ]
    assert done.json[0]["created"] == 2
    assert "bad.md: byte 5 (0xe9) is not UTF-8" in done.err


def test_notes_of_a_file_that_is_gone_are_told_and_archived_when_asked(cli: Cli, tmp_path: Path) -> None:
    cli("ingest", write(tmp_path))
    (tmp_path / "b.md").rename(tmp_path / "c.md")
    told = cli("ingest", tmp_path)
    assert told.status == 0
    assert "b.md: its text is in c.md now; its notes stay; --prune archives them" in told.err
    (done,) = cli("ingest", tmp_path, "--prune", "--json").json
    assert (done["archived"], done["gone"]) == (1, [{"path": "b.md", "renamed": "c.md"}])
    assert cli("ingest", tmp_path, "--prune", "--json").json[0]["gone"] == []
    refused = cli("ingest", tmp_path / "a.md", "--prune")
    assert (refused.status, "prune needs the folder" in refused.told) == (2, True)


def test_a_tables_bad_lines_are_named_and_passed_over_when_asked(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text("id,title,content\nt1,Newts,They swim.\nt2,,x\n")
    refused = cli("ingest", tmp_path, "--json")
    assert (refused.status, refused.json[0]["created"]) == (1, 0)
    reason = refused.json[0]["failed"][0]["reason"]
    assert reason == "line 3: title: Field required; nothing was written"
    skipped = cli("ingest", tmp_path, "--skip")
    assert skipped.status == 1
    assert "nodes.csv, line 3: title: Field required" in skipped.err


def test_what_is_stored_does_not_steer_the_terminal(cli: Cli, tmp_path: Path) -> None:
    title = "[bold]Otters[/x] :smile: \x1b[31mred \x07 " + "long" * 40
    (tmp_path / "a.md").write_text(f"# Otters\n\n## {title}\n\ntext\n")
    cli("ingest", tmp_path)
    shown = cli("search", "otters").out
    assert rf"[bold]Otters[/x] :smile: \x1b[31mred \x07 {'long' * 40}" in shown
    assert "\x1b" not in shown


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
    assert cli("audit", "--tenant", f"{tenant} other").out.endswith(" audits, 0 findings\n")
    shown = cli("audit", "dangling_links")
    assert shown.status == 1
    assert "c -DEPENDS_ON-> nowhere waits for nowhere" in shown.out
    assert cli("audit").status == 1


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
