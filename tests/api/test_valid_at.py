"""Reads of the world at another time (`validAt`)."""

from __future__ import annotations

from tests.api.test_as_of import SUPERSEDE, days, nodes, now, read
from tests.client import Client
from tests.factories import arrow, ids, note
from tests.operations import link, remember, search, unlink

AROUND = """
query ($asOf: DateTime, $at: DateTime) {
  traverse(from: "a", asOf: $asOf, validAt: $at) { hits { node { id } } }
}
"""


async def test_valid_at_tells_what_was_true_in_the_world(client: Client) -> None:
    await remember(
        client,
        [
            note("old", "Price of tea", "costs 10", validFrom="2020-01-01T00:00:00Z", validTo="2022-01-01T00:00:00Z"),
            note("new", "Price now", "costs 12", validFrom="2022-01-01T00:00:00Z"),
            note("next", "Price next", "costs 14", validFrom=days(30)),
        ],
        [arrow("new", "RELATED_TO", "old")],
    )
    for at, true in (
        ("2019-06-01T00:00:00Z", []),
        ("2021-06-01T00:00:00Z", ["old"]),
        (now(), ["new"]),
        (days(31), ["new", "next"]),
    ):
        assert sorted(ids((await search(client, "costs", validAt=at))["hits"])) == true
        assert sorted(ids(nodes(await read(client, "knowledgeNodes", validAt=at)))) == true
        for uid in ("old", "new", "next"):
            found = (await client.query(f'{{ knowledge(id: "{uid}", validAt: "{at}") {{ id }} }}'))["knowledge"]
            assert (found is not None) == (uid in true)


async def test_what_was_superseded_since_was_true_in_its_time(client: Client) -> None:
    await remember(
        client, [note("old", "Price", "costs 10", validFrom="2020-01-01T00:00:00Z"), note("new", "Price", "costs 12")]
    )
    before = now()
    await client.query(SUPERSEDE, old="old", new="new")
    assert ids((await search(client, "costs"))["hits"]) == ["new"]
    assert ids((await search(client, "costs", validAt="2021-01-01T00:00:00Z"))["hits"]) == ["old"]
    assert ids((await search(client, "costs", validAt=now()))["hits"]) == ["new"]
    # What the graph said then of the time to come, it has learnt better since.
    assert sorted(ids((await search(client, "costs", asOf=before, validAt=days(1)))["hits"])) == ["new", "old"]


async def test_an_edge_that_holds_for_a_while_is_walked_then(client: Client) -> None:
    await remember(client, [note("a", validFrom="2020-01-01T00:00:00Z"), note("b", validFrom="2020-01-01T00:00:00Z")])
    await link(
        client, [arrow("a", "DEPENDS_ON", "b", validFrom="2021-01-01T00:00:00Z", validTo="2022-01-01T00:00:00Z")]
    )
    linked = now()
    await unlink(client, [arrow("a", "DEPENDS_ON", "b")])
    for at, reached in (
        ("2020-06-01T00:00:00Z", ["a"]),
        ("2021-06-01T00:00:00Z", ["a", "b"]),
        ("2022-06-01T00:00:00Z", ["a"]),
    ):
        assert ids((await client.query(AROUND, asOf=linked, at=at))["traverse"]["hits"]) == reached
        assert ids((await client.query(AROUND, at=at))["traverse"]["hits"]) == ["a"]


async def test_a_contradiction_is_one_while_both_are_true(client: Client) -> None:
    """Whether or not another has taken the place of one of them since."""
    await remember(
        client,
        [
            note("a", validFrom="2020-01-01T00:00:00Z", validTo="2023-01-01T00:00:00Z"),
            note("b", validFrom="2022-01-01T00:00:00Z"), note("c", validFrom="2022-06-01T00:00:00Z"),
        ],
        [arrow("a", "CONFLICTS_WITH", "b")],
    )  # fmt: skip
    conflicts = "query ($at: DateTime) { conflicts(validAt: $at) { nodes { first { id } second { id } } } }"
    pair = [{"first": {"id": "a"}, "second": {"id": "b"}}]
    for _ in range(2):
        for at, found in (("2021-06-01T00:00:00Z", []), ("2022-09-01T00:00:00Z", pair), (now(), [])):
            assert (await client.query(conflicts, at=at))["conflicts"]["nodes"] == found
        await client.query(SUPERSEDE, old="b", new="c")
