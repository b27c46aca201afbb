"""A server beside the one of the whole run, that may be killed and emptied. It offers encryption and little memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import trustme
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from pydantic import SecretStr

from graphmem.config import Settings
from graphmem.graph import local
from graphmem.graph.local import aot, conf, password, ports
from graphmem.graph.local.artifacts import NEO4J_VERSION
from graphmem.graph.local.home import Home, Record
from graphmem.graph.local.launcher import Launcher
from graphmem.graph.local.model import silent

OWN = {
    "server.bolt.tls_level": "OPTIONAL",
    "dbms.ssl.policy.bolt.enabled": "true",
    "dbms.ssl.policy.bolt.base_directory": "certificates",
    "dbms.ssl.policy.bolt.private_key": "private.key",
    "dbms.ssl.policy.bolt.public_certificate": "public.crt",
    "dbms.ssl.policy.bolt.client_auth": "NONE",
    "db.memory.transaction.max": "16m",
}
"""What this server's conf says beside, or in place of, what the managed server's says."""


@dataclass
class SecondServer:
    """`ca_file` is the authority that signed its certificate, `stranger_file` one that did not."""

    settings: Settings
    ca_file: Path
    stranger_file: Path
    server: local.Server | None = None

    def start(self) -> None:
        """Also after `kill`, on the same port."""
        home = Home.of(self.settings)
        home.prepare()
        launcher = Launcher.prepare(self.settings, home, silent)
        noted = home.read_record()
        chosen = ports.choose(self.settings, noted.ports if noted else None)
        password.ensure(home, launcher, self.settings.start_timeout)
        entries = conf.entries(self.settings, chosen.bolt, chosen.http) | OWN
        home.conf.write_text("".join(f"{key}={value}\n" for key, value in entries.items()), encoding="utf-8")
        running = launcher.launch(aot.flags(self.settings, launcher))
        home.write_record(Record(running.pid, chosen, NEO4J_VERSION))
        self.server = local.start(self.settings)

    def kill(self) -> None:
        """As by `kill -9`; it is gone afterwards."""
        assert self.server is not None
        process = psutil.Process(self.server.pid)
        process.kill()
        process.wait(30)

    def addressed(self, scheme: str = "bolt", host: str = "localhost", **changes: object) -> Settings:
        """Settings that name this server by its address; its certificate is for `localhost` alone."""
        assert self.server is not None
        named = {
            "neo4j_uri": f"{scheme}://{host}:{urlsplit(self.server.uri).port}",
            "neo4j_password": SecretStr(self.server.password),
        }
        return self.settings.model_copy(update=named | changes)


@contextmanager
def second_server(folder: Path) -> Iterator[SecondServer]:
    """A running server with an empty graph below `folder`, killed at the end."""
    settings = Settings(home=folder / "home", bolt_port=0, http_port=0, browser=False)
    authority = trustme.CA()
    _write_certificate(authority.issue_cert("localhost"), folder / "home" / "certificates")
    second = SecondServer(settings, folder / "authority.pem", folder / "stranger.pem")
    authority.cert_pem.write_to_path(str(second.ca_file))
    trustme.CA().cert_pem.write_to_path(str(second.stranger_file))
    second.start()
    try:
        yield second
    finally:
        second.kill()


def _write_certificate(certificate: trustme.LeafCert, folder: Path) -> None:
    folder.mkdir(parents=True)
    key = load_pem_private_key(certificate.private_key_pem.bytes(), None)
    # Neo4j reads PKCS#8 only
    folder.joinpath("private.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    folder.joinpath("public.crt").write_bytes(b"".join(pem.bytes() for pem in certificate.cert_chain_pems))
