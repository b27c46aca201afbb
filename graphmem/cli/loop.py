"""Runs the asynchronous part of a command."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_NEW_OBJECTS = 50_000
"""So many more than there were, and Python looks for cycles among them: a call of 1,000 nodes makes as many, and with
Python's own 700 the looking takes a tenth of its time."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run`, on uvloop where there is one: half of what a request costs us is the event loop's.

    Python looks for cycles more seldom. SIGTERM ends the command as SIGINT does, by what it has to put away, and with
    the exit code that a shell expects.
    """
    gc.set_threshold(_NEW_OBJECTS, 20, 20)
    if sys.platform == "win32":
        return asyncio.run(main)
    import uvloop

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_terminable(main))


def settled() -> None:
    """To be called once all is imported and loaded that stays to the end: Python no longer looks for cycles in it.

    It would from time to time, with all requests waiting for it: 0.4 s beside a model.
    """
    gc.collect()
    gc.freeze()


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
