"""The packaged model, loaded once on each runtime."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from graphmem.config import Settings
from graphmem.embedding.embedder import NetworkEmbedder
from graphmem.embedding.load import load


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


async def start(settings: Settings) -> NetworkEmbedder:
    found = await load(settings)
    assert isinstance(found, NetworkEmbedder)
    return found


@pytest.fixture(scope="session")
async def reference() -> AsyncIterator[NetworkEmbedder]:
    found = await start(Settings(embedding_runtime="torch"))
    yield found
    await found.close()


@pytest.fixture(scope="session")
async def compiled(cache: Path) -> AsyncIterator[NetworkEmbedder]:
    """Compiled into `cache` by this fixture: the first start on a machine."""
    found = await start(Settings(embedding_runtime="onnx", cache=cache))
    yield found
    await found.close()
