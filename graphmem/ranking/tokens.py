"""Tokens as a large language model would count them."""

from __future__ import annotations

import asyncio
import re
from functools import lru_cache
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING

from cachetools import LRUCache

if TYPE_CHECKING:
    from bpe_openai import Encoding

ENCODING = "o200k_base"
"""The vocabulary of OpenAI's models from GPT-4o on; others count within some per cent of it for plain text."""
ENCODINGS = (ENCODING, "cl100k_base")
"""Those that may be named; the second is that of GPT-4 and GPT-3.5."""


@lru_cache(maxsize=len(ENCODINGS))
def _encoding(name: str) -> Encoding:
    # Its vocabulary is 75 MB: loaded by the first caller who counts.
    import bpe_openai

    return bpe_openai.get_encoding(name)


_loaded: set[str] = set()

_SEAM = re.compile(r"(?<=>\n)(?=<)")
"""No token reaches over this place: both vocabularies take a line end with the sign before it, and begin anew after."""
_PIECES = 16_384
_counted: LRUCache[bytes, int] = LRUCache(_PIECES)
"""Tokens of the pieces counted last, by hash: a text that was to be forgotten must not live on here."""
_held = Lock()
"""Threads count, too, and such a cache takes one at a time."""


async def load(encoding: str = ENCODING) -> None:
    """Have the vocabulary there: no event loop should wait for it."""
    if encoding not in _loaded:
        await asyncio.to_thread(_encoding, encoding)
        _loaded.add(encoding)


def count(text: str, encoding: str = ENCODING, known: dict[str, int] | None = None) -> int:
    """Any text counts, one that looks like a model's control token too.

    A rendering is counted message by message, so that the next turn's, which has most of them again, costs little.
    `known`: the pieces that the caller has had counted; what is new is added.
    """
    if known is None:
        known = {}
    total = 0
    for piece in _SEAM.split(text):
        found = known.get(piece)
        if found is None:
            found = known[piece] = _count(piece, encoding)
        total += found
    return total


def _count(piece: str, encoding: str) -> int:
    key = blake2b(piece.encode("utf-8", "surrogatepass"), digest_size=16, key=encoding.encode()).digest()
    with _held:
        found = _counted.get(key)
    if found is None:
        found = len(_encoding(encoding).encode_ordinary(piece))
        with _held:
            _counted[key] = found
    return found


def head(text: str, size: int, encoding: str = ENCODING) -> str:
    """The beginning of a text, of at most `size` tokens, cut between characters."""
    tokens = _encoding(encoding).encode_ordinary(text)
    if len(tokens) <= size:
        return text
    start: str = _encoding(encoding).decode(tokens[: max(size, 0)]).rstrip("\ufffd")
    while not text.startswith(start) or count(start, encoding) > size:
        start = start[:-1]
    return start
