"""The text of neo4j.conf. Only keys that the pinned version knows: an unknown one stops the server."""

from __future__ import annotations

import math
from pathlib import Path

from graphmem.config import Settings
from graphmem.graph.local.home import Ports

HOST = "127.0.0.1"
STYLE_FILE = "graphmem.grass"
GUIDE_FILE = "graphmem.html"

SAFE = {
    "server.config.strict_validation.enabled": "true",
    "server.http.x_forward.enabled": "false",
    "dbms.security.auth_enabled": "true",
    "dbms.security.allow_csv_import_from_file_urls": "false",
    # LOAD CSV would otherwise fetch any address that the server can reach
    "internal.dbms.cypher_ip_blocklist": "0.0.0.0/0,::/0",
    "dbms.routing.enabled": "false",
    "dbms.usage_report.enabled": "false",
    "client.allow_telemetry": "false",
    "server.bolt.telemetry.enabled": "false",
    "server.fleet_discovery.enabled": "false",
    "dbms.fleet_manager.enabled": "false",
}
"""What must hold wherever the server runs; `docker-compose.yml` says the same."""

SHARED = {
    "db.query.default_language": "CYPHER_25",
    "db.lock.acquisition.timeout": "10s",
    "db.shutdown_transaction_end_timeout": "3s",
    # a clean stop takes 3 s; with the default it waits 10 s longer for idle threads
    "internal.server.bolt.thread_pool_shutdown_wait_time": "1s",
    "db.tx_log.preallocate": "false",
    "db.tx_log.rotation.size": "16m",
    "db.tx_log.rotation.retention_policy": "2 files",
}


SHORT_LIVED = {"dbms.cypher.min_replan_interval": "1h"}
"""A graph of some minutes stays small: another plan is no better, and a search's costs seconds when it is made."""


def memory(heap_mb: int, page_cache_mb: int) -> dict[str, str]:
    """Limits under which one statement cannot take the heap from all others.

    A bulk load of 1,000 nodes with their vectors, and a batch of a hub's deletion, fit in half of 512 MiB.
    """
    return {
        "server.memory.pagecache.size": f"{page_cache_mb}m",
        "db.memory.transaction.max": f"{heap_mb // 2}m",
        "dbms.memory.transaction.total.max": f"{heap_mb * 3 // 4}m",
    }


def entries(settings: Settings, bolt_port: int, http_port: int | None) -> dict[str, str]:
    """Keys and values for one server; `http_port` None: no HTTP at all."""
    longest = math.ceil(max(settings.statement_timeout, settings.write_timeout))
    found = {
        "server.default_listen_address": HOST,
        "server.bolt.listen_address": f"{HOST}:{bolt_port}",
        "server.bolt.advertised_address": f"localhost:{bolt_port}",
        # unset, it would be the home folder
        "server.directories.import": "import",
        # for callers that state no timeout; it doesn't bound those who do
        "db.transaction.timeout": f"{longest}s",
        **SAFE,
        **SHARED,
        **memory(settings.heap_mb, settings.page_cache_mb),
        **(SHORT_LIVED if settings.short_lived else {}),
    }
    if http_port is None:
        return found | {"server.http.enabled": "false"}
    page = f"http://localhost:{http_port}/browser"
    return found | {
        "server.http.enabled": "true",
        "server.http.listen_address": f"{HOST}:{http_port}",
        "server.http.advertised_address": f"localhost:{http_port}",
        "browser.post_connect_cmd": f"style {page}/{STYLE_FILE}; play {page}/{GUIDE_FILE}",
        "browser.remote_content_hostname_whitelist": "localhost",
    }


def text(settings: Settings, bolt_port: int, http_port: int | None) -> str:
    """The file, written anew at every start."""
    lines = (f"{key}={value}\n" for key, value in entries(settings, bolt_port, http_port).items())
    return "# Written by graphmem at every start: change its settings, not this file.\n" + "".join(lines)


def read_ports(path: Path) -> Ports:
    """The ports in a conf that was written here."""
    found = dict(line.split("=", 1) for line in path.read_text(encoding="utf-8").splitlines() if "=" in line)
    bolt, http = (found.get(f"server.{name}.listen_address") for name in ("bolt", "http"))
    return Ports(int(bolt.rsplit(":", 1)[1]) if bolt else 0, int(http.rsplit(":", 1)[1]) if http else None)
