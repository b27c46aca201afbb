"""The packaged model on both runtimes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from graphmem.embedding.compiled import AGREEMENT
from graphmem.embedding.embedder import NetworkEmbedder
from graphmem.errors import InvalidInput

TEXTS = (
    "Where did Tom leave the spare keys?",
    "Tom left the spare keys under the blue flower pot by the kitchen door.",
    "The invoice for March was paid twice, so the supplier owes us 1,240 euros.",
    "Rotate the signing key every ninety days; keep the old one valid for a week.",
    "git rebase --interactive HEAD~3 && git push --force-with-lease",
    "class Node:\n    def __init__(self, value, next=None):\n        self.value = value",
    "Le train de 8 h 12 est supprimé jusqu'à nouvel ordre.",
    "Поставщик просит перенести оплату на следующий месяц.",
    "明天下午三点在东门见面。",
    "🚀 launch went fine!! 🎊",
    "no",
    "A long road led down from the village to the mill, and along it stood poplars, " * 9,
)
LONG = "\n\n".join(
    f"Paragraph {n}. The committee met again. It talked of bridges, boats and budgets." for n in range(60)
)


async def test_the_compiled_network_agrees_with_the_reference(
    compiled: NetworkEmbedder, reference: NetworkEmbedder
) -> None:
    assert (compiled.runtime, reference.runtime) == ("onnx", "torch")
    cosines = np.sum(np.multiply(await compiled.embed_texts(TEXTS), await reference.embed_texts(TEXTS)), axis=1)
    assert cosines.min() >= AGREEMENT


def test_both_runtimes_have_one_recipe(compiled: NetworkEmbedder, reference: NetworkEmbedder) -> None:
    assert (compiled.recipe, compiled.dimension, compiled.window) == (reference.recipe, 384, 256)
    assert (reference.dimension, reference.window) == (384, 256)


async def test_a_vector_does_not_depend_on_the_texts_beside_it(compiled: NetworkEmbedder) -> None:
    together = await compiled.embed_texts(TEXTS)
    alone = [(await compiled.embed_texts([text]))[0] for text in TEXTS]
    assert np.sum(np.multiply(together, alone), axis=1).min() > 0.9999


async def test_a_query_and_a_text_of_the_same_words_have_one_vector(compiled: NetworkEmbedder) -> None:
    np.testing.assert_allclose(await compiled.embed_query(TEXTS[0]), (await compiled.embed_texts(TEXTS[:1]))[0])


async def test_vectors_have_unit_length(compiled: NetworkEmbedder) -> None:
    lengths = np.linalg.norm(await compiled.embed_texts(["", " ", *TEXTS, LONG]), axis=1)
    np.testing.assert_allclose(lengths, 1, rtol=1e-6)


async def test_the_answer_is_nearer_to_its_question_than_other_texts(compiled: NetworkEmbedder) -> None:
    question, *others = await compiled.embed_texts(TEXTS)
    assert int(np.argmax(np.array(others) @ np.array(question))) == 0


async def test_the_end_of_a_long_text_counts(compiled: NetworkEmbedder) -> None:
    plain, ended = await compiled.embed_texts([LONG, LONG + " Penguins breed on the southern ice." * 40])
    assert float(np.dot(plain, ended)) < 0.99


async def test_a_text_that_utf8_cannot_carry_has_a_vector(compiled: NetworkEmbedder) -> None:
    assert await compiled.embed_query("caf\ud83d") == await compiled.embed_query("caf?")
    assert compiled.count_tokens("caf\ud83d") == compiled.count_tokens("caf?")


def test_special_tokens_are_counted(compiled: NetworkEmbedder) -> None:
    assert compiled.count_tokens("hello world") == 4


def test_a_text_that_fits_has_no_chunks(compiled: NetworkEmbedder) -> None:
    fits = "word " * (compiled.window - 2)
    assert compiled.count_tokens(fits) == compiled.window
    assert compiled.chunk(fits) == []
    assert len(compiled.chunk(fits + "word")) == 2


@pytest.mark.parametrize(
    "text", [LONG, "unhyphenatedwordswithoutend" * 3000, "漢字" * 900, "x" * 99 + " " + "🎉" * 3000]
)
def test_chunks_hold_the_text_and_are_no_longer_than_asked(compiled: NetworkEmbedder, text: str) -> None:
    spans = compiled.chunk(text, 100, 10)
    assert all(compiled.count_tokens(text[span.start : span.end]) <= 100 for span in spans)
    assert not spans or (spans[0].start, spans[-1].end) == (0, len(text))
    assert all(a.start < b.start <= a.end < b.end for a, b in pairwise(spans))


def test_a_chunk_cannot_be_larger_than_the_window(compiled: NetworkEmbedder) -> None:
    with pytest.raises(InvalidInput, match="256"):
        compiled.chunk(LONG, 257)


async def test_a_bulk_of_short_texts_takes_few_calls(compiled: NetworkEmbedder) -> None:
    before = compiled.calls
    await compiled.embed_texts([f"note {n}" for n in range(640)])
    assert compiled.calls - before == 10
