"""From the settings to an embedder, off the event loop."""

from __future__ import annotations

import asyncio

import structlog

from graphmem.config import Settings
from graphmem.embedding.contract import Embedder
from graphmem.embedding.embedder import BUDGET, NetworkEmbedder
from graphmem.embedding.home import home, refusal
from graphmem.embedding.network import Network
from graphmem.embedding.source import fingerprint, locate
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
    except (Unavailable, asyncio.CancelledError):
        worker.stop()
        raise
    except Exception as error:  # whatever the libraries raise for files that are missing, broken or of another kind
        # The reason may hold paths of this machine, and callers of the API see the message.
        log.warning("embedding_model_not_loaded", model=settings.embedding_model, exc_info=True)
        raise Unavailable(
            f"embedding_model {settings.embedding_model} could not be loaded; the log says why",
            field="embedding_model",
        ) from error
    return NetworkEmbedder(loaded, worker, settings)


def network(settings: Settings) -> Network:
    """The compiled network where there is one or one can be made; the reference where not, unless that is forbidden.

    Imports torch only when it needs the reference.
    """
    if settings.embedding_runtime != "torch":
        found = _compiled(settings)
        if found is not None:
            return found
    from graphmem.embedding.reference import Reference

    reference = Reference(settings.embedding_model)
    if settings.embedding_runtime == "torch":
        return reference
    folder = home(settings.cache, reference.model, reference.fingerprint)
    reason = refusal(folder).read_text("utf-8") if refusal(folder).exists() else None
    if reason is None:
        from graphmem.embedding.compile import Refused, compiled

        try:
            return compiled(reference, folder)
        except (Refused, OSError) as error:
            reason = str(error)
    log.warning("embedding_model_not_compiled", model=reference.model, reason=reason)
    if settings.embedding_runtime == "onnx":
        raise Unavailable(
            f"embedding_model {reference.model} cannot run on onnx ({reason}); set embedding_runtime to auto or torch",
            field="embedding_runtime",
        )
    return reference


def _compiled(settings: Settings) -> Network | None:
    """The network that an earlier start compiled, if it still does on this machine."""
    files = locate(settings.embedding_model)
    if files is None:
        return None
    folder = home(settings.cache, settings.embedding_model, fingerprint(files))
    if not folder.exists():
        return None
    from graphmem.embedding.compiled import start

    try:
        return start(folder)
    except Exception as error:  # a file is missing or broken: it is made again, under a lock
        log.warning("embedding_model_damaged", folder=str(folder), reason=str(error))
        return None
