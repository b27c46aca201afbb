"""From the settings to an embedder, off the event loop."""

from __future__ import annotations

import asyncio

import structlog

from graphmem.config import Settings
from graphmem.embedding.contract import Embedder
from graphmem.embedding.embedder import BUDGET, NetworkEmbedder
from graphmem.embedding.network import Network
from graphmem.embedding.worker import Worker
from graphmem.errors import Unavailable

log = structlog.get_logger()


async def load(settings: Settings) -> Embedder | None:
    """The embedder of `settings.embedding_model`; none when that is `none`.

    Loading happens in the thread that will run the model. Raises `Unavailable` when the model cannot be had.
    """
    if settings.embedding_model == "none":
        return None
    worker = Worker(lambda: network(settings), settings.embedding_batch, BUDGET)
    try:
        loaded = await asyncio.wrap_future(worker.network)
    except Unavailable:
        raise
    except Exception as error:  # whatever the libraries raise for files that are missing, broken or of another kind
        reason = " ".join(str(error).split())[:300]
        raise Unavailable(
            f"embedding_model {settings.embedding_model} could not be loaded: {type(error).__name__}: {reason}",
            field="embedding_model",
        ) from error
    return NetworkEmbedder(loaded, worker, settings)


def network(settings: Settings) -> Network:
    from graphmem.embedding.reference import Reference

    return Reference(settings.embedding_model)
