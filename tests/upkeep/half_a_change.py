"""A process with another model that is killed in the middle: `python -m tests.upkeep.half_a_change`.

Settings are in the environment. It tells on its output that some vectors are written, and makes no more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from graphmem.app import running
from graphmem.config import Settings
from tests.fakes.embedder import HashingEmbedder
from tests.upkeep.models import NEW


class Stuck(HashingEmbedder):
    """Ends in its third call: of the two jobs that a worker does at a time, one has written something by then."""

    async def embed_texts(self, texts: Sequence[str]) -> list[list[float]]:
        if self.calls > 1:
            print("half", flush=True)
            await asyncio.Event().wait()
        return await super().embed_texts(texts)


async def main() -> None:
    async with running(Settings(), embedder=Stuck(**NEW), work=True):
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
