"""What a hit tells of why it is there, through GraphQL."""

from __future__ import annotations

from tests.client import Client
from tests.conftest import Settle
from tests.factories import note
from tests.operations import known

REMEMBER = "mutation ($nodes: [KnowledgeInput!]) { remember(nodes: $nodes) { ids } }"
SUPERSEDE = 'mutation { supersede(old: "old", new: "new") { changed } }'
SEARCH = """query ($q: String!) { search(input: {query: $q, topK: 1}) {
  hits { node { id } depth replaces path { from to type forward via } } edges { from to } roundTrips } }"""


async def test_a_path_names_the_entity_that_it_goes_by(client: Client, settle: Settle) -> None:
    texts = [note("s", "Alder", "bark of Kew"), note("t", "Birch", "a remedy of Kew")]
    await client.query(REMEMBER, nodes=[*texts, *(note(f"f{at}", f"Filling {at}", str(at) * 3) for at in range(4))])
    await settle()
    found = (await client.query(SEARCH, q="alder bark remedy"))["search"]
    assert found["hits"] == [
        {"node": {"id": "s"}, "depth": 0, "replaces": [], "path": []},
        {
            "node": {"id": "t"}, "depth": 1, "replaces": [],
            "path": [{"from": "s", "to": "t", "type": "MENTIONS", "forward": True, "via": "Kew"}],
        },
    ]  # fmt: skip
    assert found["edges"] == []


async def test_a_hit_names_what_it_replaces(client: Client, settle: Settle) -> None:
    await client.query(REMEMBER, nodes=[note("old", "Nightly export", "a cron job"), note("new", "Sync", "streams")])
    await client.query(SUPERSEDE)
    await settle()
    found = (await client.query(SEARCH, q="cron job"))["search"]["hits"]
    assert [(hit["node"]["id"], hit["replaces"], hit["depth"]) for hit in found] == [("new", ["old"], 0)]


async def test_counting_words_takes_no_trip_of_its_own(client: Client, settle: Settle) -> None:
    await client.query(REMEMBER, nodes=[note("s", "Alder", "bark of Kew"), note("t", "Birch", "a remedy of Kew")])
    await settle()
    await known(client)
    first = (await client.query(SEARCH, q="alder bark remedy"))["search"]["roundTrips"]
    await known(client)
    again = (await client.query(SEARCH, q="alder bark remedy"))["search"]["roundTrips"]
    assert (first, again) == (1, 1)
