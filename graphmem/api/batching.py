"""One trip a level: what many things of an answer ask for at once is fetched at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import TypeVar

from strawberry.dataloader import DataLoader

from graphmem.api.context import Context

V = TypeVar("V")


def batched(
    context: Context, key: Hashable, fetch: Callable[[Sequence[str]], Awaitable[Mapping[str, V]]], absent: V
) -> DataLoader[object, object]:
    """The loader of this request that `key` names; `absent` stands for what `fetch` does not find."""

    async def load(ids: list[object]) -> list[object]:
        found = await fetch([str(uid) for uid in ids])
        return [found.get(str(uid), absent) for uid in ids]

    if key not in context.loaders:
        context.loaders[key] = DataLoader(load)
    return context.loaders[key]
