from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from graphmem.config import Settings
from graphmem.embedding.embedder import NetworkEmbedder
from graphmem.embedding.load import load
from graphmem.errors import Unavailable
from tests.embedding.conftest import start
from tests.embedding.models import small_model

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


def made(cache: Path) -> Path:
    (folder,) = [path for path in (cache / "models").iterdir() if path.is_dir()]
    return folder


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of another make than the packaged one: XLM-R-like, with prompts, a projection and pooling of the first."""
    return small_model(tmp_path_factory.mktemp("model"))


async def test_none_is_no_embedder() -> None:
    assert await load(Settings(embedding_model="none")) is None


async def test_a_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(Unavailable, match=r"\./no-such-model"):
        await load(Settings(embedding_model="./no-such-model"))


async def test_a_folder_without_a_model_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="could not be loaded"):
        await load(Settings(embedding_model=str(tmp_path)))


async def test_a_failed_load_leaves_no_thread() -> None:
    with pytest.raises(Unavailable):
        await load(Settings(embedding_model="./no-such-model"))
    assert not [t for t in threading.enumerate() if t.name == "embedding" and t.is_alive() and t.daemon and _idle(t)]


def test_a_later_start_imports_no_torch(compiled: NetworkEmbedder, cache: Path) -> None:
    assert compiled.runtime == "onnx"
    found = subprocess.run([sys.executable, "-c", LATER_START, str(cache)], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout.split()) == (0, ["onnx"]), found.stderr


async def test_a_model_of_another_make_is_compiled_too(small: Path, tmp_path: Path) -> None:
    compiled = await start(Settings(embedding_model=str(small), embedding_runtime="onnx", cache=tmp_path))
    reference = await start(Settings(embedding_model=str(small), embedding_runtime="torch"))
    texts = ["one two", "three four five six", "seven"]
    for kind in ("query", "document"):
        found, expected = [
            [await one.embed_query(text) for text in texts] if kind == "query" else await one.embed_texts(texts)
            for one in (compiled, reference)
        ]
        assert np.sum(np.multiply(found, expected), axis=1).min() > 0.985
    assert compiled.recipe == reference.recipe
    await compiled.close()
    await reference.close()
