"""Files made to break a reader: they are refused or read within bounds, and what is around them is stored."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from graphmem.graph.gateway import Graph
from graphmem.ingest import folder
from graphmem.ingest.folder import FoundFile, read_text, walk
from graphmem.ingest.markdown import parse_markdown
from graphmem.values import Tenant
from tests.ingest.support import discard_jobs, stored
from tests.ingest.test_files import counts, take_in, warnings

BOMB = "---\na: &a [x, x, x]\n" + "".join(f"{n}: &{n} [*{p}, *{p}]\n" for p, n in zip("abcdef", "bcdefg", strict=True))
LINKS = {
    "outside": "../../secret.md",
    "absolute": "/etc/passwd.md",
    "encoded": "%2e%2e/secret.md",
    "twice": "%252e%252e/secret.md",
    "backslash": "..\\..\\secret.md",
    "drive": "C:\\secret.md",
    "share": "//host/secret.md",
    "nul": "a%00.md",
    "scheme": "file:///etc/passwd.md",
    "case": "GUIDE.md",
}


async def test_no_link_leaves_the_folder(graph: Graph, tenant: Tenant, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("# Secret\n\nwords\n")
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (root / "guide.md").write_text("# Guide\n\nwords\n")
    lines = "".join(f"[{name}](<{target}>)\n\n" for name, target in LINKS.items())
    (root / "a" / "b.md").write_text(f"# B\n\n{lines}[real](../guide.md)\n")
    done = await take_in(graph, tenant, root)
    assert counts(done) == {"created": 2}
    found = await stored(graph, tenant)
    assert (set(found.links), found.pending) == ({("a/b.md", "guide.md")}, set())


async def test_hostile_files_are_read_within_bounds_beside_good_ones(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    files = {
        "bomb.md": BOMB + "---\n# Bomb\n\nboom\n",
        "deep list.md": "".join("  " * at + f"- {at}\n" for at in range(500)),
        "deep quote.md": ">" * 5_000 + " deep\n",
        "deep brackets.md": "[" * 20_000 + "x" + "](a.md)" * 20_000,
        "deep front.md": "---\na: " + "[" * 3_000 + "]" * 3_000 + "\n---\ntext\n",
        "empty.md": "",
        "front only.md": "---\ntitle: Only\n---\n",
        "one line.md": "word " * 100_000,
        "one word.md": "x" * 300_000,
        "🦦 otter's note.md": "# Otter\n\nswims\n",
        "CON.md": "# Con\n\ntext\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = await take_in(graph, tenant, tmp_path)
    assert done.failed == []
    told = warnings(done)
    assert any(line.startswith("bomb.md: line 3: front matter with an alias") for line in told)
    assert "empty.md: no text" in told
    notes = (await stored(graph, tenant)).notes
    assert {"bomb.md", "🦦 otter's note.md", "CON.md"} <= set(notes)
    assert max(len(note["content"]) for note in notes.values()) <= 10_000
    await discard_jobs(graph, tenant)


async def test_a_document_of_a_hundred_thousand_headings_is_refused_by_name(
    graph: Graph, tenant: Tenant, tmp_path: Path
) -> None:
    (tmp_path / "many.md").write_text("# h\n" * 100_000)
    (tmp_path / "good.md").write_text("# Good\n\ntext\n")
    done = await take_in(graph, tenant, tmp_path)
    assert counts(done)["created"] >= 1
    told = [reason for _, reason in done.failed] + warnings(done)
    assert any("100000 entries" in line or "read as plain text" in line for line in told)


def test_headings_that_are_alike_get_anchors_in_linear_time() -> None:
    parsed = parse_markdown("# a\n\nx\n\n" * 20_000, "a.md")
    assert len({note.key for note in parsed.notes}) == len(parsed.notes) >= 19_999


def test_a_pipe_or_link_in_place_of_a_file_that_was_found_is_not_opened(tmp_path: Path) -> None:
    for name in ("pipe.md", "link.md"):
        (tmp_path / name).write_text("text")
    files = {file.path: file for file in walk(tmp_path).files}
    for file in files.values():
        file.absolute.unlink()
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "link.md").symlink_to("/etc/passwd")
    assert read_text(files["pipe.md"]) == ("", ["changed while it was read; ingest it again"])
    assert read_text(files["link.md"])[1] == ["Too many levels of symbolic links"]


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_text("text")
    real, calls = os.fstat, []

    def growing(descriptor: int) -> os.stat_result:
        calls.append(descriptor)
        if len(calls) == 2:
            path.write_text("text and more")
        return real(descriptor)

    monkeypatch.setattr(folder.os, "fstat", growing)
    assert read_text(FoundFile("a.md", path, 4)) == ("", ["changed while it was read; ingest it again"])


def test_what_the_system_does_not_let_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").mkdir()
    assert read_text(FoundFile("a.md", tmp_path / "a.md", 4)) == ("", ["Is a directory"])
