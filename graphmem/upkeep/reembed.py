"""`reembed`: all vectors made anew, by the same model or another, while the graph goes on to be searched by the old.

What is to be done stands in the graph: a text that lacks a vector of the new generation gets one, whoever wrote it. So
nothing is lost by a kill, and nothing is done twice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.access.changes import Call, Outcome, recorded, reply_of
from graphmem.access.principal import Principal
from graphmem.conversation import recall
from graphmem.conversation import vectors as said
from graphmem.embedding import Embedder, Models
from graphmem.errors import Forbidden, IndexMismatch, InvalidInput, Unavailable
from graphmem.graph.gateway import Graph, Row, Transaction
from graphmem.graph.index_state import (
    IndexState,
    Maker,
    begin,
    cancel,
    drop_indexes,
    index_state,
    make_indexes,
    note_left,
    switch,
)
from graphmem.jobs import Job, enqueue
from graphmem.jobs.embedding import Embedded
from graphmem.knowledge import search, search_as_of, vectors
from graphmem.values import Scope, Tenant, checked_name, utc_now

CHANGE = "upkeep.reembed"
DROP = "upkeep.drop_vectors"
FEW = 100
"""So many texts, all written since the last look, may get their vector after the switch, as any new text does: where
writing never pauses, there would be no end otherwise."""
TEXTS_A_STEP = 100
MAX_MODEL = 200
LOAD_SECONDS = 30.0
"""How long a process that notices other vectors waits for the model that makes them before it searches without."""
POLLS = 3
"""How often each process looks which vectors are in use before old ones are removed."""
LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


KINDS = (vectors.TEXTS, said.TEXTS)


@dataclass(frozen=True, slots=True)
class Reembedding:
    """How far it is. `left`: texts that lack a vector of the `next` model; None: not known yet.

    `removing`: the new vectors are in use, and what they took the place of is being removed.
    """

    model: str
    dimension: int
    next_model: str | None
    next_dimension: int | None
    left: int | None
    removing: bool

    @classmethod
    def of(cls, state: IndexState) -> Reembedding:
        live, building = state.live.maker, state.building
        return cls(
            live.model,
            live.dimension,
            building.maker.model if building else None,
            building.maker.dimension if building else None,
            state.left,
            state.retired is not None,
        )

    @property
    def is_done(self) -> bool:
        return self.next_model is None and not self.removing


async def reembed(
    graph: Graph,
    models: Models,
    principal: Principal,
    model: str | None = None,
    *,
    idempotency_key: str | None = None,
    dry_run: bool = False,
) -> Reembedding:
    """Have all vectors of the graph, of all tenants, made by a model, or go on with it; a worker does it.

    `model`: its name; None: the one that made those in use, anew. It is loaded first. Needs the scope admin, and a key
    of the default tenant.

    Raises:
        Unavailable: the model can't be loaded; nothing was changed.
        IndexMismatch: the graph has no vectors yet.
        Conflict: as `index_state.begin`.
        Forbidden: the key is another tenant's, or bound to a resource.
    """
    principal.require(Scope.ADMIN)
    default = graph.settings.default_tenant
    if principal.resource is not None or principal.tenant != default:
        raise Forbidden(f"the vectors are all tenants'; use a key of the tenant {default} that is bound to no resource")
    state = await index_state(graph)
    if state is None:
        raise IndexMismatch("this graph has no vectors yet; a service makes them with GRAPHMEM_EMBEDDING_MODEL")
    name = state.live.maker.model if model is None else checked_name(model, "model", MAX_MODEL)
    call = Call(principal, "reembed", {"model": model}, idempotency_key, dry_run)
    async with models.borrowed(name) as embedder:
        if embedder is None:
            raise InvalidInput("model is none; name one to make vectors with", field="model")
        maker = Maker.of(embedder)

        async def work(tx: Transaction) -> Outcome[Reembedding]:
            state = await begin(tx, maker, anew=model is None)
            await _queue(tx, graph, principal.tenant, state)
            return Outcome(Reembedding.of(state))

        return await recorded(graph, call, work, *reply_of(Reembedding))


async def progress(graph: Graph) -> Reembedding | None:
    """None: the graph has no vectors."""
    state = await index_state(graph)
    return Reembedding.of(state) if state else None


async def has_failed(graph: Graph) -> bool:
    """Whether something is to be done and no job is there to do it: the last one has failed for good."""
    state = await index_state(graph)
    if state is None or not (state.building or state.retired):
        return False
    kind = CHANGE if state.building else DROP
    waiting = (await graph.read("jobs/open", kind=kind))[0]["count"]
    return not waiting and await index_state(graph) == state


async def give_up(graph: Graph, tenant: Tenant) -> bool:
    """Have the vectors removed that are being made; False when none are."""

    async def work(tx: Transaction) -> bool:
        begun = await cancel(tx)
        if begun:
            await _queue_drop(tx, graph, tenant)
        return begun

    return await graph.write(work)


async def resume(graph: Graph, tenant: Tenant) -> None:
    """Queue what is to be done, should its job have failed for good."""
    state = await index_state(graph)
    if state is not None:
        await graph.write(lambda tx: _queue(tx, graph, tenant, state))


async def _queue(tx: Transaction, graph: Graph, tenant: Tenant, state: IndexState) -> None:
    """The job of what is under way, unless there is one that waits or is worked at."""
    kind = CHANGE if state.building else DROP
    if not (state.building or state.retired) or (await tx.run("jobs/open", kind=kind))[0]["count"]:
        return
    if kind == DROP:
        await _queue_drop(tx, graph, tenant)
    else:
        await enqueue(tx, tenant, kind, {}, key=kind)


async def _queue_drop(tx: Transaction, graph: Graph, tenant: Tenant) -> None:
    """For when every process has noticed which vectors are in use, and has ended what it was reading."""
    settings = graph.settings
    seconds = POLLS * settings.vectors_poll_seconds + LOAD_SECONDS + settings.statement_timeout
    await enqueue(tx, tenant, DROP, {}, key=DROP, run_after=utc_now() + timedelta(seconds=seconds))


async def change(graph: Graph, models: Models, noticed: Callable[[], Awaitable[None]], job: Job) -> Mapping[str, Any]:
    """Handler of CHANGE: make the vectors that texts lack until none does, then bring them into use.

    `noticed` is called after that, so that this process follows at once.
    """
    state = await index_state(graph)
    building = state.building if state else None
    if building is None:
        return {"skipped": "no vectors are being made"}
    ahead = graph.bound(building.number, building.maker.dimension)
    async with models.borrowed(building.maker.model) as embedder:
        if embedder is None or Maker.of(embedder) != building.maker:
            raise Unavailable(f"{building.maker.model} is another model here than where this was begun")
        # Missing if what began this was killed.
        await make_indexes(graph, building)
        made = await _make_all(ahead, embedder)
    # The server keeps plans for all processes: no search need wait for its own once this one's vectors are in use.
    await search.plan_searches(ahead)
    await recall.plan_recalls(ahead)

    async def bring_into_use(tx: Transaction) -> bool:
        done = await switch(tx, building.number)
        if done:
            await _queue_drop(tx, graph, job.tenant)
        return done

    if not await graph.write(bring_into_use):
        return {"skipped": "given up meanwhile", "embedded": made}
    await _backfill(ahead)
    await noticed()
    return {"generation": building.number, "embedded": made}


async def _make_all(ahead: Graph, embedder: Embedder) -> int:
    """Until nothing lacks a vector but what was written in the last moment; how many were made.

    Raises Unavailable where texts get none.
    """
    made, looked, before = 0, LONG_AGO, set[str]()
    while True:
        now = utc_now()
        lacking = [(kind, row) for kind in KINDS for row in await kind.unembedded(ahead, looked)]
        ids = {uid for _, row in lacking for uid in row["ids"]}
        settled = any(row["settled"] for _, row in lacking)
        if not ids or (looked > LONG_AGO and len(ids) <= FEW and not settled):
            return made
        if settled and before and before <= ids:
            raise Unavailable(f"{len(before)} texts get no vector of {embedder.model}, among them {min(before)}")
        made += await _make(ahead, embedder, lacking, len(ids))
        looked, before = now, ids


async def _make(ahead: Graph, embedder: Embedder, lacking: Sequence[tuple[Embedded, Row]], left: int) -> int:
    made = 0
    await note_left(ahead, ahead.generation, left)
    for kind, row in lacking:
        for at in range(0, len(row["ids"]), TEXTS_A_STEP):
            ids = row["ids"][at : at + TEXTS_A_STEP]
            made += len(await kind.make_vectors(ahead, embedder, Tenant(row["tenant"]), ids))
            left -= len(ids)
            await note_left(ahead, ahead.generation, left)
    return made


async def _backfill(graph: Graph) -> None:
    for kind in KINDS:
        await kind.backfill(graph)


async def drop(graph: Graph, _: Job) -> Mapping[str, Any]:
    """Handler of DROP: remove what no process uses any more, and see to what was written while they changed over."""
    state = await index_state(graph)
    if state is None or state.retired is None:
        return {"skipped": "nothing is left of an earlier generation"}
    live, old = graph.bound(state.live.number, state.live.maker.dimension), graph.bound(state.retired, None)
    await _backfill(live)
    await drop_indexes(graph, state.retired)
    for name in ("upkeep/drop_vectors", "upkeep/drop_chunks"):
        while (await old.run_schema(name))[0]["count"]:
            pass
    await graph.run("graph/forget_generation", number=state.retired)
    # A schema that changed has taken all plans with it.
    await search.plan_searches(live)
    await recall.plan_recalls(live)
    await search_as_of.plan_searches(live)
    return {"dropped": state.retired}
