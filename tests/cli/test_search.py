"""`graphmem search`: every filter, and why each note was found."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from graphmem.cli import knowledge
from graphmem.graph.gateway import Graph
from graphmem.knowledge.remember import remember
from graphmem.knowledge.search import Mode
from graphmem.knowledge.update import Patch, update
from graphmem.values import EdgeType, KnowledgeType, Tenant, utc_now
from tests.cli.conftest import Cli
from tests.conftest import Settle
from tests.factories import edge, node, principal


@pytest.fixture
async def then(graph: Graph, tenant: Tenant, settle: Settle) -> datetime:
    """A moment after which one note is no longer about otters."""
    who = principal(tenant)
    given = [
        node("a", "Otters", "They swim.", type=KnowledgeType.FACT, tags=["river", "wild"], confidence=0.9),
        node("b", "More otters", "They eat.", tags=["river"], confidence=0.6),
        node("c", "Ponds", "Still water."),
    ]
    await remember(graph, who, given, [edge("c", EdgeType.RELATED_TO, "a")])
    await remember(graph, principal(Tenant(f"{tenant} other")), [node("theirs", "Otters", "In the zoo.")])
    await settle()
    then = utc_now()
    await update(graph, who, "b", Patch(title="Badgers"))
    return then


def test_each_option_narrows_the_search(cli: Cli, then: datetime, tenant: Tenant) -> None:
    def found(*options: object) -> set[str]:
        return {row["id"] for row in cli("search", "otters", "--depth", 0, "--json", *options).json}

    before, early = then.isoformat(), (then - timedelta(days=1)).date()
    assert found() == {"a"}
    assert found("--as-of", before) == {"a", "b"}
    assert found("--as-of", early) == set()
    assert found("--as-of", before, "--type", "fact") == {"a"}
    assert found("--as-of", before, "--type", "fact", "--type", "concept") == {"a", "b"}
    assert found("--as-of", before, "--tag", "river") == {"a", "b"}
    assert found("--as-of", before, "--tag", "river", "--tag", "wild") == {"a"}
    assert found("--as-of", before, "--min-confidence", 0.8) == {"a"}
    assert found("--tenant", f"{tenant} other") == {"theirs"}
    assert found("--mode", "text") == {"a"}


def test_a_path_is_told_with_the_nodes_it_passes(cli: Cli, then: datetime) -> None:
    rows = cli("search", "ponds", "--limit", 5, "--json").json
    assert {row["id"]: row["path"] for row in rows} == {"c": "", "a": "c -RELATED_TO-> a"}
    assert "a <-RELATED_TO- c" in cli("search", "otters").out


def test_scores_are_told_to_the_third_digit_and_in_full_as_json(cli: Cli, then: datetime) -> None:
    exact = [row["score"] for row in cli("search", "ponds", "--json").json]
    told = [float(line.split()[0]) for line in cli("search", "ponds").out.splitlines()[1:]]
    assert told == [pytest.approx(score, abs=0.0005) for score in exact]
    assert [knowledge._rounded(score) for score in (1.0, 0.8, 0.0004, 3e-7, 0.0)] == [
        "1.000", "0.800", "0.0004", "3e-07", "0.000",
    ]  # fmt: skip


def test_nothing_found_is_told(cli: Cli, then: datetime) -> None:
    found = cli("search", "zebra")
    assert (found.status, found.out) == (0, "")
    assert found.err.splitlines()[0] == "nothing was found"
    assert cli("search", "zebra", "--json").json == []


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ([""], "query is blank"),
        (["x", "--limit", "0"], "limit must be from 1 to 200, not 0"),
        (["x", "--depth", "9"], "maxDepth must be from 0 to 4, not 9"),
        (["x", "--min-confidence", "2"], "minConfidence must be a number from 0 to 1"),
        (["x", "--as-of", "9000-01-01"], "still to come"),
        (["x", "--resource", " "], "resource is blank"),
    ],
)
def test_what_is_wrong_with_a_search_is_told_before_neo4j_or_a_model_is_asked_for(
    bare: Cli, unused_tcp_port: int, args: list[str], told: str
) -> None:
    done = bare("search", *args, neo4j_uri=f"bolt://127.0.0.1:{unused_tcp_port}", neo4j_password="x")
    assert (done.status, done.out) == (2, "")
    assert told in done.told


def test_a_search_by_vector_needs_a_model(cli: Cli, then: datetime) -> None:
    done = cli("search", "otters", "--mode", "vector")
    assert (done.status, done.out) == (3, "")
    assert "a search by vector is not possible" in done.told
    hints = knowledge.search_command.__annotations__["mode"]
    assert all(mode in hints for mode in Mode)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--as-of", "yesterday"], "as-of: 'yesterday' is no time; write it as 2026-03-01T09:30Z"),
        (["--as-of", "9000-01-01"], "still to come"),
        (["--min-confidence", 2], "minConfidence must be a number from 0 to 1"),
    ],
)
def test_what_can_not_be_is_refused_in_one_line(cli: Cli, options: list[object], told: str) -> None:
    done = cli("search", "x", *options)
    assert (done.status, done.out) == (2, "")
    assert told in done.told
