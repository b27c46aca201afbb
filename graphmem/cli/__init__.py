"""The command line; each command is a few lines over a verb."""

from graphmem.cli.command import main

__all__ = ["main"]
