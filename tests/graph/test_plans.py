"""What Neo4j would do for each statement, after one sample of each label and edge."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase, NotificationMinimumSeverity, ResultSummary

from graphmem.conversation.append_turn import append_turn
from graphmem.graph.gateway import Graph
from graphmem.graph.local import Server
from graphmem.graph.statements import cypher_folder, load
from graphmem.values import FOREVER, Role, Tenant
from tests.conversation.support import said, thread
from tests.graph.parameters import parameters
from tests.graph.probing import probing

Plan = dict[str, Any]

SCANS = {
    **dict.fromkeys((name for name in load() if name.startswith("audit/")), "audits look at the whole graph"),
    "graph/applied_migrations": "at start; there is a node for each migration",
    "migrations/0033_conflict_tenant": "once",
    "migrations/0037_over_long": "once",
    "migrations/0038_evidence_origin": "once",
    "migrations/0049_one_index_state": "once, and there are one or two",
    "migrations/0053_knowledge_moments": "once",
    "migrations/0055_notices_that_wait": "once",
    "migrations/0062_threads_notices_that_wait": "once",
    "migrations/0058_unread": "once",
    "upkeep/drop_chunks": "once after the vectors were made by another model",
    "upkeep/drop_vectors": "once after the vectors were made by another model",
}
SORTS = {
    "access/list_changes_touched": "full text has what touched one id in no order of time, and that is little",
    "access/list_keys": "a tenant has few keys, and those in use come first",
    "knowledge/list_text_asc": "full text knows no order but its own",
    "knowledge/list_text_asc_as_of": "full text knows no order but its own",
    "knowledge/list_text_desc": "full text knows no order but its own",
    "knowledge/list_text_desc_as_of": "full text knows no order but its own",
    "knowledge/list_updated_asc_as_of": "merges a page of what is and one of what was",
    "knowledge/list_updated_desc_as_of": "merges a page of what is and one of what was",
    "jobs/list": "merges a short list for each state",
}
COPIED = "copy "
COPIES = 100
ROWS = 2000
PAGE = 20


@pytest.fixture(scope="module")
async def explaining(server: Server, graph: Graph, sample: Tenant) -> AsyncIterator[AsyncDriver]:
    """A driver that is told of everything, on a graph in which every name is known and nothing is rare.

    Of a label with one node, every plan may be a scan.
    """
    every = NotificationMinimumSeverity.INFORMATION
    auth = (server.user, server.password)
    probe = probing(graph)
    await probe.run("probe/copy_nodes", tenant=sample, prefix=COPIED, copies=COPIES)
    await probe.run("probe/copy_edges", tenant=sample, prefix=COPIED, copies=COPIES)
    await probe.run_schema("probe/count_anew", seconds=60)
    async with AsyncGraphDatabase.driver(server.uri, auth=auth, notifications_min_severity=every) as driver:
        yield driver
    await probe.run("probe/drop_copies", prefix=COPIED)


async def ask(
    driver: AsyncDriver, how: str, text: str, params: dict[str, Any]
) -> tuple[tuple[str, ...], ResultSummary]:
    """The columns and what came with them, of a statement that is explained or profiled."""
    text, prefixed = re.subn("^CYPHER 25$", f"CYPHER 25 {how}", text, count=1, flags=re.MULTILINE)
    assert prefixed
    async with driver.session() as session:
        result = await session.run(text, params)
        return tuple(result.keys()), await result.consume()


def steps(plan: Plan) -> Iterator[Plan]:
    yield plan
    for child in plan.get("children", []):
        yield from steps(child)


def operator(plan: Plan) -> str:
    return str(plan["operatorType"]).partition("@")[0]


def is_few(plan: Plan) -> bool:
    """Whether a part of a plan has as many rows as were asked for by id, or the one of a sum."""
    name = operator(plan)
    if name.startswith("NodeUniqueIndexSeek") or name == "Argument":
        return True
    if name == "EagerAggregation":
        return re.match(r"\w+(,|$)", plan["args"].get("Details", "")) is None
    children = plan.get("children", [])
    return bool(children) and name not in ("Expand(All)", "Unwind", "Apply") and all(map(is_few, children))


def is_scan(plan: Plan) -> bool:
    return re.search(r"(Label|Labels|Type|Types|Relationships|Index)Scan$", operator(plan)) is not None


@pytest.mark.parametrize("name", sorted(load()))
async def test_a_statement_is_planned_without_surprise(explaining: AsyncDriver, graph: Graph, name: str) -> None:
    statement = graph.statements[name]
    columns, summary = await ask(explaining, "EXPLAIN", graph.text(statement), statement.bound(parameters(statement)))
    assert columns == statement.returns
    assert summary.query_type in {"read": ("r", "s"), "write": ("w", "rw"), "schema": ("s",)}[statement.kind]
    assert [status.status_description for status in summary.gql_status_objects if status.is_notification] == []
    plan = list(steps(summary.plan or {"operatorType": "none"}))
    operators = {operator(step) for step in plan}
    assert "AllNodesScan" not in operators
    assert [step for step in plan if operator(step) == "CartesianProduct" and not is_few(step)] == []
    assert any(map(is_scan, plan)) == (name in SCANS)
    if "/list" in name:
        assert bool(operators & {"Sort", "Top", "PartialSort", "PartialTop"}) == (name in SORTS)


@pytest.mark.parametrize("folder", ["audit", "browser"])
async def test_files_for_the_browser_run_as_they_stand(explaining: AsyncDriver, folder: str) -> None:
    for path in cypher_folder().glob(f"{folder}/*.cypher"):
        _, summary = await ask(explaining, "EXPLAIN", path.read_text(encoding="utf-8"), {})
        assert summary.query_type == "r", path


@pytest.mark.parametrize(
    ("plan", "few"),
    [
        ({"operatorType": "NodeUniqueIndexSeek@neo4j"}, True),
        ({"operatorType": "Filter@neo4j", "children": [{"operatorType": "NodeUniqueIndexSeek(Locking)@neo4j"}]}, True),
        ({"operatorType": "EagerAggregation@neo4j", "args": {"Details": "collect(n) AS nodes"}}, True),
        ({"operatorType": "EagerAggregation@neo4j", "args": {"Details": "id, collect(n) AS nodes"}}, False),
        ({"operatorType": "NodeByLabelScan@neo4j"}, False),
        ({"operatorType": "Unwind@neo4j", "children": [{"operatorType": "Argument@neo4j"}]}, False),
        ({"operatorType": "CartesianProduct@neo4j", "children": [
            {"operatorType": "NodeUniqueIndexSeek@neo4j"}, {"operatorType": "NodeIndexSeek@neo4j"}]}, False),
    ],
)  # fmt: skip
def test_the_look_at_plans_knows_what_is_few(plan: Plan, few: bool) -> None:
    assert is_few(plan) == few


@pytest.fixture(scope="session")
async def long_list(graph: Graph) -> Tenant:
    """A tenant of many nodes, made a minute apart."""
    tenant = Tenant(f"long list {datetime.now(UTC).isoformat()}")
    rows = [{"uid": f"n{at:06}", "at": at} for at in range(ROWS)]
    await probing(graph).run("probe/fill", tenant=tenant, rows=rows, start=datetime(2020, 1, 1, tzinfo=UTC))
    return tenant


@pytest.mark.parametrize("order", ["created_asc", "created_desc", "updated_asc", "updated_desc"])
@pytest.mark.parametrize("place", [None, ROWS // 2])
async def test_a_page_of_a_list_reads_no_more_than_a_page(
    explaining: AsyncDriver, graph: Graph, long_list: Tenant, order: str, place: int | None
) -> None:
    statement = graph.statements[f"knowledge/list_{order}"]
    params = dict.fromkeys(statement.params) | {
        "tenant": long_list, "resources": ["*"], "statuses": ["active"], "count": PAGE,
        "afterTime": None if place is None else datetime(2020, 1, 1, place // 60, place % 60, tzinfo=UTC),
        "afterId": None if place is None else f"n{place:06}",
    }  # fmt: skip
    _, summary = await ask(explaining, "PROFILE", graph.text(statement), statement.bound(params))
    assert summary.profile is not None
    seek = [step for step in steps(summary.profile) if operator(step) == "NodeIndexSeek"]
    assert [step["rows"] for step in seek] == [pytest.approx(PAGE, abs=1)]
    assert sum(step["dbHits"] for step in steps(summary.profile)) < ROWS


async def test_a_window_of_time_is_looked_up_and_not_filtered(
    explaining: AsyncDriver, graph: Graph, long_list: Tenant
) -> None:
    for order in ("created_asc", "created_desc"):
        statement = graph.statements[f"knowledge/list_{order}"]
        params = dict.fromkeys(statement.params) | {
            "tenant": long_list, "resources": ["*"], "statuses": ["active"], "count": 100,
            "createdFrom": datetime(2020, 1, 1, 10, tzinfo=UTC), "createdTo": datetime(2020, 1, 1, 10, 5, tzinfo=UTC),
        }  # fmt: skip
        _, summary = await ask(explaining, "PROFILE", graph.text(statement), statement.bound(params))
        assert summary.profile is not None
        assert summary.profile["rows"] == 5
        assert sum(step["dbHits"] for step in steps(summary.profile)) < ROWS


async def test_the_last_user_message_is_looked_up_however_many_others_came_since(
    explaining: AsyncDriver, graph: Graph
) -> None:
    tenant = Tenant(f"long thread {datetime.now(UTC).isoformat()}")
    caller = await thread(graph, tenant)
    for role in (Role.USER, Role.ASSISTANT):
        for _ in range(5):
            await append_turn(graph, caller, "t1", [said(f"{role} {at}", role=role) for at in range(100)])
    statement = graph.statements["context/gather"]
    params = dict.fromkeys(statement.params) | {
        "tenant": tenant, "thread": "t1", "count": PAGE, "look": 1, "memory": False, "notices": 0,
        "inThread": False,
    }  # fmt: skip
    _, summary = await ask(explaining, "PROFILE", graph.text(statement), statement.bound(params))
    assert summary.profile is not None
    every = list(steps(summary.profile))
    assert max(step["rows"] for step in every) <= PAGE + 1
    assert sum(step["dbHits"] for step in every) < 500


@pytest.mark.parametrize("order", ["created", "updated"])
async def test_pages_make_up_the_list_in_both_directions(graph: Graph, long_list: Tenant, order: str) -> None:
    up = [uid async for uid in walk(graph, long_list, f"knowledge/list_{order}_asc")]
    down = [uid async for uid in walk(graph, long_list, f"knowledge/list_{order}_desc")]
    assert up == [f"n{at:06}" for at in range(ROWS)]
    assert down == up[::-1]


async def walk(graph: Graph, tenant: Tenant, name: str) -> AsyncIterator[str]:
    statement = graph.statements[name]
    params = dict.fromkeys(statement.params) | {
        "tenant": tenant, "resources": ["*"], "statuses": ["active"], "count": 700,
        "createdFrom": datetime.min.replace(tzinfo=UTC), "createdTo": FOREVER,
    }  # fmt: skip
    while rows := await graph.read(name, **params):
        for row in rows:
            yield row["node"]["uid"]
        last = rows[-1]["node"]
        params["afterTime"] = last["createdAt" if "created" in name else "updatedAt"]
        params["afterId"] = last["uid"]
