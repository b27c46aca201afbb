"""How many tokens a text is to a language model (o200k, offline)."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai import Encoding


@cache
def _encoding() -> Encoding:
    from bpe_openai import get_encoding

    return get_encoding("o200k_base")


async def load() -> None:
    """Have the table there: reading it takes a second, which no event loop should wait for."""
    if not _encoding.cache_info().currsize:
        await asyncio.to_thread(_encoding)


def count(text: str) -> int:
    return len(_encoding().encode_ordinary(text))
