"""A process that is killed in the middle of making all vectors anew: `python -m tests.upkeep.half_a_change`.

Settings are in the environment. It tells on its output that some vectors are written, and makes no more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from graphmem.access.principal import local_principal
from graphmem.cli import console
from graphmem.config import Settings
from graphmem.embedding import Embedder
from graphmem.runtime import running
from graphmem.upkeep.reembed import reembed
from graphmem.values import Tenant
from tests.fakes.embedder import HashingEmbedder
from tests.fakes.models import dimension_of


class Stuck(HashingEmbedder):
    """Ends in its second call: what the first was for is stored by then."""

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        if self.calls:
            print("half", flush=True)
            await asyncio.Event().wait()
        return await super().embed_texts(texts)


async def stuck(settings: Settings) -> Embedder:
    name = settings.embedding_model
    return Stuck(dimension_of(name), model=name, window=128, batch=1000)


async def main() -> None:
    settings = Settings()
    async with running(settings, load=stuck, work=True, patient=False) as runtime:
        caller = local_principal(Tenant(settings.default_tenant))
        await reembed(runtime.graph, runtime.models, caller)
        await asyncio.Event().wait()


if __name__ == "__main__":
    console.configure_logging("warning")  # on standard error: the output is for what is waited for
    asyncio.run(main())
