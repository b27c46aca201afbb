"""What a patch states."""

from __future__ import annotations

from typing import TypeVar

import strawberry

from graphmem.errors import InvalidInput

T = TypeVar("T")


def stated(value: T | None, field: str, away: str | None = None) -> T | None:
    """The value that a patch gives; None where it gives none, and what is there stays. `away`: what takes it away.

    Raises InvalidInput for null, which would do neither.
    """
    if value is None:
        more = f"; give {away} to take away what is there" if away else ""
        raise InvalidInput(f"{field} can't be null; leave it out to keep what is there{more}", field=field)
    return None if value is strawberry.UNSET else value
