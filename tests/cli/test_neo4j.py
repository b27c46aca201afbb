from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.config import Settings
from graphmem.graph import local
from tests.cli.conftest import Cli


@pytest.mark.timeout(400)
def test_the_first_day_with_the_managed_server(bare: Cli, tmp_path: Path) -> None:
    home = tmp_path / "home"
    where = {
        "home": home, "bolt_port": 0, "http_port": 0, "fast_start": "use", "embedding_model": "none",
        "log_level": "error", "statement_timeout": 60,
    }  # fmt: skip
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Otters\n\nOtters swim. See [ponds](b.md).\n")
    (tmp_path / "docs" / "b.md").write_text("# Ponds\n\nStill water.\n")
    try:
        assert (bare("neo4j", "status", **where).status, bare("neo4j", "status", "--json").json) == (
            1,
            {"running": False},
        )
        assert bare("neo4j", "stop").out == "it was not running\n"
        started = bare("neo4j", "start", "--json").json
        assert started["running"]
        assert bare("neo4j", "start", "--json").json == started
        assert bare("neo4j", "status", "--json").json == started
        shown = bare("neo4j", "status")
        assert (shown.status, f"uri: {started['uri']}" in shown.out) == (0, True)
        browser = bare("neo4j", "browser", "--json").json
        assert browser["address"].startswith("http://localhost:")
        password = (home / "password").read_text().strip()
        assert password not in shown.out + str(browser)

        assert len(bare("migrate", "--json").json["applied"]) > 20
        assert bare("ingest", tmp_path / "docs", "--json").json[0]["created"] == 2
        assert [row["id"] for row in bare("search", "otters", "--json").json] == ["a.md", "b.md"]
        audited = bare("audit", "--json")
        assert audited.status == 0
        assert set(audited.json.values() and map(tuple, audited.json.values())) == {()}
        assert bare("audit").out == f"{len(audited.json)} audits, 0 findings\n"

        assert bare("neo4j", "stop", "--json").json == {"stopped": True}
        assert bare("neo4j", "status").out == "not running\n"
        assert bare("neo4j", "browser").status == 5
    finally:
        local.stop(Settings(home=home))


def test_a_home_that_cannot_be_used_is_told_in_one_line(bare: Cli, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = bare("neo4j", "start", home=tmp_path / "file" / "home", log_level="error")
    assert (done.status, done.out) == (5, "")
    assert done.told.startswith("graphmem: ")
