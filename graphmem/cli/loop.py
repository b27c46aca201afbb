"""Runs the asynchronous part of a command."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, on uvloop where there is one: half of what a request costs us is the event loop's.

    SIGTERM ends the command as SIGINT does, by what it has to put away, and with the exit code that a shell expects.
    """
    if sys.platform == "win32":
        return asyncio.run(main)
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_terminable(main))


async def _terminable(main: Coroutine[Any, Any, T]) -> T:
    task, terminated = asyncio.current_task(), False
    assert task is not None

    def terminate() -> None:
        nonlocal terminated
        terminated = True
        task.cancel()

    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, terminate)
    try:
        return await main
    except asyncio.CancelledError:
        if terminated:
            raise SystemExit(128 + signal.SIGTERM) from None
        raise
