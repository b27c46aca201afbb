"""When a read is about: the graph as it was recorded at one time, and the world at another.

What is shown of a node is the state recorded at `asOf`. Where `validAt` is given, that state must say that it was true
then; what another has superseded since was true in its time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.access.view import View
from graphmem.values import FOREVER, Status, utc_now

BEGINNING = datetime(1, 1, 1, tzinfo=UTC)
PRESENT = FOREVER - timedelta(microseconds=1)
"""An `asOf` at which all is as it is now: before the end of open intervals, and after every other time."""
ONCE_TRUE = (Status.ACTIVE, Status.SUPERSEDED)


def statuses(view: View) -> tuple[Status, ...]:
    """What is looked for unless a caller names statuses."""
    return (Status.ACTIVE,) if view.valid_at is None else ONCE_TRUE


def in_use(view: View) -> list[str]:
    """What lists of things in use take: drafts too."""
    return [str(status) for status in (*statuses(view), Status.DRAFT)]


def moment(view: View) -> dict[str, Any]:
    """Parameters that place a look at nodes in time. Validity counts only where `validAt` was given."""
    return {
        "asOf": view.as_of or PRESENT,
        "begunBy": view.valid_at or FOREVER,
        "endsAfter": view.valid_at or BEGINNING,
        "lapsed": [],
    }


def walk(view: View) -> dict[str, Any]:
    """The same for nodes and edges."""
    return moment(view) | {"edgesEndAfter": view.valid_at or BEGINNING}


def retrieval(view: View) -> dict[str, Any]:
    """The same for what leaves out knowledge that is over: at `validAt`, else by `asOf`, else now.

    What is superseded is over by its nature; where it is asked for, and no `validAt` is, it comes all the same.
    """
    if view.valid_at is not None:
        return walk(view)
    return walk(view) | {"endsAfter": view.as_of or utc_now(), "lapsed": [str(Status.SUPERSEDED)]}
