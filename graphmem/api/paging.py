"""Connections: pages with cursors that stay right while things are added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

import strawberry

from graphmem import checks
from graphmem.config import Settings

T = TypeVar("T")


@strawberry.type(description="Where a page stands in its list.")
class PageInfo:
    has_next_page: bool
    end_cursor: str | None
    has_previous_page: bool = False
    start_cursor: str | None = None


@strawberry.type(description="An item and its place.")
class ListEdge(Generic[T]):
    cursor: str
    node: T


@strawberry.type(description="A page of a list.")
class Connection(Generic[T]):
    edges: list[ListEdge[T]]
    nodes: list[T]
    page_info: PageInfo

    @classmethod
    def of(cls, items: list[T], cursors: list[str], has_next: bool, has_previous: bool = False) -> Connection[T]:
        edges = [ListEdge(cursor=cursor, node=item) for cursor, item in zip(cursors, items, strict=True)]
        return cls(edges=edges, nodes=items, page_info=page_info(has_next, cursors, has_previous))


def page_info(has_next: bool, cursors: Sequence[str], has_previous: bool = False) -> PageInfo:
    start, end = (cursors[0], cursors[-1]) if cursors else (None, None)
    return PageInfo(has_next_page=has_next, end_cursor=end, has_previous_page=has_previous, start_cursor=start)


def page_size(first: int, settings: Settings, field: str = "first") -> int:
    return bounded(first, 1, settings.max_page, "max_page", field)


def bounded(value: int, least: int, most: int, limit: str, field: str) -> int:
    """`value` when it is within the limits; raises InvalidInput or LimitExceeded naming field and limit."""
    checks.whole(value, least, most, limit, field)
    return value
