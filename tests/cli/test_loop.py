"""How commands end."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

COMMAND = """
import asyncio
from graphmem.cli import loop

async def main():
    try:
        print("working", flush=True)
        await asyncio.sleep(60)
    finally:
        await asyncio.sleep(0)
        print("put away", flush=True)

loop.run(main())
"""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, -signal.SIGINT)])
def test_a_signal_ends_a_command_by_what_it_has_to_put_away(number: int, code: int) -> None:
    command = subprocess.Popen(
        [sys.executable, "-c", COMMAND], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert command.stdout is not None
    assert command.stdout.readline() == "working\n"
    command.send_signal(number)
    out, _ = command.communicate(timeout=30)
    assert (out, command.returncode) == ("put away\n", code)


SETTLED = """
import asyncio, gc
from graphmem.cli import loop

async def main():
    loop.settled()
    print(gc.get_freeze_count() > 1000, gc.get_threshold()[0] > 700)

loop.run(main())
"""


def test_what_stays_to_the_end_is_looked_through_for_cycles_once() -> None:
    done = subprocess.run([sys.executable, "-c", SETTLED], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "True True\n"
