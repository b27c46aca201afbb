"""The text of neo4j.conf and the choice of ports."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph.local import conf, ports
from graphmem.graph.local.home import Ports


def _parsed(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if not line.startswith("#"))


def test_sizes_and_times_follow_the_settings() -> None:
    settings = Settings(heap_mb=1000, page_cache_mb=77, statement_timeout=1.5, write_timeout=90.2)
    found = _parsed(conf.text(settings, 7000, None))
    assert found["server.memory.pagecache.size"] == "77m"
    assert found["db.memory.transaction.max"] == "500m"
    assert found["dbms.memory.transaction.total.max"] == "750m"
    assert found["db.transaction.timeout"] == "91s"


def test_without_the_browser_there_is_no_http() -> None:
    found = _parsed(conf.text(Settings(), 7000, None))
    assert found["server.http.enabled"] == "false"
    assert not [key for key in found if key.startswith(("browser", "server.http.listen"))]


def test_with_the_browser_style_and_guide_come_from_the_server_itself() -> None:
    found = _parsed(conf.text(Settings(), 7000, 7001))
    page = "http://localhost:7001/browser"
    assert found["browser.post_connect_cmd"] == f"style {page}/graphmem.grass; play {page}/graphmem.html"


@pytest.mark.parametrize("http", [None, 7001])
def test_every_listener_is_on_loopback(http: int | None) -> None:
    found = _parsed(conf.text(Settings(), 7000, http))
    listening = {key: value for key, value in found.items() if "listen_address" in key}
    assert listening
    assert {value.split(":")[0] for value in listening.values()} == {"127.0.0.1"}


@pytest.mark.parametrize("chosen", [Ports(7000, None), Ports(7000, 7001)])
def test_ports_are_read_back_from_a_conf(tmp_path: Path, chosen: Ports) -> None:
    file = tmp_path / "neo4j.conf"
    file.write_text(conf.text(Settings(), chosen.bolt, chosen.http))
    assert conf.read_ports(file) == chosen


def test_zero_takes_the_last_port_again_while_it_is_free() -> None:
    settings = Settings(bolt_port=0, http_port=0, browser=True)
    first = ports.choose(settings, None)
    assert first.bolt != first.http
    assert ports.choose(settings, first) == first
    with socket.socket() as other:
        other.bind(("127.0.0.1", first.bolt))
        other.listen()
        second = ports.choose(settings, first)
    assert second.bolt != first.bolt
    assert second.http == first.http


def test_one_port_is_not_taken_twice() -> None:
    with pytest.raises(ServerError, match=r"port 7700 can't be both .*GRAPHMEM_HTTP_PORT"):
        ports.choose(Settings(bolt_port=7700, http_port=7700, browser=True), None)


def test_without_the_browser_its_port_is_not_looked_at() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        assert ports.choose(Settings(bolt_port=0, http_port=taken, browser=False), None).http is None


@pytest.mark.parametrize("name", ["bolt_port", "http_port"])
def test_a_taken_port_is_named_with_its_setting(name: str) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        settings = Settings.model_validate({"bolt_port": 0, "http_port": 0, name: taken})
        with pytest.raises(ServerError, match=f"port {taken} .*GRAPHMEM_{name.upper()}"):
            ports.choose(settings, None)
