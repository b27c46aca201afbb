"""What a caller may ask of a search besides its words."""

from __future__ import annotations

from tests.client import Client
from tests.factories import chain, ids, note
from tests.operations import remember, search

SUPERSEDE = "mutation ($old: ID!, $new: ID!) { supersede(old: $old, new: $new) { status } }"
RETRACT = "mutation ($id: ID!) { retract(id: $id) { status } }"
BUDGETED = """
query ($input: SearchInput!) {
  search(input: $input) { hits { node { id } } edges { from to } tokens dropped }
}
"""


async def test_superseded_nodes_come_when_asked_for(client: Client) -> None:
    await remember(
        client, [note("a", "Tea", "brew it"), note("b", "Coffee", "brew that"), note("c", "Milk", "brew no")]
    )
    await client.query(SUPERSEDE, old="a", new="b")
    await client.query(RETRACT, id="c")
    assert ids((await search(client, "brew"))["hits"]) == ["b"]
    assert sorted(ids((await search(client, "brew", includeSuperseded=True))["hits"])) == ["a", "b"]


async def test_a_token_budget_keeps_the_first_hits_that_fit(client: Client) -> None:
    await remember(
        client, [note(f"n{at}", f"Tea {at}", "brew " * (at + 1)) for at in range(5)], chain("n0", "n1", "n2")
    )
    asked = {"query": "brew", "mode": "TEXT", "topK": 5}
    whole = (await client.query(BUDGETED, input=asked))["search"]
    assert (whole["tokens"], whole["dropped"]) == (None, 0)
    spent = []
    for budget in (1, 20, 10_000):
        found = (await client.query(BUDGETED, input={**asked, "tokenBudget": budget}))["search"]
        kept = ids(found["hits"])
        assert kept == ids(whole["hits"])[: len(kept)]
        assert found["dropped"] == len(whole["hits"]) - len(kept)
        assert found["tokens"] <= budget
        assert all(edge["from"] in kept for edge in found["edges"])
        spent.append(found["tokens"])
    assert spent == sorted(set(spent))
    assert (spent[0], found["dropped"]) == (0, 0)
    error = await client.error(BUDGETED, input={**asked, "tokenBudget": 0})
    assert (error["code"], error["field"]) == ("INVALID_INPUT", "tokenBudget")
