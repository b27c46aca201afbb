"""All vectors of a graph made anew by another model, while it is searched and written."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from typing import Any

import pytest

import graphmem.embedding
from graphmem.access.principal import local_principal
from graphmem.config import Settings
from graphmem.embedding import Embedder
from graphmem.errors import Conflict, Unavailable
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import Generation, IndexState
from graphmem.knowledge.vectors import TEXTS
from graphmem.runtime import Runtime
from graphmem.upkeep import reembed
from graphmem.upkeep.audits import run_audit
from graphmem.values import Scope, Tenant, new_id
from tests.cli.conftest import Cli, bare  # noqa: F401
from tests.client import Client
from tests.conftest import Connect
from tests.factories import note
from tests.fakes.embedder import HashingEmbedder
from tests.fakes.models import dimension_of, load
from tests.jobs.support import until
from tests.operations import remember, update
from tests.own_server import OwnServer, own_server
from tests.upkeep.reembedding import (
    Process,
    corrects,
    finds_all,
    indexes,
    left,
    process,
    state_of,
    stopped,
    until_embedded,
    until_removed,
    until_switched,
)

OLD = "hash-64"
LONG = " ".join(f"filler{at}" for at in range(300)) + " porcupine"
REEMBED = "mutation ($model: String) { reembed(model: $model) { model nextModel nextDimension left removing } }"
NOTE, SPOKEN = "word7 other7", "the badger digs"
HELD = ("other7 word7", "digs the badger")
"""The same by vector."""
HEALTH = "{ health { parts { name ok detail } } }"
THREAD = 'mutation { createThread(resourceId: "acme", id: "t1") { id } }'


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnServer]:
    with own_server(tmp_path_factory.mktemp("own")) as server:
        yield server


@pytest.fixture(scope="module")
def quick(own: OwnServer) -> Settings:
    """A graph whose processes notice things soon, and are set to the model that made its first vectors."""
    return own.addressed(
        embedding_model=OLD,
        vectors_poll_seconds=0.3,
        job_poll_seconds=0.3,
        lease_seconds=8,
        statement_timeout=90,
        job_stop_seconds=1,
    )


@dataclass
class Filled:
    """A graph with notes, one of them long and one changed, and messages, one of them long; all with their vectors."""

    settings: Settings
    tenant: Tenant
    badger: str
    """The message that says what SPOKEN is."""
    before: str
    """A time before the note was changed."""


@pytest.fixture(scope="module")
async def filled(quick: Settings) -> Filled:
    tenant = Tenant(f"tenant {new_id()}")
    settings = quick.model_copy(update={"default_tenant": tenant})
    async with process(settings) as on:
        notes = [note(f"n{at}", f"Title {at}", f"word{at} other{at}") for at in range(12)]
        await remember(on.client, [*notes, note("long", "Handbook", LONG)])
        before = datetime.now(UTC).isoformat()
        await update(on.client, "n1", {"content": "word1 changed1"})
        await on.client.query(THREAD)
        badger = await on.append(SPOKEN)
        await on.append(LONG.replace("porcupine", "pangolin"))
        await until_embedded(on)
    return Filled(settings, tenant, badger, before)


class Held(HashingEmbedder):
    """Keeps two questions waiting."""

    def __init__(self, model: str) -> None:
        super().__init__(dimension_of(model), model=model, window=128)
        self.asked = asyncio.Semaphore(0)
        self.go = asyncio.Event()

    async def embed_query(self, text: str) -> list[float]:
        if text in HELD:
            self.asked.release()
            await self.go.wait()
        return await super().embed_query(text)


async def write_and_ask(on: Sequence[Process], badger: str, written: list[tuple[str, str]]) -> None:
    """For ever, unless an answer is missing or wrong; with pauses, for the change needs the processor too."""
    for at in count():
        writer = on[at % len(on)]
        await remember(writer.client, [note(f"w{at}", f"Written {at}", f"fresh{at} new{at}")])
        written.append((f"w{at}", await writer.append(f"spoken{at} aloud{at}")))
        for one in on:
            assert await one.nearest(NOTE) == ["n7"]
            assert await one.recalled(SPOKEN) == badger
        await asyncio.sleep(0.3)


async def test_another_model_takes_over_while_the_graph_is_searched_and_written(filled: Filled) -> None:
    """B68, R31: a second process searches too; every answer is by vector, whichever of the two generations is in use.

    A search and a recall that began before the switch end with the vectors that they began with.
    """
    held = Held(OLD)

    async def holding(settings: Settings) -> Embedder:
        return held if settings.embedding_model == OLD else await load(settings)

    async with process(filled.settings, load=holding) as first, process(filled.settings, work=False) as second:
        before, written = (await state_of(first.graph)).live.number, list[tuple[str, str]]()
        slow = asyncio.gather(first.nearest(HELD[0]), first.recalled(HELD[1]))
        for _ in HELD:
            await held.asked.acquire()
        busy = asyncio.create_task(write_and_ask([first, second], filled.badger, written))
        begun = (await first.client.query(REEMBED, model="hash-96"))["reembed"]
        assert begun == {"model": OLD, "nextModel": "hash-96", "nextDimension": 96, "left": None, "removing": False}
        await until_switched(first.graph)
        for one in (first, second):
            await one.until_live("hash-96")
        held.go.set()
        assert await slow == [["n7"], filled.badger]
        await stopped(busy)
        await until_removed(first.graph)
        await until_embedded(first)
        await finds_all(second, written)
        await corrects(second, filled.before)
        assert await left(first.graph, before) == (0, indexes(before + 1))
        for audit in ("missing_vectors", "stale_vectors", "wrong_size_vectors", "unknown_names"):
            assert await run_audit(first.graph, audit) == []
    async with process(filled.settings, work=False) as later:
        assert await later.nearest(NOTE) == ["n7"], "the graph says which model it needs, not the setting"


def test_a_change_goes_on_after_a_kill_by_the_command(
    filled: Filled,
    bare: Cli,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All vectors anew, by the model that made those in use."""
    live, had = asyncio.run(begun_and_killed(filled.settings))
    monkeypatch.setattr(graphmem.embedding, "load", load)
    # No other process has to notice: what is old is removed at once.
    monkeypatch.setattr(reembed, "LOAD_SECONDS", -filled.settings.statement_timeout)
    assert filled.settings.neo4j_password is not None
    where: dict[str, Any] = {
        "neo4j_uri": filled.settings.neo4j_uri,
        "neo4j_password": filled.settings.neo4j_password.get_secret_value(),
        "vectors_poll_seconds": 0.1,
        "statement_timeout": filled.settings.statement_timeout,
        "log_level": "error",
        "default_tenant": filled.tenant,
    }
    absent = bare("reembed", "--model", "absent", **where)
    assert (absent.status, absent.out) == (Unavailable.exit_status, "")
    assert absent.told == "graphmem: embedding_model absent could not be loaded"
    made = {"model": live.maker.model, "dimension": live.maker.dimension}
    done = bare("reembed", "--json", **where)
    assert done.status == 0, done.err
    assert done.json == made
    assert f"GRAPHMEM_EMBEDDING_MODEL={live.maker.model}" in done.err
    assert bare("reembed", "--model", live.maker.model, "--json", **where).json == made, "nothing is left to do"
    assert bare("reembed", "--cancel", "--json", **where).json == {"given up": False}
    asyncio.run(all_is_anew(filled.settings, live, had))


async def begun_and_killed(settings: Settings) -> tuple[Generation, int]:
    """The generation in use, and how many items have a vector of it."""
    async with connect(settings) as graph:
        live = (await state_of(graph)).live
        had, _ = await left(graph, live.number)
    await killed_half_way(settings)
    async with process(settings, work=False) as asked:
        (some, both), state = await left(asked.graph, live.number + 1), await state_of(asked.graph)
        assert 0 < some < had
        assert both == sorted(indexes(live.number) + indexes(live.number + 1))
        assert (state.live, state.building) == (live, Generation(live.number + 1, live.maker))
        health = {part["name"]: part["detail"] for part in (await asked.client.query(HEALTH))["health"]["parts"]}
        assert health["vectors"].startswith(f"made by {live.maker.model}; being made by {live.maker.model}")
        with pytest.raises(Conflict, match=f"made by {live.maker.model} already"):
            await reembed.reembed(
                asked.graph, asked.runtime.models, local_principal(Tenant(settings.default_tenant)), "hash-32"
            )
    return live, had


async def all_is_anew(settings: Settings, was: Generation, had: int) -> None:
    async with connect(settings) as graph:
        assert await state_of(graph) == IndexState(Generation(was.number + 1, was.maker))
        assert await left(graph, was.number) == (0, indexes(was.number + 1))
        assert (await left(graph, was.number + 1))[0] == had


async def killed_half_way(settings: Settings) -> None:
    """A process writes some vectors anew, and is killed."""
    assert settings.neo4j_password is not None
    names = ("neo4j_uri", "embedding_model", "default_tenant", "job_poll_seconds", "lease_seconds")
    named = {f"GRAPHMEM_{name.upper()}": str(getattr(settings, name)) for name in names}
    named["GRAPHMEM_NEO4J_PASSWORD"] = settings.neo4j_password.get_secret_value()
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.upkeep.half_a_change"),
        env={**os.environ, **named},
        stdout=asyncio.subprocess.PIPE,
    )
    assert child.stdout is not None
    try:
        async with asyncio.timeout(90):
            while (line := await child.stdout.readline()).strip() != b"half":
                assert line, "it ended before it had written anything"
    finally:
        child.kill()
        await child.wait()


async def test_a_change_can_be_given_up(filled: Filled) -> None:
    async with process(filled.settings, kinds=[reembed.DROP]) as only:
        graph, models, caller = only.graph, only.runtime.models, local_principal(filled.tenant)
        live = (await state_of(graph)).live
        assert not await reembed.give_up(graph, filled.tenant)
        await reembed.reembed(graph, models, caller, "hash-16", dry_run=True)
        await reembed.reembed(graph, models, caller, "hash-32")
        assert await reembed.give_up(graph, filled.tenant)
        with pytest.raises(Conflict, match="still being removed"):
            await reembed.reembed(graph, models, caller, "hash-32")
        await until_removed(graph)
        assert await state_of(graph) == IndexState(live)
        assert await left(graph, live.number + 1) == (0, indexes(live.number))

        async def closed() -> bool:
            return models.names == {live.maker.model}

        await until(closed, 120)


async def test_without_the_model_or_the_right_to_it_nothing_changes(
    client: Client, connect_as: Connect, graph: Graph, runtime: Runtime
) -> None:
    before, operators = await state_of(graph), Tenant(graph.settings.default_tenant)
    error = await (await connect_as(tenant=operators)).error(REEMBED, model="absent")
    assert (error["code"], error["field"]) == ("UNAVAILABLE", "model")
    others = [
        client,
        await connect_as(Scope.WRITE, tenant=operators),
        await connect_as(tenant=operators, resource="acme"),
    ]
    for caller in others:
        assert (await caller.error(REEMBED))["code"] == "FORBIDDEN"
    same = await reembed.reembed(graph, runtime.models, local_principal(operators), before.live.maker.model)
    assert same.is_done
    dry = await reembed.reembed(graph, runtime.models, local_principal(operators), dry_run=True)
    assert dry.next_model == before.live.maker.model
    assert await state_of(graph) == before


async def test_vectors_that_are_not_in_use_any_more_are_not_stored(
    graph: Graph, client: Client, tenant: Tenant, embedder: HashingEmbedder
) -> None:
    await remember(client, [note("a")])
    behind = graph.bound(graph.generation + 1, graph.dimension)
    with pytest.raises(Unavailable, match="vectors of hashing are not in use any more"):
        await TEXTS.make_vectors(behind, embedder, tenant, ["a"])
    assert (await left(graph, graph.generation + 1))[0] == 0
    assert await TEXTS.make_vectors(graph, embedder, tenant, ["a"]) == ["a"]
