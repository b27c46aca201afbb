"""On a clock that the calls themselves move; the pauses between tries are real, and short."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from neo4j.exceptions import (
    ClientError,
    DatabaseUnavailable,
    IncompleteCommit,
    ResultConsumedError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from graphmem.errors import Unavailable
from graphmem.graph.patience import Patience

OUTAGES = [ServiceUnavailable, SessionExpired, DatabaseUnavailable, IncompleteCommit]


class Calls:
    """Calls whose tries end with each of `errors` in turn, and then well; each takes `takes` seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.tries = 0

    def clock(self) -> float:
        return self.now

    def fails(self, errors: list[Exception], takes: float = 0) -> Callable[[], Awaitable[int]]:
        left = list(errors)

        async def once() -> int:
            self.now += takes
            self.tries += 1
            if left:
                raise left.pop(0)
            return self.tries

        return once


@pytest.fixture
def calls() -> Calls:
    return Calls()


@pytest.fixture
def patience(calls: Calls) -> Patience:
    return Patience(30, calls.clock)


@pytest.mark.parametrize("kind", OUTAGES)
async def test_an_outage_is_waited_for(patience: Patience, calls: Calls, kind: type[Exception]) -> None:
    assert await patience.repeated(calls.fails([kind("gone")] * 2, takes=10)) == 3


async def test_an_outage_is_waited_for_until_it_is_old(patience: Patience, calls: Calls) -> None:
    with pytest.raises(Unavailable, match="does not answer"):
        await patience.repeated(calls.fails([ServiceUnavailable("gone")] * 9, takes=10))
    assert calls.tries == 4, "first sign at 10 s, given up at 40 s"


async def test_an_old_outage_is_told_at_once_by_every_call(patience: Patience, calls: Calls) -> None:
    gone = [ServiceUnavailable("gone")] * 9
    with pytest.raises(Unavailable):
        await patience.repeated(calls.fails(gone, takes=10))
    for expected in (5, 6):
        with pytest.raises(Unavailable):
            await patience.repeated(calls.fails(gone))
        assert calls.tries == expected


async def test_the_first_sign_may_have_been_another_calls(patience: Patience, calls: Calls) -> None:
    with pytest.raises(Unavailable):
        await patience.once(calls.fails([ServiceUnavailable("gone")]))
    calls.now += 25
    with pytest.raises(Unavailable):
        await patience.repeated(calls.fails([ServiceUnavailable("gone")] * 9, takes=3))
    assert calls.tries == 1 + 2


@pytest.mark.parametrize("answer", [[], [ClientError("no")], [TransientError("deadlock")]])
async def test_any_answer_ends_an_outage(patience: Patience, calls: Calls, answer: list[Exception]) -> None:
    with pytest.raises(Unavailable):
        await patience.repeated(calls.fails([ServiceUnavailable("gone")] * 9, takes=31))
    with suppress(Unavailable, ClientError):
        await patience.once(calls.fails(answer))
    tried = calls.tries
    assert await patience.repeated(calls.fails([ServiceUnavailable("gone")] * 2, takes=10)) == tried + 3


async def test_what_may_pass_is_repeated_from_its_first_failure_on(patience: Patience, calls: Calls) -> None:
    """However long the work before it took."""
    assert await patience.repeated(calls.fails([TransientError("deadlock")] * 2, takes=14)) == 3
    calls.tries = 0
    assert await patience.repeated(calls.fails([TransientError("deadlock")], takes=100)) == 2
    with pytest.raises(Unavailable, match="repeat the call"):
        await patience.repeated(calls.fails([TransientError("deadlock")] * 9, takes=14))
    assert calls.tries == 2 + 4


@pytest.mark.parametrize(
    "bug", [ValueError("bug"), ClientError("syntax"), ResultConsumedError(None, "bug"), OSError("disk")]
)
async def test_a_bug_is_neither_repeated_nor_changed(patience: Patience, calls: Calls, bug: Exception) -> None:
    with pytest.raises(type(bug)) as raised:
        await patience.repeated(calls.fails([bug]))
    assert raised.value is bug
    assert raised.value.__cause__ is None
    assert calls.tries == 1


async def test_no_patience_is_one_try(calls: Calls) -> None:
    for error in (ServiceUnavailable("gone"), TransientError("deadlock")):
        with pytest.raises(Unavailable):
            await Patience(0, calls.clock).repeated(calls.fails([error]))
    assert calls.tries == 2
