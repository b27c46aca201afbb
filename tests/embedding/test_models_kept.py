"""Which models a process keeps loaded."""

from __future__ import annotations

from graphmem.config import Settings
from graphmem.embedding import Embedder, Models
from tests.fakes.embedder import HashingEmbedder
from tests.fakes.models import load


class Closing(HashingEmbedder):
    closed = False

    async def close(self) -> None:
        self.closed = True


async def test_what_nobody_needs_is_closed_and_what_is_borrowed_is_not(settings: Settings) -> None:
    made: dict[str, Closing] = {}

    async def loaded(settings: Settings) -> Embedder:
        made[settings.embedding_model] = Closing()
        return made[settings.embedding_model]

    models = Models(settings, loaded)
    await models.named("live")
    async with models.borrowed("tried"):
        await models.keep({"live"})
        assert (models.names, made["tried"].closed) == ({"live", "tried"}, False)
    await models.keep({"live"})
    assert (models.names, made["tried"].closed, made["live"].closed) == ({"live"}, True, False)
    async with models.borrowed("tried") as again:
        assert again is made["tried"]
        assert not made["tried"].closed
    await models.close()
    assert models.names == set()


async def test_a_model_that_was_given_stays(settings: Settings) -> None:
    """It can't be had again."""
    given = Closing(model="given")
    models = Models(settings, load, given)
    assert await models.named("given") is given
    await models.named("hash-32")
    await models.keep({"hash-32"})
    assert models.names == {"given", "hash-32"}
    assert not given.closed
    await models.close()
    assert given.closed
