"""One trip a level: what many things of an answer ask for at once is fetched at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from strawberry.dataloader import DataLoader

from graphmem.api.context import Context

V = TypeVar("V")


def batched(
    context: Context,
    key: Hashable,
    fetch: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]],
    absent: V,
    *,
    cache: bool = True,
) -> DataLoader[object, object]:
    """The loader of this request that `key` names; `absent` stands for what `fetch` does not find.

    `cache`: what was fetched once is not fetched again, although a mutation may have changed it.
    """

    async def load(ids: list[object]) -> list[object]:
        found = await fetch(list(dict.fromkeys(map(str, ids))))
        return [found.get(str(uid), absent) for uid in ids]

    if key not in context.loaders:
        context.loaders[key] = DataLoader(load, cache=cache)
    return context.loaders[key]
