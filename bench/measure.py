"""Compared sides take turns, call by call, so that what else happens on the machine meets all of them alike."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from itertools import count

Side = Callable[[int], Awaitable[object]]
"""One call; the argument is its number."""


async def alternate(sides: Mapping[str, Side], calls: int, warmup: int) -> dict[str, list[float]]:
    """Milliseconds of `calls` calls of each side, after `warmup` of each; who goes first changes every time."""
    names = list(sides)
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(warmup + calls):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            began = time.perf_counter()
            await sides[name](number)
            ms = (time.perf_counter() - began) * 1000
            if number >= warmup:
                times[name].append(ms)
    return times


async def rates(sides: Mapping[str, Side], callers: int, calls: int, rounds: int) -> dict[str, list[float]]:
    """Calls a second of each side, by round: each is `calls` calls by `callers` at once, and sides take turns."""
    names = list(sides)
    found: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds + 1):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            rate = await _rate(sides[name], callers, calls)
            if turn > 0:  # the first round warms up
                found[name].append(rate)
    return found


async def _rate(side: Side, callers: int, calls: int) -> float:
    numbers = count()

    async def call() -> None:
        while (number := next(numbers)) < calls:
            await side(number)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(callers):
            group.create_task(call())
    return calls / (time.perf_counter() - began)
