"""The fake keeps the promises of the real one that other rooms' tests stand on."""

from __future__ import annotations

import numpy as np

from graphmem.embedding import Embedder
from tests.fakes.embedder import HashingEmbedder


async def vectors(*texts: str) -> np.ndarray:
    embedder: Embedder = HashingEmbedder()
    return np.array(await embedder.embed_texts(texts))


async def test_vectors_have_unit_length() -> None:
    np.testing.assert_allclose(np.linalg.norm(await vectors("a b c", "", "?"), axis=1), 1)


async def test_case_accents_and_order_do_not_matter() -> None:
    first, second = await vectors("Café in Lisbon", "lisbon in CAFE")
    np.testing.assert_allclose(first, second)


async def test_shared_words_make_texts_alike() -> None:
    base, near, far = await vectors(
        "the pilot rows out to the ship", "the pilot rows to a ship", "payment terms of the supplier"
    )
    assert base @ near > 0.6 > 0.4 > base @ far


async def test_calls_count_batches_and_new_queries() -> None:
    embedder = HashingEmbedder(batch=10)
    await embedder.embed_texts(["x"] * 25)
    await embedder.embed_query("tea")
    await embedder.embed_query("tea")
    assert embedder.calls == 4


def test_only_a_text_beyond_the_window_has_chunks() -> None:
    embedder = HashingEmbedder(window=10)
    assert embedder.chunk("word " * 10) == []
    spans = embedder.chunk("word " * 11, 5, 1)
    assert (spans[0].start, spans[-1].end) == (0, 55)
