from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from graphmem.conversation import memory_write
from graphmem.conversation.memory_state import Where
from graphmem.conversation.update_working_memory import MemoryUpdate, update_working_memory
from graphmem.errors import InvalidInput
from graphmem.graph.gateway import Graph
from graphmem.graph.statements import cypher_folder
from graphmem.knowledge import update as update_module
from graphmem.knowledge.archive import archive
from graphmem.knowledge.link import link
from graphmem.knowledge.remember import remember
from graphmem.knowledge.supersede import supersede
from graphmem.knowledge.update import Patch, update
from graphmem.upkeep.audits import audit_names, run_audit, run_audits
from graphmem.values import EdgeType, Scope, Tenant, utc_now
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import edge, node, principal
from tests.upkeep.support import forget_vector, join

AUDITS = [
    "contradictory_validity", "cross_tenant_edges", "dangling_links", "duplicate_content", "missing_vectors",
    "orphan_chunks", "orphan_fields", "over_long_notes", "overdue_turns", "revisions_out_of_order", "sequence_gaps",
    "stale_vectors", "superseded_in_use",
    "supersedes_cycles", "unknown_names", "unsupported_mentions", "wrong_counts", "wrong_size_vectors",
]  # fmt: skip


async def found(graph: Graph, name: str, tenant: Tenant) -> list[tuple[str, str, str]]:
    return [(row.id, row.problem, row.detail) for row in await run_audit(graph, name, tenant)]


async def sound(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    """A graph in which nothing is wrong, with one of everything that an audit looks at."""
    who = principal(tenant)
    nodes = [
        node("a", tags=["x"]), node("b"), node("c", content="word " * 290), node("d", "Same", "text"),
        node("e", "Same", "text", resource="ann"), node("f", "Ann Lee", "of Ann Lee and Bob Ray"),
        node("g", "another", "of Ann Lee, bob ray and the HTTP"), node("h", "last", "of ann lee and Bob Ray"),
    ]  # fmt: skip
    await remember(graph, who, nodes, [edge("c", EdgeType.RELATED_TO, "a")])
    await supersede(graph, who, "c", "b")
    await supersede(graph, who, "b", "a")
    await settle()
    await update(graph, who, "g", Patch(content="of Ann Lee, bob ray and no more"))
    await update(graph, who, "g", Patch(confidence=0.5))
    await archive(graph, who, "h")
    await settle()


def test_every_audit_is_tested_here(graph: Graph) -> None:
    assert audit_names(graph) == AUDITS
    assert sorted(path.stem for path in (cypher_folder() / "audit").glob("*.cypher")) == AUDITS


async def test_nothing_is_found_in_a_sound_tenant(graph: Graph, tenant: Tenant, settle: Settle) -> None:
    assert [(name, rows) async for name, rows in run_audits(graph, tenant)] == [(name, []) for name in AUDITS]
    await sound(graph, tenant, settle)
    assert [(name, rows) async for name, rows in run_audits(graph, tenant)] == [(name, []) for name in AUDITS]


@pytest.mark.parametrize("name", AUDITS)
async def test_each_file_runs_as_it_stands_and_says_what_it_promises(graph: Graph, name: str) -> None:
    text = (cypher_folder() / "audit" / f"{name}.cypher").read_text(encoding="utf-8")
    async with graph.driver.session(database=graph.settings.neo4j_database, default_access_mode="READ") as session:
        result = await session.run(text)
        assert list(result.keys()) == ["tenant", "id", "problem", "detail"]
        await result.consume()


async def test_an_edge_to_another_tenants_item_is_found_without_telling_what_it_is(
    graph: Graph, tenant: Tenant
) -> None:
    other = Tenant(f"{tenant} other")
    await remember(graph, principal(tenant), [node("a")])
    await remember(graph, principal(other), [node("secret")])
    await join(graph, (tenant, "a"), EdgeType.RELATED_TO, (other, "secret"))
    assert await found(graph, "cross_tenant_edges", tenant) == [
        ("a", "cross-tenant edge", "RELATED_TO to an item of another tenant")
    ]
    assert await found(graph, "cross_tenant_edges", other) == []


async def test_a_link_that_waits_is_found_until_its_node_comes(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a")])
    await link(graph, principal(tenant), [edge("a", EdgeType.DEPENDS_ON, "b")])
    ((uid, problem, detail),) = await found(graph, "dangling_links", tenant)
    assert uid.startswith("p")
    assert (problem, detail) == ("dangling link", "a -DEPENDS_ON-> b waits for b")
    await remember(graph, principal(tenant), [node("b")])
    assert await found(graph, "dangling_links", tenant) == []


async def test_the_same_text_twice_is_found_and_of_many_ten_are_named(graph: Graph, tenant: Tenant) -> None:
    twins = [node(f"n{number:02}", "Same", "text") for number in range(30)]
    await remember(graph, principal(tenant), [*twins, node("other", "Same", "text", resource="ann")])
    rows = await found(graph, "duplicate_content", tenant)
    assert [uid for uid, _, _ in rows] == [twin.id for twin in twins]
    assert rows[0] == ("n00", "duplicate content", "same text as " + ", ".join(f"n{n:02}" for n in range(1, 11)))
    assert rows[29][2] == "same text as " + ", ".join(f"n{n:02}" for n in range(10))


async def test_a_text_without_its_vector_is_found_and_so_is_a_piece_of_one(
    graph: Graph, tenant: Tenant, settle: Settle
) -> None:
    await remember(graph, principal(tenant), [node("a"), node("long", "Long", "word " * 600)])
    assert {uid for uid, _, _ in await found(graph, "missing_vectors", tenant)} == {"a", "long"}
    await settle()
    assert await found(graph, "missing_vectors", tenant) == []
    await forget_vector(graph, tenant, "long")
    rows = await found(graph, "missing_vectors", tenant)
    assert ("long", "missing vector", "Long") in rows
    pieces = [detail for uid, _, detail in rows if uid != "long"]
    assert len(pieces) > 1
    assert set(pieces) == {"chunk of long"}


async def test_nodes_that_supersede_themselves_by_way_of_others_are_found(graph: Graph, tenant: Tenant) -> None:
    await remember(
        graph,
        principal(tenant),
        [node(uid) for uid in "abcd"],
        [edge(*ends[:1], EdgeType.SUPERSEDES, ends[1]) for ends in ("ab", "bc", "cd")],
    )
    assert await found(graph, "supersedes_cycles", tenant) == []
    await join(graph, (tenant, "c"), EdgeType.SUPERSEDES, (tenant, "a"))
    assert await found(graph, "supersedes_cycles", tenant) == [
        ("a", "supersedes cycle", "a -> b -> c -> a"),
        ("b", "supersedes cycle", "b -> c -> a -> b"),
        ("c", "supersedes cycle", "c -> a -> b -> c"),
    ]


async def test_a_node_that_supersedes_itself_is_found(graph: Graph, tenant: Tenant) -> None:
    await remember(graph, principal(tenant), [node("a")])
    await join(graph, (tenant, "a"), EdgeType.SUPERSEDES, (tenant, "a"))
    assert await found(graph, "supersedes_cycles", tenant) == [("a", "supersedes cycle", "a -> a")]


async def test_a_clock_that_is_behind_another_s_puts_no_version_before_the_one_it_follows(
    graph: Graph, tenant: Tenant, monkeypatch: pytest.MonkeyPatch
) -> None:
    who, about = principal(tenant), Where(resource="r1")
    await remember(graph, who, [node("a")])
    for step, behind in enumerate((0, 3600, 0)):
        clock = partial(lambda seconds: utc_now() - timedelta(seconds=seconds), behind)
        for module in (update_module, memory_write):
            monkeypatch.setattr(module, "utc_now", clock)
        await update(graph, who, "a", Patch(content=f"text {step}"))
        await update_working_memory(graph, who, about, MemoryUpdate(merge={"city": f"city {step}"}))
    assert await found(graph, "revisions_out_of_order", tenant) == []


async def test_an_audit_that_is_not_there_is_refused_by_name(graph: Graph) -> None:
    with pytest.raises(
        InvalidInput, match="there is no audit 'x'; there are contradictory_validity, cross_tenant_edges"
    ):
        await run_audit(graph, "x")
    with pytest.raises(InvalidInput):
        await run_audit(graph, "../graph/ping")


AUDIT = "query ($name: String!, $first: Int! = 100) { audit(name: $name, first: $first) { audit id problem detail } }"


async def test_over_graphql_a_caller_sees_its_own_tenants_rows(
    client: Client, connect_as: Connect, tenant: Tenant, graph: Graph
) -> None:
    other = Tenant(f"{tenant} other")
    for owner in (tenant, other):
        await remember(graph, principal(owner), [node(f"{owner[-5:]}{n}", "Same", "text") for n in range(3)])
    own = (await client.query(AUDIT, name="duplicate_content"))["audit"]
    theirs = (await (await connect_as(tenant=other)).query(AUDIT, name="duplicate_content"))["audit"]
    assert [row["id"] for row in own] == [f"{tenant[-5:]}{n}" for n in range(3)]
    assert [row["id"] for row in theirs] == [f"{other[-5:]}{n}" for n in range(3)]
    assert {(row["audit"], row["problem"]) for row in own} == {("duplicate_content", "duplicate content")}
    assert (await client.query(AUDIT, name="duplicate_content", first=1))["audit"] == own[:1]
    assert (await client.query("{ audits }"))["audits"] == AUDITS


@pytest.mark.parametrize(
    ("variables", "code"),
    [
        ({"name": "nonsense"}, "INVALID_INPUT"),
        ({"name": "dangling_links", "first": 0}, "INVALID_INPUT"),
        ({"name": "dangling_links", "first": 100_000}, "LIMIT_EXCEEDED"),
    ],
)
async def test_over_graphql_nonsense_is_refused(client: Client, variables: dict[str, Any], code: str) -> None:
    assert (await client.error(AUDIT, **variables))["code"] == code


async def test_over_graphql_an_audit_needs_an_admin_of_the_whole_tenant(connect_as: Connect) -> None:
    for caller in (await connect_as(Scope.WRITE), await connect_as(Scope.ADMIN, resource="ann")):
        assert (await caller.error(AUDIT, name="dangling_links"))["code"] == "FORBIDDEN"
        assert (await caller.query("{ audits }"))["audits"] == AUDITS
