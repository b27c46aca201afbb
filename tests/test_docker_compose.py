"""The compose file offers what the managed server does: version, settings, readiness, and a closed door."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from graphmem.config import Settings
from graphmem.graph.local import artifacts, conf

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def neo4j() -> dict[str, Any]:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    assert list(services) == ["neo4j"]
    return dict(services["neo4j"])


def _variable(key: str) -> str:
    """The image's name for a setting: an underscore is doubled, a dot becomes one."""
    return "NEO4J_" + key.replace("_", "__").replace(".", "_")


def test_image_is_the_managed_servers_version(neo4j: dict[str, Any]) -> None:
    assert neo4j["image"] == f"neo4j:{artifacts.NEO4J_VERSION}-community"


def test_settings_are_the_managed_servers(neo4j: dict[str, Any]) -> None:
    settings = Settings(short_lived=False, heap_mb=512, page_cache_mb=128, statement_timeout=15, write_timeout=60)
    expected = conf.entries(settings, bolt_port=7687, http_port=7474)
    inside_a_container = {
        key for key in expected if key.endswith("listen_address") or key == "server.directories.import"
    } | {"server.http.enabled"}
    managed = {_variable(key): value for key, value in expected.items() if key not in inside_a_container}
    styled = {name for name in managed if name.startswith("NEO4J_browser")}
    given = dict(neo4j["environment"])
    assert given.pop("NEO4J_server_memory_heap_initial__size") == "256m"
    assert given.pop("NEO4J_server_memory_heap_max__size") == f"{settings.heap_mb}m"
    given.pop("NEO4J_AUTH")
    assert given == {name: value for name, value in managed.items() if name not in styled}


def test_password_must_come_from_the_environment(neo4j: dict[str, Any]) -> None:
    assert neo4j["environment"]["NEO4J_AUTH"].startswith("neo4j/${GRAPHMEM_NEO4J_PASSWORD:?")


def test_ports_are_published_on_loopback_only(neo4j: dict[str, Any]) -> None:
    assert neo4j["ports"] == ["127.0.0.1:7687:7687", "127.0.0.1:7474:7474"]


def test_data_outlives_the_container(neo4j: dict[str, Any]) -> None:
    volumes = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["volumes"]
    assert "data:/data" in neo4j["volumes"]
    assert "data" in volumes


def test_health_check_asks_what_the_managed_server_is_asked_when_it_starts(neo4j: dict[str, Any]) -> None:
    shell, command = neo4j["healthcheck"]["test"]
    assert shell == "CMD-SHELL"
    assert "NEO4J_AUTH" in command
    assert "cypher-shell -u neo4j -d neo4j -f /ping.cypher" in command
    mounts = dict(each.split(":", 1) for each in neo4j["volumes"] if each.startswith("./"))
    assert {(ROOT / source).resolve(): where for source, where in mounts.items()} == {
        ROOT / "cypher" / "graph" / "ping.cypher": "/ping.cypher:ro"
    }
    assert (ROOT / "cypher" / "graph" / "ping.cypher").is_file()
