"""One real server, started the hard way: its first starter is killed, then two processes start it at once."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import httpx
import neo4j
import psutil
import pytest

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph import local
from graphmem.graph.local import browser, conf, process
from graphmem.graph.local.home import Home

STARTER = """
import json, sys
from dataclasses import asdict
from graphmem.config import Settings
from graphmem.graph import local
print(json.dumps(asdict(local.start(Settings(**json.loads(sys.argv[1])))), default=str))
"""


class Managed:
    """The server of this module, and what its starters said."""

    def __init__(self, folder: Path) -> None:
        options: dict[str, Any] = {"home": str(folder / "a home é"), "bolt_port": 0, "http_port": 0}
        self.settings = Settings(**options)
        self.home = Home.of(self.settings)
        self.launched = self._kill_a_starter(json.dumps(options))
        starters = [self._starter(json.dumps(options)) for _ in range(2)]
        self.answers = [json.loads(starter.communicate(timeout=170)[0]) for starter in starters]
        found = local.status(self.settings)
        assert found is not None
        self.server = found

    def _starter(self, options: str) -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, "-c", STARTER, options], stdout=subprocess.PIPE, text=True)

    def _kill_a_starter(self, options: str) -> int:
        """The pid of the Neo4j that a starter had launched when it was killed."""
        with self._starter(options) as starter:
            while not (record := self.home.read_record()):
                assert starter.poll() is None
                time.sleep(0.02)
            starter.kill()
            # ends at once, because Neo4j doesn't hold its starter's pipe
            starter.communicate(timeout=5)
        return record.pid

    def query(self, statement: str) -> list[dict[str, Any]]:
        with neo4j.GraphDatabase.driver(self.server.uri, auth=(self.server.user, self.server.password)) as driver:
            return [record.data() for record in driver.execute_query(statement, database_="neo4j").records]


@pytest.fixture(scope="module")
def managed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Managed]:
    folder = tmp_path_factory.mktemp("managed")
    try:
        yield Managed(folder)
    finally:
        local.stop(Settings(home=folder / "a home é"))


def test_a_killed_starter_and_two_at_once_leave_exactly_one_server(managed: Managed) -> None:
    assert managed.answers[0] == managed.answers[1] == json.loads(json.dumps(asdict(managed.server), default=str))
    assert managed.server.pid == managed.launched
    mark = f"@{managed.home.arguments}"
    # Others' processes may end meanwhile.
    running = [each.pid for each in psutil.process_iter(["cmdline"]) if mark in (each.info["cmdline"] or ())]
    assert running == [managed.launched]


def test_starting_again_returns_the_running_one(managed: Managed) -> None:
    assert local.start(managed.settings) == managed.server == local.status(managed.settings)


def test_a_server_on_other_settings_is_still_the_homes_server(managed: Managed) -> None:
    other = managed.settings.model_copy(update={"browser": False, "heap_mb": 300, "bolt_port": 1})
    assert local.start(other) == managed.server


def test_it_listens_on_loopback_only(managed: Managed) -> None:
    found = psutil.Process(managed.server.pid).net_connections(kind="inet")
    addresses = {each.laddr.ip.removeprefix("::ffff:") for each in found if each.status == psutil.CONN_LISTEN}
    assert addresses == {"127.0.0.1"}


def test_only_its_user_reads_home_and_password(managed: Managed) -> None:
    assert stat.S_IMODE(managed.home.path.stat().st_mode) == 0o700
    assert stat.S_IMODE((managed.home.path / "password").stat().st_mode) == 0o600
    assert len(managed.server.password) >= 32
    assert managed.server.password not in repr(managed.server)


def test_the_password_stands_in_its_file_alone(managed: Managed) -> None:
    process_of_it = psutil.Process(managed.server.pid)
    assert managed.server.password not in " ".join(process_of_it.cmdline())
    assert managed.server.password not in "".join(process_of_it.environ().values())
    texts = [path for folder in ("run", "conf", "logs") for path in (managed.home.path / folder).iterdir()]
    assert [path.name for path in texts if managed.server.password in path.read_text(errors="replace")] == []


def test_every_setting_is_taken_as_written(managed: Managed) -> None:
    shown = {row["name"]: row["value"] for row in managed.query("SHOW SETTINGS YIELD name, value")}
    ports = conf.read_ports(managed.home.conf)
    # Neo4j shows none of its internal settings, but would not have started with an unknown one
    entries = conf.entries(managed.settings, ports.bolt, ports.http)
    wanted = {key: value for key, value in entries.items() if not key.startswith("internal.")}
    assert wanted.keys() <= shown.keys()
    # sizes, folders and times of more than a minute are shown otherwise than written
    differ = ("memory", "tx_log", "directories", "transaction.timeout")
    same = {key for key in wanted if not any(part in key for part in differ)}
    assert {key: shown[key].upper() for key in same} == {key: wanted[key].upper() for key in same}
    assert (wanted["db.transaction.timeout"], shown["db.transaction.timeout"]) == ("60s", "1m")
    assert shown["db.memory.transaction.max"] == f"{managed.settings.heap_mb // 2}.00MiB"
    assert shown["dbms.memory.transaction.total.max"] == f"{managed.settings.heap_mb * 3 // 4}.00MiB"


def test_a_statement_cannot_make_the_server_fetch_an_address(managed: Managed) -> None:
    address = managed.settings.http_port or conf.read_ports(managed.home.conf).http
    with pytest.raises(neo4j.exceptions.Neo4jError, match=r"(?i)blocked"):
        managed.query(f"LOAD CSV FROM 'http://127.0.0.1:{address}/' AS line RETURN line")


def test_the_browser_is_served_with_our_style_and_guide(managed: Managed) -> None:
    assert managed.server.browser_url is not None
    page = httpx.URL(managed.server.browser_url).copy_with(host="127.0.0.1", query=None)
    assert httpx.get(page).status_code == 200
    assert httpx.get(page.join("graphmem.grass")).text == browser.style()
    assert httpx.get(page.join("graphmem.html")).text == browser.guide()


def test_browser_address_carries_a_statement(managed: Managed) -> None:
    address = local.browser_url(managed.settings, "RETURN 1")
    assert managed.server.browser_url is not None
    assert address == managed.server.browser_url + "&cmd=edit&arg=RETURN%201"


@pytest.mark.parametrize(("title", "statement"), list(browser.favourites()))
def test_each_favourite_runs(managed: Managed, title: str, statement: str) -> None:
    assert managed.query(statement) == []


def test_a_lost_note_is_made_up_for(managed: Managed) -> None:
    note = managed.home.run / "server.json"
    kept = note.read_bytes()
    try:
        note.unlink()
        assert local.status(managed.settings) == managed.server == local.start(managed.settings)
        note.write_text("{")
        assert local.status(managed.settings) == managed.server
    finally:
        note.write_bytes(kept)


def test_a_note_with_another_process_pid_is_not_believed(managed: Managed) -> None:
    note = managed.home.read_record()
    assert note is not None
    try:
        managed.home.write_record(replace(note, pid=psutil.Process().pid))
        assert local.status(managed.settings) == managed.server
    finally:
        managed.home.write_record(note)


def test_data_that_another_server_has_open_is_not_touched(managed: Managed, tmp_path: Path) -> None:
    """As when the folder was moved, or its server belongs to another machine's container."""
    settings = managed.settings.model_copy(update={"home": tmp_path})
    (tmp_path / "data").symlink_to(managed.home.path / "data")
    (tmp_path / "password").write_text(managed.server.password)
    with pytest.raises(ServerError, match=r"has the data in .* open"):
        local.start(settings)
    assert process.find(Home.of(settings), None) is None


def test_a_port_in_use_is_named_and_nothing_is_started(managed: Managed, tmp_path: Path) -> None:
    port = conf.read_ports(managed.home.conf).bolt
    settings = managed.settings.model_copy(update={"home": tmp_path, "bolt_port": port})
    with pytest.raises(ServerError, match=f"port {port} .*GRAPHMEM_BOLT_PORT"):
        local.start(settings)
    assert not (tmp_path / "data").exists()


def test_a_running_server_that_hangs_is_told_and_left_alone(managed: Managed) -> None:
    running = psutil.Process(managed.server.pid)
    running.suspend()
    try:
        with pytest.raises(ServerError, match=r"(?s)did not answer within 0\.1 s .*GRAPHMEM_START_TIMEOUT"):
            local.start(managed.settings.model_copy(update={"start_timeout": 0.1}))
    finally:
        running.resume()
    assert local.start(managed.settings) == managed.server


def test_a_password_that_the_data_does_not_have_is_told_once(managed: Managed) -> None:
    file = managed.home.path / "password"
    try:
        file.write_text("not the password")
        with pytest.raises(ServerError, match=r"the password in .*password is not the one of the data"):
            local.start(managed.settings)
    finally:
        file.write_text(managed.server.password)
    # three wrong tries would have locked the user for five seconds
    assert managed.query("RETURN 1 AS one") == [{"one": 1}]


def test_data_and_ports_outlive_a_clean_stop(managed: Managed) -> None:
    managed.query("CREATE (:Kept {at: 1})")
    assert local.stop(managed.settings) is True
    assert not psutil.pid_exists(managed.server.pid)
    assert "Stopping..." in managed.home.console_text()
    assert local.status(managed.settings) is None
    assert local.stop(managed.settings) is False
    with pytest.raises(ServerError, match="no server is running"):
        local.browser_url(managed.settings)
    again = local.start(managed.settings)
    assert again == replace(managed.server, pid=again.pid)
    assert managed.query("MATCH (n:Kept) RETURN n.at AS at") == [{"at": 1}]
