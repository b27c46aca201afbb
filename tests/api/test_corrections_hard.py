"""What callers do to corrections that they were not made for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graphmem.graph.gateway import Graph
from graphmem.values import Scope, Tenant
from tests.client import Client
from tests.conftest import Connect
from tests.factories import arrow, note
from tests.knowledge.support import counted
from tests.operations import edges, knowledge, remember, update

ONE = """mutation ($id: ID!, $reason: String, $version: Int, $key: String, $dryRun: Boolean! = false) {{
  {verb}(id: $id, reason: $reason, expectedVersion: $version, idempotencyKey: $key, dryRun: $dryRun) {{
    status version changed }} }}"""
SUPERSEDE = """mutation (
  $id: ID!, $other: ID! = "b", $reason: String, $version: Int, $key: String, $dryRun: Boolean! = false
) {
  supersede(old: $id, new: $other, reason: $reason, expectedVersion: $version, idempotencyKey: $key, dryRun: $dryRun) {
    status version changed } }"""
FLAG = """mutation ($id: ID!, $other: ID! = "b", $key: String, $dryRun: Boolean! = false) {
  flagConflict(one: $id, other: $other, idempotencyKey: $key, dryRun: $dryRun) { created { from } } }"""
RESOLVE = """mutation ($id: ID!, $other: ID! = "b", $version: Int, $key: String, $dryRun: Boolean! = false) {
  resolveConflict(keep: $other, drop: $id, expectedVersion: $version, idempotencyKey: $key, dryRun: $dryRun) {
    status changed } }"""
DELETE = """mutation ($id: ID!, $version: Int, $key: String, $dryRun: Boolean! = false) {
  deleteKnowledge(id: $id, expectedVersion: $version, idempotencyKey: $key, dryRun: $dryRun) { id } }"""
VERBS = {verb: ONE.format(verb=verb) for verb in ("retract", "archive", "restore")}
VERBS |= {"supersede": SUPERSEDE, "flagConflict": FLAG, "resolveConflict": RESOLVE, "deleteKnowledge": DELETE}
CONFLICTS = "{ conflicts { nodes { first { id } } } }"
HISTORY = """query ($id: ID!) {
  history(id: $id) { reason cause { action keyName agent changeId } node { version } } }"""


async def prepared(client: Client, verb: str) -> None:
    """Two notes on which the verb has something to do."""
    await remember(client, [note("a"), note("b")])
    if verb == "restore":
        await client.query(VERBS["retract"], id="a")
    if verb == "resolveConflict":
        await client.query(FLAG, id="a")


async def whole(client: Client, graph: Graph, tenant: Tenant) -> Any:
    nodes = [await knowledge(client, uid) for uid in "ab"]
    return nodes, await edges(client, "b"), dict(await counted(graph, tenant))


@pytest.mark.parametrize("verb", VERBS)
async def test_a_dry_run_of_a_correction_changes_nothing(
    client: Client, graph: Graph, tenant: Tenant, verb: str
) -> None:
    await prepared(client, verb)
    before = await whole(client, graph, tenant)
    told = (await client.query(VERBS[verb], id="a", dryRun=True))[verb]
    assert await whole(client, graph, tenant) == before
    assert (await client.query(VERBS[verb], id="a"))[verb] == told
    assert await whole(client, graph, tenant) != before


@pytest.mark.parametrize("verb", VERBS)
async def test_a_correction_is_done_once_for_its_key_and_the_key_is_not_good_for_another(
    client: Client, graph: Graph, tenant: Tenant, verb: str
) -> None:
    await prepared(client, verb)
    first = (await client.query(VERBS[verb], id="a", key="once"))[verb]
    after = await whole(client, graph, tenant)
    assert (await client.query(VERBS[verb], id="a", key="once"))[verb] == first
    assert await whole(client, graph, tenant) == after
    assert (await client.error(VERBS[verb], id="c", key="once"))["code"] == "IDEMPOTENCY_CONFLICT"
    assert await whole(client, graph, tenant) == after


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "flagConflict"])
async def test_a_correction_of_a_version_that_is_not_the_newest_is_refused(client: Client, verb: str) -> None:
    await prepared(client, verb)
    version = (await knowledge(client, "a"))["version"]
    await update(client, "a", {"tags": ["changed since"]})
    before = await edges(client, "a")
    error = await client.error(VERBS[verb], id="a", version=version)
    assert (error["code"], error["currentVersion"]) == ("VERSION_CONFLICT", version + 1)
    assert ((await knowledge(client, "a"))["version"], await edges(client, "a")) == (version + 1, before)
    await client.query(VERBS[verb], id="a", version=version + 1)


@pytest.mark.parametrize("verb", VERBS)
async def test_a_correction_stays_behind_the_walls(client: Client, connect_as: Connect, verb: str) -> None:
    await prepared(client, verb)
    stranger = await connect_as(tenant=Tenant("stranger to hard corrections"))
    await remember(stranger, [note("b")])
    if verb != "flagConflict":  # which makes a pending edge, as link does
        assert (await stranger.error(VERBS[verb], id="a"))["code"] == "NOT_FOUND"
    bound = await connect_as(resource="red")
    assert (await bound.error(VERBS[verb], id="a"))["code"] == "FORBIDDEN"
    reader = await connect_as(Scope.READ)
    assert (await reader.error(VERBS[verb], id="a"))["code"] == "FORBIDDEN"


async def test_a_node_with_two_successors_says_so(client: Client) -> None:
    await remember(client, [note(uid) for uid in "abc"])
    answers = await asyncio.gather(
        *(client.query(SUPERSEDE, id="a", other=other) for other in "bc"),
    )
    assert sorted((one["supersede"]["version"], one["supersede"]["changed"]) for one in answers) == [
        (2, True),
        (2, True),
    ]
    assert sorted(await edges(client, "a")) == [("b", "SUPERSEDES", "a"), ("c", "SUPERSEDES", "a")]
    assert (await client.query(SUPERSEDE, id="a", other="b"))["supersede"]["changed"] is False
    log = (await client.query("{ changes(first: 3) { nodes { touched } } }"))["changes"]["nodes"]
    assert sorted(sorted(change["touched"]) for change in log) == [[], ["a", "b"], ["a", "c"]]


async def test_what_is_superseded_does_not_supersede(client: Client) -> None:
    await remember(client, [note(uid) for uid in "abc"])
    await client.query(SUPERSEDE, id="b", other="a")
    assert (await client.error(SUPERSEDE, id="c", other="b"))["code"] == "CONFLICT"
    await client.query(SUPERSEDE, id="a", other="c")
    assert (await client.error(SUPERSEDE, id="c", other="b"))["code"] == "CONFLICT"
    assert (await client.error(VERBS["retract"], id="b"))["code"] == "CONFLICT"


async def test_a_node_superseded_before_it_became_valid_was_never_valid(client: Client) -> None:
    await remember(client, [note("a", validFrom="2090-01-01T00:00:00Z"), note("b"), note("c")])
    await client.query(SUPERSEDE, id="a", other="b")
    found = await knowledge(client, "a")
    assert found["validFrom"] == found["validTo"] == "2090-01-01T00:00:00Z"
    await client.query(VERBS["restore"], id="a")
    assert (await knowledge(client, "a"))["validTo"] is None, "as before"


async def test_a_restored_node_is_valid_as_long_as_it_was_before(client: Client) -> None:
    until = "2090-01-01T00:00:00Z"
    await remember(client, [note("a", validTo=until), note("b"), note("c")])
    for uid in "ac":
        await client.query(SUPERSEDE, id=uid)
        await client.query(VERBS["archive"], id=uid)
        await client.query(VERBS["restore"], id=uid)
    assert ((await knowledge(client, "a"))["status"], (await knowledge(client, "a"))["validTo"]) == ("ACTIVE", until)
    assert ((await knowledge(client, "c"))["status"], (await knowledge(client, "c"))["validTo"]) == ("ACTIVE", None)
    assert await edges(client, "b") == []


async def test_a_node_that_is_superseded_by_another_is_in_no_contradiction_to_resolve(client: Client) -> None:
    await remember(client, [note(uid) for uid in "abc"])
    await client.query(SUPERSEDE, id="a")
    assert (await client.error(RESOLVE, id="a", other="c"))["code"] == "NOT_FOUND"
    assert await edges(client, "a") == [("b", "SUPERSEDES", "a")]
    assert (await client.query(RESOLVE, id="a", other="b"))["resolveConflict"]["changed"] is False


async def test_a_contradiction_with_what_is_out_of_use_can_not_be_settled_in_its_favour(client: Client) -> None:
    await remember(client, [note("a"), note("b")])
    await client.query(FLAG, id="a")
    await client.query(VERBS["retract"], id="b")
    assert (await client.error(RESOLVE, id="a", other="b"))["code"] == "CONFLICT"
    assert await edges(client, "a") == [("a", "CONFLICTS_WITH", "b")]


async def test_an_end_that_is_deleted_takes_the_contradiction_and_edges_that_wait_with_it(
    client: Client, graph: Graph, tenant: Tenant
) -> None:
    await remember(
        client,
        [note("a"), note("b")],
        [arrow("a", "DEPENDS_ON", "nowhere", reason="secret"), arrow("no", "RELATED_TO", "a")],
    )
    await client.query(FLAG, id="a")
    assert (await counted(graph, tenant))["pending"] == 2
    await client.query(DELETE, id="a")
    assert (await client.query(CONFLICTS))["conflicts"]["nodes"] == []
    assert (await counted(graph, tenant))["pending"] == 0
    assert (await client.error(RESOLVE, id="a"))["code"] == "NOT_FOUND"
    await remember(client, [note("nowhere"), note("no"), note("a")])
    assert await edges(client, "a") == []


async def test_history_names_the_key_but_not_to_a_key_bound_to_a_resource(client: Client, connect_as: Connect) -> None:
    await remember(client, [note("a", resourceId="red")])
    bound = await connect_as(resource="red")
    await bound.query(VERBS["retract"], id="a", reason="not so")
    query = HISTORY.replace("id: $id", 'id: $id, resourceId: "red"', 1)
    told = [
        [(state["reason"], state["cause"]["action"], state["cause"]["keyName"]) for state in states]
        for states in [(await one.query(query, id="a"))["history"] for one in (client, bound)]
    ]
    assert told[0] == [("not so", "retract", "test"), (None, "remember", "test")]
    assert told[1] == [("not so", "retract", "test"), (None, "remember", None)]


@pytest.mark.parametrize("after", ["WyIyMDI2LTAxLTAxIiwiYSBiIl0", "nonsense"])
async def test_a_cursor_that_is_none_of_the_contradictions_is_refused(client: Client, after: str) -> None:
    query = "query ($after: String) { conflicts(after: $after) { nodes { first { id } } } }"
    assert (await client.error(query, after=after))["field"] == "after"
