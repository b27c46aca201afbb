from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from graphmem.access.changes import MAX_REPLY, Call, Outcome, changes, recorded, reply_of
from graphmem.errors import Conflict, Forbidden, IdempotencyConflict, InvalidInput, LimitExceeded
from graphmem.graph.gateway import Graph, Transaction
from graphmem.graph.trips import count_trips
from graphmem.values import Scope, Tenant, new_id
from tests.access.calls import KEY, Done, added, adding, call, do, logged, never, principal


async def test_a_call_costs_two_statements_beside_its_own(graph: Graph, tenant: Tenant) -> None:
    with count_trips() as trips:
        await do(graph, call(tenant), adding(tenant))
    assert [trip.statement for trip in trips.made] == [
        "access/claim_change",
        "access/create_key",
        "access/record_change",
    ]


async def test_a_call_without_a_key_costs_one(graph: Graph, tenant: Tenant) -> None:
    with count_trips() as trips:
        await do(graph, call(tenant, None), adding(tenant))
    assert [trip.statement for trip in trips.made] == ["access/create_key", "access/note_change"]


async def test_the_same_call_again_is_given_the_same_reply(graph: Graph, tenant: Tenant) -> None:
    first = await do(graph, call(tenant, text="a", when=datetime(2026, 1, 1, tzinfo=UTC)), adding(tenant))
    with count_trips() as trips:
        again = await do(graph, call(tenant, when=datetime(2026, 1, 1, tzinfo=UTC), text="a"), never)
    assert again == first
    assert trips.count == 1
    assert await added(graph, tenant) == [first.id]


async def test_a_key_of_the_api_that_is_new_may_repeat_the_call(graph: Graph, tenant: Tenant) -> None:
    first = await do(graph, call(tenant), adding(tenant))
    renewed = replace(principal(tenant), key_id="key 2", name="renewed")
    assert await do(graph, replace(call(tenant), principal=renewed), never) == first


@pytest.mark.parametrize(
    "other",
    [
        lambda given: replace(given, input={"text": "hullo"}),
        lambda given: replace(given, input={}),
        lambda given: replace(given, action="unlink"),
        lambda given: replace(given, principal=replace(given.principal, resource="customer 1")),
        lambda given: replace(given, principal=replace(given.principal, agent="support")),
    ],
    ids=["text", "less", "action", "resource", "agent"],
)
async def test_another_call_with_a_used_key_is_refused(
    graph: Graph, tenant: Tenant, other: Callable[[Call], Call]
) -> None:
    first = await do(graph, call(tenant), adding(tenant))
    with pytest.raises(IdempotencyConflict) as refused:
        await do(graph, other(call(tenant)), never)
    assert refused.value.field == "idempotencyKey"
    assert await added(graph, tenant) == [first.id]


async def test_calls_without_a_key_are_calls_of_their_own(graph: Graph, tenant: Tenant) -> None:
    one = await do(graph, call(tenant, None), adding(tenant))
    two = await do(graph, call(tenant, None), adding(tenant))
    assert sorted(await added(graph, tenant)) == sorted([one.id, two.id])
    assert await logged(graph, tenant) == 2


async def test_the_same_key_in_another_tenant_is_another_key(graph: Graph, tenant: Tenant) -> None:
    other = Tenant(f"{tenant} 2")
    one = await do(graph, call(tenant), adding(tenant))
    two = await do(graph, call(other, text="something else"), adding(other))
    assert (await added(graph, tenant), await added(graph, other)) == ([one.id], [two.id])
    assert (await logged(graph, tenant), await logged(graph, other)) == (1, 1)


async def test_of_twenty_calls_at_once_with_one_key_one_does_the_work(graph: Graph, tenant: Tenant) -> None:
    doors = [graph, Graph(graph.driver, graph.settings)]
    replies = await asyncio.gather(*(do(doors[at % 2], call(tenant), adding(tenant)) for at in range(20)))
    assert len(set(replies)) == 1
    assert await added(graph, tenant) == [replies[0].id]
    assert await logged(graph, tenant) == 1


async def test_of_twenty_calls_at_once_with_two_inputs_one_input_wins(graph: Graph, tenant: Tenant) -> None:
    calls = [do(graph, call(tenant, text=str(at % 2)), adding(tenant)) for at in range(20)]
    replies = await asyncio.gather(*calls, return_exceptions=True)
    done = {reply for reply in replies if isinstance(reply, Done)}
    assert len(done) == 1
    assert sum(isinstance(reply, IdempotencyConflict) for reply in replies) == 10
    assert await added(graph, tenant) == [reply.id for reply in done]


async def test_twenty_calls_with_keys_of_their_own_do_not_wait_for_each_other(graph: Graph, tenant: Tenant) -> None:
    together = asyncio.Barrier(20)

    async def work(tx: Transaction) -> Outcome[Done]:
        await together.wait()
        return await adding(tenant)(tx)

    await asyncio.gather(*(do(graph, call(tenant, str(at)), work) for at in range(20)))
    assert len(await added(graph, tenant)) == 20


async def test_a_call_waits_for_the_one_with_its_key_and_does_the_work_when_that_fails(
    graph: Graph, tenant: Tenant
) -> None:
    claimed, go_on = asyncio.Event(), asyncio.Event()

    async def failing(tx: Transaction) -> Outcome[Done]:
        await adding(tenant)(tx)
        claimed.set()
        await go_on.wait()
        raise Conflict("no")

    first = asyncio.create_task(do(graph, call(tenant), failing))
    await claimed.wait()
    second = asyncio.create_task(do(graph, call(tenant), adding(tenant)))
    third = asyncio.create_task(do(graph, call(tenant, "another key"), adding(tenant)))
    await third
    assert not second.done()
    go_on.set()
    with pytest.raises(Conflict):
        await first
    both = [(await second).id, (await third).id]
    assert sorted(await added(graph, tenant)) == sorted(both)


async def test_a_dry_run_tells_what_it_would_do_and_leaves_nothing(graph: Graph, tenant: Tenant) -> None:
    tried = await do(graph, replace(call(tenant), dry_run=True), adding(tenant))
    assert tried.parts == (1, 2)
    assert (await added(graph, tenant), await logged(graph, tenant)) == ([], 0)
    done = await do(graph, call(tenant), adding(tenant))
    assert await added(graph, tenant) == [done.id]


async def test_a_dry_run_of_a_call_that_was_done_tells_what_came_of_it(graph: Graph, tenant: Tenant) -> None:
    done = await do(graph, call(tenant), adding(tenant))
    assert await do(graph, replace(call(tenant), dry_run=True), never) == done


@pytest.mark.parametrize("key", ["", " \t", "\u200b", "x" * 201, "\ud800"])
async def test_a_bad_idempotency_key_is_refused(graph: Graph, tenant: Tenant, key: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        await do(graph, call(tenant, key), never)
    assert refused.value.field == "idempotencyKey"


async def test_an_idempotency_key_may_have_200_characters_of_any_script(graph: Graph, tenant: Tenant) -> None:
    done = await do(graph, call(tenant, "鍵" * 200), adding(tenant))
    assert await do(graph, call(tenant, "鍵" * 200), never) == done


async def test_who_may_only_read_records_nothing(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(Forbidden):
        await do(graph, replace(call(tenant), principal=principal(tenant, Scope.READ)), never)


async def test_input_that_cannot_be_compared_is_refused(graph: Graph, tenant: Tenant) -> None:
    with pytest.raises(InvalidInput, match="JSON"):
        await do(graph, call(tenant, text="\ud800"), never)


async def test_a_reply_too_large_to_keep_undoes_the_call(graph: Graph, tenant: Tenant) -> None:
    async def work(tx: Transaction) -> Outcome[Done]:
        outcome = await adding(tenant)(tx)
        return replace(outcome, value=replace(outcome.value, note="x" * MAX_REPLY))

    with pytest.raises(LimitExceeded, match="split the call"):
        await do(graph, call(tenant), work)
    assert (await added(graph, tenant), await logged(graph, tenant)) == ([], 0)


async def test_a_reply_of_thousands_of_ids_is_kept(graph: Graph, tenant: Tenant) -> None:
    ids = [new_id() for _ in range(6000)]

    async def work(tx: Transaction) -> Outcome[list[str]]:
        return Outcome(ids, ids, {}, dict.fromkeys(ids, "f" * 64))

    assert await recorded(graph, call(tenant), work, *reply_of(list[str])) == ids
    assert await recorded(graph, call(tenant), never, *reply_of(list[str])) == ids  # type: ignore[arg-type]
    [change] = (await changes(graph, principal(tenant))).items
    assert change.touched == tuple(ids)


async def test_the_log_keeps_no_text_of_the_input(graph: Graph, tenant: Tenant) -> None:
    given = call(tenant, text="my secret diary")
    await do(graph, given, adding(tenant))
    kept = await graph.run(
        "access/claim_change", tenant=tenant, idempotencyKey=KEY, uid="", inputHash="", action="", keyId="", keyName="",
        resource=None, agent=None,
    )  # fmt: skip
    assert "diary" not in repr([kept, await changes(graph, given.principal)])
