"""What is put into the Browser's jar, and the addresses that open it."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from graphmem.graph.local import browser
from graphmem.graph.local.home import Ports
from graphmem.graph.statements import cypher_folder
from graphmem.values import EdgeType


@pytest.fixture
def jar(tmp_path: Path) -> Path:
    path = tmp_path / "neo4j-browser-0.0.jar"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("browser/index.html", "<html>")
    return path


def test_the_jar_keeps_its_files_and_gains_style_and_guide(jar: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(browser.repack(jar, tmp_path / "cache")) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["browser/index.html", "browser/graphmem.grass", "browser/graphmem.html"]
        assert archive.read("browser/graphmem.grass").decode() == browser.style()


def test_it_is_made_once_and_leaves_no_partial_file(jar: Path, tmp_path: Path) -> None:
    first = browser.repack(jar, tmp_path / "cache")
    made = first.stat().st_mtime_ns
    assert browser.repack(jar, tmp_path / "cache") == first
    assert first.stat().st_mtime_ns == made
    assert list(first.parent.iterdir()) == [first]


def test_other_files_make_another_jar(jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = browser.repack(jar, tmp_path / "cache")
    monkeypatch.setattr(browser, "style", lambda: "node {}")
    assert browser.repack(jar, tmp_path / "cache") != first


def test_every_favourite_says_what_it_shows_and_is_of_our_dialect() -> None:
    files = sorted((cypher_folder() / "browser").glob("*.cypher"))
    assert len(list(browser.favourites())) == len(files) >= 5
    for file in files:
        lines = file.read_text().splitlines()
        assert lines[0].startswith("// "), file
        assert lines[1] == "CYPHER 25", file
        assert "$" not in file.read_text(), file


def test_the_guide_has_a_runnable_slide_for_each_favourite() -> None:
    guide = browser.guide()
    assert browser.FAVOURITES not in guide
    assert len(re.findall(r'<pre mode="cypher"[^>]* runnable">', guide)) == len(list(browser.favourites()))
    assert "-[r:SUPERSEDES]-&gt;" in guide


def test_the_style_knows_the_labels_and_edges_that_people_look_at() -> None:
    rules = re.findall(r"^(node|relationship)(?:\.(\w+))? \{", browser.style(), re.MULTILINE)
    assert {name for kind, name in rules if kind == "relationship" and name} == {edge.value for edge in EdgeType}
    labels = [name for kind, name in rules if kind == "node" and name]
    # every node is an Item too, and the Browser lets later rules win
    assert labels[0] == "Item"
    assert set(labels) >= {"Knowledge", "Entity", "Document", "Chunk", "Job"}


def test_an_address_carries_server_and_statement_but_no_password() -> None:
    address = browser.url(Ports(7000, 7001), "CYPHER 25 MATCH (n) RETURN n & 1")
    assert address is not None
    assert urlsplit(address).netloc == "localhost:7001"
    assert parse_qs(urlsplit(address).query) == {
        "dbms": ["bolt://neo4j@localhost:7000"],
        "cmd": ["edit"],
        "arg": ["CYPHER 25 MATCH (n) RETURN n & 1"],
    }


def test_without_http_there_is_no_address() -> None:
    assert browser.url(Ports(7000, None), None) is None
