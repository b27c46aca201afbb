"""`graphmem ingest`, and what a search finds of it."""

from __future__ import annotations

from pathlib import Path

from graphmem.cli.ingest import MAX_WARNINGS
from tests.cli.conftest import Cli


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
    assert (again.status, again.out) == (
        0,
        f"{tmp_path}: 2 files taken in, 2 of them as before, 0 failed; notes: 0 created, 0 updated, 0 archived\n",
    )
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


def test_a_file_that_was_named_and_cannot_be_taken_in_fails_and_one_in_a_folder_is_passed_over(
    cli: Cli, tmp_path: Path
) -> None:
    (write(tmp_path) / "binary.md").write_bytes(b"a\0b")
    with (tmp_path / "large.md").open("wb") as opened:
        opened.truncate(5_000_001)
    inside = cli("ingest", tmp_path)
    assert inside.status == 0
    assert "binary.md: a NUL in the first 8192 bytes: not a text file; left out" in inside.err
    assert "large.md: 5000001 bytes, more than 5000000; left out" in inside.err
    for name, reason in (("binary.md", "not a text file"), ("large.md", "more than 5000000")):
        named = cli("ingest", tmp_path / "a.md", tmp_path / name, "--json")
        assert named.status == 1
        assert [len(row["failed"]) for row in named.json] == [0, 1]
        assert f"{name}: " in named.err
        assert reason in named.json[1]["failed"][0]["reason"]
    (tmp_path / "empty").mkdir()
    nothing = cli("ingest", tmp_path / "empty")
    assert nothing.status == 0
    assert f"{tmp_path / 'empty'}: there is no Markdown, text or table in it" in nothing.err


def test_notes_of_a_file_that_is_gone_are_told_and_archived_when_asked(cli: Cli, tmp_path: Path) -> None:
    cli("ingest", write(tmp_path))
    (tmp_path / "b.md").rename(tmp_path / "c.md")
    told = cli("ingest", tmp_path)
    assert told.status == 0
    assert "b.md: its text is in c.md now; its notes stay; --prune archives them" in told.err
    would = cli("ingest", tmp_path, "--prune", "--dry-run").out
    counts = "2 files taken in, 2 of them as before, 0 failed; notes: 0 created, 0 updated, 1 archived"
    assert would == f"{tmp_path} (dry run): {counts}\n"
    (done,) = cli("ingest", tmp_path, "--prune", "--json").json
    assert done["files"] == 2
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


def test_many_warnings_are_counted_and_all_are_in_the_json(cli: Cli, tmp_path: Path) -> None:
    for at in range(MAX_WARNINGS + 3):
        (tmp_path / f"{at}.md").write_text(f"# Note {at}\n\nSee [that](nowhere.md).\n")
    told = cli("ingest", tmp_path)
    assert (told.status, told.err.count("nowhere.md")) == (0, MAX_WARNINGS)
    assert "3 more warnings; --json prints all" in told.err
    (done,) = cli("ingest", tmp_path, "--anew", "--json").json
    assert len(done["warnings"]) == MAX_WARNINGS + 3


def test_what_is_stored_does_not_steer_the_terminal(cli: Cli, tmp_path: Path) -> None:
    title = "[bold]Otters[/x] :smile: \x1b[31mred \x07 " + "long" * 40
    (tmp_path / "a.md").write_text(f"# Otters\n\n## {title}\n\ntext\n")
    cli("ingest", tmp_path)
    shown = cli("search", "otters").out
    assert rf"[bold]Otters[/x] :smile: \x1b[31mred \x07 {'long' * 40}" in shown
    assert "\x1b" not in shown
