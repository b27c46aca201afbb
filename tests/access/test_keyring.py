from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from graphmem.access.key_text import KeyText, new_key_text
from graphmem.access.keyring import Keyring
from graphmem.access.keys import create_key, revoke_key
from graphmem.access.principal import local_principal
from graphmem.config import Settings
from graphmem.errors import Unauthenticated
from graphmem.graph.gateway import Graph, Row
from graphmem.graph.trips import count_trips
from graphmem.values import Scope, Tenant

SETTINGS = Settings(key_cache_seconds=5)


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


class HeldGraph(Graph):
    """Holds look-ups until it is opened, but for ids let through; knows how many wait and the most that did."""

    def __init__(self, graph: Graph, *let_through: str) -> None:
        super().__init__(graph.driver, graph.settings, graph.statements)
        self.opened = asyncio.Event()
        self.waits = asyncio.Event()
        self.let_through = set(let_through)
        self.waiting = self.most = 0

    async def read(self, name: str, /, **params: Any) -> list[Row]:
        if params["keyId"] not in self.let_through:
            self.waiting += 1
            self.most = max(self.most, self.waiting)
            self.waits.set()
            await self.opened.wait()
            self.waiting -= 1
        return await super().read(name, **params)


async def made_key(graph: Graph, tenant: Tenant) -> tuple[str, str]:
    """The header and the id of a new key."""
    made = await create_key(graph, tenant, name="ci", scopes=[Scope.READ])
    return f"Bearer {made.key}", made.api_key.id


async def refused(keyring: Keyring, header: str | None) -> str:
    with pytest.raises(Unauthenticated) as error:
        await keyring.authenticate(header)
    return error.value.message


@pytest.mark.parametrize(
    ("header", "why"),
    [
        (None, "send an API key"),
        ("", "send an API key"),
        ("Basic dXNlcjpwYXNz", "of the form"),
        ("gm_abc", "of the form"),
        ("Bearer", "copied in full"),
        ("Bearer ", "copied in full"),
        ("Bearer gm_", "copied in full"),
        ("Bearer gm_é\ud800\x00", "copied in full"),
        ("Bearer " + "x" * 1_000_000, "copied in full"),
        ("Bearer " + KeyText("a" * 16, "b" * 43).text[:-1], "copied in full"),
        ("Bearer gm_" + "a" * 16 + "_" + "b" * 43 + "00000000", "copied in full"),
    ],
    ids=range(11),
)
async def test_what_cannot_be_a_key_is_refused_without_a_look_up(graph: Graph, header: str | None, why: str) -> None:
    with count_trips() as trips:
        message = await refused(Keyring(graph, SETTINGS), header)
    assert why in message
    assert trips.count == 0


@pytest.mark.parametrize("form", ["Bearer {}", "bearer {}", "BEARER   {} "])
async def test_the_scheme_is_read_as_http_has_it(graph: Graph, tenant: Tenant, form: str) -> None:
    header, key_id = await made_key(graph, tenant)
    found = await Keyring(graph, SETTINGS).authenticate(form.format(header.split()[1]))
    assert found.key_id == key_id


async def test_an_unknown_key_and_a_wrong_secret_are_refused_alike(graph: Graph, tenant: Tenant) -> None:
    _, key_id = await made_key(graph, tenant)
    keyring = Keyring(graph, SETTINGS)
    unknown = await refused(keyring, f"Bearer {new_key_text().text}")
    wrong = await refused(keyring, f"Bearer {new_key_text(key_id).text}")
    assert unknown == wrong == "this API key is unknown or was revoked"


async def test_a_refusal_does_not_repeat_the_key(graph: Graph) -> None:
    key = new_key_text()
    assert key.secret not in await refused(Keyring(graph, SETTINGS), f"Bearer {key.text}")
    assert key.secret not in await refused(Keyring(graph, SETTINGS), f"Bearer {key.text}x")


async def test_wrong_secrets_for_a_known_id_cost_one_look_up_and_do_not_lock_the_key_out(
    graph: Graph, tenant: Tenant
) -> None:
    header, key_id = await made_key(graph, tenant)
    keyring = Keyring(graph, SETTINGS)
    with count_trips() as trips:
        for _ in range(20):
            await refused(keyring, f"Bearer {new_key_text(key_id).text}")
        assert (await keyring.authenticate(header)).key_id == key_id
    assert trips.count == 1


async def test_a_good_key_and_an_unknown_one_are_looked_up_once_in_the_time(graph: Graph, tenant: Tenant) -> None:
    header, _ = await made_key(graph, tenant)
    unknown = f"Bearer {new_key_text().text}"
    clock = Clock()
    keyring = Keyring(graph, SETTINGS, clock=clock)
    counted = []
    for now in (0.0, 4.9, 5.0, 9.9, 10.0):
        clock.now = 1000.0 + now
        with count_trips() as trips:
            await keyring.authenticate(header)
            await refused(keyring, unknown)
        counted.append(trips.count)
    assert counted == [2, 0, 2, 0, 2]


async def test_a_revoked_key_stops_in_every_process_when_the_time_is_over(graph: Graph, tenant: Tenant) -> None:
    header, key_id = await made_key(graph, tenant)
    clock = Clock()
    here, there = Keyring(graph, SETTINGS, clock=clock), Keyring(graph, SETTINGS, clock=clock)
    assert await here.authenticate(header) == await there.authenticate(header)
    await revoke_key(graph, local_principal(tenant), key_id)
    await here.forget(key_id)
    await refused(here, header)
    clock.now += 4.9
    assert (await there.authenticate(header)).key_id == key_id, "it is still trusted: else this test shows nothing"
    clock.now += 0.1
    await refused(there, header)


async def test_trust_counts_from_before_a_slow_look_up(graph: Graph, tenant: Tenant) -> None:
    header, key_id = await made_key(graph, tenant)
    clock, held = Clock(), HeldGraph(graph)
    keyring = Keyring(held, SETTINGS, clock=clock)
    slow = asyncio.create_task(keyring.authenticate(header))
    await held.waits.wait()
    clock.now += 5
    held.opened.set()
    await slow
    await revoke_key(graph, local_principal(tenant), key_id)
    await refused(keyring, header)


async def test_nothing_is_trusted_when_the_time_is_zero(graph: Graph, tenant: Tenant) -> None:
    header, key_id = await made_key(graph, tenant)
    keyring = Keyring(graph, Settings(key_cache_seconds=0))
    await keyring.authenticate(header)
    await revoke_key(graph, local_principal(tenant), key_id)
    await refused(keyring, header)


async def test_callers_with_one_key_share_one_look_up(graph: Graph, tenant: Tenant) -> None:
    header, _ = await made_key(graph, tenant)
    unknown = f"Bearer {new_key_text().text}"
    keyring = Keyring(graph, SETTINGS)
    with count_trips() as trips:
        good = await asyncio.gather(*(keyring.authenticate(header) for _ in range(50)))
        bad = await asyncio.gather(*(keyring.authenticate(unknown) for _ in range(50)), return_exceptions=True)
    assert trips.count == 2
    assert len(set(good)) == 1
    assert {type(error) for error in bad} == {Unauthenticated}


async def test_a_caller_that_goes_away_does_not_take_the_look_up_along(graph: Graph, tenant: Tenant) -> None:
    header, key_id = await made_key(graph, tenant)
    held = HeldGraph(graph)
    keyring = Keyring(held, SETTINGS)
    gone, stays = (asyncio.create_task(keyring.authenticate(header)) for _ in range(2))
    await held.waits.wait()
    gone.cancel()
    held.opened.set()
    assert (await stays).key_id == key_id
    with pytest.raises(asyncio.CancelledError):
        await gone
    assert held.most == 1


async def test_an_answer_under_way_when_its_key_is_forgotten_is_not_kept(graph: Graph, tenant: Tenant) -> None:
    header, key_id = await made_key(graph, tenant)
    held = HeldGraph(graph)
    keyring = Keyring(held, SETTINGS)
    early = asyncio.create_task(keyring.authenticate(header))
    await held.waits.wait()
    await keyring.forget(key_id)
    held.opened.set()
    await early
    await revoke_key(graph, local_principal(tenant), key_id)
    await refused(keyring, header)


async def test_a_failed_look_up_is_not_kept(graph: Graph, tenant: Tenant) -> None:
    class DownOnce(Graph):
        down = True

        async def read(self, name: str, /, **params: Any) -> list[Row]:
            if self.down:
                self.down = False
                raise ConnectionError("down")
            return await super().read(name, **params)

    header, key_id = await made_key(graph, tenant)
    keyring = Keyring(DownOnce(graph.driver, graph.settings), SETTINGS)
    with pytest.raises(ConnectionError):
        await keyring.authenticate(header)
    assert (await keyring.authenticate(header)).key_id == key_id


async def test_a_flood_of_made_up_keys_pushes_no_good_key_out(graph: Graph, tenant: Tenant) -> None:
    header, key_id = await made_key(graph, tenant)
    keyring = Keyring(graph, SETTINGS, kept=4, clock=Clock())
    await keyring.authenticate(header)
    flood = [f"Bearer {new_key_text().text}" for _ in range(60)]
    answers = await asyncio.gather(*map(keyring.authenticate, flood), return_exceptions=True)
    assert {type(answer) for answer in answers} == {Unauthenticated}
    with count_trips() as trips:
        assert (await keyring.authenticate(header)).key_id == key_id
    assert trips.count == 0


async def test_a_flood_of_made_up_keys_keeps_neither_the_database_nor_a_good_key_busy(
    graph: Graph, tenant: Tenant
) -> None:
    header, key_id = await made_key(graph, tenant)
    held, clock = HeldGraph(graph, key_id), Clock()
    keyring = Keyring(held, SETTINGS, clock=clock)
    await keyring.authenticate(header)
    flood = [asyncio.create_task(keyring.authenticate(f"Bearer {new_key_text().text}")) for _ in range(60)]
    await held.waits.wait()
    clock.now += 6
    with count_trips() as trips:
        assert (await keyring.authenticate(header)).key_id == key_id
    assert trips.count == 1, "it was looked up while the flood waited"
    held.opened.set()
    await asyncio.gather(*flood, return_exceptions=True)
    assert held.most == 4
