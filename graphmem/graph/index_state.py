"""What a graph's vectors are made with. Another model's vectors would be compared without sense or error.

There may be two generations: one is `live`, and searched; the other is `building` until all texts have a vector of it,
and becomes the live one then. What an earlier one left behind is `retired`, and removed.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from graphmem.errors import Conflict, IndexMismatch, Unavailable
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.graph.indexes import await_indexes

INDEXES = ("knowledge", "revision", "message")
"""What has a vector index; all of one generation, since statements name one."""


class MakesVectors(Protocol):
    """What is told of an `Embedder`."""

    @property
    def model(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def recipe(self) -> str: ...


class Maker(NamedTuple):
    """A model by name, the dimension of its vectors, and how it makes them (`Embedder.recipe`)."""

    model: str
    dimension: int
    recipe: str

    @classmethod
    def of(cls, embedder: MakesVectors) -> Maker:
        return cls(embedder.model, embedder.dimension, embedder.recipe)


@dataclass(frozen=True, slots=True)
class Generation:
    number: int
    maker: Maker


@dataclass(frozen=True, slots=True)
class IndexState:
    """`left`: how many texts still lack a vector of `building`, as far as known; `retired`: the number of a generation
    that is being removed."""

    live: Generation
    building: Generation | None = None
    left: int | None = None
    retired: int | None = None


async def index_state(graph: Graph) -> IndexState | None:
    """None: the graph has no vectors yet."""
    rows = await graph.read("graph/index_state")
    return _state(rows[0]) if rows else None


def _state(row: Row) -> IndexState:
    live = Generation(row["generation"], Maker(row["model"], row["dimension"], row["recipe"]))
    if row["next"] is None:
        return IndexState(live, retired=row["retired"])
    maker = Maker(row["nextModel"], row["nextDimension"], row["nextRecipe"])
    return IndexState(live, Generation(row["next"], maker), row["nextLeft"], row["retired"])


async def ensure_vectors(graph: Graph, model: str, dimension: int, recipe: str) -> None:
    """Have `graph` use its vectors, which a graph without any gets by this model. Missing indexes are made.

    Raises:
        IndexMismatch: the graph's vectors are not this model's; the message says what to do.
    """
    maker = Maker(model, dimension, recipe)
    state = _state((await graph.run("graph/claim_index_state", **maker._asdict()))[0])
    if state.live.maker != maker:
        raise IndexMismatch(_mismatch(state.live.maker, maker), model=state.live.maker.model)
    await _use(graph, state)


def _mismatch(had: Maker, maker: Maker) -> str:
    if had.model != maker.model:
        remedy = f"set GRAPHMEM_EMBEDDING_MODEL={had.model} to go on with them, or"
    else:
        remedy = "the model of that name has changed: install what made them, or"
    return (
        f"this graph's vectors were made by {had.model} ({had.dimension} dimensions, recipe {had.recipe}), not by "
        f"{maker.model} ({maker.dimension} dimensions, recipe {maker.recipe}); {remedy} have all made anew by "
        f"`graphmem reembed --model {maker.model}`"
    )


async def use_vectors(graph: Graph) -> None:
    """Have `graph` use the vectors it has, whether or not there is a model to make more.

    An index that an earlier release did not know is made.
    """
    state = await index_state(graph)
    if state is not None:
        await _use(graph, state)


async def _use(graph: Graph, state: IndexState) -> None:
    await make_indexes(graph, state.live)
    graph.generation, graph.dimension = state.live.number, state.live.maker.dimension


async def make_indexes(graph: Graph, generation: Generation) -> None:
    """Those of a generation that are missing; returns when all indexes are online."""
    of = graph.bound(generation.number, generation.maker.dimension)
    for index in INDEXES:
        await of.run_schema(f"graph/create_{index}_vector", dimensions=generation.maker.dimension)
    await await_indexes(graph)


async def drop_indexes(graph: Graph, number: int) -> None:
    """Drop the indexes of a generation that no process uses any more."""
    for index in INDEXES:
        await graph.bound(number, None).run_schema(f"graph/drop_{index}_vector")


async def store_vectors(graph: Graph, statement: str, embedder: MakesVectors, **params: Any) -> list[str]:
    """Run a statement that stores vectors of the graph's generation; the ids it returns.

    Raises:
        Unavailable: such vectors are not in use any more, nor being made; this process has not noticed yet.
    """
    own = Generation(graph.generation, Maker.of(embedder))
    stored = await graph.run(statement, maker=[own.number, *own.maker], **params)
    if not stored:
        state = await index_state(graph)
        if state is None or own not in (state.live, state.building):
            raise Unavailable(f"vectors of {embedder.model} are not in use any more")
    return [row["id"] for row in stored]


async def lacking_vectors(
    graph: Graph, statement: str, place: Mapping[str, Any], since: datetime, count: int
) -> AsyncIterator[list[Row]]:
    """What lacks a vector, by tenant, some at a time: a graph may have millions. `statement` looks at `count` nodes
    behind a `place`, the first of which is before all of them."""
    last: Mapping[str, Any] | None = place
    while last is not None:
        (row,) = await graph.read(statement, **last, since=since, count=count)
        if row["lacking"]:
            yield row["lacking"]
        last = row["last"]


async def begin(tx: Transaction, maker: Maker, *, anew: bool = False) -> IndexState:
    """Record that the next generation is being made by this model, unless it is already, or made the live one.

    `anew`: also when it made the live one, and nothing of an earlier one is being removed.

    Raises:
        Conflict: another model's is being made, or what another left is not removed yet.
    """
    state = _state((await tx.run("graph/begin_generation", **maker._asdict(), anew=anew))[0])
    if state.building is not None and state.building.maker != maker:
        raise Conflict(
            f"vectors are being made by {state.building.maker.model} already; wait until they are, "
            "or give that up by `graphmem reembed --cancel`"
        )
    if state.building is None and state.live.maker != maker:
        raise Conflict("what an earlier model left is still being removed; try again in a minute")
    return state


async def note_left(graph: Graph, number: int, left: int) -> None:
    """Note how many texts still lack a vector of the generation that is being made."""
    await graph.run("graph/note_left", number=number, left=left)


async def switch(tx: Transaction, number: int) -> bool:
    """Make the generation that was being made the live one; False when it is not being made any more."""
    return bool(await tx.run("graph/switch_generation", number=number))


async def cancel(tx: Transaction) -> bool:
    """Give up the generation that is being made; False when none is."""
    return bool(await tx.run("graph/cancel_generation"))
