"""A SUPERSEDES edge does the same to the old node whichever verb makes it."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests import operations
from tests.client import Client
from tests.conftest import Connect, Settle
from tests.factories import arrow, ids, note
from tests.operations import link, remember, search, unlink

STATE = "query ($id: ID!) { knowledge(id: $id) { status version validTo supersededBy { id } } }"
HISTORY = "query ($id: ID!) { history(id: $id) { node { version status } } }"
SUPERSEDE = "mutation ($old: ID!, $new: ID!) { supersede(old: $old, new: $new) { version } }"
VERB = 'mutation ($id: ID!) {{ {}(id: $id, reason: "wrong") {{ status }} }}'
EDGE = arrow("new", "SUPERSEDES", "old")
PAIR = [note("new", "Price now", "It is 5."), note("old", "Price then", "It was 4.")]


async def by_supersede(client: Client) -> Any:
    return await client.query(SUPERSEDE, old="old", new="new")


async def by_link(client: Client) -> Any:
    return await link(client, [EDGE])


async def by_remember(client: Client) -> Any:
    return await remember(client, [], [EDGE])


async def state(client: Client, uid: str = "old") -> dict[str, Any]:
    found: dict[str, Any] = (await client.query(STATE, id=uid))["knowledge"]
    return found


@pytest.mark.parametrize("make", [by_supersede, by_link, by_remember])
async def test_the_old_node_goes_out_of_use_and_keeps_its_earlier_state(
    client: Client, settle: Settle, make: Callable[[Client], Awaitable[Any]]
) -> None:
    await remember(client, PAIR)
    await settle()
    await make(client)
    old = await state(client)
    assert (old["status"], old["version"], ids(old["supersededBy"])) == ("SUPERSEDED", 2, ["new"])
    assert old["validTo"] is not None
    assert (await state(client, "new"))["version"] == 1
    history = (await client.query(HISTORY, id="old"))["history"]
    assert [(one["node"]["version"], one["node"]["status"]) for one in history] == [(2, "SUPERSEDED"), (1, "ACTIVE")]
    assert [hit["node"]["id"] for hit in (await search(client, "price", expand=False))["hits"]] == ["new"]
    await make(client)
    assert await state(client) == old


async def test_taking_the_edge_back_leaves_the_status(client: Client) -> None:
    await remember(client, PAIR)
    await link(client, [EDGE])
    before = await state(client)
    await unlink(client, [EDGE])
    assert await state(client) == before | {"supersededBy": []}


async def test_a_call_that_makes_both_and_is_repeated_changes_nothing(client: Client) -> None:
    nodes = [PAIR[0], PAIR[1] | {"status": "ACTIVE", "validTo": "2999-01-01T00:00:00Z"}]
    done = await remember(client, nodes, [EDGE])
    assert (done["created"], done["edgesCreated"]) == (["new", "old"], 1)
    old = await state(client)
    assert (old["status"], old["version"], ids(old["supersededBy"])) == ("SUPERSEDED", 1, ["new"])
    assert old["validTo"] < "2999"
    again = await remember(client, nodes, [EDGE])
    assert (again["unchanged"], again["edgesUnchanged"]) == (["new", "old"], 1)
    assert await state(client) == old


async def test_a_node_that_was_superseded_when_it_was_made_can_still_be_corrected(client: Client) -> None:
    await remember(client, PAIR, [EDGE])
    done = await remember(client, [note("old", "Price then", "It was 3.")])
    assert done["updated"] == ["old"]
    assert (await state(client))["status"] == "SUPERSEDED"


async def test_an_edge_that_waited_takes_effect_when_its_end_arrives(client: Client) -> None:
    await remember(client, PAIR[1:])
    assert len((await link(client, [EDGE]))["pending"]) == 1
    assert (await state(client))["status"] == "ACTIVE"
    await remember(client, PAIR[:1])
    assert (await state(client))["status"] == "SUPERSEDED"


@pytest.mark.parametrize("verb", ["retract", "archive"])
async def test_what_is_itself_taken_back_replaces_nothing(client: Client, verb: str) -> None:
    await remember(client, PAIR)
    await client.query(VERB.format(verb), id="new")
    assert (await client.error(operations.LINK, edges=[EDGE]))["code"] == "CONFLICT"
    assert (await state(client))["status"] == "ACTIVE"


async def test_an_edge_that_waited_for_what_was_taken_back_is_dropped_with_a_warning(client: Client) -> None:
    await remember(client, PAIR[:1])
    await link(client, [EDGE])
    await client.query(VERB.format("retract"), id="new")
    done = await remember(client, PAIR[1:])
    assert [warning["code"] for warning in done["warnings"]] == ["PENDING_LINK_DROPPED"]
    assert (await state(client))["status"] == "ACTIVE"


async def test_a_line_of_successors_may_be_told_from_either_end(client: Client) -> None:
    await remember(client, [note(uid) for uid in "abc"])
    await link(client, [arrow("a", "SUPERSEDES", "b")])
    await link(client, [arrow("b", "SUPERSEDES", "c")])
    assert [(await state(client, uid))["status"] for uid in "abc"] == ["ACTIVE", "SUPERSEDED", "SUPERSEDED"]


async def test_a_bound_key_supersedes_no_shared_knowledge(client: Client, connect_as: Connect) -> None:
    await remember(client, PAIR[1:])
    bound = await connect_as(resource="r1")
    await remember(bound, PAIR[:1])
    assert (await bound.error(operations.LINK, edges=[EDGE]))["code"] == "FORBIDDEN"
    assert (await state(client))["status"] == "ACTIVE"
