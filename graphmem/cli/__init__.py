"""The command line; each command is a few lines over a verb."""

from __future__ import annotations

import os
import sys
import threading

from graphmem.cli.command import run

__all__ = ["main"]


def main() -> None:
    """The program. Ends at once where a model is still being loaded: the interpreter's own end, while a thread is
    inside a library's native code, would be a crash."""
    status = run()
    if any(thread.daemon for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)
