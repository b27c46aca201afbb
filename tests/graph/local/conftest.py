"""A loopback mirror of a Maven repository that can misbehave."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from graphmem.graph.local.artifacts import Artifact

Fault = Callable[[int, bytes], bytes | None]
"""From the number of the request (1, 2 …) and the true content to what is sent; None: cut half-way."""


class Mirror(ThreadingHTTPServer):
    """Serves `files` by path; `faults` changes what is sent; `asked` counts requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.faults: dict[str, Fault] = {}
        self.asked: Counter[str] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/maven2"

    def add(self, coordinate: str, content: bytes) -> Artifact:
        """Publishes an artifact; its line of a lock."""
        artifact = Artifact(coordinate, hashlib.sha256(content).hexdigest(), len(content))
        self.files[self.path(artifact)] = content
        return artifact

    def path(self, artifact: Artifact) -> str:
        return "/maven2/" + artifact.path(Path()).as_posix()


class _Handler(BaseHTTPRequestHandler):
    server: Mirror

    def do_GET(self) -> None:
        self.server.asked[self.path] += 1
        content = self.server.files.get(self.path)
        if content is None:
            self.send_error(404)
            return
        fault = self.server.faults.get(self.path, lambda _, true: true)
        sent = fault(self.server.asked[self.path], content)
        self.send_response(200)
        self.send_header("Content-Length", str(len(content if sent is None else sent)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if sent is None else sent)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    with Mirror() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        monkeypatch.setenv("MAVEN_REPO_URL", server.url)
        yield server
        server.shutdown()
        thread.join()
