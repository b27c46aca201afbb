"""Free ports on loopback."""

from __future__ import annotations

import os
import socket

from graphmem.config import Settings
from graphmem.errors import ServerError
from graphmem.graph.local.conf import HOST
from graphmem.graph.local.home import Ports


def choose(settings: Settings, last: Ports | None) -> Ports:
    """The ports of the next start; a setting of 0 takes the last start's port again, or any free one.

    Raises:
        ServerError: a port that was asked for is taken, or asked for twice.
    """
    if settings.browser and settings.bolt_port == settings.http_port != 0:
        raise ServerError(
            f"port {settings.bolt_port} can't be both bolt_port and http_port; set GRAPHMEM_HTTP_PORT to another, or "
            "to 0 for any"
        )
    bolt = _one("bolt_port", settings.bolt_port, last.bolt if last else None)
    if not settings.browser:
        return Ports(bolt, None)
    return Ports(bolt, _one("http_port", settings.http_port, last.http if last else None))


def _one(name: str, wanted: int, last: int | None) -> int:
    if wanted == 0:
        return last if last and is_free(last) else _any()
    if not is_free(wanted):
        raise ServerError(
            f"port {wanted} ({name}) is in use by another program; end that, or set GRAPHMEM_{name.upper()} "
            "to a free port, or to 0 for any"
        )
    return wanted


def is_free(port: int) -> bool:
    with _socket() as trial:
        try:
            trial.bind((HOST, port))
        except OSError:
            return False
        return True


def _any() -> int:
    with _socket() as trial:
        trial.bind((HOST, 0))
        return int(trial.getsockname()[1])


def _socket() -> socket.socket:
    trial = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if os.name == "posix":  # as Java binds: connections of the last server that are still closing don't count
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    return trial
