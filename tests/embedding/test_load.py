from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs

from graphmem.config import Settings
from graphmem.embedding.embedder import NetworkEmbedder
from graphmem.embedding.load import load
from graphmem.errors import Unavailable
from tests.embedding.conftest import start
from tests.embedding.small_model import small_model

LATER_START = """
import asyncio, sys
from pathlib import Path
from graphmem.config import Settings
from graphmem.embedding import load

async def main():
    embedder = await load(Settings(cache=Path(sys.argv[1]), embedding_runtime="auto"))
    await embedder.embed_query("hello")
    await embedder.embed_texts(["a longer text " * 300])
    await embedder.close()
    print(embedder.runtime, *sorted({"torch", "transformers", "sentence_transformers", "onnx"} & set(sys.modules)))

asyncio.run(main())
"""
TEXTS = ["one two", "three four five six", "seven"]


def network(cache: Path) -> Path:
    (found,) = (cache / "models").glob("*/network.onnx")
    return found


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_model(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="session")
def left_padded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that is not compiled."""
    return small_model(tmp_path_factory.mktemp("left"), padding_side="left")


async def test_none_is_no_embedder() -> None:
    assert await load(Settings(embedding_model="none")) is None


async def test_a_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(Unavailable, match=r"\./no-such-model"):
        await load(Settings(embedding_model="./no-such-model"))


async def test_a_folder_without_a_model_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="could not be loaded"):
        await load(Settings(embedding_model=str(tmp_path), cache=tmp_path))


async def test_a_failed_load_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    with pytest.raises(Unavailable):
        await load(Settings(embedding_model="./no-such-model"))
    for thread in set(threading.enumerate()) - before:
        if thread.name == "embedding":
            thread.join(10)
            assert not thread.is_alive()


def test_a_later_start_imports_no_torch(compiled: NetworkEmbedder, cache: Path) -> None:
    assert compiled.runtime == "onnx"
    found = subprocess.run([sys.executable, "-c", LATER_START, str(cache)], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout.split()) == (0, ["onnx"]), found.stderr


async def test_a_model_of_another_make_is_compiled_too(small: Path, tmp_path: Path) -> None:
    compiled = await start(Settings(embedding_model=str(small), embedding_runtime="onnx", cache=tmp_path))
    reference = await start(Settings(embedding_model=str(small), embedding_runtime="torch"))
    documents = np.multiply(await compiled.embed_texts(TEXTS), await reference.embed_texts(TEXTS))
    queries = [np.multiply(await compiled.embed_query(text), await reference.embed_query(text)) for text in TEXTS]
    assert np.sum([*documents, *queries], axis=1).min() >= 0.985
    assert (compiled.recipe, compiled.dimension, compiled.window) == (reference.recipe, 24, reference.window)
    await compiled.close()
    await reference.close()


async def test_queries_and_texts_get_the_prompts_of_the_model(small: Path, tmp_path: Path) -> None:
    embedder = await start(Settings(embedding_model=str(small), cache=tmp_path))
    query, (document,) = await embedder.embed_query("one"), await embedder.embed_texts(["one"])
    assert float(np.dot(query, document)) < 0.999
    assert embedder.count_tokens("one") == 5  # two special tokens and a prompt of two
    await embedder.close()


async def test_a_damaged_network_is_made_again(small: Path, tmp_path: Path) -> None:
    settings = Settings(embedding_model=str(small), embedding_runtime="onnx", cache=tmp_path)
    await (await start(settings)).close()
    network(tmp_path).write_bytes(b"broken")
    embedder = await start(settings)
    assert len(await embedder.embed_query("one")) == 24
    assert network(tmp_path).stat().st_size > 1000
    await embedder.close()


async def test_a_network_that_gives_other_vectors_is_made_again(small: Path, tmp_path: Path) -> None:
    settings = Settings(embedding_model=str(small), embedding_runtime="onnx", cache=tmp_path)
    await (await start(settings)).close()
    probes = network(tmp_path).with_name("probes.npz")
    with np.load(probes) as kept:
        texts, vectors = kept["texts"], kept["vectors"]
    np.savez(probes, texts=texts, vectors=-vectors)
    with capture_logs() as logs:
        await (await start(settings)).close()
    assert "embedding_model_compiled" in [line["event"] for line in logs]


async def test_two_starts_compile_once(small: Path, tmp_path: Path) -> None:
    from graphmem.embedding.compile import compiled
    from graphmem.embedding.reference import Reference

    reference = Reference(str(small))
    (tmp_path / "made.left-by-a-killed-process").mkdir()
    with capture_logs() as logs:
        both = await asyncio.gather(*[asyncio.to_thread(compiled, reference, tmp_path / "made") for _ in range(2)])
    assert [line["event"] for line in logs].count("embedding_model_compiling") == 1
    np.testing.assert_array_equal(both[0].encode(TEXTS, "query"), both[1].encode(TEXTS, "query"))
    assert [path.name for path in tmp_path.glob("*/")] == ["made"]  # noqa: ASYNC240


async def test_full_precision_is_used_where_eight_bits_do_not_agree(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphmem.embedding.compile.AGREEMENT", 0.99999)
    with capture_logs() as logs:
        await (await start(Settings(embedding_model=str(small), embedding_runtime="onnx", cache=tmp_path))).close()
    assert [line["precision"] for line in logs if line["event"] == "embedding_model_compiled"] == ["float32"]


async def test_a_model_that_cannot_be_compiled_runs_on_torch(left_padded: Path, tmp_path: Path) -> None:
    settings = Settings(embedding_model=str(left_padded), embedding_runtime="auto", cache=tmp_path)
    embedders, reasons = [], []
    for _ in range(2):
        with capture_logs() as logs:
            embedders.append(await start(settings))
        reasons += [line["reason"] for line in logs if line["event"] == "embedding_model_not_compiled"]
        tried = [line for line in logs if line["event"] == "embedding_model_compiling"]
        assert len(tried) == (1 if len(embedders) == 1 else 0)
    assert [embedder.runtime for embedder in embedders] == ["torch", "torch"]
    assert len(reasons) == 2
    assert "left" in reasons[1]
    for embedder in embedders:
        assert len(await embedder.embed_query("one two")) == 24
        await embedder.close()


async def test_onnx_alone_refuses_such_a_model(left_padded: Path, tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="embedding_runtime") as raised:
        await load(Settings(embedding_model=str(left_padded), embedding_runtime="onnx", cache=tmp_path))
    assert raised.value.field == "embedding_runtime"


async def test_a_cache_that_cannot_be_written_leaves_the_reference(small: Path, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file where the folder should be")
    embedder = await start(Settings(embedding_model=str(small), embedding_runtime="auto", cache=tmp_path))
    assert embedder.runtime == "torch"
    await embedder.close()
