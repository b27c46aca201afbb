"""Tokens as a large language model would count them."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai import Encoding

ENCODING = "o200k_base"
"""The vocabulary of OpenAI's models from GPT-4o on; others count within some per cent of it for plain text."""


@lru_cache(maxsize=1)
def _encoding() -> Encoding:
    # Its vocabulary is 75 MB: loaded by the first caller who counts.
    import bpe_openai

    return bpe_openai.get_encoding(ENCODING)


async def load() -> None:
    """Have the vocabulary there: no event loop should wait for it."""
    if not _encoding.cache_info().currsize:
        await asyncio.to_thread(_encoding)


def count(text: str) -> int:
    """Any text counts, one that looks like a model's control token too."""
    return len(_encoding().encode_ordinary(text))
