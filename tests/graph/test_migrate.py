from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace

import pytest

from graphmem.errors import SchemaMismatch, Unavailable
from graphmem.graph.connect import connect
from graphmem.graph.gateway import Graph
from graphmem.graph.index_state import INDEXES as VECTOR_INDEXES
from graphmem.graph.index_state import ensure_vectors
from graphmem.graph.indexes import await_indexes
from graphmem.graph.migrate import check_server, lease, migrate, migrations
from graphmem.graph.schema import INDEXES, Index
from graphmem.graph.statements import Statement
from tests.graph.probing import emptied, probing, until
from tests.graph.second_server import SecondServer

VECTOR_OPTIONS = {
    "vector.dimensions": 3,
    "vector.similarity_function": "COSINE",
    "vector.quantization.type": "NONE",
}
NOTES = {"vector.hnsw.m": 16, "vector.hnsw.ef_construction": 100, "vector.default_search_expansion_factor": 1.5}
MESSAGES = {"vector.hnsw.m": 32, "vector.hnsw.ef_construction": 200, "vector.default_search_expansion_factor": 1.0}


@pytest.fixture
async def other(second: SecondServer) -> AsyncIterator[Graph]:
    """The graph of the second server, in whatever state."""
    async with connect(second.addressed()) as graph:
        yield graph


@pytest.fixture
async def empty(other: Graph) -> Graph:
    await emptied(other)
    return other


@pytest.fixture
async def migrated(other: Graph) -> Graph:
    await migrate(other)
    return other


def knowing(graph: Graph, statements: Mapping[str, Statement]) -> Graph:
    """The graph as a version with these statements sees it."""
    return Graph(graph.driver, graph.settings, statements)


async def schema(graph: Graph) -> dict[str, Index]:
    rows = await probing(graph).read("probe/schema")
    return {
        row["name"]: Index(tuple(sorted(row["labels"])), tuple(row["properties"]), row["type"], row["unique"])
        for row in rows
    }


async def applied(graph: Graph) -> list[int]:
    return [row["number"] for row in await graph.read("graph/applied_migrations")]


@pytest.mark.parametrize("starters", [2, 8])
async def test_starters_at_once_make_an_empty_graph_what_is_declared_and_each_migration_is_done_by_one(
    empty: Graph, starters: int
) -> None:
    graphs = [knowing(empty, empty.statements) for _ in range(starters)]

    async def start(graph: Graph) -> list[str]:
        done = await migrate(graph)
        await ensure_vectors(graph, "a model", 3, "a recipe")
        return done

    done = await asyncio.gather(*map(start, graphs))
    names = [migration.statement.name for migration in migrations(empty)]
    assert sorted(name for of_one in done for name in of_one) == names
    assert await applied(empty) == list(range(1, len(names) + 1))
    assert await schema(empty) == INDEXES
    constraints = await probing(empty).read("probe/constraints")
    assert {row["name"] for row in constraints} == {name for name, index in INDEXES.items() if index.unique}
    assert (await probing(empty).read("probe/lease"))[0]["owner"] is None
    assert await migrate(empty) == []


async def test_the_graph_of_the_whole_run_has_what_is_declared(graph: Graph) -> None:
    assert await schema(graph) == INDEXES
    assert {row["state"] for row in await graph.read("graph/indexes")} == {"ONLINE"}


@pytest.mark.parametrize("index", VECTOR_INDEXES)
async def test_a_vector_index_states_its_options(empty: Graph, index: str) -> None:
    """The defaults find 17 % less for a tenant with 1 % of the nodes."""
    await ensure_vectors(empty, "a model", 3, "a recipe")
    rows = await probing(empty).read("probe/schema")
    options = next(row["options"]["indexConfig"] for row in rows if row["name"] == f"{index}_vector_1")
    wanted = VECTOR_OPTIONS | (MESSAGES if index == "message" else NOTES)
    assert options | wanted == options


async def test_a_changed_migration_is_refused(graph: Graph) -> None:
    third = migrations(graph)[2].statement
    changed = graph.statements | {third.name: replace(third, text=third.text + " ")}  # type: ignore[operator]
    with pytest.raises(SchemaMismatch, match=r"migration 3 \(index_state_kind\) was applied .* new migration"):
        await migrate(knowing(graph, changed))


async def test_a_graph_of_a_newer_version_is_refused(graph: Graph) -> None:
    *_, last = migrations(graph)
    older = {name: statement for name, statement in graph.statements.items() if name != last.statement.name}
    with pytest.raises(SchemaMismatch, match=f"has migration {last.number}, .* upgrade graphmem"):
        await migrate(knowing(graph, older))


async def test_numbers_with_a_gap_are_refused(graph: Graph) -> None:
    second = migrations(graph)[1].statement.name
    gap = {name: statement for name, statement in graph.statements.items() if name != second}
    with pytest.raises(SchemaMismatch, match="without gaps"):
        await migrate(knowing(graph, gap))


@pytest.mark.parametrize("agent", ["Neo4j/5.26.1", "Neo4j/2025.12.0", "Neo4j/2026.05.2", "Memgraph/3.1", ""])
def test_a_server_that_is_too_old_is_refused(agent: str) -> None:
    with pytest.raises(SchemaMismatch, match=r"needs Neo4j 2026\.06 or newer"):
        check_server(agent)


@pytest.mark.parametrize("agent", ["Neo4j/2026.06.0", "Neo4j/2026.08.1", "Neo4j/2026.10.0-SNAPSHOT", "Neo4j/2027.01.0"])
def test_a_newer_server_is_taken(agent: str) -> None:
    check_server(agent)


async def test_a_missing_migration_alone_is_applied(migrated: Graph) -> None:
    await probing(migrated).run("probe/forget_migration", number=5)
    assert await migrate(migrated) == [migrations(migrated)[4].statement.name]


async def test_a_starter_that_died_holds_others_up_until_its_lease_ends(migrated: Graph) -> None:
    await probing(migrated).run("probe/forget_migration", number=1)
    await migrated.run("graph/lock_migrations", owner="one that died", seconds=600)
    with pytest.raises(Unavailable, match="another process is migrating"):
        await migrate(migrated, wait_seconds=0.3)
    await migrated.run("graph/lock_migrations", owner="one that died", seconds=0.5)
    assert await migrate(migrated) == ["migrations/0001_item_uid"]


async def test_a_starter_at_work_keeps_its_lease(migrated: Graph) -> None:
    async with lease(migrated, wait_seconds=10, seconds=1):
        first = (await probing(migrated).read("probe/lease"))[0]

        async def is_renewed() -> bool:
            return bool((await probing(migrated).read("probe/lease"))[0]["until"] > first["until"])

        await until(is_renewed)
        assert (await probing(migrated).read("probe/lease"))[0]["owner"] == first["owner"]
    assert (await probing(migrated).read("probe/lease"))[0]["owner"] is None


async def test_an_index_that_can_not_be_filled_is_told_with_neo4js_reason(migrated: Graph) -> None:
    probe = probing(migrated)
    await probe.run("probe/write_unindexable")
    await probe.run_schema("probe/index_unindexable")
    try:
        with pytest.raises(SchemaMismatch, match=r"could not fill the index unindexable: .*too large to index"):
            await await_indexes(migrated)
    finally:
        await probe.run_schema("probe/drop_index", name="unindexable")
